//! Systems that refuse the asymmetric barrier: at once, at its first use, and when the pool has used it for a while.
//!
//! Filters of system calls, as containers and sandboxes set them, here by the program itself.
#![cfg(all(target_os = "linux", not(miri)))]

#[path = "common/barrier_filter.rs"]
mod barrier_filter;
mod common;
#[path = "common/process.rs"]
mod process;

use barrier_filter::{Refused, refuse};
use common::Once;
use lyocell::probe::{Counters, Event};
use lyocell::{Deque, Direct, Pool, Split, Worker};
use process::isolated;
use std::hint::black_box;
use std::sync::{Arc, Barrier};

/// Joins that end only in parallel: the owner sits in `a`, and neither pushes nor pops.
fn long_joins<D: Deque>(pool: &Pool<D, Counters>) {
    for round in 0..200 {
        pool.run(|w| {
            (0..round % 7).for_each(|_| _ = w.join(|_| (), |_| ()));
            let begun = Once::default();
            w.join(|_| begun.wait(), |_| begun.happens());
        });
    }
}

fn pool_of<D: Deque>(workers: usize) -> Arc<Pool<D, Counters>> {
    let builder = Pool::builder().deque::<D>().probe::<Counters>();
    Arc::new(builder.workers(workers).build().unwrap())
}

/// As [`long_joins`], one level down: above crumbs, which thieves take first, and after others, which make them back off.
fn long_joins_above_crumbs<D: Deque>(pool: &Pool<D, Counters>) {
    for round in 0..40 {
        pool.run(|w| {
            (0..round % 4 * 1000).for_each(|_| _ = w.join(|_| (), |_| ()));
            let begun = Once::default();
            w.join(|w| w.join(|_| begun.wait(), |_| begun.happens()), |_| ());
        });
    }
}

/// As many tasks as workers, each of which waits for all.
fn all_meet<D: Deque>(pool: &Pool<D, Counters>) {
    for _ in 0..200 {
        let all = Barrier::new(pool.workers());
        pool.run(|w| meet(w, &all, w.workers()));
    }
}

fn meet<D: Deque>(w: &Worker<D, Counters>, all: &Barrier, tasks: usize) {
    match tasks {
        1 => _ = all.wait(),
        _ => _ = w.join(|w| meet(w, all, tasks - 1), |_| all.wait()),
    }
}

/// What is promised where the barrier was never there (hunger-1).
fn greed<D: Deque>() {
    long_joins(&pool_of::<D>(2));
    long_joins_above_crumbs(&pool_of::<D>(2));
    [2, 3, 8].iter().for_each(|workers| all_meet(&pool_of::<D>(*workers)));
}

#[test]
fn refused_at_once() {
    isolated(|| {
        refuse(Refused::All);
        greed::<Split>();
        greed::<Direct>();
    });
}

#[test]
fn refused_at_its_first_use() {
    isolated(|| {
        refuse(Refused::Use);
        greed::<Split>();
        greed::<Direct>();
    });
}

/// What `work` returns, run where so many bytes of the stack are used below `top`.
fn beneath<R>(top: &u8, bytes: usize, work: impl FnOnce() -> R) -> R {
    let frame = [0_u8; 1 << 10];
    let here: *const [u8] = black_box(&frame);
    match (&raw const *top).addr() - here.cast::<u8>().addr() >= bytes {
        true => work(),
        false => {
            let result = beneath(top, bytes, work);
            black_box(&frame);
            result
        }
    }
}

/// Worker 0 sleeps above a task that it keeps to itself, having no stack to spare for it, and waits for one that waits for this. Then
/// the barrier is refused to the third worker, which has nothing else to do.
fn refused_while_an_owner_sleeps<D: Deque>() {
    const STACK: usize = 2 << 20;
    let pool = pool_of::<D>(3);
    let [waits, refuses, runs] = [(); 3].map(|()| Arc::new(Once::default()));
    let (begins, ends) = (Arc::clone(&waits), Arc::clone(&runs));
    let waiting = pool.spawn_detached_with_handle(move |_| {
        begins.happens();
        ends.wait();
    });
    let (begins, watched) = (Arc::clone(&refuses), Arc::clone(&pool));
    let refusing = pool.spawn_detached_with_handle(move |_| {
        let parks = || watched.probes().next().unwrap().counts().of(Event::Park);
        let before = parks();
        begins.happens();
        while parks() == before {
            std::thread::yield_now();
        }
        refuse(Refused::All);
    });
    let caller = || {
        pool.run(|w| {
            waits.wait();
            refuses.wait();
            // Nobody is idle: whatever was asked before, this worker keeps the next task.
            (0..100).for_each(|_| _ = w.join(|_| (), |_| ()));
            let top = black_box(0);
            // Seven eighths: the last quarter is the reserve.
            w.join(|_| beneath(&top, STACK / 8 * 7, || waiting.join()), |_| runs.happens());
        });
    };
    std::thread::scope(|s| {
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, caller).unwrap();
    });
    refusing.join();
    long_joins(&pool);
}

#[test]
fn refused_later_with_split() {
    isolated(|| {
        refused_while_an_owner_sleeps::<Split>();
    });
}

#[test]
fn refused_later_with_direct() {
    isolated(|| {
        refused_while_an_owner_sleeps::<Direct>();
    });
}
