//! The queue of Chase and Lev: a ring that grows, and in one variant shrinks; and the same ring first in, first out.
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
//! First in, first out ([`Fifo`]) the owner takes at `top` too, by a claim as a thief's, so nobody ever lowers `bottom`, and a batch
//! leaves in one step (index/chase_lev-4). It is then the queue that Go's scheduler has for each of its processors, with Chase and
//! Lev's arrays.
//!
//! - chase_lev-5. What the sink of such a batch did not get, when it panicked, was claimed, and lies in `returned`.
//!
//! Departures from the paper: the item is read after the claim and not before, so items can be of any type; the
//! owner compares with `limit`, private to it, where the paper's `push` reads `top`; arrays are freed by
//! the notice board where the paper trusts a garbage collector, or a shared pool.
//!
//! Source: Chase and Lev, SPAA 2005, sections 2 and 4 (growing, shrinking); for first in, first out `runtime/proc.go` of Go,
//! `runqget` and `runqgrab`.

mod order;
mod owner;
mod resize;
mod thief;
mod watcher;

pub use order::{OldestFirst, TakeOrder, YoungestFirst};
pub use owner::ChaseLevOwner;
pub use resize::{Growing, Resize, Shrinking};
pub use thief::ChaseLevThief;
pub use watcher::ChaseLevWatcher;

use crate::array::Array;
use crate::board::Board;
use crate::index::FIRST;
use crate::index::chase_lev::Ends;
use crate::returned::Returned;
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicPtr, Ordering, RaceCell};

/// The queue of Chase and Lev: exactly once, unbounded, grows when full.
///
/// The owner works at the young end (last in, first out), thieves at the old end. `push` costs one
/// compare and two stores; `take` one sequentially consistent store; `steal` one
/// compare-and-swap, and one more on a word of the thief's handle. Once round the array `push` looks at a word of each handle, as many
/// as there ever were at once. Arrays that were outgrown are held until the queue is dropped; together they are smaller than the
/// current one.
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
pub type ChaseLev<T> = ChaseLevOwner<T, Growing, YoungestFirst>;

/// [`ChaseLev`] that also halves its array when less than a quarter of it is in use.
///
/// The owner finds that out at each take, also at one that finds nothing, and at a push that comes to the end of what it
/// knows to be free, at the latest once round the array: then what thieves left is given back too. An array that was
/// replaced is freed at once, or, if a thief is about to read it, when the array is replaced the next
/// time: at most one a thief is held besides the current one. A steal costs as much as from [`ChaseLev`].
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
pub type ShrinkingChaseLev<T> = ChaseLevOwner<T, Shrinking, YoungestFirst>;

/// First in, first out for owner and thieves: exactly once, unbounded, grows when full.
///
/// Owner and thieves take at the old end. `push` costs one compare and two stores, `take` one compare-and-swap, tried again
/// for each item that a thief wins meanwhile; `steal` as from [`ChaseLev`], and a batch no more than one item: it leaves in
/// one step, however many items it has. Arrays that were outgrown are held until the queue is dropped.
///
/// Where there are no 64-bit atomics, as [`ChaseLev`].
///
/// # Panics
/// `push` panics when the array would outgrow the address space.
///
/// Source: `runtime/proc.go` of Go, `runqget` and `runqgrab`; the arrays are those of Chase and Lev, SPAA 2005.
///
/// ```
/// use lyocell_queues::{Fifo, Owner, Steal, StealHalf, Thief};
///
/// let (queue, mine) = (Fifo::new(), Fifo::new());
/// queue.extend(1..=5).unwrap();
/// assert_eq!(queue.thief().steal(), Steal::Taken(1));
/// assert_eq!(queue.take(), Some(2));
/// assert_eq!(queue.thief().steal_batch(&mine), Steal::Taken(2));
/// assert_eq!((mine.take(), mine.take(), queue.take()), (Some(3), Some(4), Some(5)));
/// ```
pub type Fifo<T> = ChaseLevOwner<T, Growing, OldestFirst>;

/// [`Fifo`] that also halves its array when less than a quarter of it is in use, as [`ShrinkingChaseLev`] does.
///
/// ```
/// use lyocell_queues::{Owner, ShrinkingFifo};
///
/// let queue = ShrinkingFifo::with_capacity(4);
/// queue.extend(0..1000).unwrap();
/// let large = queue.footprint().bytes;
/// assert_eq!(queue.take(), Some(0));
/// while queue.take().is_some() {}
/// assert!(queue.footprint().bytes < large / 100);
/// ```
pub type ShrinkingFifo<T> = ChaseLevOwner<T, Shrinking, OldestFirst>;

/// What owner and thieves share.
struct Shared<T> {
    ends: Ends,
    array: CachePadded<AtomicPtr<Array<T>>>,
    board: Board<Array<T>>,
    /// Replaced arrays that are still held. The owner's alone.
    retired: RaceCell<Vec<*mut Array<T>>>,
    /// By chase_lev-5.
    returned: Returned<T>,
}

// SAFETY: items are moved between threads, never shared (array-2), hence `T: Send`; all else is
// atomic or under a lock, except `retired`, which only the owner touches, and there is one owner.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn new(array: *mut Array<T>) -> Self {
        Self {
            ends: Ends::new(FIRST),
            array: CachePadded::new(AtomicPtr::new(array)),
            board: Board::new(),
            retired: RaceCell::new(Vec::new()),
            returned: Returned::new(),
        }
    }

    /// How many items there seem to be.
    #[inline]
    fn len_seen(&self) -> usize {
        self.ends.len_seen() + self.returned.len()
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
