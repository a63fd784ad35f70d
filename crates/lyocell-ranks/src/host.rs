//! The workers of a rank: they work on bags, and share them.
//!
//! A worker works on a bag as a *part*, a detached task of the pool. Between some items and the next it looks whether another rank
//! wants half of the bag, and puts that aside, written down; and whether a worker of the pool has nothing to do, and spawns a part
//! with half of what it has.
//!
//! # Invariants
//! - host-1. Nothing of a rank outlives its run: the run waits until there are no parts, whatever ends it.

use crate::communicator::Host;
use crate::message::{LARGEST_BAG, Malformed};
use crate::parts::Parts;
use crate::{Bag, Total};
use crossbeam_utils::CachePadded;
use lyocell::{Deque, Pool, Probe, Worker};
use lyocell_sync::{Mutex, Parker};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What the workers of a rank have in common.
pub(crate) struct Workers<B: Bag> {
    pub(crate) parts: Parts,
    /// By worker.
    totals: Box<[CachePadded<Mutex<B::Total>>]>,
    at_a_time: usize,
}

impl<B: Bag> Workers<B> {
    /// For somebody to communicate for who sleeps by this parker.
    pub(crate) fn new(workers: usize, at_a_time: usize, communicating: &Parker) -> Arc<Workers<B>> {
        Arc::new(Workers {
            parts: Parts::new(communicating),
            totals: (0..workers).map(|_| CachePadded::default()).collect(),
            at_a_time: at_a_time.max(1),
        })
    }

    /// What the items that were worked on here came to, once no part is left.
    pub(crate) fn total(&self) -> B::Total {
        let mut all = B::Total::default();
        for total in &self.totals {
            all.merge(std::mem::take(&mut *total.lock()));
        }
        all
    }

    /// Works through a bag, but for what is given away. Does not unwind.
    fn work_off<D: Deque, P: Probe>(self: &Arc<Self>, worker: &Worker<D, P>, bag: B) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut total = B::Total::default();
            self.work_through(worker, bag, &mut total);
            self.totals[worker.index()].lock().merge(total);
        }));
        if let Err(panic) = outcome {
            self.parts.fail(words(&*panic));
        }
        self.parts.end();
    }

    fn work_through<D: Deque, P: Probe>(
        self: &Arc<Self>,
        worker: &Worker<D, P>,
        mut bag: B,
        total: &mut B::Total,
    ) {
        while !bag.is_empty() && !self.parts.are_stopped() {
            bag.work(self.at_a_time, total);
            if self.parts.is_wanted() {
                self.put_aside(&mut bag);
            }
            if worker.idle_workers() > 0 && !worker.has_pending_tasks() {
                if let Some(half) = bag.split() {
                    self.parts.begin();
                    let workers = Arc::clone(self);
                    worker.spawn_detached(move |worker| workers.work_off(worker, half));
                }
            }
        }
    }

    /// Gives another rank half of the bag, as much of that as may travel.
    fn put_aside(&self, bag: &mut B) {
        let Some(mut half) = bag.split() else { return };
        if !self.parts.serves() {
            return bag.merge(half);
        }
        let mut written = write(&half);
        while written.len() > LARGEST_BAG {
            let Some(rest) = half.split() else { break };
            bag.merge(rest);
            written = write(&half);
        }
        self.parts.put_aside(written);
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
        self.workers.parts.begin();
        let workers = Arc::clone(&self.workers);
        self.pool.spawn_detached(move |worker| workers.work_off(worker, bag));
    }
}

impl<B: Bag, D: Deque, P: Probe> Host for InPool<'_, B, D, P> {
    fn has_nothing(&self) -> bool {
        self.workers.parts.have_nothing()
    }

    fn want(&mut self, wanted: bool) {
        self.workers.parts.want(wanted);
    }

    fn take_aside(&mut self) -> Option<Vec<u8>> {
        self.workers.parts.take_aside()
    }

    fn receive(&mut self, bag: &[u8]) -> Result<(), Malformed> {
        self.spawn(postcard::from_bytes(bag).map_err(Malformed::Damaged)?);
        Ok(())
    }
}
