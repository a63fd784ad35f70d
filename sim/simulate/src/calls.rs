//! Programs of calls: what comes into a pool from outside of it, what no join waits for, and what panics or blocks. They are there to be
//! checked: each tells how many of its tasks ran, and all but the callers declare no work, so that their times say nothing.

use crate::programs::{LONGEST_NS, MOST_TREES};
use lyocell::{Deque, Pool, Probe, Scope, Worker};
use lyocell_virtual::{AtomicU64, Ordering, Parker, Unparker, thread, work};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64 as Tally;
use std::time::Duration;

/// A program with how often it does what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Scopes in a pool and scopes beside it in turn, whose tasks spawn tasks: `scopes:N`.
    Scopes(u64),
    /// Broadcasts, within scopes and without: `broadcasts:N`.
    Broadcasts(u64),
    /// Detached tasks, of which every third panics; of every second somebody has the handle: `detached:N`.
    Detached(u64),
    /// Threads, each of which calls the pool so often: `callers:THREADS:N`.
    Callers(u64, u64),
    /// Tasks that block, in a pool with spare workers: `blocking:N`.
    Blocking(u64),
    /// Calls beside background tasks, each of which forks until the call is over; and the call until a part of it is stolen:
    /// `background:N`.
    Background(u64),
    /// Trees, in each of which a leaf panics: `panics:N`.
    Panics(u64),
    /// Trees of so many levels, one after another, each of whose leaves takes less than so many nanoseconds, as it comes: so some have
    /// nothing to do while others keep tasks and are in a leaf: `ragged:LEVELS:NS:TREES`.
    Ragged(u32, u64, u64),
}

/// What a task takes, in picoseconds: about as long as a wake-up.
const TASK_PS: u64 = 2_000_000;
/// How long a task blocks.
const BLOCKED: Duration = Duration::from_micros(30);
/// What a part takes of what forks until something comes to pass, in picoseconds.
const PART_PS: u64 = 100_000;
/// A tree that wakes a pool has two to this many leaves.
const AWAKE: u32 = 5;
/// Levels of the trees.
const LEVELS: u32 = 4;
/// Levels of a ragged tree at the most.
const MOST_LEVELS: u64 = 24;
/// Spare workers, where tasks block.
pub(crate) const SPARES: usize = 2;

impl Calls {
    /// Of its name and parameters.
    pub(crate) fn parse(name: &str, numbers: &[u64]) -> Option<Calls> {
        match (name, numbers) {
            ("scopes", &[n]) => Some(Calls::Scopes(n)),
            ("broadcasts", &[n]) => Some(Calls::Broadcasts(n)),
            ("detached", &[n]) => Some(Calls::Detached(n)),
            ("callers", &[threads, n]) => Some(Calls::Callers(threads, n)),
            ("blocking", &[n]) => Some(Calls::Blocking(n)),
            ("background", &[n]) => Some(Calls::Background(n)),
            ("panics", &[n]) => Some(Calls::Panics(n)),
            (
                "ragged",
                &[levels @ 0..=MOST_LEVELS, ns @ 0..=LONGEST_NS, trees @ 1..=MOST_TREES],
            ) => Some(Calls::Ragged(levels as u32, ns, trees)),
            _ => None,
        }
    }

    /// How many tasks run, or panics come out.
    pub(crate) fn answer(self) -> u64 {
        match self {
            Calls::Scopes(n) => n * ((2 << LEVELS) - 1),
            Calls::Callers(threads, n) => threads * (n << LEVELS),
            Calls::Ragged(levels, _, trees) => trees << levels,
            Calls::Broadcasts(n)
            | Calls::Detached(n)
            | Calls::Blocking(n)
            | Calls::Background(n)
            | Calls::Panics(n) => n,
        }
    }

    /// What its tasks take together, in picoseconds, where its times are to be compared with that.
    pub(crate) fn work(self) -> u64 {
        match self {
            Calls::Callers(..) => self.answer() * TASK_PS,
            _ => 0,
        }
    }

    /// Runs it; its answer.
    pub(crate) fn run<D: Deque + 'static, P: Probe + 'static>(self, pool: &Arc<Pool<D, P>>) -> u64 {
        match self {
            Calls::Scopes(n) => (0..n).map(|turn| scope(pool, turn % 2 == 0)).sum(),
            Calls::Broadcasts(n) => {
                (0..n).filter(|turn| is_heard_by_all(pool, turn % 2 == 0)).count() as u64
            }
            Calls::Detached(n) => detached(pool, n),
            Calls::Callers(threads, n) => callers(pool, threads, n),
            Calls::Blocking(n) => pool.run(|w| {
                let block = |w: &Worker<D, P>, _| w.blocking(|| thread::sleep(BLOCKED));
                w.join_range(0..n as usize, 0, |w, task| (block(w, task), 1).1, |a, b| a + b)
            }),
            Calls::Background(n) => (0..n).map(|turn| beside_background(pool, turn % 2 == 1)).sum(),
            Calls::Panics(n) => (0..n).filter(|turn| panics(pool, *turn)).count() as u64,
            Calls::Ragged(levels, ns, trees) => {
                // Two odd numbers have no node in common.
                // No word of the machine's: to count moves no line.
                let leaves = Tally::new(0);
                pool.run(|w| {
                    (0..trees).for_each(|tree| ragged(w, levels, 2 * tree + 1, (ns, &leaves)));
                });
                leaves.into_inner()
            }
        }
    }
}

fn scope<D: Deque, P: Probe>(pool: &Pool<D, P>, in_pool: bool) -> u64 {
    let tasks = AtomicU64::new(0);
    match in_pool {
        true => pool.scope(|scope| grow(scope, LEVELS, &tasks)),
        false => pool.in_place_scope(|scope| grow(scope, LEVELS, &tasks)),
    }
    tasks.into_inner()
}

fn grow<'scope, D: Deque, P: Probe>(
    scope: &'scope Scope<'scope, '_, D, P>,
    levels: u32,
    tasks: &'scope AtomicU64,
) {
    tasks.fetch_add(1, Ordering::Relaxed);
    work(TASK_PS);
    if levels > 0 {
        scope.spawn(move |_| grow(scope, levels - 1, tasks));
        scope.spawn_fifo(move |_| grow(scope, levels - 1, tasks));
    }
}

/// Whether each worker makes the call, once.
fn is_heard_by_all<D: Deque, P: Probe>(pool: &Pool<D, P>, in_scope: bool) -> bool {
    if in_scope {
        let calls: Vec<AtomicU64> = (0..pool.workers()).map(|_| AtomicU64::new(0)).collect();
        pool.scope(|scope| {
            scope.spawn_broadcast(|w| _ = calls[w.index()].fetch_add(1, Ordering::Relaxed));
        });
        return calls.into_iter().all(|calls| calls.into_inner() == 1);
    }
    pool.broadcast(|w| w.index()).into_iter().eq(0..pool.workers())
}

/// Tells when the last of some tasks is over, however it ends.
struct Left {
    tasks: AtomicU64,
    waits: Unparker,
}

/// A task is not over before this is gone.
struct Leaves(Arc<Left>);

impl Drop for Leaves {
    fn drop(&mut self) {
        // Ordering: AcqRel; the last one knows of all.
        if self.0.tasks.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.waits.unpark();
        }
    }
}

fn detached<D: Deque, P: Probe>(pool: &Pool<D, P>, tasks: u64) -> u64 {
    let parker = Parker::new();
    let waits = parker.unparker().clone();
    let left = Arc::new(Left { tasks: AtomicU64::new(tasks), waits });
    let ran = Arc::new(AtomicU64::new(0));
    let mut handles = Vec::new();
    for number in 0..tasks {
        let (leaves, ran) = (Leaves(Arc::clone(&left)), Arc::clone(&ran));
        let task = move |_: &Worker<D, P>| {
            let _leaves = leaves;
            work(TASK_PS);
            ran.fetch_add(1, Ordering::Relaxed);
            // Without the hook, which would tell of it.
            if number % 3 == 0 {
                resume_unwind(Box::new(number));
            }
        };
        match number % 2 {
            0 => handles.push((number, pool.spawn_detached_with_handle(task))),
            _ => pool.spawn_detached(task),
        }
    }
    for (number, handle) in handles {
        let outcome = handle.join_result();
        assert_eq!(outcome.is_err(), number % 3 == 0, "what comes of task {number}");
    }
    // Ordering: Acquire; meets what the last one does.
    while left.tasks.load(Ordering::Acquire) > 0 {
        parker.park();
    }
    ran.load(Ordering::Relaxed)
}

fn callers<D: Deque + 'static, P: Probe + 'static>(
    pool: &Arc<Pool<D, P>>,
    threads: u64,
    calls: u64,
) -> u64 {
    let call =
        move |pool: &Pool<D, P>| (0..calls).map(|_| pool.run(|w| leaves(w, LEVELS))).sum::<u64>();
    let started: Vec<_> = (1..threads)
        .map(|number| {
            let pool = Arc::clone(pool);
            let name = format!("caller-{number}");
            thread::Builder::new().name(name).spawn(move || call(&pool))
        })
        .collect();
    let own = call(pool);
    // A thread that cannot be had calls by this one.
    let others = started.into_iter().map(|thread| match thread {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => call(pool),
    });
    own + others.sum::<u64>()
}

fn leaves<D: Deque, P: Probe>(w: &Worker<D, P>, levels: u32) -> u64 {
    if levels == 0 {
        work(TASK_PS);
        return 1;
    }
    let (a, b) = w.join(|w| leaves(w, levels - 1), |w| leaves(w, levels - 1));
    a + b
}

/// The leaves under this node, which has a number of its own: each takes so long at the most, and is counted.
fn ragged<D: Deque, P: Probe>(
    w: &Worker<D, P>,
    levels: u32,
    node: u64,
    (ns, leaves): (u64, &Tally),
) {
    if levels == 0 {
        // Fibonacci hashing (Knuth): neighbours lie far apart.
        let at_random = node.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        work(((at_random * ns) >> 32) * 1000);
        leaves.fetch_add(1, Ordering::Relaxed);
        return;
    }
    let below = |w: &Worker<D, P>, node| ragged(w, levels - 1, node, (ns, leaves));
    w.join(|w| below(w, 2 * node), |w| below(w, 2 * node + 1));
}

/// How many parts of a call were stolen while every worker but the caller's may be in a background task: one, or it has no end. These
/// begin before the call, or within it.
fn beside_background<D: Deque, P: Probe>(pool: &Pool<D, P>, within: bool) -> u64 {
    let parker = Parker::new();
    let flags: Arc<[AtomicU64; 2]> = Arc::default();
    let begin = || {
        let tasks = (1..pool.workers()).map(|_| {
            let (flags, waits) = (Arc::clone(&flags), parker.unparker().clone());
            pool.spawn_background_with_handle(move |w| {
                let [begun, over] = &*flags;
                begun.store(1, Ordering::Relaxed);
                waits.unpark();
                fork_until(w, over);
            })
        });
        let tasks: Vec<_> = tasks.collect();
        // By a thread of the pool: there is one that may steal.
        while flags[0].load(Ordering::Relaxed) == 0 {
            parker.park();
        }
        tasks
    };
    let stolen = AtomicU64::new(0);
    let call = |w: &Worker<D, P>| {
        w.join(|w| fork_until(w, &stolen), |_| stolen.store(1, Ordering::Relaxed));
    };
    let tasks = if within {
        pool.run(|w| {
            let awake = Tally::new(0);
            ragged(w, AWAKE, 1, (TASK_PS / 1000, &awake));
            let tasks = begin();
            call(w);
            tasks
        })
    } else {
        let tasks = begin();
        pool.run(call);
        tasks
    };
    flags[1].store(1, Ordering::Relaxed);
    tasks.into_iter().for_each(|task| task.join());
    stolen.into_inner()
}

fn fork_until<D: Deque, P: Probe>(w: &Worker<D, P>, flag: &AtomicU64) {
    while flag.load(Ordering::Relaxed) == 0 {
        w.join(|_| work(PART_PS), |_| work(PART_PS));
    }
}

/// Whether the panic of one leaf comes out, and with what it was begun.
fn panics<D: Deque, P: Probe>(pool: &Pool<D, P>, turn: u64) -> bool {
    let fails = turn % (1 << LEVELS);
    let outcome = catch_unwind(AssertUnwindSafe(|| pool.run(|w| bitter(w, LEVELS, 0, fails))));
    outcome.is_err_and(|panic| panic.downcast_ref() == Some(&fails))
}

fn bitter<D: Deque, P: Probe>(w: &Worker<D, P>, levels: u32, leaf: u64, fails: u64) {
    if levels == 0 {
        work(TASK_PS);
        if leaf == fails {
            resume_unwind(Box::new(fails));
        }
        return;
    }
    let below = |w: &Worker<D, P>, side| bitter(w, levels - 1, 2 * leaf + side, fails);
    w.join(|w| below(w, 0), |w| below(w, 1));
}
