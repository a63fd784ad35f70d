//! Greed: no worker idles while a task waits, whatever its owner is at. Two halves that wait for each other end only if
//! somebody takes the second while the first one runs.

use crate::common::{Once, fib, join_stolen, tick};
use crate::process::{isolated, isolated_with};
use lyocell::deque::direct::{DirectBase, DirectPeek, DirectTryLock};
use lyocell::deque::{Amount, Share, SplitOptions};
use lyocell::probe::{Counters, Event};
use lyocell::{
    Abp, Builder, ChaseLev, Deque, Direct, Exposing, Pool, Receiver, Sender, Split, Worker,
};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A join that ends only in parallel: the owner sits in `a`, and neither pushes nor pops.
fn long_join<D: Deque>(w: &Worker<D>) {
    let begun = Once::default();
    w.join(|_| begun.wait(), |_| begun.happens());
}

/// What a pool of so many workers did before does not matter.
fn a_task_behind_a_long_leaf<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [2, 3, 8] {
        let pool = builder().workers(workers).build().unwrap();
        for round in 0..20 {
            for tiny in [0, 1, 2, 3, 10, 1000, 10_000] {
                pool.run(|w| {
                    for _ in 0..tiny {
                        black_box(w.join(|_| black_box(1), |_| black_box(2)));
                    }
                    long_join(w);
                });
            }
            pool.run(|w| {
                fib(w, 12 + round % 4);
                long_join(w);
            });
        }
    }
}

#[test]
fn a_task_behind_a_long_leaf_runs_elsewhere_with_split() {
    isolated(|| {
        a_task_behind_a_long_leaf(Pool::builder);
        let half = SplitOptions::default().amount(Amount::Half);
        a_task_behind_a_long_leaf(|| Pool::builder().deque_options(half));
        for share in [Share::One, Share::All] {
            let options = SplitOptions::default().share(share);
            a_task_behind_a_long_leaf(|| Pool::builder().deque_options(options));
        }
    });
}

#[test]
fn a_task_behind_a_long_leaf_runs_elsewhere_where_nobody_exposes() {
    isolated(|| {
        a_task_behind_a_long_leaf(|| Pool::builder().exposing(Exposing::Off));
        a_task_behind_a_long_leaf(|| Pool::builder().deque::<Direct>().exposing(Exposing::Off));
    });
}

#[test]
fn a_task_behind_a_long_leaf_runs_elsewhere_with_chase_lev() {
    isolated(|| a_task_behind_a_long_leaf(|| Pool::builder().deque::<ChaseLev>()));
}

#[test]
fn a_task_behind_a_long_leaf_runs_elsewhere_with_abp() {
    isolated(|| a_task_behind_a_long_leaf(|| Pool::builder().deque::<Abp>()));
}

/// Whoever is woken where owners send tasks stays awake while the owner, whom it has asked, is in a leaf: else it would be sent
/// nothing when that is over, and be woken in vain again and again.
fn who_is_woken_waits_for_an_answer<D: Deque>() {
    let pause = || std::thread::sleep(Duration::from_millis(1));
    let until = |holds: &dyn Fn() -> bool| {
        while !holds() {
            pause();
        }
    };
    // Longer than the system leaves a thread out.
    let patience = Duration::from_secs(1);
    let builder = Pool::builder().deque::<D>().probe::<Counters>();
    let pool = builder.workers(2).search_time(patience).build().unwrap();
    let of = |event| pool.probes().nth(1).unwrap().counts().of(event);
    until(&|| of(Event::Park) == 1);
    pool.run(|w| {
        let leaf = |_: &_| {
            until(&|| of(Event::Wake) == 1);
            // Many times as long as a search that is not patient.
            (0..20).for_each(|_| pause());
            of(Event::Park)
        };
        assert_eq!(w.join(leaf, |_| ()).0, 1);
    });
}

#[test]
fn who_is_woken_waits_for_an_answer_with_receiver() {
    isolated(|| {
        who_is_woken_waits_for_an_answer::<Receiver>();
    });
}

#[test]
fn who_is_woken_waits_for_an_answer_with_sender() {
    isolated(|| {
        who_is_woken_waits_for_an_answer::<Sender>();
    });
}

#[test]
fn a_task_behind_a_long_leaf_runs_elsewhere_with_direct() {
    isolated(|| {
        a_task_behind_a_long_leaf(|| Pool::builder().deque::<Direct>());
        a_task_behind_a_long_leaf(|| Pool::builder().deque::<DirectBase>());
        a_task_behind_a_long_leaf(|| Pool::builder().deque::<DirectPeek>());
        a_task_behind_a_long_leaf(|| Pool::builder().deque::<DirectTryLock>());
    });
}

/// The oldest of many private tasks are had by as many workers as there are.
fn all_get_tasks_of_one_long_leaf<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(4).build().unwrap();
    for _ in 0..50 {
        let begun = [const { AtomicUsize::new(0) }; 3];
        let all = Once::default();
        let branch = |i: usize| {
            tick(&begun[i]);
            if begun.iter().all(|count| count.load(Ordering::Relaxed) == 1) {
                all.happens();
            }
            all.wait();
        };
        pool.run(|w| {
            w.join(
                |w| w.join(|w| w.join(|_| all.wait(), |_| branch(2)), |_| branch(1)),
                |_| branch(0),
            );
        });
    }
}

#[test]
fn all_workers_get_tasks_of_one_long_leaf() {
    isolated(|| {
        all_get_tasks_of_one_long_leaf(Pool::builder);
        all_get_tasks_of_one_long_leaf(|| Pool::builder().deque::<Direct>());
        all_get_tasks_of_one_long_leaf(|| Pool::builder().exposing(Exposing::Off));
    });
}

/// The owner waits in a scope, for a task that waits for one below: nobody asked for that one when it was pushed.
fn what_lies_below_a_worker_that_waits<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [3, 8] {
        let pool = builder().workers(workers).build().unwrap();
        for _ in 0..10 {
            let (long, begun) = (Once::default(), Once::default());
            pool.run(|w| {
                w.join(
                    |w| {
                        w.scope(|s| {
                            s.spawn(|_| {
                                long.happens();
                                begun.wait();
                            });
                            // Else this worker would run it itself.
                            long.wait();
                        });
                    },
                    |_| begun.happens(),
                );
            });
        }
    }
}

on_each_deque! { isolated: what_lies_below_a_worker_that_waits }

#[test]
fn what_lies_below_a_worker_that_waits_where_nobody_exposes() {
    isolated(|| {
        for exposing in [Exposing::Off, Exposing::WhenAsked] {
            what_lies_below_a_worker_that_waits(|| Pool::builder().exposing(exposing));
        }
    });
}

/// How often an owner shares in that many joins, one after another, while the other worker is in a task.
fn grows_beside_a_busy_worker(builder: Builder<Split>, joins: usize) -> usize {
    let pool = builder.workers(2).probe::<Counters>().build().unwrap();
    let grows = || pool.probes().map(|probe| probe.counts().of(Event::Grow)).sum::<usize>();
    let over = Once::default();
    let joined = |w: &Worker<Split, Counters>| {
        let before = grows();
        for _ in 0..joins {
            black_box(w.join(|_| black_box(1), |_| black_box(2)));
        }
        over.happens();
        grows() - before
    };
    pool.run(|w| join_stolen(w, joined, |_| over.wait())).0
}

#[test]
fn an_owner_shares_ahead_or_when_it_is_asked() {
    isolated(|| {
        let grows = |exposing| grows_beside_a_busy_worker(Pool::builder().exposing(exposing), 100);
        let ahead = grows(Exposing::Off);
        assert!(ahead >= 100, "each is the oldest: {ahead}");
        // What was asked before the other was busy.
        let when_asked = grows(Exposing::WhenAsked);
        assert!(when_asked <= 2, "nobody asks: {when_asked}");
    });
}

#[test]
fn two_items_of_a_loop_run_side_by_side() {
    isolated(|| {
        let pool = Pool::builder().workers(2).build().unwrap();
        for items in [2, 3, 5, 64, 1000] {
            for _ in 0..20 {
                let (first, last) = (Once::default(), Once::default());
                pool.run(|w| {
                    w.for_each(0..items, |i| {
                        if i == 0 {
                            last.wait();
                            first.happens();
                        } else if i == items - 1 {
                            last.happens();
                            first.wait();
                        }
                    });
                });
            }
        }
    });
}

/// How often thieves exposed in a pool that runs coarse joins after fine ones.
fn exposes(builder: Builder<Split, Counters>) -> usize {
    let pool = builder.workers(2).build().unwrap();
    for _ in 0..20 {
        let sum = pool.run(|w| {
            let (a, b) = w.join(|w| fib(w, 20), |w| fib(w, 21));
            a + b
        });
        assert_eq!(sum, 6765 + 10_946);
        pool.run(|w| w.join(|_| std::thread::sleep(std::time::Duration::from_millis(1)), |_| ()));
    }
    pool.probes().map(|probe| probe.counts().of(Event::Expose)).sum()
}

#[test]
fn nobody_exposes_where_the_builder_forbids_it() {
    for exposing in [Exposing::Off, Exposing::WhenAsked] {
        let builder = Pool::builder().probe::<Counters>().exposing(exposing);
        assert_eq!(exposes(builder), 0);
    }
}

#[test]
fn nobody_exposes_where_the_environment_forbids_it() {
    isolated_with(
        |command| {
            command.env("LYOCELL_EXPOSE", "off");
        },
        || assert_eq!(exposes(Pool::builder().probe::<Counters>()), 0),
    );
}

/// How often this thread has lost its processor so far, as the kernel counts it.
fn times_off_the_processor() -> usize {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    let counts = status.lines().filter_map(|line| line.split_once("ctxt_switches:"));
    counts.map(|(_voluntary, count)| count.trim().parse::<usize>().unwrap()).sum()
}

/// An owner that pushes and pops answers by itself: the barrier would only disturb it.
#[test]
fn nobody_exposes_a_stream_of_tiny_joins() {
    const STREAMS: usize = 20;
    // The sanitizer, with which a join takes a hundred times as long, is used on builds with debug assertions.
    const JOINS: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    isolated(|| {
        let pool = Pool::builder().workers(2).probe::<Counters>().build().unwrap();
        let mut times_off = 0;
        for _ in 0..STREAMS {
            // Long enough for the other worker to park.
            std::thread::sleep(std::time::Duration::from_millis(2));
            times_off += pool.run(|w| {
                let before = times_off_the_processor();
                for _ in 0..JOINS {
                    black_box(w.join(|_| black_box(1), |_| black_box(2)));
                }
                times_off_the_processor() - before
            });
        }
        let count = |event| pool.probes().map(|probe| probe.counts().of(event)).sum::<usize>();
        let (exposes, requests) = (count(Event::Expose), count(Event::Request));
        assert!(requests > 0, "nobody was idle");
        // One for each time that the owner had no processor to answer on; a virtual one is taken away uncounted, too.
        assert!(
            exposes < times_off + 4 * STREAMS,
            "{exposes} times, {requests} requests; the owner was off its processor {times_off} times"
        );
    });
}

/// More workers than processors, and leaves of all lengths: every task runs once, whoever exposes it and when.
fn once_whoever_exposes_it<D: Deque>(builder: Builder<D, Counters>) {
    let pool = builder.workers(64).build().unwrap();
    let exposes = || -> usize { pool.probes().map(|probe| probe.counts().of(Event::Expose)).sum() };
    let mut rounds = 0;
    while rounds < 20 || exposes() == 0 {
        rounds += 1;
        let runs: Vec<_> = (0..4095).map(|_| AtomicUsize::new(0)).collect();
        pool.run(|w| visit(w, &runs, 0, rounds));
        assert!(runs.iter().all(|count| count.load(Ordering::Relaxed) == 1), "round {rounds}");
    }
}

#[test]
fn every_task_runs_once_whoever_exposes_it() {
    isolated(|| {
        once_whoever_exposes_it(Pool::builder().probe());
        once_whoever_exposes_it(Pool::builder().deque::<Direct>().probe());
        once_whoever_exposes_it(Pool::builder().deque::<DirectPeek>().probe());
    });
}

/// A tree of tasks, some of which are long.
fn visit<D: Deque>(w: &Worker<D, Counters>, runs: &[AtomicUsize], node: usize, seed: usize) {
    let Some(count) = runs.get(node) else { return };
    tick(count);
    w.join(|w| visit(w, runs, 2 * node + 1, seed), |w| visit(w, runs, 2 * node + 2, seed));
    let length = node.wrapping_mul(0x9E37_79B9).wrapping_add(seed.wrapping_mul(0x85EB_CA6B)) >> 7;
    if length % 61 == 0 {
        (0..length % 50_000).for_each(|i| _ = black_box(i));
    }
}
