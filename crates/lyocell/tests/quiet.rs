//! Quiet: workers that wait for tasks which others run, and that nobody needs, sleep.
#![cfg(all(target_os = "linux", not(miri)))]

mod common;
#[path = "common/process.rs"]
mod process;

use common::join_stolen;
use lyocell::probe::{Counters, Event};
use lyocell::{Builder, Caller, Deque, Direct, Exposing, Pool, Receiver, Sender, Worker};
use process::isolated;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Two of four workers wait for tasks that the other two run, which are long. Tells how often they went to sleep meanwhile; nothing,
/// if one of the two took another's task itself, while it waited for a small one of those by which it shares: it has to be tried again.
fn sleeps_while_two_wait<D: Deque>(builder: Builder<D>) -> Option<usize> {
    let pool = builder.workers(4).probe::<Counters>().build().unwrap();
    let parks = || -> usize { pool.probes().map(|probe| probe.counts().of(Event::Park)).sum() };
    let (begun, over) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let is_over = || over.load(Ordering::Relaxed);
    // Who is to wait, and so may not be the one that works.
    let waiters: &[AtomicBool; 4] = &[const { AtomicBool::new(false) }; 4];
    let waits = |w: &Worker<D, Counters>| waiters[w.index()].swap(true, Ordering::Relaxed);
    let long = |w: &Worker<D, Counters>| {
        let before = parks();
        let is_last = begun.fetch_add(1, Ordering::Relaxed) == 1;
        if waiters[w.index()].load(Ordering::Relaxed) {
            over.store(true, Ordering::Relaxed);
            return None;
        }
        if !is_last {
            while !is_over() {
                thread::yield_now();
            }
            return Some(0);
        }
        while parks() == before && !is_over() {
            thread::yield_now();
        }
        if is_over() {
            return None;
        }
        let first = parks();
        thread::sleep(Duration::from_millis(200));
        let sleeps = parks() - first;
        over.store(true, Ordering::Relaxed);
        Some(sleeps)
    };
    let half = |w: &Worker<D, Counters>| join_stolen(w, |_| (), long).1;
    let other_half = |w: &Worker<D, Counters>| {
        if waits(w) {
            over.store(true, Ordering::Relaxed);
            return None;
        }
        half(w)
    };
    let (a, b) = pool.run(|w| {
        waits(w);
        join_stolen(w, half, other_half)
    });
    Some(a? + b?)
}

/// Each of them was woken by the other, which asked it for tasks as it went to sleep, though it had none left: hundreds of times.
fn sleeps_on<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for _ in 0..5 {
        let sleeps = iter::repeat_with(|| sleeps_while_two_wait(builder())).flatten().next();
        let sleeps = sleeps.expect("it was tried until it was so");
        assert!(sleeps < 40, "{sleeps} times, on {}", D::NAME);
    }
}

#[test]
fn who_waits_for_stolen_tasks_is_left_alone() {
    isolated(|| {
        sleeps_on(Pool::builder);
        sleeps_on(|| Pool::builder().exposing(Exposing::Off));
        sleeps_on(|| Pool::builder().deque::<Direct>().exposing(Exposing::Off));
        sleeps_on(|| Pool::builder().exposing(Exposing::WhenAsked));
        sleeps_on(|| Pool::builder().deque::<Receiver>());
        sleeps_on(|| Pool::builder().deque::<Sender>());
    });
}

/// It slept for a moment first, in case that it could not see yet what others had: there are none.
#[test]
fn a_worker_alone_sleeps_once_until_it_is_called() {
    isolated(|| {
        const CALLS: usize = 20;
        let builder = Pool::builder().workers(1).caller(Caller::Sleeps).probe::<Counters>();
        let pool = builder.build().unwrap();
        let parks = || pool.probes().next().unwrap().counts().of(Event::Park);
        for _ in 0..CALLS {
            let before = parks();
            pool.run(|_| ());
            while parks() == before {
                thread::yield_now();
            }
            thread::sleep(Duration::from_millis(2));
        }
        assert!(parks() < CALLS + CALLS / 2, "{} times, for {CALLS} calls", parks());
    });
}
