//! What an experiment runs: jobs, and who runs each.

use crate::engine::{ENGINES, Engine, Parallelism, Setup, Watch};
use crate::measure::{Entrant, Job};

/// A job and who takes turns at it.
pub(crate) struct Plan {
    pub(super) job: Job,
    pub(super) contenders: Vec<Contender>,
}

impl Plan {
    /// For `job`; who refuses it is left out.
    pub(crate) fn new(job: Job, mut contenders: Vec<Contender>) -> Plan {
        contenders.retain(|contender| contender.engine.refusal(&job.instance).is_none());
        Plan { job, contenders }
    }
}

/// An engine with a number of workers, under the name it has in the experiment.
#[derive(Clone)]
pub(crate) struct Contender {
    pub(super) label: String,
    pub(super) engine: &'static dyn Engine,
    pub(super) workers: usize,
}

/// The contender that T_S is measured with.
pub(super) const SERIAL: &str = "serial";

impl Contender {
    /// The serial program.
    pub(super) fn serial() -> Contender {
        Contender::rival(SERIAL, 1).expect("every machine has it")
    }

    /// An engine of the registry; `None` if this machine does not have it.
    pub(super) fn rival(name: &str, workers: usize) -> Option<Contender> {
        let engine = ENGINES.into_iter().find(|engine| engine.name() == name);
        let engine = engine.expect("experiments name engines of the registry");
        Contender { label: name.to_owned(), engine, workers }.if_present()
    }

    /// The runtime in `setup`; `None` if this machine does not have its deque.
    pub(super) fn setup(
        label: impl Into<String>,
        setup: Setup,
        workers: usize,
    ) -> Option<Contender> {
        let engine = setup.engine().expect("experiments choose what the deque leaves open");
        Contender { label: label.into(), engine, workers }.if_present()
    }

    /// The runtime in `setup`, watched.
    pub(super) fn watched(setup: Setup, label: &str, workers: usize) -> Option<Contender> {
        let watched = Setup { watch: Watch::Both, ..setup };
        Contender::setup(watched_label(label), watched, workers)
    }

    fn if_present(self) -> Option<Contender> {
        self.engine.absence().is_none().then_some(self)
    }
}

impl Entrant for Contender {
    fn engine(&self) -> &'static dyn Engine {
        self.engine
    }

    fn workers(&self) -> usize {
        self.workers
    }

    fn name(&self) -> String {
        match self.engine.parallelism() {
            Parallelism::None => self.label.clone(),
            Parallelism::Workers => format!("{} x{}", self.label, self.workers),
        }
    }
}

/// The label of a contender's twin whose probes are on: its counts are of interest, its times are not.
pub(super) fn watched_label(label: &str) -> String {
    format!("{label} (watched)")
}
