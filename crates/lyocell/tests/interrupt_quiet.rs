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

/// Waits until there is one such thread and it sleeps: the number does not change from one look to the next.
fn settled(name: &str) -> usize {
    let mut before = None;
    loop {
        let (now, threads) = sleeps(name);
        if before == Some(now) && threads == 1 {
            return now;
        }
        before = Some(now);
        thread::sleep(Duration::from_millis(50));
    }
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
        let before = (settled("lyocell-ticker"), settled("a-worker"));
        thread::sleep(Duration::from_millis(300));
        assert_eq!((sleeps("lyocell-ticker").0, sleeps("a-worker").0), before);
    }
}

#[test]
fn a_pool_with_nothing_to_do_wakes_nobody() {
    // One after the other: a pool's threads are known by their names.
    wakes_nobody::<Split>();
    wakes_nobody::<Receiver>();
    wakes_nobody::<Sender>();
}
