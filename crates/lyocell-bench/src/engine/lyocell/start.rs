//! Starts a pool in a setup.

use lyocell::deque::{ReceiverOptions, SenderOptions, SplitOptions};
use lyocell::probe::{Counters, Times};
use lyocell::{Deque, NoProbe, Pool, Worker};
use lyocell_workloads::{Instance, Lyocell, On, Reach, WrongAnswer};

use super::Setup;
use super::observed::{Watch, Watching};
use crate::engine::programs::{TakeSample, sample};
use crate::engine::{Sample, Session};

/// A session, or why there is none.
pub(super) type Started = Result<Box<dyn Session>, String>;

/// The options of a deque.
pub(super) trait DequeOptions {
    /// These, with what the setup chooses.
    #[must_use]
    fn with(self, setup: &Setup) -> Self;
}

impl DequeOptions for () {
    fn with(self, _setup: &Setup) {}
}

impl DequeOptions for SplitOptions {
    fn with(self, setup: &Setup) -> SplitOptions {
        let amount = setup.amount().unwrap_or(self.amount);
        let share = setup.share().unwrap_or(self.share);
        SplitOptions { amount, share }
    }
}

impl DequeOptions for ReceiverOptions {
    fn with(self, setup: &Setup) -> ReceiverOptions {
        ReceiverOptions { amount: setup.amount().unwrap_or(self.amount), ..self }
    }
}

impl DequeOptions for SenderOptions {
    fn with(self, setup: &Setup) -> SenderOptions {
        let amount = setup.amount().unwrap_or(self.amount);
        let delta = setup.delta().unwrap_or(self.delta);
        let attempts = setup.attempts().unwrap_or(self.attempts);
        SenderOptions { amount, delta, attempts, ..self }
    }
}

/// All that can be watched at once.
pub(super) type Full = (Counters, Times);

/// Starts a pool on the deque `D`, whose options are `options` but for what the setup chooses, for the programs
/// of the roster `R`.
///
/// Every probe is another copy of every program in the binary. So one that is watched is watched in full: times have the
/// counting in them, and counts the clock, which is read at each steal and each wait.
pub(super) fn start<D, R>(options: D::Options, setup: &Setup, workers: usize) -> Started
where
    D: Deque<Options: DequeOptions>,
    R: Reach<Lyocell<D, NoProbe>> + Reach<Lyocell<D, Full>>,
{
    match setup.watch {
        Watch::Nothing => start_watched::<D, NoProbe, R>(options, setup, workers),
        Watch::Counts | Watch::Times | Watch::Both => {
            start_watched::<D, Full, R>(options, setup, workers)
        }
    }
}

fn start_watched<D, P, R>(options: D::Options, setup: &Setup, workers: usize) -> Started
where
    D: Deque<Options: DequeOptions>,
    P: Watching,
    R: Reach<Lyocell<D, P>>,
{
    let builder = Pool::builder().deque::<D>().deque_options(options.with(setup)).probe::<P>();
    let mut builder = builder.workers(workers).wait(setup.wait());
    if let Some(period) = setup.interrupt() {
        builder = builder.interrupt(period);
    }
    if let Some(time) = setup.search() {
        builder = builder.search_time(time);
    }
    let pool = builder.build().map_err(|error| error.to_string())?;
    let run = |session: &PoolSession<D, P>, instance: &mut Instance| {
        sample::<R, Lyocell<D, P>>(instance, session)
    };
    Ok(Box::new(PoolSession { pool, watch: setup.watch, run }))
}

struct PoolSession<D: Deque, P: Watching> {
    pool: Pool<D, P>,
    watch: Watch,
    /// Runs the programs of a roster.
    run: fn(&PoolSession<D, P>, &mut Instance) -> Result<Sample, WrongAnswer>,
}

impl<D: Deque, P: Watching> Session for PoolSession<D, P> {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        (self.run)(self, instance)
    }
}

impl<D: Deque, P: Watching> TakeSample<Lyocell<D, P>> for PoolSession<D, P> {
    fn take<Q: On<Lyocell<D, P>>>(&self, problem: &mut Q) -> Result<Sample, WrongAnswer> {
        let observer = (&self.pool, self.watch);
        Sample::take_observed(problem, &observer, &mut |problem| {
            let mut answer = None;
            let mut body = |worker: &Worker<D, P>| answer = Some(problem.run(worker));
            // The pool's code for a closure is there once a pool, not once a program.
            let body: &mut (dyn FnMut(&Worker<D, P>) + Send) = &mut body;
            self.pool.run(body);
            answer.expect("the pool has run it")
        })
    }
}
