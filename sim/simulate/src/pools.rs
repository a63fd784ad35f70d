//! The deques by name, and one run on one of them.

use crate::calls::SPARES;
use crate::programs::Program;
use crate::watch::Watch;
use lyocell::deque::direct::{
    DirectAllPrivate, DirectBase, DirectNonePrivate, DirectPeek, DirectTask, DirectTaskJoin,
    DirectTripWire, DirectTryLock,
};
use lyocell::deque::{
    Acquire, Amount, Attempts, ReceiverOptions, SenderOptions, Share, SplitOptions,
};
use lyocell::{
    Abp, BuildError, ChaseLev, Deque, Direct, DirectLocked, Exposing, Pinning, Pool, Receiver,
    Sender, Signals, Split, Wait,
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
    /// How often owners in long tasks are interrupted to share, and which of them; if they are.
    pub interrupt: Option<(Duration, Signals)>,
    /// Whether workers are told of the nodes of the machine's memory.
    pub nodes: bool,
    /// What its deques are to do otherwise than usually.
    pub tuning: Tuning,
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
            interrupt: None,
            nodes: false,
            tuning: Tuning::default(),
            looks_after: false,
        }
    }
}

/// What a deque can be told, if it can.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tuning {
    /// How many tasks a steal moves: for split, receiver and sender.
    pub amount: Option<Amount>,
    /// How far the split point moves: for split.
    pub share: Option<Share>,
    /// The mean time between two deals: for sender.
    pub delta: Option<Duration>,
    /// When owners try to deal: for sender.
    pub attempts: Option<Attempts>,
}

/// Runs a program on a new pool.
pub type OnePool = fn(&Options, Program, Setup) -> Result<Report<Ran>, Failure>;

/// Reserved for each worker, not touched: the longest trees of UTS are 18,000 nodes deep.
const STACK_BYTES: usize = 256 << 20;

/// Each deque of the library: its name, and a run on it.
pub const DEQUES: [(&str, OnePool); 7] = [
    ("split", one::<Split>),
    ("direct", one::<Direct>),
    ("direct-locked", one::<DirectLocked>),
    ("receiver", one::<Receiver>),
    ("sender", one::<Sender>),
    ("chase-lev", one::<ChaseLev>),
    ("abp", one::<Abp>),
];

/// Those that are there to be compared with.
const VARIANTS: [(&str, OnePool); 9] = [
    ("direct-task", one::<DirectTask>),
    ("direct-task-join", one::<DirectTaskJoin>),
    ("direct-none-private", one::<DirectNonePrivate>),
    ("direct-all-private", one::<DirectAllPrivate>),
    ("direct-trip-wire", one::<DirectTripWire>),
    ("direct-base", one::<DirectBase>),
    ("direct-peek", one::<DirectPeek>),
    ("direct-trylock", one::<DirectTryLock>),
    ("receiver-block", |options, program, setup| {
        let blocking = Receiver::options(setup).acquire(Acquire::Block);
        on::<Receiver>(options, program, setup, blocking)
    }),
];

/// The deque of this name.
///
/// # Errors
/// There is none: which there are.
pub fn deque(name: &str) -> Result<(&'static str, OnePool), String> {
    let all = || DEQUES.into_iter().chain(VARIANTS);
    all().find(|(other, _)| *other == name).ok_or_else(|| {
        let names: Vec<&str> = all().map(|(name, _)| name).collect();
        format!("there is no deque {name}: there are {}", names.join(", "))
    })
}

/// A deque and what of a setup is its business.
trait Tuned: Deque {
    fn options(_: Setup) -> Self::Options;
}

impl Tuned for Split {
    fn options(Setup { tuning: Tuning { amount, share, .. }, .. }: Setup) -> SplitOptions {
        SplitOptions::default().amount(amount.unwrap_or_default()).share(share.unwrap_or_default())
    }
}

impl Tuned for Receiver {
    fn options(Setup { tuning, .. }: Setup) -> ReceiverOptions {
        let options = ReceiverOptions::default();
        tuning.amount.map_or(options, |amount| options.amount(amount))
    }
}

impl Tuned for Sender {
    fn options(
        Setup { tuning: Tuning { amount, delta, attempts, .. }, .. }: Setup,
    ) -> SenderOptions {
        let options = SenderOptions::default();
        let options = amount.map_or(options, |amount| options.amount(amount));
        let options = delta.map_or(options, |delta| options.delta(delta));
        attempts.map_or(options, |attempts| options.attempts(attempts))
    }
}

macro_rules! untuned {
    ($($deque:ty),*) => {
        $(impl Tuned for $deque {
            fn options(_: Setup) -> Self::Options {
                Self::Options::default()
            }
        })*
    };
}

untuned!(Direct, DirectLocked, ChaseLev, Abp, DirectTask, DirectTaskJoin, DirectNonePrivate);
untuned!(DirectAllPrivate, DirectTripWire, DirectBase, DirectPeek, DirectTryLock);

fn one<D: Tuned + 'static>(
    options: &Options,
    program: Program,
    setup: Setup,
) -> Result<Report<Ran>, Failure> {
    on::<D>(options, program, setup, D::options(setup))
}

fn on<D: Deque + 'static>(
    options: &Options,
    program: Program,
    setup: Setup,
    deque: D::Options,
) -> Result<Report<Ran>, Failure> {
    let mut options = options.clone();
    options.machine = options.machine.extended(setup.workers);
    run(&options, move || {
        let build = || built::<D>(program, setup, deque.clone());
        let (pool, refused) = match build() {
            // One thread in a run cannot be had: the next pool can.
            Err(BuildError::Thread { .. } | BuildError::Interrupt { .. }) => (build(), true),
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

fn built<D: Deque>(
    program: Program,
    setup: Setup,
    deque: D::Options,
) -> Result<Pool<D, Watch>, BuildError> {
    let mut builder =
        Pool::builder().workers(setup.workers).wait(setup.wait).exposing(setup.exposing);
    if let Some(time) = setup.search {
        builder = builder.search_time(time);
    }
    if let Some((period, signals)) = setup.interrupt {
        builder = builder.interrupt(period).signals(signals);
    }
    if setup.nodes {
        builder = builder.pinning(Pinning::NearFirst);
    }
    if program.blocks() {
        builder = builder.spare_workers(SPARES);
    }
    let builder = builder.stack_size(STACK_BYTES).deque::<D>();
    builder.deque_options(deque).probe::<Watch>().build()
}
