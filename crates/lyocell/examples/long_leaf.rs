//! A worker in a leaf of 50 ms, above a task that it has not shared: how long the task waits for an idle thief,
//! without interrupts and with them. Medians of some rounds.

use lyocell::{BuildError, Deque, Pool, Receiver, Sender, Split};
use std::hint::spin_loop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const LEAF: Duration = Duration::from_millis(50);
const PERIODS_US: [u64; 3] = [100, 500, 2000];
const ROUNDS: usize = 21;

fn compute(duration: Duration) {
    let end = Instant::now() + duration;
    while Instant::now() < end {
        spin_loop();
    }
}

/// How long the task waited from the moment when the thief had nothing else to do.
fn wait_of_the_task<D: Deque>(pool: &Pool<D>) -> Duration {
    let (busy, release) = (&AtomicBool::new(false), &AtomicBool::new(false));
    let (since, waited) = (&Mutex::new(Instant::now()), &Mutex::new(LEAF));
    let hold = || {
        busy.store(true, Ordering::Relaxed);
        while !release.load(Ordering::Relaxed) {
            spin_loop();
        }
    };
    pool.run(|w| {
        w.join(
            |w| {
                // The other worker is held, so that the task below is pushed while nobody asks.
                while !busy.load(Ordering::Relaxed) {
                    w.join(|_| (), |_| ());
                }
                w.join(|_| (), |_| ());
                w.join(
                    |w| {
                        w.join(
                            |_| {
                                *since.lock().unwrap() = Instant::now();
                                release.store(true, Ordering::Relaxed);
                                compute(LEAF);
                            },
                            |_| (),
                        );
                    },
                    |_| *waited.lock().unwrap() = since.lock().unwrap().elapsed(),
                );
            },
            |_| hold(),
        );
    });
    *waited.lock().unwrap()
}

fn median<D: Deque>(pool: &Pool<D>) -> Duration {
    let mut waits: Vec<Duration> = (0..ROUNDS).map(|_| wait_of_the_task(pool)).collect();
    waits.sort();
    waits[ROUNDS / 2]
}

fn report<D: Deque>() -> Result<(), BuildError> {
    let builder = || Pool::builder().deque::<D>().workers(2);
    println!(
        "{:<10}{:>12} without interrupts",
        D::NAME,
        format!("{:.1?}", median(&builder().build()?))
    );
    for period in PERIODS_US {
        let pool = builder().interrupt(Duration::from_micros(period)).build()?;
        println!("{:<10}{:>12} every {period} us", D::NAME, format!("{:.1?}", median(&pool)));
    }
    Ok(())
}

fn main() -> Result<(), BuildError> {
    report::<Split>()?;
    report::<Receiver>()?;
    report::<Sender>()
}
