//! The deques of one pool, each known by the index of its worker.

use crate::deque::Deque;
use crate::task::SlotPtr;
use std::ptr::NonNull;

/// The deques of all workers of a pool.
pub struct Team<D> {
    deques: Box<[NonNull<D>]>,
}

// SAFETY: a team gives out `&D` only, and deques are `Sync`.
unsafe impl<D: Deque> Send for Team<D> {}
// SAFETY: as above.
unsafe impl<D: Deque> Sync for Team<D> {}

impl<D: Deque> Team<D> {
    /// The team of these deques.
    ///
    /// # Safety
    /// The deques stay where they are as long as the team is used.
    pub(crate) unsafe fn new<'a>(deques: impl Iterator<Item = &'a D>) -> Team<D> {
        Team { deques: deques.map(NonNull::from).collect() }
    }

    /// The number of deques.
    pub fn size(&self) -> usize {
        self.deques.len()
    }

    /// The deque of this worker.
    #[inline]
    pub fn deque(&self, worker: usize) -> &D {
        // SAFETY: by the word of who made the team.
        unsafe { self.deques[worker].as_ref() }
    }
}

/// The tasks that one steal has won: neighbouring slots of one worker, oldest first, at least one.
#[derive(Clone, Copy)]
pub struct Loot<'a> {
    /// The worker whose tasks these are.
    pub owner: usize,
    pub(crate) first: SlotPtr<'a>,
    /// The number of tasks.
    pub count: usize,
}

impl<'a> Loot<'a> {
    /// One of them; the oldest is at place 0.
    pub(crate) fn task(self, place: usize) -> SlotPtr<'a> {
        debug_assert!(place < self.count);
        // SAFETY: they are `count` slots of one array.
        unsafe { SlotPtr::new(self.first.pointer().add(place)) }
    }

    /// Each of them, oldest first.
    pub(crate) fn tasks(self) -> impl Iterator<Item = SlotPtr<'a>> {
        (0..self.count).map(move |place| self.task(place))
    }
}

impl std::fmt::Debug for Loot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} tasks of worker {}", self.count, self.owner)
    }
}
