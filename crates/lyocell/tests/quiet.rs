//! Quiet: workers that wait for tasks which others run, and that nobody needs, sleep.
#![cfg(all(target_os = "linux", not(miri)))]

mod common;
#[path = "common/process.rs"]
mod process;

use common::join_stolen;
use lyocell::probe::{Counters, Event};
use lyocell::{Builder, Deque, Direct, Exposing, Pool, Receiver, Sender, Worker};
use process::isolated;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Two of four workers wait for tasks that the other two run, which are long. Tells how often they went to sleep meanwhile.
fn sleeps_while_two_wait<D: Deque>(builder: Builder<D>) -> usize {
    let pool = builder.workers(4).probe::<Counters>().build().unwrap();
    let parks = || -> usize { pool.probes().map(|probe| probe.counts().of(Event::Park)).sum() };
    let (begun, over) = (&AtomicUsize::new(0), &AtomicUsize::new(0));
    let long = |_: &Worker<D, Counters>| {
        let before = parks();
        let is_last = begun.fetch_add(1, Ordering::Relaxed) == 1;
        if !is_last {
            while over.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            return 0;
        }
        while parks() == before {
            thread::yield_now();
        }
        let first = parks();
        thread::sleep(Duration::from_millis(200));
        let sleeps = parks() - first;
        over.store(1, Ordering::Relaxed);
        sleeps
    };
    let waits = |w: &Worker<D, Counters>| join_stolen(w, |_| (), long).1;
    let (a, b) = pool.run(|w| join_stolen(w, waits, waits));
    a + b
}

/// Each of them was woken by the other, which asked it for tasks as it went to sleep, though it had none left: hundreds of times.
fn sleeps_on<D: Deque>(builder: impl Fn() -> Builder<D>) {
    for _ in 0..5 {
        let sleeps = sleeps_while_two_wait(builder());
        assert!(sleeps < 40, "{sleeps} times, on {}", D::NAME);
    }
}

#[test]
fn who_waits_for_stolen_tasks_is_left_alone() {
    isolated(|| {
        sleeps_on(Pool::builder);
        sleeps_on(|| Pool::builder().exposing(Exposing::Off));
        sleeps_on(|| Pool::builder().deque::<Direct>().exposing(Exposing::Off));
        sleeps_on(|| Pool::builder().deque::<Receiver>());
        sleeps_on(|| Pool::builder().deque::<Sender>());
    });
}
