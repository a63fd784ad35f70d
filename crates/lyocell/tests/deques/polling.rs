//! Tasks that poll: `yield_now` and `yield_local` in a loop, on every deque.

use crate::common::{join_stolen, share_until};
use crate::process::isolated;
use lyocell::{Builder, Deque, Worker, Yield};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a task polls.
fn yields<D: Deque>() -> [fn(&Worker<D>) -> Yield; 2] {
    [Worker::yield_now, Worker::yield_local]
}

/// One of a pair of tasks polls for what the other does.
fn who_polls_ends<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for workers in [1, 2, 4] {
        let pool = builder().workers(workers).build().unwrap();
        for yields in yields() {
            for _ in 0..100 {
                let done = AtomicBool::new(false);
                let poll = |w: &Worker<D>| {
                    while !done.load(Ordering::Relaxed) {
                        yields(w);
                    }
                };
                pool.run(|w| w.join(poll, |_| done.store(true, Ordering::Relaxed)));
            }
        }
    }
}

/// The worker that polls takes the task of another, which is kept from running it.
fn who_polls_steals<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(2).build().unwrap();
    for _ in 0..20 {
        let done = &AtomicBool::new(false);
        let is_done = || done.load(Ordering::Relaxed);
        let poll = |w: &Worker<D>| {
            while !is_done() {
                w.yield_now();
            }
        };
        let keeps = |w: &Worker<D>| {
            w.join(|w| share_until(w, is_done), |_| done.store(true, Ordering::Relaxed));
        };
        pool.run(|w| join_stolen(w, keeps, poll));
    }
}

/// A job that waits on whoever polls, of that worker alone, and comes again as long as nobody has done what is polled for.
fn comes_again<D: Deque>(w: &Worker<D>, done: Arc<AtomicBool>) {
    let polls = w.index();
    w.spawn_detached_broadcast(move |w| {
        if w.index() == polls && !done.load(Ordering::Relaxed) {
            comes_again(w, Arc::clone(&done));
        }
    });
}

/// Who polls has something of its own to run each time, and another is to have what it polls for.
fn who_polls_and_is_never_idle_shares<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(2).build().unwrap();
    for yields in yields() {
        for _ in 0..20 {
            let done = Arc::new(AtomicBool::new(false));
            let poll = |w: &Worker<D>| {
                comes_again(w, Arc::clone(&done));
                while !done.load(Ordering::Relaxed) {
                    yields(w);
                }
            };
            pool.run(|w| w.join(poll, |_| done.store(true, Ordering::Relaxed)));
        }
    }
}

/// Two tasks that poll, each for what the other keeps.
fn two_that_poll_end<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(2).build().unwrap();
    for yields in yields() {
        for _ in 0..20 {
            let done = [AtomicBool::new(false), AtomicBool::new(false)];
            let polls = |own: usize| {
                let done = &done;
                move |w: &Worker<D>| {
                    let poll = |w: &Worker<D>| {
                        while !done[1 - own].load(Ordering::Relaxed) {
                            yields(w);
                        }
                    };
                    w.join(poll, |_| done[own].store(true, Ordering::Relaxed));
                }
            };
            pool.run(|w| join_stolen(w, polls(0), polls(1)));
        }
    }
}

/// The only other worker has always something of its own to run, and still comes to the task that waits for it.
fn a_flood_of_jobs_lets_tasks_through<D: Deque>(builder: impl Fn() -> Builder<D>) {
    fn again<D: Deque>(w: &Worker<D>, done: Arc<AtomicBool>) {
        w.spawn_detached(move |w| {
            if !done.load(Ordering::Relaxed) {
                again(w, done);
            }
        });
    }
    let pool = builder().workers(2).build().unwrap();
    for _ in 0..5 {
        let (done, floods) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let is_done = || done.load(Ordering::Relaxed);
        let flood = |w: &Worker<D>| {
            again(w, Arc::clone(&done));
            floods.store(true, Ordering::Relaxed);
        };
        pool.run(|w| {
            w.join(
                |w| {
                    share_until(w, || floods.load(Ordering::Relaxed));
                    // The newer one, which nobody runs here.
                    w.join(|w| share_until(w, is_done), |_| done.store(true, Ordering::Relaxed));
                },
                flood,
            );
        });
    }
}

on_each_kind_of_deque! {
    isolated: who_polls_ends, who_polls_steals, who_polls_and_is_never_idle_shares, two_that_poll_end, a_flood_of_jobs_lets_tasks_through
}
