//! Scopes and detached tasks.

use crate::{Program, chain, timed};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("scope-empty-100k", || spawns(100_000, 0)),
    ("scope-fifo-100k", fifo),
    ("scope-10k-of-100ns", || spawns(10_000, 70)),
    ("scope-1k-of-5us", || spawns(1_000, 3_500)),
    ("scope-captures-256", captures),
    ("scope-recursive", recursive),
    ("scope-of-scopes", scopes),
    ("in-place-scope", in_place),
    ("spawn-channel", spawn_channel),
    ("spawn-from-spawn", spawn_from_spawn),
    ("spawn-fifo-from-inside", spawn_fifo),
    ("scope-of-two", scope_of_two),
    ("scope-quicksort", quicksort),
];

fn spawns(count: usize, steps: u64) -> Result<Duration, String> {
    timed(&count, || {
        let done = AtomicUsize::new(0);
        rayon::scope(|s| {
            for _ in 0..count {
                s.spawn(|_| _ = done.fetch_add(usize::from(chain(steps) > 0), Ordering::Relaxed));
            }
        });
        done.into_inner()
    })
}

fn fifo() -> Result<Duration, String> {
    timed(&100_000, || {
        let done = AtomicUsize::new(0);
        rayon::scope_fifo(|s| {
            for _ in 0..100_000 {
                s.spawn_fifo(|_| _ = done.fetch_add(1, Ordering::Relaxed));
            }
        });
        done.into_inner()
    })
}

fn captures() -> Result<Duration, String> {
    timed(&(20_000 * 32), || {
        let done = AtomicUsize::new(0);
        rayon::scope(|s| {
            for i in 0..20_000_usize {
                let (many, done) = ([i; 32], &done);
                s.spawn(move |_| {
                    let same = many.iter().filter(|x| **x == i).count();
                    done.fetch_add(same, Ordering::Relaxed);
                });
            }
        });
        done.into_inner()
    })
}

fn recursive() -> Result<Duration, String> {
    fn node<'s>(s: &rayon::Scope<'s>, depth: u32, count: &'s AtomicUsize) {
        count.fetch_add(1, Ordering::Relaxed);
        if depth > 0 {
            s.spawn(move |s| node(s, depth - 1, count));
            s.spawn(move |s| node(s, depth - 1, count));
        }
    }
    timed(&((1 << 15) - 1), || {
        let count = AtomicUsize::new(0);
        rayon::scope(|s| node(s, 14, &count));
        count.into_inner()
    })
}

fn scopes() -> Result<Duration, String> {
    timed(&1_000, || {
        let count = AtomicUsize::new(0);
        rayon::scope(|s| {
            for _ in 0..100 {
                let count = &count;
                s.spawn(move |_| {
                    rayon::scope(|inner| {
                        for _ in 0..10 {
                            let one = move || usize::from(chain(500) > 0);
                            inner.spawn(move |_| _ = count.fetch_add(one(), Ordering::Relaxed));
                        }
                    });
                });
            }
        });
        count.into_inner()
    })
}

fn in_place() -> Result<Duration, String> {
    timed(&1_000, || {
        let count = AtomicUsize::new(0);
        for _ in 0..50 {
            rayon::in_place_scope(|s| {
                for _ in 0..20 {
                    s.spawn(|_| {
                        _ = count.fetch_add(usize::from(chain(500) > 0), Ordering::Relaxed)
                    });
                }
            });
        }
        count.into_inner()
    })
}

fn spawn_channel() -> Result<Duration, String> {
    timed(&499_500, || {
        let (send, receive) = channel();
        for i in 0..1_000_u64 {
            let send = send.clone();
            rayon::spawn(move || send.send(i * u64::from(chain(500) > 0)).unwrap());
        }
        drop(send);
        receive.iter().sum::<u64>()
    })
}

fn spawn_from_spawn() -> Result<Duration, String> {
    fn next(left: u64, send: std::sync::mpsc::Sender<u64>) {
        match left {
            0 => send.send(chain(10)).unwrap(),
            _ => rayon::spawn(move || next(left - 1, send)),
        }
    }
    let expected = chain(10);
    timed(&Ok(expected), || {
        let (send, receive) = channel();
        next(2_000, send);
        receive.recv()
    })
}

fn spawn_fifo() -> Result<Duration, String> {
    timed(&2_000, || {
        let (send, receive) = channel();
        rayon::scope(|_| {
            for _ in 0..2_000 {
                let send = send.clone();
                rayon::spawn_fifo(move || send.send(chain(100)).unwrap());
            }
        });
        drop(send);
        receive.iter().count()
    })
}

fn scope_of_two() -> Result<Duration, String> {
    let expected = chain(3_000);
    timed(&true, || {
        (0..200).all(|_| {
            let (mut a, mut b) = (0, 0);
            rayon::scope(|s| {
                s.spawn(|_| a = chain(3_000));
                b = chain(3_000);
            });
            (a, b) == (expected, expected)
        })
    })
}

fn quicksort() -> Result<Duration, String> {
    fn sort<'s>(s: &rayon::Scope<'s>, values: &'s mut [u64]) {
        if values.len() <= 64 {
            return values.sort_unstable();
        }
        let middle = values.len() / 2;
        let (low, _, high) = values.select_nth_unstable(middle);
        s.spawn(move |s| sort(s, low));
        s.spawn(move |s| sort(s, high));
    }
    let mut values = crate::numbers(200_000);
    let mut expected = values.clone();
    expected.sort_unstable();
    let time = timed(&(), || rayon::scope(|s| sort(s, &mut values)))?;
    if values == expected { Ok(time) } else { Err(String::from("not sorted")) }
}
