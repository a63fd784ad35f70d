//! Tasks that wait: for each other, for channels, for the clock.

use crate::{Program, chain, timed};
use rayon::Yield;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::thread::{self, sleep};
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("eight-items-sleep-1ms", || sleepers(8, Duration::from_millis(1))),
    ("forty-items-sleep-100us", || sleepers(40, Duration::from_micros(100))),
    ("four-items-sleep-200us", || sleepers(4, Duration::from_micros(200))),
    ("sleep-and-work", sleep_and_work),
    ("barrier-of-threads", barrier),
    ("scope-and-channel", scope_and_channel),
    ("join-and-channel", join_and_channel),
    ("wait-by-yield-now", yielding),
    ("yield-local", yield_local),
    ("par-bridge-of-channel", bridge_of_channel),
    ("par-bridge-of-slow-channel", bridge_of_slow_channel),
    ("par-bridge-of-iterator", bridge_of_iterator),
    ("pipeline-of-spawns", pipeline),
];

fn sleepers(count: usize, time: Duration) -> Result<Duration, String> {
    timed(&count, || (0..count).into_par_iter().with_max_len(1).map(|_| sleep(time)).count())
}

fn sleep_and_work() -> Result<Duration, String> {
    timed(&16, || {
        let one = |i: usize| match i % 4 {
            0 => sleep(Duration::from_micros(300)),
            _ => _ = std::hint::black_box(chain(200_000)),
        };
        (0..16).into_par_iter().with_max_len(1).map(one).count()
    })
}

/// Tasks that meet, as many as there are threads: each needs a thread of its own.
fn barrier() -> Result<Duration, String> {
    let threads = rayon::current_num_threads();
    timed(&(50 * threads), || {
        let met = AtomicUsize::new(0);
        for _ in 0..50 {
            let here = std::sync::Barrier::new(threads);
            rayon::scope(|s| {
                for _ in 0..threads {
                    s.spawn(|_| {
                        here.wait();
                        met.fetch_add(1, Ordering::Relaxed);
                    });
                }
            });
        }
        met.into_inner()
    })
}

fn scope_and_channel() -> Result<Duration, String> {
    timed(&4_950, || {
        (0..100)
            .map(|i| {
                let (send, receive) = channel();
                rayon::in_place_scope(|s| {
                    s.spawn(move |_| send.send(i).unwrap());
                    receive.recv().unwrap()
                })
            })
            .sum::<u64>()
    })
}

/// The second closure may wait for the first, whoever runs it.
fn join_and_channel() -> Result<Duration, String> {
    timed(&4_950, || {
        rayon::scope(|_| {
            (0..100)
                .map(|i| {
                    let (send, receive) = channel();
                    let first = move || {
                        chain(2_000);
                        send.send(i).unwrap();
                    };
                    rayon::join(first, move || receive.recv().unwrap()).1
                })
                .sum::<u64>()
        })
    })
}

fn yielding() -> Result<Duration, String> {
    timed(&4_950, || {
        rayon::scope(|_| {
            (0..100)
                .map(|i| {
                    let (send, receive) = channel();
                    rayon::spawn(move || send.send(i + u64::from(chain(1_000) == 0)).unwrap());
                    loop {
                        match receive.try_recv() {
                            Ok(i) => return i,
                            Err(_) => match rayon::yield_now() {
                                Some(Yield::Executed) => {}
                                _ => thread::yield_now(),
                            },
                        }
                    }
                })
                .sum::<u64>()
        })
    })
}

fn yield_local() -> Result<Duration, String> {
    timed(&1_000, || {
        let done = AtomicUsize::new(0);
        rayon::scope(|s| {
            for _ in 0..1_000 {
                s.spawn(|_| _ = done.fetch_add(usize::from(chain(100) > 0), Ordering::Relaxed));
                rayon::yield_local();
            }
        });
        done.into_inner()
    })
}

fn bridge_of_channel() -> Result<Duration, String> {
    timed(&(0..1_000).sum(), || {
        let (send, receive) = sync_channel(16);
        thread::scope(|threads| {
            threads.spawn(move || (0..1_000_u64).for_each(|i| send.send(i).unwrap()));
            receive.into_iter().par_bridge().map(|i| i * u64::from(chain(1_000) > 0)).sum::<u64>()
        })
    })
}

/// Whoever produces is slower than who consumes.
fn bridge_of_slow_channel() -> Result<Duration, String> {
    timed(&(0..40).sum(), || {
        let (send, receive) = sync_channel(0);
        thread::scope(|threads| {
            threads.spawn(move || {
                (0..40_u64).for_each(|i| {
                    sleep(Duration::from_micros(200));
                    send.send(i).unwrap();
                });
            });
            receive.into_iter().par_bridge().map(|i| i * u64::from(chain(300) > 0)).sum::<u64>()
        })
    })
}

fn bridge_of_iterator() -> Result<Duration, String> {
    let expected = (0..2_000_u64).map(|i| chain(500) ^ i).fold(0, |a, b| a ^ b);
    timed(&expected, || {
        let items = (0..2_000_u64).par_bridge();
        items.map(|i| chain(500) ^ i).reduce(|| 0, |a, b| a ^ b)
    })
}

/// Three stages, each a task that spawns the next.
fn pipeline() -> Result<Duration, String> {
    timed(&500, || {
        let (send, receive) = channel();
        for _ in 0..500 {
            let send = send.clone();
            rayon::spawn(move || {
                let a = chain(300);
                rayon::spawn(move || {
                    let b = chain(300) ^ a;
                    rayon::spawn(move || send.send(chain(300).wrapping_add(a | b)).unwrap());
                });
            });
        }
        drop(send);
        receive.iter().filter(|x| *x > 0).count()
    })
}
