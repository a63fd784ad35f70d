//! The deques by name, and one run on one of them.

use crate::calls::SPARES;
use crate::programs::Program;
use crate::watch::Watch;
use lyocell::deque::SplitOptions;
use lyocell::{
    Abp, BuildError, ChaseLev, Deque, Direct, DirectLocked, Exposing, Pool, Receiver, Sender,
    Split, Wait,
};
use lyocell_virtual::{Failure, Options, Report, counts, now_ps, run, take_spans, thread};
use std::sync::Arc;
use std::time::Duration;

/// What one run on a pool returned.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The answer.
    pub answer: u64,
    /// From the call of the pool to its return, in picoseconds.
    pub took_ps: u64,
    /// Processor time meanwhile of all threads but the caller, in picoseconds.
    pub others_ps: u64,
    /// When each tree began, and when its last leaf did.
    pub trees: Vec<(u64, u64)>,
    /// How many accesses there were long after all was done, where that was looked at.
    pub stirred: Option<u64>,
    /// Whether the pool could not be had at first, for want of a thread.
    pub refused: bool,
}

/// So long after its last task a pool may be busy with falling asleep.
const FALLING_ASLEEP: Duration = Duration::from_millis(20);

/// How many accesses there are in a pool that has nothing to do.
fn stirs() -> u64 {
    thread::sleep(FALLING_ASLEEP);
    let before = counts().accesses;
    thread::sleep(FALLING_ASLEEP);
    counts().accesses - before
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
    /// Whether thieves expose what an owner keeps to itself.
    pub exposing: Exposing,
    /// How many tasks a steal moves, and how far the split point, where there is one.
    pub split: SplitOptions,
    /// Whether it is looked at what the pool does when all is done.
    pub looks_after: bool,
}

impl Setup {
    /// The usual pool with so many workers.
    pub fn new(workers: usize, wait: Wait) -> Setup {
        Setup {
            workers,
            wait,
            search: None,
            exposing: Exposing::Allowed,
            split: SplitOptions::default(),
            looks_after: false,
        }
    }
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

/// A deque and what of a setup is its business.
trait Tuned: Deque {
    fn options(_: Setup) -> Self::Options {
        Self::Options::default()
    }
}

impl Tuned for Split {
    fn options(setup: Setup) -> SplitOptions {
        setup.split
    }
}

impl Tuned for Direct {}
impl Tuned for DirectLocked {}
impl Tuned for Receiver {}
impl Tuned for Sender {}
impl Tuned for ChaseLev {}
impl Tuned for Abp {}

fn one<D: Tuned + 'static>(
    options: &Options,
    program: Program,
    setup: Setup,
) -> Result<Report<Ran>, Failure> {
    let mut options = options.clone();
    options.machine = options.machine.extended(setup.workers);
    run(&options, move || {
        let build = || built::<D>(program, setup);
        let (pool, refused) = match build() {
            // One thread in a run cannot be had: the next pool can.
            Err(BuildError::Thread { .. }) => (build(), true),
            pool => (pool, false),
        };
        let pool = Arc::new(pool.unwrap_or_else(|error| panic!("{error}")));
        if program.is_from_sleep() {
            thread::sleep(FALLING_ASLEEP);
        }
        let (begin, others) = (now_ps(), thread::others_awake_ps());
        let answer = program.run(&pool);
        Ran {
            answer,
            took_ps: now_ps() - begin,
            others_ps: thread::others_awake_ps().saturating_sub(others),
            trees: take_spans(),
            stirred: setup.looks_after.then(stirs),
            refused,
        }
    })
}

fn built<D: Tuned>(program: Program, setup: Setup) -> Result<Pool<D, Watch>, BuildError> {
    let mut builder =
        Pool::builder().workers(setup.workers).wait(setup.wait).exposing(setup.exposing);
    if let Some(time) = setup.search {
        builder = builder.search_time(time);
    }
    if program.blocks() {
        builder = builder.spare_workers(SPARES);
    }
    let builder = builder.stack_size(STACK_BYTES).deque::<D>();
    builder.deque_options(D::options(setup)).probe::<Watch>().build()
}
