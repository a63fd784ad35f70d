//! The owner's handle: pushes, takes, and replaces the array.

use super::Shared;
use super::order::{TakeOrder, YoungestFirst};
use super::resize::Resize;
use super::thief::ChaseLevThief;
use super::watcher::ChaseLevWatcher;
use crate::array::{Array, Ring};
use crate::index::chase_lev::Retract;
use crate::index::{FIRST, distance};
use crate::queue::{DEFAULT_CAPACITY, End, ExactlyOnce, Footprint, Full, Owner, Promise};
use lyocell_sync::{Arc, Handshake, Ordering};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// A new array is made rather than another lap begun when less than one part in so many of the slots is free.
/// Untuned; it keeps an almost full ring from looking at the board at every push.
const CROWDED: usize = 8;

/// The owner's handle of a [`ChaseLev`](crate::ChaseLev), a [`Fifo`](crate::Fifo) or their shrinking forms.
pub struct ChaseLevOwner<T: Send, R: Resize, O: TakeOrder = YoungestFirst> {
    shared: Arc<Shared<T>>,
    bottom: Cell<usize>,
    limit: Cell<usize>,
    ring: Cell<Ring<T>>,
    smallest: usize,
    growths: Cell<usize>,
    shrinks: Cell<usize>,
    kind: PhantomData<(R, O)>,
}

// SAFETY: the owner's own fields are plain values and a ring that `shared` keeps alive.
unsafe impl<T: Send, R: Resize, O: TakeOrder> Send for ChaseLevOwner<T, R, O> {}

impl<T: Send, R: Resize, O: TakeOrder> ChaseLevOwner<T, R, O> {
    /// An empty queue with room for 64 items, which grows.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(DEFAULT_CAPACITY)
    }

    /// Makes a handle that only looks.
    #[must_use]
    pub fn watcher(&self) -> ChaseLevWatcher<T> {
        ChaseLevWatcher::new(&self.shared)
    }

    /// Makes the slot at `bottom` free: by seeing that thieves are done with it, or by a larger array.
    #[cold]
    #[inline(never)]
    fn make_room(&self) {
        let (bottom, capacity) = (self.bottom.get(), self.ring.get().capacity());
        if self.shrink_if_sparse(self.in_array()) {
            return;
        }
        let limit = self.free_limit();
        if distance(bottom, limit) > (capacity / CROWDED) as isize {
            self.limit.set(limit);
        } else {
            let larger = capacity.checked_mul(2).expect("queue outgrew the address space");
            self.replace(larger);
            self.growths.set(self.growths.get() + 1);
        }
    }

    /// The farthest `limit` that chase_lev-1 and chase_lev-2 allow.
    fn free_limit(&self) -> usize {
        let bottom = self.bottom.get();
        let array = self.array();
        let capacity = self.ring.get().capacity();
        // The board is read after `top`: board-2.
        let mut limit = self.shared.ends.top().wrapping_add(capacity);
        for index in self.shared.board.read_in(array) {
            let reused_at = index.wrapping_add(capacity);
            // One the owner is past already is a notice out of date, whose claim will fail.
            if distance(bottom, reused_at) >= 0 && distance(reused_at, limit) > 0 {
                limit = reused_at;
            }
        }
        limit
    }

    fn in_array(&self) -> usize {
        distance(self.shared.ends.top(), self.bottom.get()) as usize
    }

    fn array(&self) -> *mut Array<T> {
        // Ordering: Relaxed; only the owner stores it.
        self.shared.array.load(Ordering::Relaxed)
    }

    /// Moves to a new array.
    fn replace(&self, capacity: usize) {
        let old = self.array();
        let new = Array::allocate(capacity);
        // SAFETY: just made.
        let ring = unsafe { (*new).ring() };
        let top = self.shared.ends.top();
        for left in 0..distance(top, self.bottom.get()) {
            // SAFETY: chase_lev-3; the current array is there, and the new one not yet published.
            unsafe { ring.copy(top.wrapping_add(left as usize), self.ring.get()) };
        }
        // Ordering: Release in it meets the thieves' Acquire loads; the handshake is with `Shrinking::confirm`.
        self.shared.array.store_first(new);
        self.ring.set(ring);
        self.limit.set(top.wrapping_add(capacity));
        self.shared.retired.with_mut(|retired| {
            // SAFETY: the owner's alone (`Shared::retired`).
            let retired = unsafe { &mut *retired };
            retired.push(old);
            retired.retain(|&array| {
                let held = R::held(&self.shared.board, array);
                if !held {
                    // SAFETY: chase_lev-4; boxed in `allocate`, retired once.
                    drop(unsafe { Box::from_raw(array) });
                }
                held
            });
        });
    }

    /// The owner takes where it pushes.
    #[inline(always)]
    fn take_youngest(&self) -> Option<T> {
        let index = self.bottom.get().wrapping_sub(1);
        let left = match self.shared.ends.retract(index) {
            Retract::Free { left } => {
                self.bottom.set(index);
                left
            }
            Retract::Last => 0,
            Retract::Gone | Retract::Lost => {
                self.shrink_if_sparse(0);
                return None;
            }
        };
        // SAFETY: index/chase_lev-3 makes the item the owner's.
        let item = unsafe { self.ring.get().read(index) };
        self.shrink_if_sparse(left);
        Some(item)
    }

    /// The owner takes as a thief does, but needs no notice to read what it won: who writes the slot is the owner.
    #[inline(always)]
    fn take_oldest(&self) -> Option<T> {
        // Whoever wins in the owner's place has taken one of the items that there are, so this ends.
        while let Some(sight) = self.shared.ends.look() {
            if self.shared.ends.claim(&sight) {
                // SAFETY: index/chase_lev-4 makes the item the owner's.
                let item = unsafe { self.ring.get().read(sight.index) };
                self.shrink_if_sparse(sight.len - 1);
                return Some(item);
            }
        }
        self.shrink_if_sparse(0);
        self.shared.returned.take()
    }

    /// Halves the array.
    #[cold]
    #[inline(never)]
    fn shrink(&self, capacity: usize) {
        self.replace(capacity / 2);
        self.shrinks.set(self.shrinks.get() + 1);
    }

    #[inline(always)]
    fn shrink_if_sparse(&self, left: usize) -> bool {
        let capacity = self.ring.get().capacity();
        let shrinks = R::sparse(left, capacity) && capacity > self.smallest;
        if shrinks {
            self.shrink(capacity);
        }
        shrinks
    }
}

impl<T: Send, R: Resize, O: TakeOrder> Owner for ChaseLevOwner<T, R, O> {
    type Item = T;
    type Thief = ChaseLevThief<T, R, O>;
    const PROMISE: Promise = Promise::ExactlyOnce;
    const TAKES: End = O::TAKES;

    fn with_capacity(capacity: usize) -> Self {
        let smallest =
            capacity.max(2).checked_next_power_of_two().expect("capacity fits the address space");
        let array = Array::allocate(smallest);
        Self {
            bottom: Cell::new(FIRST),
            limit: Cell::new(FIRST.wrapping_add(smallest)),
            // SAFETY: just made.
            ring: Cell::new(unsafe { (*array).ring() }),
            shared: Arc::new(Shared::new(array)),
            smallest,
            growths: Cell::new(0),
            shrinks: Cell::new(0),
            kind: PhantomData,
        }
    }

    fn thief(&self) -> ChaseLevThief<T, R, O> {
        ChaseLevThief::new(&self.shared)
    }

    /// Never [`Full`].
    #[inline]
    fn push(&self, item: T) -> Result<(), Full<T>> {
        if self.bottom.get() == self.limit.get() {
            self.make_room();
        }
        let bottom = self.bottom.get();
        // SAFETY: chase_lev-2; the slot is below `limit`, and the ring is the current array's.
        unsafe { self.ring.get().write(bottom, item) };
        let bottom = bottom.wrapping_add(1);
        self.bottom.set(bottom);
        self.shared.ends.publish(bottom);
        Ok(())
    }

    #[inline]
    fn take(&self) -> Option<T> {
        match O::TAKES {
            End::Young => self.take_youngest(),
            End::Old => self.take_oldest(),
        }
    }

    fn len(&self) -> usize {
        self.in_array() + self.shared.returned.len()
    }

    fn capacity(&self) -> usize {
        self.ring.get().capacity()
    }

    fn footprint(&self) -> Footprint {
        let retired = self.shared.retired.with(|retired| {
            // SAFETY: the owner's alone, and what is in it is still held.
            unsafe { (*retired).iter().map(|&array| (*array).bytes()).sum::<usize>() }
        });
        // SAFETY: the current array is there.
        let current = unsafe { (*self.array()).bytes() };
        Footprint {
            bytes: current + retired,
            growths: self.growths.get(),
            shrinks: self.shrinks.get(),
        }
    }
}

impl<T: Send, R: Resize, O: TakeOrder> ExactlyOnce for ChaseLevOwner<T, R, O> {}

impl<T: Send, R: Resize, O: TakeOrder> Default for ChaseLevOwner<T, R, O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Send, R: Resize, O: TakeOrder> fmt::Debug for ChaseLevOwner<T, R, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaseLevOwner")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}
