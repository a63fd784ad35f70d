//! Van Dijk and van de Pol's paper on Lace (2014).

use super::kit::*;

mod fig5;
mod fig6;
mod fig7;
mod fig8;
mod half;
mod larger;
mod share;
mod variants;

pub(super) use fig5::FIG5;
pub(super) use fig6::FIG6;
pub(super) use fig7::FIG7;
pub(super) use fig8::FIG8;
pub(super) use half::HALF;
pub(super) use larger::LARGER;
pub(super) use share::SHARE;

/// The paper's benchmarks in a size for two processors.
const SMALL: &[&str] = &["fib:38", "uts:T2", "uts:T3", "queens:12", "matmul:1024"];

/// In the paper's sizes.
const PAPERS: &[&str] = &["fib:50", "uts:T2L", "uts:T3L", "queens:15", "matmul:4096"];

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
        deques.map(|deque| Contender::setup(deque, as_published(deque), workers))
    })
}

/// Ours beyond the paper: the split deque whose thieves expose.
const EXPOSING: &str = "split exposing";

/// That one, alone and with each number of workers.
fn exposing(workers: &[usize]) -> Vec<Contender> {
    lineup(&with_one(workers), |workers| [Contender::setup(EXPOSING, leaping("split"), workers)])
}

/// These numbers of workers, and one before them.
fn with_one(workers: &[usize]) -> Vec<usize> {
    let several = workers.iter().copied().filter(|&count| count > 1);
    [1].into_iter().chain(several).collect()
}
