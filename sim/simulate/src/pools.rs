//! The deques by name, and one run on one of them.

use crate::programs::Program;
use crate::watch::Watch;
use lyocell::{Abp, ChaseLev, Deque, Direct, DirectLocked, Pool, Receiver, Sender, Split, Wait};
use lyocell_virtual::{Failure, Options, Report, now_ps, run};
use std::time::Duration;

/// What one run on a pool returned.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// The answer.
    pub answer: u64,
    /// From the call of the pool to its return, in picoseconds.
    pub took_ps: u64,
}

/// A pool to be.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How many workers it has.
    pub workers: usize,
    /// What one of them does that waits.
    pub wait: Wait,
    /// How long one searches before it sleeps, if not as long as usual.
    pub search: Option<Duration>,
}

/// Runs a program on a new pool.
pub type OnePool = fn(&Options, Program, Setup) -> Result<Report<Ran>, Failure>;

/// Reserved for each worker, not touched: the longest trees of UTS are 18,000 nodes deep.
const STACK_BYTES: usize = 256 << 20;

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
    setup: Setup,
) -> Result<Report<Ran>, Failure> {
    let mut options = options.clone();
    options.machine = options.machine.extended(setup.workers);
    run(&options, move || {
        let mut builder = Pool::builder().workers(setup.workers).wait(setup.wait);
        if let Some(time) = setup.search {
            builder = builder.search_time(time);
        }
        let builder = builder.stack_size(STACK_BYTES).deque::<D>().probe::<Watch>();
        let pool = builder.build().unwrap_or_else(|error| panic!("{error}"));
        let begin = now_ps();
        let answer = pool.run(|w| program.run(w));
        Ran { answer, took_ps: now_ps() - begin }
    })
}
