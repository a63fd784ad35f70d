//! What several test files need.
// Each test file is a crate of its own, and none uses everything.
#![allow(dead_code)]

use lyocell::{Builder, Deque, Pool, Probe, Worker};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// A pool with this many workers, all else as it comes.
pub(crate) fn pool(workers: usize) -> Pool {
    pool_of(&Pool::builder, workers)
}

/// As `pool`, of a builder for each pool.
pub(crate) fn pool_of<D: Deque>(builder: &impl Fn() -> Builder<D>, workers: usize) -> Pool<D> {
    builder().workers(workers).build().expect("a small pool")
}

/// So many, but few where Miri interprets every step.
pub(crate) const fn many(native: usize, miri: usize) -> usize {
    if cfg!(miri) { miri } else { native }
}

/// The grain is a handful of instructions.
pub(crate) fn fib<D: Deque, P: Probe>(w: &Worker<D, P>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

/// Counts one.
pub(crate) fn tick(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Pushes and pops until it is true, so that whoever asks this worker for its older tasks gets them.
pub(crate) fn share_until<D: Deque, P: Probe>(w: &Worker<D, P>, is_true: impl Fn() -> bool) {
    while !is_true() {
        w.join(|_| (), |_| ());
        std::thread::yield_now();
    }
}

/// A join whose `b` is run by a thief: `a` does not end its sharing before `b` has started elsewhere.
pub(crate) fn join_stolen<D: Deque, P: Probe, RA, RB: Send>(
    w: &Worker<D, P>,
    a: impl FnOnce(&Worker<D, P>) -> RA,
    b: impl FnOnce(&Worker<D, P>) -> RB + Send,
) -> (RA, RB) {
    let started = AtomicBool::new(false);
    w.join(
        |w| {
            share_until(w, || started.load(Ordering::Relaxed));
            a(w)
        },
        |w| {
            started.store(true, Ordering::Relaxed);
            b(w)
        },
    )
}

/// The text of the panic that `body` must end with.
pub(crate) fn panic_of<R>(body: impl FnOnce() -> R) -> String {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(_) => panic!("no panic came out"),
        Err(panic) => text_of(&*panic),
    }
}

/// The text of a panic's payload.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => String::from("not a text"),
    }
}

/// Counts how many of its tickets have been dropped.
#[derive(Default)]
pub(crate) struct Drops(AtomicUsize);

/// Counts its drop.
pub(crate) struct Ticket<'a>(&'a Drops);

impl Drops {
    pub(crate) const fn new() -> Self {
        Drops(AtomicUsize::new(0))
    }

    pub(crate) fn ticket(&self) -> Ticket<'_> {
        Ticket(self)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Something that happens once, and is waited for without a push or a pop.
#[derive(Default)]
pub(crate) struct Once {
    happened: Mutex<bool>,
    changed: Condvar,
}

impl Once {
    pub(crate) fn happens(&self) {
        *self.happened.lock().unwrap() = true;
        self.changed.notify_all();
    }

    pub(crate) fn wait(&self) {
        let mut happened = self.happened.lock().unwrap();
        while !*happened {
            happened = self.changed.wait(happened).unwrap();
        }
    }
}
