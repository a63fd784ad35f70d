//! Interrupts: what an owner in a long task keeps from thieves reaches them all the same.
#![cfg(all(target_os = "linux", not(miri)))]

mod common;
#[path = "common/process.rs"]
mod process;

use common::panic_of;
use lyocell::deque::{Acquire, Amount, HandOver, ReceiverOptions, SenderOptions, SplitOptions};
use lyocell::probe::{Counters, Event};
use lyocell::{
    BuildError, Builder, ChaseLev, Deque, Exposing, InterruptError, Pool, Probe, Receiver, Sender,
    Signals, Split, Wait, Worker,
};
use process::isolated;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A leaf that may end by itself takes this long.
const LEAF: Duration = Duration::from_millis(50);

const PERIOD: Duration = Duration::from_micros(200);
const TEN_KHZ: Duration = Duration::from_micros(100);

macro_rules! tests {
    ($deque:ty, $options:expr; $($name:ident,)*) => {$(
        #[test]
        fn $name() {
            isolated(|| super::$name(|| Pool::builder().deque::<$deque>().deque_options($options)));
        }
    )*};
}

/// One line a deque: the module of its tests, the type, and the options.
macro_rules! deques {
    ($($module:ident: $deque:ty = $options:expr;)*) => {$(
        mod $module {
            use super::*;

            tests!($deque, $options;
                a_leaf_that_computes_shares_the_task_below,
                a_leaf_that_sleeps_shares_the_task_below,
                every_thief_gets_something_of_a_long_leaf,
                a_worker_that_waits_in_a_scope_shares_the_task_below,
                a_panic_of_the_leaf_waits_for_the_thief,
                short_tasks_and_long_ones_run_once_at_10_khz,
                a_leaf_with_nothing_to_share_is_left_alone,
                a_leaf_with_nothing_left_to_share_is_left_alone,
                answers_are_right_at_10_khz,
            );
        }
    )*};
}

deques! {
    split: Split = SplitOptions::default();
    split_half: Split = SplitOptions::default().amount(Amount::Half);
    receiver: Receiver = ReceiverOptions::default();
    receiver_half: Receiver = ReceiverOptions::default().amount(Amount::Half).acquire(Acquire::Block);
    sender: Sender = SenderOptions::default();
    sender_one: Sender = SenderOptions::default().amount(Amount::One).hand_over(HandOver::TwoStep);
}

fn pool<D: Deque, P: Probe>(
    builder: &impl Fn() -> Builder<D, P>,
    workers: usize,
    period: Duration,
) -> Pool<D, P> {
    // Without thieves that expose: it is the handler that shares.
    let builder = builder().exposing(Exposing::Off);
    builder.workers(workers).interrupt(period).build().expect("a small pool with interrupts")
}

/// A pool whose workers do nothing else while they wait for a stolen task: so nobody who is needed elsewhere
/// finds a task that holds it up.
fn plain_pool<D: Deque>(
    builder: &impl Fn() -> Builder<D>,
    workers: usize,
    period: Duration,
) -> Pool<D> {
    pool(&|| builder().wait(Wait::None), workers, period)
}

/// How often this happened in handlers.
fn done<D: Deque, P: Probe>(pool: &Pool<D, P>, event: Event) -> usize {
    pool.interrupts().map(|done| done.counts().of(event)).sum()
}

fn interrupts<D: Deque, P: Probe>(pool: &Pool<D, P>) -> usize {
    done(pool, Event::Interrupt)
}

/// What a leaf does while it waits.
type Pause = fn();

fn compute() {
    spin_loop();
}

fn sleep() {
    thread::sleep(Duration::from_micros(50));
}

fn wait(pause: Pause, reached: impl Fn() -> bool) {
    while !reached() {
        pause();
    }
}

/// Pushes and pops until it is true, so that thieves get what they ask for.
fn share_until<D: Deque>(w: &Worker<D>, is_true: impl Fn() -> bool) {
    wait(thread::yield_now, || {
        w.join(|_| (), |_| ());
        is_true()
    });
}

/// Spawns `task` so many times, and calls `body` inside.
fn nest<D: Deque>(
    w: &Worker<D>,
    times: usize,
    task: &(dyn Fn() + Sync),
    body: &mut dyn FnMut(&Worker<D>),
) {
    match times {
        0 => body(w),
        _ => drop(w.join(|w| nest(w, times - 1, task, body), |_| task())),
    }
}

/// Calls `body` while every other worker of the pool is kept busy until `release` is set. So nobody asks for
/// tasks, and what `body` pushes before is private.
fn among_busy_workers<D: Deque>(
    w: &Worker<D>,
    release: &AtomicBool,
    mut body: impl FnMut(&Worker<D>),
) {
    let workers = w.workers();
    let busy = AtomicUsize::new(1);
    let hold = || {
        busy.fetch_add(1, Ordering::Relaxed);
        wait(sleep, || release.load(Ordering::Relaxed));
    };
    nest(w, workers - 1, &hold, &mut |w| {
        share_until(w, || busy.load(Ordering::Relaxed) == workers);
        // Answers what was asked last.
        w.join(|_| (), |_| ());
        body(w);
    });
}

/// A leaf waits for a task that its own worker has pushed before, and that only a thief can run meanwhile.
fn leaf_waits_for_the_task_below<D: Deque>(w: &Worker<D>, pause: Pause) {
    let (release, stolen, over) =
        (&AtomicBool::new(false), &AtomicBool::new(false), &AtomicBool::new(false));
    among_busy_workers(w, release, |w| {
        let leaf = |_: &Worker<D>| {
            release.store(true, Ordering::Relaxed);
            wait(pause, || stolen.load(Ordering::Relaxed));
            over.store(true, Ordering::Relaxed);
        };
        let task = |_: &Worker<D>| {
            assert!(!over.load(Ordering::Relaxed), "the leaf ended first");
            stolen.store(true, Ordering::Relaxed);
        };
        // What is pushed next to stolen tasks may be shared at once; what is pushed above that is not.
        w.join(|w| w.join(|w| w.join(leaf, |_| ()), task), |_| ());
    });
}

fn a_leaf_that_computes_shares_the_task_below<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [2, 3, 8] {
        let pool = plain_pool(&builder, workers, PERIOD);
        let shared = || done(&pool, Event::Grow) + done(&pool, Event::Deal);
        let mut rounds = 0;
        // A task may yet be shared when it is pushed; some are in handlers.
        while rounds < 20 || shared() == 0 {
            pool.run(|w| leaf_waits_for_the_task_below(w, compute));
            rounds += 1;
        }
        assert!(shared() <= interrupts(&pool));
    }
}

fn a_leaf_that_sleeps_shares_the_task_below<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [2, 3, 8] {
        let pool = plain_pool(&builder, workers, PERIOD);
        let mut rounds = 0;
        // As above.
        while rounds < 20 || interrupts(&pool) == 0 {
            pool.run(|w| leaf_waits_for_the_task_below(w, sleep));
            rounds += 1;
        }
    }
}

/// The leaf does not end before each of the other workers is in a task of its own, all of them pushed before.
fn every_thief_gets_something_of_a_long_leaf<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [2, 4, 8] {
        let pool = plain_pool(&builder, workers, PERIOD);
        let (release, running) = (&AtomicBool::new(false), &AtomicUsize::new(0));
        let all_run = &|| running.load(Ordering::Relaxed) == workers - 1;
        let task = || {
            running.fetch_add(1, Ordering::Relaxed);
            wait(sleep, all_run);
        };
        pool.run(|w| {
            among_busy_workers(w, release, |w| {
                nest(w, workers - 1, &task, &mut |_| {
                    release.store(true, Ordering::Relaxed);
                    wait(compute, all_run);
                });
            });
        });
    }
}

/// One of three workers waits for a scope, one is in the scope's task, which waits for what the first keeps:
/// the third gets it, whoever of them is which.
fn a_worker_that_waits_in_a_scope_shares_the_task_below<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let pool = plain_pool(&builder, 3, PERIOD);
    for _ in 0..20 {
        let (release, stolen) = (&AtomicBool::new(false), &AtomicBool::new(false));
        pool.run(|w| {
            among_busy_workers(w, release, |w| {
                let waits = |w: &Worker<D>| {
                    w.scope(|s| {
                        s.spawn(|_| wait(compute, || stolen.load(Ordering::Relaxed)));
                        release.store(true, Ordering::Relaxed);
                    });
                };
                let task = |_: &Worker<D>| stolen.store(true, Ordering::Relaxed);
                // As above: the task is not next to stolen ones.
                w.join(|w| w.join(waits, task), |_| ());
            });
        });
    }
}

fn a_panic_of_the_leaf_waits_for_the_thief<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = plain_pool(&builder, 2, PERIOD);
    let (release, stolen, done) =
        (&AtomicBool::new(false), &AtomicBool::new(false), &AtomicBool::new(false));
    let text = panic_of(|| {
        pool.run(|w| {
            among_busy_workers(w, release, |w| {
                w.join(
                    |_| {
                        release.store(true, Ordering::Relaxed);
                        wait(compute, || stolen.load(Ordering::Relaxed));
                        panic!("the leaf")
                    },
                    |_| {
                        stolen.store(true, Ordering::Relaxed);
                        thread::sleep(Duration::from_millis(5));
                        done.store(true, Ordering::Relaxed);
                    },
                );
            });
        });
    });
    assert_eq!(text, "the leaf");
    assert!(done.load(Ordering::Relaxed), "the join was over before its stolen half");
}

/// A tree of tasks that count their runs; some of them take several ticks. (That alone need not
/// bring an interrupt: who is asked when it forks has nothing left to withhold.)
fn visit<D: Deque>(w: &Worker<D>, runs: &[AtomicUsize], node: usize) -> usize {
    const LONG: Duration = Duration::from_micros(400);
    let Some(count) = runs.get(node) else { return 0 };
    count.fetch_add(1, Ordering::Relaxed);
    if node % 97 == 5 {
        let begin = Instant::now();
        wait(compute, || begin.elapsed() > LONG);
    }
    let (a, b) = w.join(|w| visit(w, runs, 2 * node + 1), |w| visit(w, runs, 2 * node + 2));
    1 + a + b
}

fn short_tasks_and_long_ones_run_once_at_10_khz<D: Deque>(builder: impl Fn() -> Builder<D>) {
    const NODES: usize = 5_000;
    const TIMES: usize = 10;
    for workers in [2, 3, 8, 64] {
        let pool = plain_pool(&builder, workers, TEN_KHZ);
        let runs: Box<[AtomicUsize]> = (0..NODES).map(|_| AtomicUsize::new(0)).collect();
        for _ in 0..TIMES {
            assert_eq!(pool.run(|w| visit(w, &runs, 0)), NODES);
            pool.run(|w| leaf_waits_for_the_task_below(w, compute));
        }
        for (node, runs) in runs.iter().enumerate() {
            assert_eq!(
                runs.load(Ordering::Relaxed),
                TIMES,
                "runs of node {node}, {workers} workers"
            );
        }
        // A task may be shared when it is pushed; some are in handlers.
        while interrupts(&pool) == 0 {
            pool.run(|w| leaf_waits_for_the_task_below(w, compute));
        }
    }
}

fn a_leaf_with_nothing_to_share_is_left_alone<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool(&builder, 2, TEN_KHZ);
    pool.run(|_| thread::sleep(LEAF));
    assert_eq!(interrupts(&pool), 0);
}

/// One of three workers is in a leaf, one has all that the first had, and one sleeps and wants tasks.
fn a_leaf_with_nothing_left_to_share_is_left_alone<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = plain_pool(&builder, 3, TEN_KHZ);
    let (stolen, over) = (&AtomicBool::new(false), &AtomicBool::new(false));
    pool.run(|w| {
        w.join(
            |w| {
                share_until(w, || stolen.load(Ordering::Relaxed));
                let before = interrupts(&pool);
                thread::sleep(LEAF);
                // One may have been on its way.
                assert!(interrupts(&pool) <= before + 1, "a signal at every tick for nothing");
                over.store(true, Ordering::Relaxed);
            },
            |_| {
                stolen.store(true, Ordering::Relaxed);
                wait(sleep, || over.load(Ordering::Relaxed));
            },
        );
    });
}

/// Whether a signal comes or not, and whoever works.
fn answers_are_right_at_10_khz<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in 1..=8 {
        let pool = pool(&|| builder().probe::<Counters>(), workers, TEN_KHZ);
        let begin = Instant::now();
        while begin.elapsed() < LEAF {
            let sum = pool.run(|w| {
                let long = |w: &Worker<D, Counters>, index| {
                    let end = Instant::now() + TEN_KHZ;
                    wait(compute, || Instant::now() > end);
                    w.map_reduce(0..index, |i| i, || 0, |a, b| a + b)
                };
                let half = || w.join_range(0..10, 0, long, |a, b| a + b);
                half()
                    + w.scope(|scope| {
                        scope.spawn(|w| {
                            w.join(|w| long(w, 5), |w| long(w, 5));
                        });
                        half()
                    })
            });
            assert_eq!(sum, 240, "{workers} workers");
        }
    }
}

fn error_of<D: Deque>(builder: Builder<D>) -> InterruptError {
    match builder.build() {
        Err(BuildError::Interrupt { source, .. }) => source,
        other => panic!("interrupts that cannot be had: {other:?}"),
    }
}

/// Two workers have a leaf each, so nobody wants a task and there is none to give. As in the paper they are interrupted all
/// the same.
#[test]
fn signals_to_all_come_to_workers_that_nobody_asks() {
    isolated(|| {
        let builder = Pool::builder().deque::<Receiver>().workers(2).interrupt(PERIOD);
        let pool = builder.signals(Signals::All).build().expect("a small pool with interrupts");
        let leaf = || wait(compute, || interrupts(&pool) > 1);
        pool.run(|w| w.join(|_| leaf(), |_| leaf()));
    });
}

#[test]
fn a_period_of_zero_is_an_error() {
    let error = error_of(Pool::builder().interrupt(Duration::ZERO));
    assert!(matches!(error, InterruptError::Period), "{error:?}");
    assert!(error.to_string().contains("period of 0"), "{error}");
}

#[test]
fn a_deque_that_shares_everything_refuses_interrupts() {
    let error = error_of(Pool::builder().deque::<ChaseLev>().interrupt(PERIOD));
    assert!(matches!(error, InterruptError::Deque { deque: "chase-lev" }), "{error:?}");
    assert!(error.to_string().contains("chase-lev"), "{error}");
}

#[test]
fn one_worker_has_no_thief_and_is_left_alone() {
    let pool = Pool::builder().workers(1).interrupt(PERIOD).build().unwrap();
    pool.run(|w| w.join(|_| thread::sleep(LEAF), |_| ()));
    assert_eq!(interrupts(&pool), 0);
}
