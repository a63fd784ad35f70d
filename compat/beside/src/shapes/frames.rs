//! Bursts of work with pauses between them: games, servers, editors.

use crate::{Program, chain, timed};
use rayon::prelude::*;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const PROGRAMS: &[Program] = &[
    ("frames-2ms-apart", || frames(Duration::from_millis(2), 20)),
    ("frames-200us-apart", || frames(Duration::from_micros(200), 60)),
    ("bursts-50us-apart", || bursts(Duration::from_micros(50))),
    ("bursts-20us-apart", || bursts(Duration::from_micros(20))),
    ("requests-from-threads", requests),
    ("spawn-then-serial", spawn_then_serial),
];

fn burst(items: u64, steps: u64) -> u64 {
    (0..items).into_par_iter().map(|i| chain(steps) ^ i).reduce(|| 0, |a, b| a ^ b)
}

fn frames(pause: Duration, count: u32) -> Result<Duration, String> {
    let expected = (0..64).map(|i| chain(2_000) ^ i).fold(0, |a, b| a ^ b);
    timed(&true, || {
        (0..count).all(|_| {
            thread::sleep(pause);
            burst(64, 2_000) == expected
        })
    })
}

/// The pauses are work of the calling thread.
fn bursts(pause: Duration) -> Result<Duration, String> {
    let expected = (0..32).map(|i| chain(1_000) ^ i).fold(0, |a, b| a ^ b);
    timed(&true, || {
        (0..100).all(|_| {
            let begin = Instant::now();
            while begin.elapsed() < pause {
                chain(500);
            }
            burst(32, 1_000) == expected
        })
    })
}

/// Threads of the program that each call a parallel loop, again and again.
fn requests() -> Result<Duration, String> {
    let expected = (0..16).map(|i| chain(1_000) ^ i).fold(0, |a, b| a ^ b);
    timed(&true, || {
        thread::scope(|threads| {
            let client = || (0..40).all(|_| burst(16, 1_000) == expected);
            let clients: Vec<_> = (0..4).map(|_| threads.spawn(client)).collect();
            clients.into_iter().all(|client| client.join().unwrap())
        })
    })
}

fn spawn_then_serial() -> Result<Duration, String> {
    let expected = chain(20_000);
    timed(&true, || {
        (0..50).all(|_| {
            let (send, receive) = std::sync::mpsc::channel();
            rayon::spawn(move || send.send(chain(20_000)).unwrap());
            let here = chain(20_000);
            here == expected && receive.recv() == Ok(expected)
        })
    })
}
