//! What the probes of the runtime saw of one run.
//!
//! The probe is a type parameter of the pool, so a session is watched from its start or not at all.

use lyocell::deque::Deque;
use lyocell::probe::{Counters, Counts, Spent, Times};
use lyocell::{NoProbe, Pool, Probe};

/// What the probes look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Nothing, at no cost.
    #[default]
    Nothing,
    /// How often what happens.
    Counts,
    /// How the time is spent.
    Times,
    /// Both.
    Both,
}

impl Watch {
    /// Whether it looks how often what happens.
    pub fn looks_at_counts(self) -> bool {
        matches!(self, Watch::Counts | Watch::Both)
    }

    /// Whether it looks how the time is spent.
    pub fn looks_at_times(self) -> bool {
        matches!(self, Watch::Times | Watch::Both)
    }
}

/// What was seen of one run; a worker's at its index. Empty is what was not looked at.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// How often what happened.
    pub counts: Vec<Counts>,
    /// How the time was spent.
    pub times: Vec<Spent>,
    /// What the profile measured.
    pub spans: Option<Spans>,
}

/// What the profile of a run has measured, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Spans {
    pub work_s: f64,
    pub span_s: f64,
    /// With 2,000 cycles for each stolen branch.
    pub span_2k_s: f64,
}

impl Observed {
    /// All workers together.
    pub fn total_counts(&self) -> Option<Counts> {
        self.counts.iter().copied().reduce(|sum, one| sum.merge(&one))
    }

    /// All workers together.
    pub fn total_times(&self) -> Option<Spent> {
        self.times.iter().copied().reduce(|sum, one| sum.merge(&one))
    }

    /// How many workers were looked at.
    pub fn workers(&self) -> usize {
        self.counts.len().max(self.times.len())
    }
}

/// Looks at one run, from its first to its last moment.
pub(crate) trait Observer {
    fn begin(&self);

    fn end(&self) -> Observed;
}

/// Looks at nothing.
impl Observer for () {
    fn begin(&self) {}

    fn end(&self) -> Observed {
        Observed::default()
    }
}

/// A probe whose results can be read.
pub(super) trait Watching: Probe {
    fn reset(&self) {}

    fn counts(&self) -> Option<Counts> {
        None
    }

    fn spent(&self) -> Option<Spent> {
        None
    }
}

impl Watching for NoProbe {}

impl Watching for (Counters, Times) {
    fn reset(&self) {
        self.0.reset();
        self.1.reset();
    }

    fn counts(&self) -> Option<Counts> {
        Some(self.0.counts())
    }

    fn spent(&self) -> Option<Spent> {
        Some(self.1.spent())
    }
}

/// The probes of all workers, and which of what they see is asked for.
impl<D: Deque, P: Watching> Observer for (&Pool<D, P>, Watch) {
    fn begin(&self) {
        self.0.probes().for_each(P::reset);
        self.0.interrupts().for_each(Counters::reset);
    }

    fn end(&self) -> Observed {
        let (pool, watch) = *self;
        let times: Vec<_> = pool.probes().filter_map(P::spent).collect();
        let interrupts = pool.interrupts().map(Counters::counts);
        let counts = pool.probes().zip(interrupts);
        let counts =
            counts.filter_map(|(probe, done)| Some(probe.counts()?.merge(&done))).collect();
        Observed {
            counts: if watch.looks_at_counts() { counts } else { Vec::new() },
            times: if watch.looks_at_times() { times } else { Vec::new() },
            spans: None,
        }
    }
}
