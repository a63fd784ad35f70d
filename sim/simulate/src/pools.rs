//! The deques by name, and one run on one of them.

use crate::programs::Program;
use crate::watch::Watch;
use lyocell::{Abp, ChaseLev, Deque, Direct, DirectLocked, Pool, Receiver, Sender, Split};
use lyocell_virtual::{Failure, Options, Report, now_ps, run};

/// What one run on a pool returned.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// The answer.
    pub answer: u64,
    /// From the call of the pool to its return, in picoseconds.
    pub took_ps: u64,
}

/// Runs a program on a new pool of so many workers.
pub type OnePool = fn(&Options, Program, usize) -> Result<Report<Ran>, Failure>;

/// Each deque: its name, and a run on it.
pub const DEQUES: [(&str, OnePool); 7] = [
    ("split", one::<Split>),
    ("direct", one::<Direct>),
    ("direct-locked", one::<DirectLocked>),
    ("receiver", one::<Receiver>),
    ("sender", one::<Sender>),
    ("chase-lev", one::<ChaseLev>),
    ("abp", one::<Abp>),
];

/// The deque of this name.
///
/// # Errors
/// There is none: which there are.
pub fn deque(name: &str) -> Result<(&'static str, OnePool), String> {
    let found = DEQUES.into_iter().find(|(other, _)| *other == name);
    found.ok_or_else(|| {
        format!("there is no deque {name}: there are {}", DEQUES.map(|(name, _)| name).join(", "))
    })
}

fn one<D: Deque + 'static>(
    options: &Options,
    program: Program,
    workers: usize,
) -> Result<Report<Ran>, Failure> {
    let mut options = options.clone();
    options.machine = options.machine.extended(workers);
    run(&options, move || {
        let pool = match Pool::builder().workers(workers).deque::<D>().probe::<Watch>().build() {
            Ok(pool) => pool,
            Err(error) => panic!("{error}"),
        };
        let begin = now_ps();
        let answer = pool.run(|w| program.run(w));
        Ran { answer, took_ps: now_ps() - begin }
    })
}
