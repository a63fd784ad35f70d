//! forte, a pool of joins by heartbeat, in a program of its own since it waits for ever when its pool is made empty.
//!
//! Its best fair form: joins of a worker that is passed along, the caller a worker of the pool for the time of a run;
//! children of one task halved until one is left, as for rayon.
//!
//! Its workers have the stacks that the standard library gives: `RUST_MIN_STACK`.

use forte::{ThreadPool, Worker};
use lyocell_workloads::{Forte, Instance, OfRivals, On, Reach, Roster, Visitor};

use crate::program::{Outcome, Running, timed};

/// What it is.
pub const ABOUT: &str = "forte's join (1.0.0-alpha.4), heartbeat scheduling; children of one task halved until one is left";

static POOL: ThreadPool = const { ThreadPool::new() };

/// Starts its workers but for the caller, who is one of them.
///
/// # Errors
/// There are more than it has room for.
pub fn start(workers: usize) -> Result<Box<dyn Running>, String> {
    let threads = POOL.resize_to(workers - 1);
    if threads + 1 < workers {
        return Err(format!("it has room for {} at most", threads + 1));
    }
    Ok(Box::new(OnPool))
}

struct OnPool;

impl Running for OnPool {
    fn holds(&self, instance: &Instance) -> bool {
        OfRivals::holds(instance)
    }

    fn run(&self, instance: &mut Instance) -> Option<Outcome> {
        POOL.with_worker(|worker| OfRivals::visit(instance, Timed(worker)))
    }
}

struct Timed<'a>(&'a Worker);

impl Visitor<Forte> for Timed<'_> {
    type Output = Outcome;

    fn visit<P: On<Forte>>(self, problem: &mut P) -> Outcome {
        timed(problem, |problem| problem.run(self.0))
    }
}
