//! How long a task that another thread spawns waits for a pool that sleeps, with and without steering, beside rayon.
//!
//! `cargo run --release -p lyocell-engines --example wakes [WORKERS]`. Prints percentiles of microseconds from the spawn to the first
//! line of the task. The spawning thread then sleeps until it is told, or goes on.

use lyocell::{Pool, WakeSteering};
use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SPAWNS: usize = 500;
/// Long enough for all workers to park.
const QUIET: Duration = Duration::from_millis(2);

fn main() {
    let workers =
        std::env::args().nth(1).map_or(2, |text| text.parse().expect("a number of workers"));
    let pool = |steering| Pool::builder().workers(workers).wake_steering(steering).build().unwrap();
    let (on, off) = (pool(WakeSteering::AwayFromWaker), pool(WakeSteering::Off));
    let rayon = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
    type Task = Box<dyn FnOnce() + Send>;
    let spawns: [(&str, &dyn Fn(Task)); 3] = [
        ("steering", &|task| on.spawn_detached(|_| task())),
        ("off", &|task| off.spawn_detached(|_| task())),
        ("rayon", &|task| rayon.spawn(task)),
    ];
    println!(
        "| {workers} workers, us | the spawning thread | p50 | p90 | p99 |\n|---|---|---|---|---|"
    );
    for goes_on in [false, true] {
        let mut waits = vec![Vec::new(); spawns.len()];
        // In turns, so that all meet the same neighbours.
        for _ in 0..SPAWNS {
            for ((_, spawn), waits) in spawns.iter().zip(&mut waits) {
                thread::sleep(QUIET);
                waits.push(wait(spawn, goes_on));
            }
        }
        for ((name, _), waits) in spawns.iter().zip(&mut waits) {
            waits.sort();
            let at = |percent: usize| waits[SPAWNS * percent / 100].as_secs_f64() * 1e6;
            let then = if goes_on { "goes on" } else { "sleeps" };
            println!("| {name} | {then} | {:.1} | {:.1} | {:.1} |", at(50), at(90), at(99));
        }
    }
}

fn wait(spawn: &dyn Fn(Box<dyn FnOnce() + Send>), goes_on: bool) -> Duration {
    let over = Arc::new(AtomicBool::new(false));
    let (tells, spawner) = (Arc::clone(&over), thread::current());
    let (send, took) = std::sync::mpsc::channel();
    let begin = Instant::now();
    spawn(Box::new(move || {
        send.send(begin.elapsed()).unwrap();
        tells.store(true, Ordering::Release);
        spawner.unpark();
    }));
    while !over.load(Ordering::Acquire) {
        if goes_on { spin_loop() } else { thread::park() }
    }
    took.recv().unwrap()
}
