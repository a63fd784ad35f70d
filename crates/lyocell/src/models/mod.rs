//! Models: small programs over the protocols of this crate, of which loom runs every interleaving and every
//! value a load may return.
//!
//! Compiled in the package `lyocell-models`, where [`lyocell_sync`] is over loom: run with `cargo test --manifest-path
//! models/Cargo.toml --release -p lyocell-models --lib models`. Each model conserves something: every task runs once, what was written is visible (loom reports a race on the contents of a
//! slot), nobody sleeps for good (loom reports a deadlock).
//!
//! The models call the code that ships. Where they stand in for something, it is a thread's own part: its
//! head, its loop, its source of work. `.ci/mutate` weakens that code, one ordering at a time, and tells
//! which model notices.

mod active;
mod background;
mod cancel;
mod coalescing;
mod concurrent;
mod confined;
mod direct;
mod drain;
mod frame;
mod hand_over;
mod handle;
mod idle;
mod jobs;
mod latch;
mod nap;
mod private;
mod programs;
mod rounds;
mod scope;
mod seat;
mod spares;
mod split;
mod workbench;
mod worker;

use loom::sync::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Explores every run of the model with at most this many preemptions, and no more than
/// `LOOM_MAX_PREEMPTIONS` says. With `--nocapture` it tells how many that were.
fn explore(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let begin = Instant::now();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound =
        Some(builder.preemption_bound.map_or(preemptions, |most| most.min(preemptions)));
    // Whole workers take more steps than the models that this was made for.
    builder.max_branches = 10_000;
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let runs = runs.load(Ordering::Relaxed);
    println!("{runs} runs, {:?}", begin.elapsed());
    assert!(runs > 1, "the threads of this model never meet");
}

/// What one thread of a model does.
type Role = Box<dyn FnOnce() + Send>;

fn role(body: impl FnOnce() + Send + 'static) -> Role {
    Box::new(body)
}

/// Plays the roles, each on a thread of its own, the last one here, until all are over.
///
/// Each begins by touching one word. That matters to loom (0.7.2), which compares an access with the last one
/// only: a thread that loads a word and then stores to it hides from loom what others loaded before. The
/// touch makes it try every order of the threads to begin with.
fn race<const N: usize>(others: [Role; N], here: impl FnOnce()) {
    let line = Arc::new(lyocell_sync::AtomicUsize::new(0));
    let threads = others.map(|role| {
        let line = Arc::clone(&line);
        loom::thread::spawn(move || {
            line.fetch_add(1, Ordering::Relaxed);
            role();
        })
    });
    line.fetch_add(1, Ordering::Relaxed);
    here();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Counts arrivals; whoever waits for them sleeps, so a model in which they do not come deadlocks.
#[derive(Default)]
struct Meeting {
    arrived: Mutex<usize>,
    changed: Condvar,
}

impl Meeting {
    fn arrive(&self) {
        *self.arrived.lock().unwrap() += 1;
        self.changed.notify_all();
    }

    fn wait_for(&self, arrivals: usize) {
        let mut arrived = self.arrived.lock().unwrap();
        while *arrived < arrivals {
            arrived = self.changed.wait(arrived).unwrap();
        }
    }
}
