//! Lyocell, in any [`Setup`].

use std::time::Duration;

use lyocell::deque::{Amount, ReceiverOptions, SenderOptions};
use lyocell::probe::{Counters, Times};
use lyocell::{Deque, NoProbe, Pool};

use super::observed::{Watch, Watching};
use super::{Engine, RUNTIME, Sample, Session, Setup, StartError};
use crate::workload::{Instance, Problem, WrongAnswer, with_problem};

/// The runtime in one setup.
pub(super) struct Lyocell {
    pub(super) name: &'static str,
    pub(super) setup: Setup,
}

/// The runtime as everybody gets it.
pub(super) static DEFAULT: Lyocell = Lyocell { name: RUNTIME, setup: Setup::DEFAULT };

impl Engine for Lyocell {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        "this project, on the split deque if no other is chosen"
    }

    fn absence(&self) -> Option<&'static str> {
        self.setup.deque.absence()
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let failure = |cause| StartError { engine: self.name, workers, cause };
        self.setup.deque.start(&self.setup, workers).map_err(failure)
    }
}

/// A session, or why there is none.
pub(super) type Started = Result<Box<dyn Session>, String>;

/// The options of a deque.
pub(super) trait Options {
    /// These, with what the setup chooses.
    #[must_use]
    fn with(self, setup: &Setup) -> Self;
}

impl Options for () {
    fn with(self, _setup: &Setup) {}
}

impl Options for Amount {
    fn with(self, setup: &Setup) -> Amount {
        setup.amount.unwrap_or(self)
    }
}

impl Options for ReceiverOptions {
    fn with(self, setup: &Setup) -> ReceiverOptions {
        ReceiverOptions { amount: setup.amount.unwrap_or(self.amount), ..self }
    }
}

impl Options for SenderOptions {
    fn with(self, setup: &Setup) -> SenderOptions {
        let (amount, delta): (Amount, Duration) =
            (setup.amount.unwrap_or(self.amount), setup.delta.unwrap_or(self.delta));
        SenderOptions { amount, delta, ..self }
    }
}

/// Starts a pool on the deque `D`, whose options are `options` but for what the setup chooses.
///
/// Every probe is another copy of every workload in the program. So whoever only counts has the clock read as
/// well, at each steal and each wait.
pub(super) fn start<D>(options: D::Options, setup: &Setup, workers: usize) -> Started
where
    D: Deque<Options: Options>,
{
    match setup.watch {
        Watch::Nothing => start_watched::<D, NoProbe>(options, setup, workers),
        Watch::Times => start_watched::<D, Times>(options, setup, workers),
        Watch::Counts | Watch::Both => {
            start_watched::<D, (Counters, Times)>(options, setup, workers)
        }
    }
}

/// As [`start`], for deques that are there to be compared with: one that is watched is watched in full, so
/// times have the counting in them.
pub(super) fn start_ablation<D>(options: D::Options, setup: &Setup, workers: usize) -> Started
where
    D: Deque<Options: Options>,
{
    match setup.watch {
        Watch::Nothing => start_watched::<D, NoProbe>(options, setup, workers),
        _ => start_watched::<D, (Counters, Times)>(options, setup, workers),
    }
}

fn start_watched<D, P>(options: D::Options, setup: &Setup, workers: usize) -> Started
where
    D: Deque<Options: Options>,
    P: Watching,
{
    let builder = Pool::builder().deque::<D>().deque_options(options.with(setup)).probe::<P>();
    let mut builder = builder.workers(workers).wait(setup.wait);
    if let Some(period) = setup.interrupt {
        builder = builder.interrupt(period);
    }
    let pool = builder.build().map_err(|error| error.to_string())?;
    Ok(Box::new(LyocellSession { pool, watch: setup.watch }))
}

struct LyocellSession<D: Deque, P: Watching> {
    pool: Pool<D, P>,
    watch: Watch,
}

impl<D: Deque, P: Watching> Session for LyocellSession<D, P> {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        let observer = (&self.pool, self.watch);
        with_problem!(instance, problem => Sample::take_observed(problem, &observer, |problem| {
            self.pool.run(|worker| problem.lyocell(worker))
        }))
    }
}
