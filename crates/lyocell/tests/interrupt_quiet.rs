//! A pool with interrupts that has nothing to do. Alone in its process, to know its threads by their names.
#![cfg(all(target_os = "linux", not(miri)))]

use lyocell::{Deque, Pool, Receiver, Sender, Split};
use std::fs;
use std::thread;
use std::time::Duration;

/// How often the threads of this name have gone to sleep so far, and how many there are.
fn sleeps(name: &str) -> (usize, usize) {
    let mut threads = 0;
    let mut sleeps = 0;
    for entry in fs::read_dir("/proc/self/task").expect("Linux tells of threads") {
        let thread = entry.expect("a thread").path();
        let read = |file| fs::read_to_string(thread.join(file)).unwrap_or_default();
        if read("comm").trim() == name {
            threads += 1;
            let status = read("status");
            let line =
                status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            sleeps += line.expect("Linux tells of switches").trim().parse::<usize>().unwrap();
        }
    }
    (sleeps, threads)
}

/// A hundred periods and more.
const LONG: Duration = Duration::from_millis(100);

/// How many stretches of that length are looked at. The system may make a thread sleep for reasons of its own, and let
/// it settle late; a thread that is woken each period sleeps a thousand times in every stretch.
const STRETCHES: usize = 50;

/// Whether ticker and worker sleep through one of several long stretches.
fn comes_to_rest() -> bool {
    let both = || ["lyocell-ticker", "a-worker"].map(sleeps);
    (0..STRETCHES).any(|_| {
        let before = both();
        thread::sleep(LONG);
        before.iter().all(|(_, threads)| *threads == 1) && both() == before
    })
}

fn wakes_nobody<D: Deque>() {
    let pool = Pool::builder()
        .deque::<D>()
        .workers(2)
        .interrupt(Duration::from_micros(100))
        .thread_names(|_| String::from("a-worker"))
        .build()
        .unwrap();
    for _ in 0..3 {
        pool.run(|w| w.join_range(0..1000, 0, |_, i| i, |a, b| a + b));
        assert!(comes_to_rest(), "{}: somebody is woken again and again", D::NAME);
    }
}

#[test]
fn a_pool_with_nothing_to_do_wakes_nobody() {
    // One after the other: a pool's threads are known by their names.
    wakes_nobody::<Split>();
    wakes_nobody::<Receiver>();
    wakes_nobody::<Sender>();
}
