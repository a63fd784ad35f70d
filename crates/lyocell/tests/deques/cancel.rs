//! Tokens that stop tasks, and joins of results, on every deque: what is stopped, what is not, and that each value is dropped once.

use crate::common::{Drops, fib, many, panic_of, pool_of};
use lyocell::{Builder, Cancel, Cancelled, Deque, Worker};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

on_each_kind_of_deque! { here:
    a_recursion_without_end_stops_and_each_value_is_dropped_once,
    a_loop_without_end_is_stopped_from_another_thread,
    tasks_of_a_scope_that_have_not_begun_are_dropped,
    a_token_stops_what_is_below_it_and_nothing_else,
    a_destructor_may_fork_while_its_task_is_stopped,
    an_error_is_the_leftmost_and_what_is_not_begun_is_dropped,
    the_error_of_the_lowest_index_comes_out,
    the_first_error_of_a_scope_stops_all_that_is_in_it,
    a_call_that_is_awaited_comes_to_its_end,
    a_call_that_nobody_awaits_is_stopped_or_not_begun,
    a_scope_that_is_awaited_ends_with_its_tasks,
    tasks_of_a_scope_that_nobody_awaits_are_dropped,
}

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 5] };

/// A tree too deep to be visited, whose node of this number sets the token. Each task owns a ticket.
struct Endless<'a> {
    cancel: &'a Cancel,
    stops_at: usize,
    visited: AtomicUsize,
    made: AtomicUsize,
    drops: Drops,
}

impl<'a> Endless<'a> {
    fn new(cancel: &'a Cancel, stops_at: usize) -> Self {
        let (visited, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Endless { cancel, stops_at, visited, made, drops: Drops::new() }
    }

    fn ticket(&self) -> crate::common::Ticket<'_> {
        self.made.fetch_add(1, Ordering::Relaxed);
        self.drops.ticket()
    }

    fn visit<D: Deque>(&self, w: &Worker<D>, depth: u32) {
        if self.visited.fetch_add(1, Ordering::Relaxed) == self.stops_at {
            self.cancel.cancel();
        }
        if depth == 60 {
            return;
        }
        let (left, right) = (self.ticket(), self.ticket());
        let _kept = self.ticket();
        let visit = |w: &Worker<D>, ticket: crate::common::Ticket<'_>| {
            self.visit(w, depth + 1);
            drop(ticket);
        };
        w.join(|w| visit(w, left), |w| visit(w, right));
    }

    fn check(&self) {
        assert!(self.visited.load(Ordering::Relaxed) > self.stops_at);
        assert_eq!(self.drops.count(), self.made.load(Ordering::Relaxed));
    }
}

fn a_recursion_without_end_stops_and_each_value_is_dropped_once<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        for round in 0..many(20, 2) {
            let cancel = Cancel::new();
            let tree = Endless::new(&cancel, many(300, 10) * round);
            let result = pool.run(|w| w.cancellable(&cancel, |w| tree.visit(w, 0)));
            assert_eq!(result, Err(Cancelled));
            tree.check();
            assert_eq!(pool.run(|w| w.cancellable(&cancel, |_| ())), Err(Cancelled));
            assert_eq!(pool.run(|w| fib(w, 8)), 21);
        }
    }
}

fn a_loop_without_end_is_stopped_from_another_thread<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        for _ in 0..many(10, 1) {
            let (cancel, visited, drops) = (Cancel::new(), AtomicUsize::new(0), Drops::new());
            thread::scope(|threads| {
                threads.spawn(|| {
                    while visited.load(Ordering::Relaxed) < many(1_000, 20) {
                        thread::yield_now();
                    }
                    cancel.cancel();
                });
                let fold = |ticket, _| {
                    visited.fetch_add(1, Ordering::Relaxed);
                    ticket
                };
                let made = AtomicUsize::new(0);
                let begin = || {
                    made.fetch_add(1, Ordering::Relaxed);
                    drops.ticket()
                };
                let result = pool.run(|w| {
                    w.cancellable(&cancel, |w| w.fold(0..u64::MAX, begin, fold, |a, _| a))
                });
                assert!(result.is_err());
                assert_eq!(drops.count(), made.into_inner());
            });
        }
    }
}

fn tasks_of_a_scope_that_have_not_begun_are_dropped<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let (pool, cancel, drops) = (pool_of(&builder, workers), Cancel::new(), Drops::new());
        let ran = AtomicUsize::new(0);
        let tasks = many(1_000, 20);
        let result = pool.run(|w| {
            w.cancellable(&cancel, |w| {
                w.scope(|s| {
                    for task in 0..tasks {
                        let (ticket, cancel, ran) = (drops.ticket(), &cancel, &ran);
                        s.spawn_fifo(move |w| {
                            let _ticket = ticket;
                            ran.fetch_add(1, Ordering::Relaxed);
                            if task == 5 {
                                cancel.cancel();
                            }
                            while task > 5 && !w.is_cancelled() {
                                thread::yield_now();
                            }
                        });
                    }
                });
            })
        });
        assert_eq!(result, Err(Cancelled));
        assert_eq!(drops.count(), tasks);
        assert!(ran.into_inner() <= 6 + 2 * workers, "those that others had begun, and no more");
    }
}

/// Two callers beside each other, one of which is stopped again and again; and a token within another.
fn a_token_stops_what_is_below_it_and_nothing_else<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        let over = AtomicBool::new(false);
        thread::scope(|threads| {
            threads.spawn(|| {
                let never = Cancel::new();
                for _ in 0..many(30, 2) {
                    assert_eq!(pool.run(|w| fib(w, many(14, 6) as u64)), many(377, 8) as u64);
                    let sum = |w: &Worker<D>| w.map_reduce(0..1_000, |i| i, || 0, |a, b| a + b);
                    assert_eq!(pool.run(|w| w.cancellable(&never, sum)), Ok(499_500));
                }
                over.store(true, Ordering::Relaxed);
            });
            while !over.load(Ordering::Relaxed) {
                let (outer, inner) = (Cancel::new(), Cancel::new());
                let tree = Endless::new(&inner, many(100, 10));
                let result = pool.run(|w| {
                    w.cancellable(&outer, |w| {
                        let inside = w.cancellable(&inner, |w| tree.visit(w, 0));
                        (inside, fib(w, 8), w.is_cancelled())
                    })
                });
                assert_eq!(result, Ok((Err(Cancelled), 21, false)));
                tree.check();
                let tree = Endless::new(&outer, many(100, 10));
                let result = pool.run(|w| {
                    let never = Cancel::new();
                    w.cancellable(&outer, |w| w.cancellable(&never, |w| tree.visit(w, 0)))
                });
                assert_eq!(result, Err(Cancelled));
                tree.check();
            }
        });
    }
}

fn a_destructor_may_fork_while_its_task_is_stopped<D: Deque>(builder: impl Fn() -> Builder<D>) {
    struct Forks<'a, D: Deque>(&'a Worker<D>, &'a AtomicUsize);

    impl<D: Deque> Drop for Forks<'_, D> {
        fn drop(&mut self) {
            self.1.fetch_add(fib(self.0, 10) as usize, Ordering::Relaxed);
        }
    }

    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        for _ in 0..many(20, 2) {
            let (cancel, sum) = (Cancel::new(), AtomicUsize::new(0));
            let tree = Endless::new(&cancel, many(100, 10));
            let result = pool.run(|w| {
                w.cancellable(&cancel, |w| {
                    let _forks = Forks(w, &sum);
                    w.join(|w| tree.visit(w, 0), |w| tree.visit(w, 0));
                })
            });
            assert_eq!((result, sum.into_inner()), (Err(Cancelled), 55));
            tree.check();
        }
    }
}

fn an_error_is_the_leftmost_and_what_is_not_begun_is_dropped<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    /// Fails with the first of these numbers that is odd.
    fn first_odd<D: Deque>(w: &Worker<D>, numbers: &[u32], drops: &Drops) -> Result<u32, u32> {
        if let [number] = numbers {
            return if number % 2 == 1 { Err(*number) } else { Ok(*number) };
        }
        let (left, right) = numbers.split_at(numbers.len() / 2);
        let ticket = drops.ticket();
        let b = move |w: &Worker<D>| {
            let _ticket = ticket;
            first_odd(w, right, drops)
        };
        let (a, b) = w.try_join(|w| first_odd(w, left, drops), b)?;
        Ok(a + b)
    }

    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        let mut numbers: Vec<u32> = (0..many(64, 8) as u32).map(|i| 2 * i).collect();
        let forks = numbers.len() - 1;
        let drops = Drops::new();
        assert_eq!(pool.run(|w| first_odd(w, &numbers, &drops)), Ok(numbers.iter().sum()));
        assert_eq!(drops.count(), forks);
        numbers[3] = 1;
        numbers[5] = 3;
        for _ in 0..many(100, 2) {
            assert_eq!(pool.run(|w| first_odd(w, &numbers, &drops)), Err(1));
        }
        let alone: Result<((), ()), i32> = pool
            .run(|w| w.try_join(|_| Err(1), |_| if workers == 1 { panic!("b") } else { Err(2) }));
        assert_eq!(alone, Err(1));
    }
}

fn the_error_of_the_lowest_index_comes_out<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        for fails_at in [0, 1, 5, 20] {
            let begun = AtomicUsize::new(0);
            let (drops, begun) = (Drops::new(), &begun);
            let branch = |w: &Worker<D>, i: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                let ticket = drops.ticket();
                fib(w, 5);
                if i >= fails_at { Err(i) } else { Ok((i, vec![ticket])) }
            };
            let both = |(a, mut left): (usize, Vec<_>), (b, right): (usize, Vec<_>)| {
                left.extend(right);
                (a + b, left)
            };
            let sum = pool.run(|w| w.try_join_range(0..20, (0, Vec::new()), branch, both));
            match sum {
                Ok((sum, tickets)) => assert_eq!((fails_at, sum, tickets.len()), (20, 190, 20)),
                Err(index) => assert_eq!(index, fails_at),
            }
            let begun = begun.load(Ordering::Relaxed);
            assert_eq!(drops.count(), begun);
            // Alone, it is as in a loop.
            assert!(workers > 1 || begun == (fails_at + 1).min(20), "{begun} of {fails_at}");
        }
    }
}

fn the_first_error_of_a_scope_stops_all_that_is_in_it<D: Deque>(builder: impl Fn() -> Builder<D>) {
    /// Has no end before somebody fails.
    fn search<'env, D: Deque>(w: &Worker<D>, depth: u32, fail: &(dyn Fn() + Sync + 'env)) {
        fail();
        if depth < 60 {
            w.join(|w| search(w, depth + 1, fail), |w| search(w, depth + 1, fail));
        }
    }

    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        for _ in 0..many(20, 2) {
            let (visited, drops) = (AtomicUsize::new(0), Drops::new());
            let (visited, drops) = (&visited, &drops);
            let outcome: Result<(), &str> = pool.run(|w| {
                w.try_scope(|s| {
                    let fail = move || {
                        if visited.fetch_add(1, Ordering::Relaxed) == many(100, 10) {
                            s.fail("found");
                        }
                    };
                    for _ in 0..5 {
                        let ticket = drops.ticket();
                        s.spawn(move |w| {
                            let _ticket = ticket;
                            search(w, 0, &fail);
                            Ok(())
                        });
                    }
                    search(w, 0, &fail);
                    Ok(())
                })
            });
            assert_eq!((outcome, drops.count()), (Err("found"), 5));
        }
        // A task's own error, the body's, and none.
        let of_task = pool.run(|w| {
            w.try_scope(|s| {
                s.spawn(|_| Err(1));
                Ok(())
            })
        });
        assert_eq!(of_task, Err(1));
        assert_eq!(pool.run(|w| w.try_scope(|_| Err::<(), _>(2))), Err(2));
        let count = AtomicUsize::new(0);
        let tick = || _ = count.fetch_add(1, Ordering::Relaxed);
        let of_all: Result<i32, ()> = pool.run(|w| {
            w.try_scope(|s| {
                for _ in 0..10 {
                    s.spawn(move |w| {
                        s.spawn(move |_| {
                            tick();
                            Ok(())
                        });
                        Ok(_ = fib(w, 5))
                    });
                }
                Ok(3)
            })
        });
        assert_eq!((of_all, count.into_inner()), (Ok(3), 10));
        let text = panic_of(|| pool.run(|w| w.try_scope(|_| -> Result<(), ()> { panic!("own") })));
        assert_eq!(text, "own");
    }
}

/// An executor of one future, which looks again and again.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => return result,
            Poll::Pending => thread::yield_now(),
        }
    }
}

fn a_call_that_is_awaited_comes_to_its_end<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        let (a, b) = (pool.run_async(|w| fib(w, 10)), pool.run_async(|w| fib(w, 11)));
        assert_eq!(block_on(async { b.await - a.await }), 34);
        let panics = pool.run_async(|w| w.join(|_| (), |_| panic!("the call")));
        assert_eq!(panic_of(|| block_on(panics)), "the call");
        let unwanted = pool.run_async(|w| fib(w, 5));
        while !format!("{unwanted:?}").contains("true") {
            thread::yield_now();
        }
    }
}

fn a_call_that_nobody_awaits_is_stopped_or_not_begun<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let pool = pool_of(&builder, workers);
        let (owned, begun) = (Arc::new(()), Arc::new(AtomicBool::new(false)));
        let (kept, begins) = (Arc::clone(&owned), Arc::clone(&begun));
        let call = pool.run_async(move |w| {
            let _kept = kept;
            w.for_each(0..u64::MAX, |_| begins.store(true, Ordering::Relaxed));
        });
        while !begun.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        drop(call);
        while Arc::strong_count(&owned) > 1 {
            thread::yield_now();
        }
        // Of one worker, which is busy here.
        let pool = pool_of(&builder, 1);
        let (kept, begins) = (Arc::clone(&owned), Arc::new(AtomicBool::new(false)));
        let begun = Arc::clone(&begins);
        pool.run(|_| {
            drop(pool.run_async(move |_| {
                begins.store(true, Ordering::Relaxed);
                drop(kept);
            }));
        });
        drop(pool);
        assert!(!begun.load(Ordering::Relaxed) && Arc::strong_count(&owned) == 1);
    }
}

fn a_scope_that_is_awaited_ends_with_its_tasks<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for &workers in WORKERS {
        let (pool, ran) = (pool_of(&builder, workers), Arc::new(AtomicUsize::new(0)));
        let spawned = Arc::clone(&ran);
        let scope = pool.scope_async(move |s| {
            for _ in 0..10 {
                let ran = Arc::clone(&spawned);
                s.spawn(move |w| _ = ran.fetch_add(fib(w, 6) as usize, Ordering::Relaxed));
            }
            "the body"
        });
        assert_eq!(block_on(scope), "the body");
        assert_eq!(ran.load(Ordering::Relaxed), 80);
        let panics = pool.scope_async(|s| s.spawn(|_| panic!("a task")));
        assert_eq!(panic_of(|| block_on(panics)), "a task");
    }
}

/// The body waits until it is not awaited any more, so that none of its tasks has begun on the one worker.
fn tasks_of_a_scope_that_nobody_awaits_are_dropped<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = pool_of(&builder, 1);
    let (owned, ran) = (Arc::new(()), Arc::new(AtomicUsize::new(0)));
    let (kept, counts) = (Arc::clone(&owned), Arc::clone(&ran));
    let (go, wait) = std::sync::mpsc::channel();
    let (send, begun) = std::sync::mpsc::channel();
    let scope = pool.scope_async(move |s| {
        for _ in 0..5 {
            let (kept, counts) = (Arc::clone(&kept), Arc::clone(&counts));
            s.spawn(move |_| {
                counts.fetch_add(1, Ordering::Relaxed);
                drop(kept);
            });
        }
        send.send(()).unwrap();
        wait.recv().unwrap();
    });
    begun.recv().unwrap();
    drop(scope);
    go.send(()).unwrap();
    drop(pool);
    assert_eq!((ran.load(Ordering::Relaxed), Arc::strong_count(&owned)), (0, 1));
}

#[test]
fn a_deadline_that_is_over_stops_and_one_that_never_comes_does_not() {
    let pool = crate::common::pool(2);
    let endless = |cancel: &Cancel| {
        pool.run(|w| w.cancellable(cancel, |w| w.for_each(0..u64::MAX, |_| thread::yield_now())))
    };
    assert_eq!(endless(&Cancel::after(Duration::ZERO)), Err(Cancelled));
    assert_eq!(endless(&Cancel::after(Duration::from_millis(3))), Err(Cancelled));
    let never = Cancel::after(Duration::MAX);
    assert_eq!(pool.run(|w| w.cancellable(&never, |w| fib(w, 10))), Ok(55));
}

#[test]
fn a_panic_of_the_body_comes_out() {
    let (pool, cancel) = (crate::common::pool(2), Cancel::new());
    let body = |w: &Worker| {
        w.join(|_| (), |_| panic!("mine"));
    };
    assert_eq!(panic_of(|| pool.run(|w| w.cancellable(&cancel, body))), "mine");
    assert_eq!(pool.run(|w| w.cancellable(&cancel, |w| w.is_cancelled())), Ok(false));
}
