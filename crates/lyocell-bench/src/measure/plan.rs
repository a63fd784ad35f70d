//! What is measured: an instance of a workload, and who takes turns at it.

use std::fmt;

use lyocell_workloads::Instance;

use lyocell_engines::{Engine, Parallelism};

/// An engine with a number of workers.
#[derive(Clone)]
pub(crate) struct Contender {
    /// What it is called in reports and messages: the engine's name, if nothing tells it better apart.
    pub(crate) label: String,
    pub(crate) engine: &'static dyn Engine,
    pub(crate) workers: usize,
}

impl Contender {
    /// Under the engine's own name.
    pub(crate) fn new(engine: &'static dyn Engine, workers: usize) -> Contender {
        Contender { label: engine.name().to_owned(), engine, workers }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine.parallelism() {
            Parallelism::None => f.write_str(&self.label),
            Parallelism::Workers => write!(f, "{} x{}", self.label, self.workers),
        }
    }
}

/// An instance and who takes turns at it.
pub(crate) struct Plan {
    pub(crate) instance: Instance,
    pub(crate) contenders: Vec<Contender>,
}

impl Plan {
    /// Without the contenders that do not run the program.
    pub(crate) fn new(instance: Instance, mut contenders: Vec<Contender>) -> Plan {
        contenders.retain(|contender| contender.engine.programs().hold(&instance));
        Plan { instance, contenders }
    }

    /// How many turns there are, warm-ups included.
    pub(crate) fn turns(&self, reps: usize) -> usize {
        self.contenders.len() * (reps + 1)
    }
}

/// Every engine with each number of workers, or once where it has none.
pub(crate) fn lineup(engines: &[&'static dyn Engine], workers: &[usize]) -> Vec<Contender> {
    let contenders = |&engine: &&'static dyn Engine| {
        let counts = match engine.parallelism() {
            Parallelism::None => &[1],
            Parallelism::Workers => workers,
        };
        counts.iter().map(move |&workers| Contender::new(engine, workers))
    };
    engines.iter().flat_map(contenders).collect()
}

#[cfg(test)]
mod tests {
    use lyocell_workloads::Matmul;

    use super::*;
    use lyocell_engines::ENGINES;

    #[test]
    fn an_engine_without_workers_runs_once_and_one_that_lacks_the_program_not_at_all() {
        let plan = Plan::new(Matmul::new(4).into(), lineup(&ENGINES[..4], &[1, 2]));
        let names: Vec<String> = plan.contenders.iter().map(Contender::to_string).collect();
        assert_eq!(names, ["serial", "lyocell x1", "lyocell x2", "rayon x1", "rayon x2"]);
        assert_eq!(plan.turns(3), 5 * 4);
    }
}
