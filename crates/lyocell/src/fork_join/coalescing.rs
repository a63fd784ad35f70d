//! Task coalescing: one task a worker, which holds a bag of items and is split in half when somebody asks.
//!
//! Where the work comes in tiny pieces that beget further pieces (the nodes of a graph that a search visits), a
//! task for each costs more than the piece. So a task is a *part* of the work: a bag of items that one worker
//! works through, newest first, up to a given number at a time. Then it looks whether thieves ask, and if
//! so, sends the older half of the bag off as a part of its own.
//!
//! ```text
//!   worker 0   | a b c d e f g h |  asked: sends a b c d        works on | e f g h |
//!   its lane             | a b c d |
//!   worker 1                         takes it, asked again: ...
//! ```
//! A half travels as a detached task on the sender's lane, whatever the deque is. Only one waits there at a time:
//! that many thieves are served, and who takes it will be asked in turn.
//!
//! # Invariants
//! - coalescing-1. Each part is sent once and received once: the first by the call to itself, the others by a lane.
//!   A part is *done* when its bag is empty, on the worker that received it.
//! - coalescing-2. A worker counts a part as sent before anybody can receive it, and as done after all that the part
//!   has sent or dropped. Neither count is ever taken back; both may wrap around.
//! - coalescing-3. The frame of the call, with all that items and body borrow, stays until every part is done. After
//!   a part is counted as done, its worker touches only the counts, which it owns in common with the others.
//!
//! # Termination
//! No counter is shared: each worker counts what it has sent and what it has done with, on a line of its own. The
//! work is over when the sums of both are equal; but the counts move while they are summed, and a sum of the
//! differences, read in one go, may be zero though a part was sent behind the reader's back. Therefore the
//! reader sums up the done first, and then the sent. Say D parts were seen done and then S sent, and D = S:
//! - Each part that was seen done was seen sent: its sending comes before its receipt, that before its end, and
//!   its end before the second sum. As D = S, no other part was seen sent.
//! - Each part that was sent *by* one that was seen done was seen sent too: it was counted before its sender was
//!   done (coalescing-2). So it is among those seen done.
//! - The first part was seen sent, for the reader sent it, and so it was seen done.
//!
//! By induction over who sent whom, all parts there are were seen done, and none is left to send another. The
//! reader is the caller, while it waits, and whoever ends a part while the caller sleeps.
//!
//! # Orderings
//! The end of a part is released and the first sum acquires it: that is all the argument above needs, and with it
//! the caller sees what the parts did. The caller's sleep and the last part's end are a Dekker pair: each fences
//! between its own word and its look at the other's.
//!
//! Source: Acar, Charguéraud and Rainey 2013, section 5. Departures:
//! - Their counts are differences of received and sent, summed by an idle processor. Here both are kept, for the
//!   reason above.
//! - The half is taken from the old end of the bag: in a search these are the items nearest to its root.

use crate::deque::Deque;
use crate::jobs::Job;
use crate::probe::{Guarded, Probe};
use crate::scheduler::Worker;
use crate::scheduler::lineage::Parent;
use crate::task::Ancestor;
use crate::task::Unpark;
use crate::task::panic::{FirstPanic, Panic, drop_quietly};
use crate::wait::{Goal, Subscribed};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicBool, AtomicUsize, Ordering, fence};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The items that one worker has yet to work through in a call of [`Worker::coalesce`].
#[derive(Debug)]
pub struct Bag<T> {
    /// Oldest first.
    items: Vec<T>,
}

impl<T> Bag<T> {
    /// Adds an item, which some worker will work on some time.
    #[inline]
    pub fn add(&mut self, item: T) {
        self.items.push(item);
    }

    /// Takes the older half out, if there is more than one item.
    fn split(&mut self) -> Option<Bag<T>> {
        let half = self.items.len() / 2;
        if half == 0 {
            return None;
        }
        let newer = self.items.split_off(half);
        Some(Bag { items: std::mem::replace(&mut self.items, newer) })
    }
}

impl<T> Extend<T> for Bag<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` with each of the items and with each item that `body` adds, in parallel as far as workers are
    /// free, until no item is left.
    ///
    /// Each worker that takes part keeps its items in a bag of its own, newest on top. After at most `at_a_time`
    /// items (0 counts as 1; the paper's `S`) it looks whether others ask for work, and gives them half of the bag.
    /// So a large number makes looking cheaper, but others wait longer for their share: choose as many items as take
    /// some microseconds. Items are worked on in no particular order. What is in a bag is not in the deque, so
    /// [interrupts](crate::Builder::interrupt) cannot share it.
    ///
    /// # Panics
    /// Panics with the first panic of a call of `body`. Items that have not been worked on by the time it is noticed
    /// are dropped; calls that have begun end first.
    ///
    /// # Cost
    /// Each item costs a push and a pop of a vector. Each half that is given away costs an allocation and a
    /// hand-over. The call begins with an allocation of two cache lines for each worker.
    ///
    /// # Source
    /// Task coalescing: Acar, Charguéraud and Rainey 2013, section 5.
    ///
    /// # Examples
    /// The nodes of a graph that can be reached from one: the paper's pseudo-DFS.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// // The successors of each node.
    /// let graph = vec![vec![1, 2], vec![3], vec![3, 0], vec![], vec![0, 5], vec![4]];
    /// let reached: Vec<AtomicBool> = graph.iter().map(|_| AtomicBool::new(false)).collect();
    /// let visit = |node: usize| !reached[node].swap(true, Ordering::Relaxed);
    ///
    /// let pool = lyocell::Pool::new()?;
    /// visit(0);
    /// pool.run(|w| {
    ///     w.coalesce([0], 100, |_, node, bag| {
    ///         bag.extend(graph[node].iter().copied().filter(|next| visit(*next)));
    ///     });
    /// });
    /// let reached: Vec<bool> = reached.into_iter().map(AtomicBool::into_inner).collect();
    /// assert_eq!(reached, [true, true, true, true, false, false]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn coalesce<T, F>(&self, items: impl IntoIterator<Item = T>, at_a_time: usize, body: F)
    where
        T: Send,
        F: Fn(&Self, T, &mut Bag<T>) + Sync,
    {
        if self.is_left_behind() {
            // after_fork-4.
            return self.registry().by_stand_in(|worker| worker.coalesce(items, at_a_time, body));
        }
        let bag = Bag { items: items.into_iter().collect() };
        self.with_origin(|origin| self.coalesce_from(origin, bag, at_a_time, body));
    }

    fn coalesce_from<T, F>(&self, origin: Option<Ancestor>, bag: Bag<T>, at_a_time: usize, body: F)
    where
        T: Send,
        F: Fn(&Self, T, &mut Bag<T>) + Sync,
    {
        let progress = Progress::new(self.workers(), self.index());
        let (at_a_time, group) = (at_a_time.max(1), self.owner.probe.begin_group());
        let work =
            Coalesced::<F, P> { body, at_a_time, group, progress: Arc::clone(&progress), origin };
        progress.send(self.index());
        work.work_off(self, bag);
        // Nobody sleeps yet.
        let _ = progress.finish(self.index());
        self.work_until_parts(&*progress);
        self.owner.probe.end_group(&work.group);
        if let Some(panic) = progress.panic.take() {
            resume_unwind(panic);
        }
    }
}

/// What all parts of one call have in common; in its frame (coalescing-3).
struct Coalesced<F, P: Probe> {
    body: F,
    at_a_time: usize,
    /// What the probes keep of the parts.
    group: P::Group,
    progress: Arc<Progress>,
    /// What its parts descend from.
    origin: Option<Ancestor>,
}

impl<F, P: Probe> Coalesced<F, P> {
    /// Works through a bag and all that is added to it, but for what is sent off. Does not unwind.
    fn work_off<D, T>(&self, worker: &Worker<D, P>, mut bag: Bag<T>)
    where
        D: Deque,
        T: Send,
        F: Fn(&Worker<D, P>, T, &mut Bag<T>) + Sync,
    {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            while !self.progress.has_failed() {
                worker.stop_if_cancelled();
                for _ in 0..self.at_a_time {
                    let Some(item) = bag.items.pop() else { return };
                    (self.body)(worker, item, &mut bag);
                }
                if worker.owner.deque.is_asked() {
                    self.give_half(worker, &mut bag);
                    worker.answer();
                }
            }
        }));
        if let Err(panic) = outcome {
            self.progress.fail(panic);
        }
        // Now the part is done (coalescing-1). The bag is empty but after a panic, here or elsewhere. One by one, for the drop
        // of each may panic.
        bag.items.into_iter().for_each(drop_quietly);
    }

    /// Sends the older half of the bag to whoever wants it, unless something waits for thieves already.
    fn give_half<D, T>(&self, worker: &Worker<D, P>, bag: &mut Bag<T>)
    where
        D: Deque,
        T: Send,
        F: Fn(&Worker<D, P>, T, &mut Bag<T>) + Sync,
    {
        if !worker.lane.is_empty() {
            return;
        }
        let Some(half) = bag.split() else { return };
        worker.forget_request();
        let progress = Arc::clone(&self.progress);
        progress.send(worker.index());
        let start = Guarded::spawn_in(&self.group, || Some(&worker.owner.probe));
        let token = worker.token();
        let task = move |worker: &Worker<D, P>| {
            worker.owner.probe.begin_spawned(&self.group, start);
            let work = || self.work_off(worker, half);
            worker.descending(Parent::of_job(self.origin), || worker.under(token, work));
            worker.owner.probe.end_spawned(&self.group);
        };
        // coalescing-3: `self`, and what items and body borrow, may be gone after this.
        let end = move |worker: &Worker<D, P>| {
            if progress.finish(worker.index()) == Unpark::Owner {
                worker.registry().idle.unpark(progress.caller);
            }
        };
        // SAFETY: by coalescing-3 the job's call, with what items and body borrow, outlasts its use of them.
        let job = unsafe { Job::simple(self.origin, task, end) };
        worker.registry().submit(|_| job);
    }
}

/// How far the parts of one call are.
pub(crate) struct Progress {
    counts: Box<[CachePadded<PartCounts>]>,
    /// The worker that waits for all of it.
    caller: usize,
    caller_sleeps: AtomicBool,
    failed: AtomicBool,
    panic: FirstPanic,
}

/// What one worker has done about parts.
struct PartCounts {
    sent: AtomicUsize,
    done: AtomicUsize,
}

impl Progress {
    pub(crate) fn new(workers: usize, caller: usize) -> Arc<Progress> {
        let counts = || PartCounts { sent: AtomicUsize::new(0), done: AtomicUsize::new(0) };
        Arc::new(Progress {
            counts: (0..workers).map(|_| CachePadded::new(counts())).collect(),
            caller,
            caller_sleeps: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            panic: FirstPanic::default(),
        })
    }

    /// This worker is about to send a part (coalescing-2).
    pub(crate) fn send(&self, worker: usize) {
        // Ordering: Relaxed; it travels to the reader with the ends of the part itself and of its sender.
        self.counts[worker].sent.fetch_add(1, Ordering::Relaxed);
    }

    /// This worker is done with a part. Tells whether all are, and the caller has to be unparked.
    pub(crate) fn finish(&self, worker: usize) -> Unpark {
        // Ordering: Release; meets the Acquire in `is_over`.
        self.counts[worker].done.fetch_add(1, Ordering::Release);
        // Pairs with the fence in `subscribe`, and with itself: the last of the parts that end sees all others.
        fence(Ordering::SeqCst);
        // Ordering: Relaxed; by the fence.
        if self.caller_sleeps.load(Ordering::Relaxed) && self.is_over() {
            Unpark::Owner
        } else {
            Unpark::Nobody
        }
    }

    /// Whether all parts are done: the two sums of the module's docs.
    fn is_over(&self) -> bool {
        // Ordering: Acquire; meets the Release in `finish`.
        let done = self.sum(|counts| counts.done.load(Ordering::Acquire));
        // Ordering: Relaxed; what must be seen comes before what was acquired.
        let sent = self.sum(|counts| counts.sent.load(Ordering::Relaxed));
        done == sent
    }

    fn sum(&self, read: impl Fn(&PartCounts) -> usize) -> usize {
        // A worker's count may wrap around, and so may the sum: only their difference matters.
        self.counts.iter().map(|counts| read(counts)).fold(0, usize::wrapping_add)
    }

    fn has_failed(&self) -> bool {
        // Ordering: Relaxed; it is seen when it is seen.
        self.failed.load(Ordering::Relaxed)
    }

    /// Keeps the first panic, and has all parts stop.
    fn fail(&self, panic: Panic) {
        self.failed.store(true, Ordering::Relaxed);
        self.panic.keep(panic);
    }
}

impl Goal for Progress {
    fn reached(&self) -> bool {
        self.is_over()
    }

    fn subscribe(&self) -> Subscribed {
        // Ordering: Relaxed; by the fence, which pairs with that in `finish`.
        self.caller_sleeps.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if self.is_over() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_split_takes_the_older_half_and_leaves_one_item_at_least() {
        let mut bag = Bag { items: vec![1, 2, 3, 4, 5] };
        assert_eq!(bag.split().unwrap().items, [1, 2]);
        assert_eq!(bag.split().unwrap().items, [3]);
        assert_eq!(bag.split().unwrap().items, [4]);
        assert!(bag.split().is_none());
        assert_eq!(bag.items, [5]);
    }

    #[test]
    fn a_part_that_is_under_way_keeps_the_call_going() {
        let progress = Progress::new(3, 0);
        progress.send(0);
        progress.send(0);
        assert_eq!(progress.finish(0), Unpark::Nobody);
        // A part may be received by somebody else than its sender, and send another.
        progress.send(1);
        assert_eq!(progress.finish(1), Unpark::Nobody);
        assert!(!progress.reached());
        assert_eq!(progress.subscribe(), Subscribed::WillUnpark);
        assert_eq!(progress.finish(2), Unpark::Owner);
        assert!(progress.reached());
    }

    #[test]
    fn counts_may_wrap_around() {
        let progress = Progress::new(2, 0);
        progress.counts[0].sent.store(usize::MAX, Ordering::Relaxed);
        progress.counts[1].done.store(usize::MAX, Ordering::Relaxed);
        progress.send(0);
        progress.send(0);
        let _ = progress.finish(1);
        assert!(!progress.reached());
        let _ = progress.finish(1);
        assert!(progress.reached());
    }
}
