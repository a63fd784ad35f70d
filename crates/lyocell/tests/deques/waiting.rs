//! A worker that waits for something else than the tasks of its own forks runs these meanwhile, on every deque.

use crate::process::isolated;
use lyocell::{Builder, Caller, Deque, Pool, Worker};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Two halves of a join meet in another pool, and there is one worker for both: the second begins while the first waits.
fn who_waits_for_another_pool_forks_into_it<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(1).build().unwrap();
    let other = Pool::builder().workers(2).caller(Caller::Sleeps).build().unwrap();
    for _ in 0..100 {
        let both = Barrier::new(2);
        let meet = |_: &Worker<D>| other.run(|_| _ = both.wait());
        pool.run(|w| w.join(meet, meet));
    }
}

/// A task of a scope, which another worker runs, waits for what comes after the scope's frame in the same join.
fn who_waits_for_its_scope_runs_its_open_joins<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(2).build().unwrap();
    for _ in 0..100 {
        let (spawned, forked) = (AtomicBool::new(false), AtomicBool::new(false));
        let has = |begun: &AtomicBool| begun.load(Ordering::Relaxed);
        let in_scope = |w: &Worker<D>| {
            w.scope(|s| {
                s.spawn(|_| {
                    spawned.store(true, Ordering::Relaxed);
                    while !has(&forked) {
                        thread::yield_now();
                    }
                });
                // Neither waits here nor pushes, so that it is the other that begins one of them.
                while !has(&spawned) && !has(&forked) {
                    thread::yield_now();
                }
            });
        };
        pool.run(|w| w.join(in_scope, |_| forked.store(true, Ordering::Relaxed)));
    }
}

on_each_kind_of_deque! {
    isolated: who_waits_for_another_pool_forks_into_it, who_waits_for_its_scope_runs_its_open_joins
}
