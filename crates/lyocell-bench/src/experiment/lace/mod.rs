//! Van Dijk and van de Pol's paper on Lace (2014).

use lyocell::Wait;
use lyocell_workloads::{Fib, Instance, Matmul, Queens, Uts};

use super::plan::lineup;
use crate::measure::Contender;
use lyocell_engines::runtime::options::WAIT;
use lyocell_engines::runtime::{Setup, Value};

mod fig5;
mod fig6;
mod fig7;
mod fig8;
mod half;
mod larger;
mod share;
mod variants;

pub(super) use fig5::LaceFig5;
pub(super) use fig6::LaceFig6;
pub(super) use fig7::LaceFig7;
pub(super) use fig8::LaceFig8;
pub(super) use half::LaceHalf;
pub(super) use larger::LaceLarger;
pub(super) use share::LaceShare;

/// The paper's benchmarks in these sizes.
fn benchmarks(fib: u64, trees: [&str; 2], queens: u32, matmul: u32) -> Vec<Instance> {
    let [geometric, binomial] = trees;
    vec![
        Fib::new(fib).into(),
        Uts::new(geometric).into(),
        Uts::new(binomial).into(),
        Queens::new(queens).into(),
        Matmul::new(matmul).into(),
    ]
}

/// In the paper's sizes.
fn papers_benchmarks() -> Vec<Instance> {
    benchmarks(50, ["T2L", "T3L"], 15, 4096)
}

/// The paper's benchmark that `job` is, be it in another size.
fn benchmark(job: &str) -> Option<&'static str> {
    let (workload, param) = job.split_once(':')?;
    match (workload, param) {
        ("fib", _) => Some("fib 50"),
        ("queens", _) => Some("queens 15"),
        ("matmul", _) => Some("matmul 4096"),
        ("uts", "T2" | "T2L") => Some("uts T2L"),
        ("uts", "T3" | "T3L") => Some("uts T3L"),
        _ => None,
    }
}

/// These deques alone and with each number of workers, in turn.
fn alone_and_together<const N: usize>(
    deques: [&'static str; N],
    workers: &[usize],
) -> Vec<Contender> {
    lineup(&with_one(workers), |workers| {
        deques.map(|deque| Contender::setup(deque, leapfrogging(deque), workers))
    })
}

/// These numbers of workers, and one before them.
fn with_one(workers: &[usize]) -> Vec<usize> {
    let several = workers.iter().copied().filter(|&count| count > 1);
    [1].into_iter().chain(several).collect()
}

/// The paper's systems as they were for these figures, but for the probes: who waits leapfrogs only, and nobody sleeps
/// or backs off.
fn leapfrogging(deque: &str) -> Setup {
    Setup::on(deque).with(&WAIT, Value::Wait(Wait::Leap)).never_sleeping()
}
