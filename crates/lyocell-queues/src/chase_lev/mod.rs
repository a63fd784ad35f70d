//! The queue of Chase and Lev: a ring that grows, and in one variant shrinks.
//!
//! ```text
//!      top                 bottom          limit
//!   gone | the queue's items | free slots    | perhaps still being read
//! ```
//! The index protocol is [`crate::index::chase_lev`]; a thief reads an item after it won its index
//! (see [`crate::board`]).
//!
//! - chase_lev-1. `top <= bottom <= limit <= top + capacity`, as counted by the owner.
//! - chase_lev-2. Slots of the indices `bottom..limit` are free: their last items, one lap earlier, have been taken, and no
//!   thief is still reading them. So a push that is below `limit` needs to look at nothing else.
//! - chase_lev-3. Only the owner replaces the array; the new one holds all items of `top..bottom`, and what the old
//!   one holds is not changed any more.
//! - chase_lev-4. A thief that reads an array knows it is still there: growing queues hold every array until they are
//!   dropped themselves (together smaller than the newest), shrinking ones free an array only
//!   when no notice names it.
//!
//! Where the array meets the index: a thief loads the array after `bottom`, so it sees an array at least as
//! new as the one into which the item was pushed. A newer one has the item too, unless `top` had passed
//! it, and then the claim fails. Swapping the array during a steal is therefore harmless
//! (RUSTSEC-2021-0093 is a regression test).
//!
//! Departures from the paper: the item is read after the claim and not before, so items can be of any type; the
//! owner compares with `limit`, private to it, where the paper's `push` reads `top`; arrays are freed by
//! the notice board where the paper trusts a garbage collector, or a shared pool.
//!
//! Source: Chase and Lev, SPAA 2005, sections 2 and 4 (growing, shrinking).

mod resize;

pub use resize::{Growing, Resize, Shrinking};

use crate::array::{Array, Ring};
use crate::batch::steal_half_one_by_one;
use crate::board::{Board, Seat};
use crate::index::chase_lev::{Ends, Retract, Sight};
use crate::index::{FIRST, distance};
use crate::queue::{ExactlyOnce, Footprint, Full, Owner, Promise, Steal, StealHalf, Thief};
use crossbeam_utils::CachePadded;
use lyocell_sync::{Arc, AtomicPtr, Handshake, Ordering, RaceCell};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// A new array is made rather than another lap begun when less than one part in so many of the slots is free.
/// Untuned; it keeps an almost full ring from looking at the board at every push.
const CROWDED: usize = 8;

/// The owner's handle of a [`ChaseLev`] or [`ShrinkingChaseLev`].
pub struct ChaseLevOwner<T: Send, R: Resize> {
    shared: Arc<Shared<T>>,
    bottom: Cell<usize>,
    limit: Cell<usize>,
    ring: Cell<Ring<T>>,
    smallest: usize,
    growths: Cell<usize>,
    shrinks: Cell<usize>,
    resize: PhantomData<R>,
}

/// The queue of Chase and Lev: exactly once, unbounded, grows when full.
///
/// The owner works at the young end (last in, first out), thieves at the old end. `push` costs one
/// compare and two stores; `take` one sequentially consistent store; `steal` one
/// compare-and-swap. Arrays that were outgrown are held until the queue is dropped; together they are
/// smaller than the current one.
///
/// Where there are no 64-bit atomics (some 32-bit processors), a thief that is held up inside a steal while exactly a multiple of
/// 2^32 items are stolen, or taken as the last, may get an item that another has too. Everywhere else it finds out.
///
/// # Panics
/// `push` panics when the array would outgrow the address space.
///
/// Source: Chase and Lev, SPAA 2005; Alkærsig et al. 2014, section 3.2.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner, Steal, Thief};
///
/// let queue = ChaseLev::with_capacity(2);
/// for item in ["a", "b", "c"] {
///     queue.push(item.to_string())?;
/// }
/// assert_eq!(queue.thief().steal(), Steal::Taken("a".to_string()));
/// assert_eq!(queue.take().as_deref(), Some("c"));
/// assert_eq!(queue.footprint().growths, 1);
/// # Ok::<(), lyocell_queues::Full<String>>(())
/// ```
///
/// The owner cannot be shared:
/// ```compile_fail,E0277
/// use lyocell_queues::{ChaseLev, Owner};
/// fn shared<T: Sync>(_: &T) {}
/// shared(&ChaseLev::<u32>::with_capacity(2));
/// ```
pub type ChaseLev<T> = ChaseLevOwner<T, Growing>;

/// [`ChaseLev`] that also halves its array when less than a quarter of it is in use.
///
/// The owner finds that out at each take, also at one that finds nothing, and at a push that comes to the end of what it
/// knows to be free, at the latest once round the array: then what thieves left is given back too. An array that was
/// replaced is freed at once, or, if a thief is about to read it, when the array is replaced the next
/// time: at most one a thief is held besides the current one. A steal costs one sequentially consistent store more than from [`ChaseLev`].
///
/// ```
/// use lyocell_queues::{Owner, ShrinkingChaseLev};
///
/// let queue = ShrinkingChaseLev::with_capacity(4);
/// (0..1000).for_each(|i| queue.push(i).unwrap());
/// let large = queue.footprint().bytes;
/// while queue.take().is_some() {}
/// assert!(queue.footprint().bytes < large / 100);
/// ```
pub type ShrinkingChaseLev<T> = ChaseLevOwner<T, Shrinking>;

/// A thief's handle of a [`ChaseLev`] or [`ShrinkingChaseLev`].
pub struct ChaseLevThief<T: Send, R: Resize> {
    shared: Arc<Shared<T>>,
    notice: *const Seat<Array<T>>,
    resize: PhantomData<R>,
}

/// A handle of a [`ChaseLev`] or [`ShrinkingChaseLev`] that only looks, for any number of threads.
///
/// ```
/// use lyocell_queues::{ChaseLev, Owner};
///
/// let queue = ChaseLev::with_capacity(2);
/// let watcher = queue.watcher();
/// assert!(watcher.is_empty());
/// queue.push(1)?;
/// assert_eq!(watcher.len(), 1);
/// # Ok::<(), lyocell_queues::Full<u32>>(())
/// ```
pub struct ChaseLevWatcher<T: Send>(Arc<Shared<T>>);

impl<T: Send> ChaseLevWatcher<T> {
    /// Returns how many items there seem to be. A hint, which orders nothing: where something hangs on it, both sides
    /// fence, the owner after its push and the watcher before its look.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.ends.len_seen()
    }

    /// Returns whether there seems to be no item. A hint as [`len`](Self::len).
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Send> fmt::Debug for ChaseLevWatcher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaseLevWatcher").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// What owner and thieves share.
struct Shared<T> {
    ends: Ends,
    array: CachePadded<AtomicPtr<Array<T>>>,
    board: Board<Array<T>>,
    /// Replaced arrays that are still held. The owner's alone.
    retired: RaceCell<Vec<*mut Array<T>>>,
}

// SAFETY: items are moved between threads, never shared (array-2), hence `T: Send`; all else is
// atomic, except `retired`, which only the owner touches, and there is one owner.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<T> {}
// SAFETY: the owner's own fields are plain values and a ring that `shared` keeps alive.
unsafe impl<T: Send, R: Resize> Send for ChaseLevOwner<T, R> {}
// SAFETY: the notice is this handle's alone, and `shared` keeps it alive (board-3).
unsafe impl<T: Send, R: Resize> Send for ChaseLevThief<T, R> {}

impl<T: Send, R: Resize> ChaseLevOwner<T, R> {
    /// Makes a handle that only looks.
    pub fn watcher(&self) -> ChaseLevWatcher<T> {
        ChaseLevWatcher(Arc::clone(&self.shared))
    }

    /// Makes the slot at `bottom` free: by seeing that thieves are done with it, or by a larger array.
    #[cold]
    #[inline(never)]
    fn make_room(&self) {
        let (bottom, capacity) = (self.bottom.get(), self.ring.get().capacity());
        if self.shrink_if_sparse(self.len()) {
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
        // Ordering: Release in it meets the thieves' Acquire loads; the handshake is with `Shrinking::seize`.
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

impl<T: Send, R: Resize> Owner for ChaseLevOwner<T, R> {
    type Item = T;
    type Thief = ChaseLevThief<T, R>;
    const PROMISE: Promise = Promise::ExactlyOnce;

    fn with_capacity(capacity: usize) -> Self {
        let smallest =
            capacity.max(2).checked_next_power_of_two().expect("capacity fits the address space");
        let array = Array::allocate(smallest);
        Self {
            bottom: Cell::new(FIRST),
            limit: Cell::new(FIRST.wrapping_add(smallest)),
            // SAFETY: just made.
            ring: Cell::new(unsafe { (*array).ring() }),
            shared: Arc::new(Shared {
                ends: Ends::new(FIRST),
                array: CachePadded::new(AtomicPtr::new(array)),
                board: Board::new(),
                retired: RaceCell::new(Vec::new()),
            }),
            smallest,
            growths: Cell::new(0),
            shrinks: Cell::new(0),
            resize: PhantomData,
        }
    }

    fn thief(&self) -> ChaseLevThief<T, R> {
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

    fn len(&self) -> usize {
        distance(self.shared.ends.top(), self.bottom.get()) as usize
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

impl<T: Send, R: Resize> ExactlyOnce for ChaseLevOwner<T, R> {}

impl<T: Send, R: Resize> ChaseLevThief<T, R> {
    fn new(shared: &Arc<Shared<T>>) -> Self {
        Self { notice: shared.board.seat(), shared: Arc::clone(shared), resize: PhantomData }
    }

    /// Tries to win the oldest index seen and to read it.
    #[inline]
    fn claim(&self, sight: &Sight) -> Option<T> {
        // SAFETY: board-3; `shared` holds the board.
        let notice = unsafe { &*self.notice };
        let item = R::seize(&self.shared.array, notice, sight.index)
            .filter(|_| self.shared.ends.claim(sight))
            // SAFETY: chase_lev-4 for the array, index/chase_lev-3 for the item; the notice keeps the owner from
            // writing the slot until it is withdrawn (chase_lev-2).
            .map(|array| unsafe { (*array).ring().read(sight.index) });
        notice.withdraw();
        item
    }
}

impl<T: Send, R: Resize> Thief for ChaseLevThief<T, R> {
    type Item = T;

    #[inline]
    fn steal(&self) -> Steal<T> {
        match self.shared.ends.look() {
            None => Steal::Empty,
            Some(sight) => self.claim(&sight).map_or(Steal::Busy, Steal::Taken),
        }
    }
}

impl<T: Send, R: Resize> StealHalf for ChaseLevThief<T, R> {
    fn steal_half(&self, sink: impl FnMut(T)) -> Steal<usize> {
        let look = || self.shared.ends.look().map(|sight| (sight.len, sight));
        steal_half_one_by_one(look, |sight| self.claim(&sight), sink)
    }
}

impl<T: Send, R: Resize> Clone for ChaseLevThief<T, R> {
    fn clone(&self) -> Self {
        Self::new(&self.shared)
    }
}

impl<T: Send, R: Resize> Drop for ChaseLevThief<T, R> {
    fn drop(&mut self) {
        // SAFETY: board-3; `shared` holds the board, and this handle the notice.
        unsafe { self.shared.board.vacate(self.notice) };
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // Nobody else is there any more, so what is between the ends stays there.
        // Ordering: Relaxed; the last handle's release of the `Arc` came before.
        let array = self.array.load(Ordering::Relaxed);
        let rest: Vec<T> = std::iter::from_fn(|| {
            let sight = self.ends.look().filter(|sight| self.ends.claim(sight))?;
            // SAFETY: index/chase_lev-3.
            Some(unsafe { (*array).ring().read(sight.index) })
        })
        .collect();
        let retired = self.retired.with_mut(|retired| {
            // SAFETY: `self` is borrowed mutably.
            std::mem::take(unsafe { &mut *retired })
        });
        for array in retired.into_iter().chain([array]) {
            // SAFETY: chase_lev-4; each array was boxed in `allocate` and is current or retired once.
            drop(unsafe { Box::from_raw(array) });
        }
        // Last, for a destructor may panic.
        drop(rest);
    }
}

impl<T: Send, R: Resize> fmt::Debug for ChaseLevOwner<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaseLevOwner")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}

impl<T: Send, R: Resize> fmt::Debug for ChaseLevThief<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaseLevThief").finish_non_exhaustive()
    }
}
