//! The workers of a rank, and what they and the thread that talks to other ranks have in common.
//!
//! A *part* is a bag that one worker works on, a detached task of the pool. Between some items and the next it looks whether another rank
//! wants half of the bag, and puts that aside, written down; and whether a worker of the pool has nothing to do, and spawns a part
//! with half of what it has.
//!
//! # Invariants
//! - host-1. `parts` counts the parts that are spawned and not over: it goes up before a part is spawned, by a part or by the
//!   communicating thread, and down when the part is over and all that it put aside is there. So when the communicating thread reads 0,
//!   with Acquire, nothing will change unless it spawns a part itself, and it sees what was put aside.
//! - host-2. Nothing of a rank outlives its run: the run waits until there are no parts, whatever ends it.
//!
//! # Orderings
//! `parts` goes down with Release and is read with Acquire (host-1). `wanted` and `failed` are hints that parts read with Relaxed; what
//! they stand for is under locks.

use crate::communicator::Host;
use crate::message::{LARGEST_BAG, Malformed};
use crate::{Bag, Total};
use crossbeam_utils::CachePadded;
use lyocell::{Deque, Pool, Probe, Worker};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

/// What the workers of a rank share with the thread that talks to other ranks.
pub(crate) struct Workers<B: Bag> {
    /// host-1.
    parts: AtomicUsize,
    /// Whether another rank would like half of a bag.
    wanted: AtomicBool,
    /// Bags for other ranks, written down.
    aside: Mutex<VecDeque<Vec<u8>>>,
    /// By worker.
    totals: Box<[CachePadded<Mutex<B::Total>>]>,
    failed: AtomicBool,
    /// What the first part that panicked said.
    failure: Mutex<Option<String>>,
    /// To be unparked when there is something for it to do.
    communicating: Thread,
    at_a_time: usize,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<B: Bag> Workers<B> {
    /// For the calling thread to communicate for.
    pub(crate) fn new(workers: usize, at_a_time: usize) -> Arc<Workers<B>> {
        Arc::new(Workers {
            parts: AtomicUsize::new(0),
            wanted: AtomicBool::new(false),
            aside: Mutex::default(),
            totals: (0..workers).map(|_| CachePadded::default()).collect(),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
            communicating: std::thread::current(),
            at_a_time: at_a_time.max(1),
        })
    }

    /// Has all parts stop at their next look.
    pub(crate) fn stop(&self) {
        // Ordering: Relaxed; it is seen when it is seen.
        self.failed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn failure(&self) -> Option<String> {
        if !self.failed.load(Ordering::Relaxed) {
            return None;
        }
        lock(&self.failure).clone()
    }

    pub(crate) fn has_parts(&self) -> bool {
        // Ordering: Acquire; meets the Release at the end of a part (host-1).
        self.parts.load(Ordering::Acquire) > 0
    }

    /// What the items that were worked on here came to, once no part is left.
    pub(crate) fn total(&self) -> B::Total {
        let mut all = B::Total::default();
        for total in &self.totals {
            all.merge(std::mem::take(&mut *lock(total)));
        }
        all
    }

    /// This bag is about to be spawned as a part (host-1).
    fn begin(&self) {
        // Ordering: Relaxed; it goes up before the part is there, and who spawns it makes it visible.
        self.parts.fetch_add(1, Ordering::Relaxed);
    }

    /// Works through a bag, but for what is given away. Does not unwind.
    fn work_off<D: Deque, P: Probe>(self: &Arc<Self>, worker: &Worker<D, P>, bag: B) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut total = B::Total::default();
            self.work_through(worker, bag, &mut total);
            lock(&self.totals[worker.index()]).merge(total);
        }));
        if let Err(panic) = outcome {
            lock(&self.failure).get_or_insert_with(|| words(&*panic));
            self.stop();
        }
        // Ordering: Release; meets the Acquire of `has_parts`.
        if self.parts.fetch_sub(1, Ordering::Release) == 1 {
            self.communicating.unpark();
        }
    }

    fn work_through<D: Deque, P: Probe>(
        self: &Arc<Self>,
        worker: &Worker<D, P>,
        mut bag: B,
        total: &mut B::Total,
    ) {
        while !bag.is_empty() && !self.failed.load(Ordering::Relaxed) {
            bag.work(self.at_a_time, total);
            if self.wanted.load(Ordering::Relaxed) {
                self.put_aside(&mut bag);
            }
            if worker.idle_workers() > 0 && !worker.has_pending_tasks() {
                if let Some(half) = bag.split() {
                    self.begin();
                    let workers = Arc::clone(self);
                    worker.spawn_detached(move |worker| workers.work_off(worker, half));
                }
            }
        }
    }

    /// Gives another rank half of the bag, as much of that as may travel.
    fn put_aside(&self, bag: &mut B) {
        let Some(mut half) = bag.split() else { return };
        // One part does so for one request.
        if !self.wanted.swap(false, Ordering::Relaxed) {
            return bag.merge(half);
        }
        let mut written = write(&half);
        while written.len() > LARGEST_BAG {
            let Some(rest) = half.split() else { break };
            bag.merge(rest);
            written = write(&half);
        }
        lock(&self.aside).push_back(written);
        self.communicating.unpark();
    }
}

fn write<B: Bag>(bag: &B) -> Vec<u8> {
    // An error of this form can only be one of the bag's own `Serialize`, and then the part has failed.
    postcard::to_stdvec(bag).unwrap_or_else(|error| panic!("a bag cannot be written down: {error}"))
}

pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.map_or_else(|| "a task panicked".to_owned(), |text| format!("a task panicked: {text}"))
}

/// A pool that works on bags.
pub(crate) struct InPool<'a, B: Bag, D: Deque, P: Probe> {
    pub(crate) pool: &'a Pool<D, P>,
    pub(crate) workers: Arc<Workers<B>>,
}

impl<B: Bag, D: Deque, P: Probe> InPool<'_, B, D, P> {
    pub(crate) fn spawn(&self, bag: B) {
        self.workers.begin();
        let workers = Arc::clone(&self.workers);
        self.pool.spawn_detached(move |worker| workers.work_off(worker, bag));
    }
}

impl<B: Bag, D: Deque, P: Probe> Host for InPool<'_, B, D, P> {
    fn has_nothing(&self) -> bool {
        !self.workers.has_parts() && lock(&self.workers.aside).is_empty()
    }

    fn want(&mut self, wanted: bool) {
        // Ordering: Relaxed, here and in the look before, which keeps the line with those who read it.
        if self.workers.wanted.load(Ordering::Relaxed) != wanted {
            self.workers.wanted.store(wanted, Ordering::Relaxed);
        }
    }

    fn take_aside(&mut self) -> Option<Vec<u8>> {
        lock(&self.workers.aside).pop_front()
    }

    fn receive(&mut self, bag: &[u8]) -> Result<(), Malformed> {
        self.spawn(postcard::from_bytes(bag).map_err(Malformed::Damaged)?);
        Ok(())
    }
}
