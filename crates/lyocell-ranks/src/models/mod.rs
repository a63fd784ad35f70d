//! Models: small programs over [`Parts`](crate::parts::Parts), of which loom runs every interleaving and every value a load may return.
//!
//! Compiled in the package `lyocell-ranks-models`, where [`lyocell_sync`] is over loom: run with `cargo test --manifest-path
//! models/Cargo.toml --release -p lyocell-ranks-models --lib models`. Each has a communicating thread and one or two parts, and
//! conserves something: every item is worked on or sent, and a part that failed is heard of. A sleep ends by the token alone, so a
//! wake-up that is forgotten is a deadlock.

mod parts;

use loom::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Explores every run of the model with at most this many preemptions, and no more than `LOOM_MAX_PREEMPTIONS` says.
fn explore(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound =
        Some(builder.preemption_bound.map_or(preemptions, |most| most.min(preemptions)));
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let runs = runs.load(Ordering::Relaxed);
    println!("{runs} runs");
    assert!(runs > 1, "the threads of this model never meet");
}

/// Has `others` run beside `here`, each on a thread of its own, until all are over.
fn race<const N: usize>(others: [Box<dyn FnOnce() + Send>; N], here: impl FnOnce()) {
    let threads = others.map(thread::spawn);
    here();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}
