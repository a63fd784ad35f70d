//! Starts a pool in a setup.

use lyocell::deque::{ReceiverOptions, SenderOptions, SplitOptions};
use lyocell::probe::{Counters, Times};
use lyocell::{Deque, NoProbe, Pool, Worker};
use lyocell_workloads::{Instance, Lyocell, On, Reach, WrongAnswer};

use super::Setup;
use super::observed::{Watch, Watching};
use super::options::Tuning;
use crate::programs::{TakeSample, sample};
use crate::{Sample, Session};

/// A session, or why there is none.
pub(super) type Started = Result<Box<dyn Session>, String>;

/// The options of a deque.
pub(super) trait DequeOptions {
    /// Takes what is chosen of them.
    fn tune(&mut self, tuning: &Tuning);
}

/// Takes what is chosen, if anything is.
fn set<T: Copy>(field: &mut T, chosen: Option<T>) {
    *field = chosen.unwrap_or(*field);
}

impl DequeOptions for () {
    fn tune(&mut self, _tuning: &Tuning) {}
}

impl DequeOptions for SplitOptions {
    fn tune(&mut self, tuning: &Tuning) {
        set(&mut self.amount, tuning.amount);
        set(&mut self.share, tuning.share);
    }
}

impl DequeOptions for ReceiverOptions {
    fn tune(&mut self, tuning: &Tuning) {
        set(&mut self.amount, tuning.amount);
    }
}

impl DequeOptions for SenderOptions {
    fn tune(&mut self, tuning: &Tuning) {
        set(&mut self.amount, tuning.amount);
        set(&mut self.delta, tuning.delta);
        set(&mut self.attempts, tuning.attempts);
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

fn start_watched<D, P, R>(mut options: D::Options, setup: &Setup, workers: usize) -> Started
where
    D: Deque<Options: DequeOptions>,
    P: Watching,
    R: Reach<Lyocell<D, P>>,
{
    let tuning = setup.tuning();
    options.tune(&tuning);
    let builder = Pool::builder().deque::<D>().deque_options(options).probe::<P>();
    let mut builder = builder.workers(workers).wait(tuning.wait.unwrap_or_default());
    if let Some(period) = tuning.interrupt {
        builder = builder.interrupt(period);
    }
    if let Some(signals) = tuning.signals {
        builder = builder.signals(signals);
    }
    if let Some(exposing) = tuning.exposing {
        builder = builder.exposing(exposing);
    }
    if let Some(pinning) = tuning.pinning {
        builder = builder.pinning(pinning);
    }
    if let Some(time) = tuning.search {
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
