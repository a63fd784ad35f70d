//! The list of blocks: who may write or read which slot, and when a block goes.
//!
//! An index counts slots, and between the last of a block and the first of the next one more, the gap:
//!
//! ```text
//!   index   0 1 2   3    4 5 6   7    8 …        with three slots in a block
//!   slot    0 1 2  gap   0 1 2  gap   0 …
//! ```
//! - segments-1. `tail` and `head` never decrease. A pusher has the slot of an index if it moved `tail` from there by one, a thief
//!   if it moved `head` past it. Both by compare-and-swap, so each slot is written by one and read by one.
//! - segments-2. `head` is moved past an index only if `tail` was seen past it. So whoever reads a slot waits for a push that
//!   has begun: it spins until the slot is `written`, whose Release is the last that the pusher does to the block.
//! - segments-3. Who moved an end into the gap, and nobody else, moves it on, to the first index of the next block, after it
//!   stored the block there. So an end that is not in the gap belongs to the block that is stored beside it. A thread that loads the
//!   index, then the block, and then moves the index, has the right block: a newer one would have been stored after the
//!   index had left what it loaded, and the move would fail.
//! - segments-4. The pusher of a block's last slot links the next block before it writes the slot. The thief of the last slot waits
//!   for the link.
//! - segments-5. A thief counts the slots that it is done with in `read`, after its last access to the block. Who brings that to
//!   the number of slots has the block alone: all slots were written (segments-2), the link is stored (segments-4) and
//!   followed, and who loaded the block as `tail`'s or `head`'s and not won a slot does not look into it. So it frees it.
//!
//! Orderings: what a pusher did comes before the thief's reading by `written` alone. That a block was made comes to pushers by
//! `tail`'s block and to thieves by the link and `head`'s block, Release and Acquire each.
//!
//! Departures from crossbeam: segments-5 has a count where there it is three marks on each slot; where there a bit in `head`
//! says that `tail` is blocks ahead, here `known` is a `tail` that some thief saw: as `tail` never decreases, it is never too
//! far, and only when it is used up thieves look at the pushers' line.

use crate::steal::Steal;
use crossbeam_utils::CachePadded;
use lyocell_sync::{
    AtomicBool, AtomicPtr, AtomicUsize, AtomicWord, Ordering, RaceCell, Word, spin_loop, yield_now,
};
use std::mem::MaybeUninit;
use std::ptr;

/// A waiting thread spins so many times before it yields: what it waits for is a few instructions, unless that thread
/// was preempted. Untuned.
const SPINS: u32 = if cfg!(loom) { 0 } else { 64 };

struct Slot<T> {
    item: RaceCell<MaybeUninit<T>>,
    written: AtomicBool,
}

struct Block<T> {
    next: AtomicPtr<Block<T>>,
    /// How many slots thieves are done with (segments-5).
    read: AtomicUsize,
    slots: Box<[Slot<T>]>,
}

/// An end of the list: the index, and the block of that index (segments-3).
struct End<T> {
    index: AtomicWord,
    block: AtomicPtr<Block<T>>,
}

/// The head, and what thieves know of the tail.
struct Head<T> {
    end: End<T>,
    known: AtomicWord,
}

/// A queue of blocks with so many slots each.
pub(crate) struct Segments<T, const SLOTS: usize> {
    head: CachePadded<Head<T>>,
    tail: CachePadded<End<T>>,
}

// SAFETY: items are moved between threads, never shared (segments-1), hence `T: Send`; all else is atomic.
unsafe impl<T: Send, const SLOTS: usize> Send for Segments<T, SLOTS> {}
// SAFETY: as above.
unsafe impl<T: Send, const SLOTS: usize> Sync for Segments<T, SLOTS> {}

impl<T> Block<T> {
    fn new(slots: usize) -> Box<Self> {
        let slot =
            || Slot { item: RaceCell::new(MaybeUninit::uninit()), written: AtomicBool::new(false) };
        Box::new(Self {
            next: AtomicPtr::new(ptr::null_mut()),
            read: AtomicUsize::new(0),
            slots: (0..slots).map(|_| slot()).collect(),
        })
    }
}

/// Waits until there is what is waited for.
fn wait_for<R>(mut look: impl FnMut() -> Option<R>) -> R {
    let mut spins = 0;
    loop {
        if let Some(found) = look() {
            return found;
        }
        if spins < SPINS {
            spins += 1;
            spin_loop();
        } else {
            yield_now();
        }
    }
}

impl<T> End<T> {
    fn new(block: *mut Block<T>) -> Self {
        Self { index: AtomicWord::new(0), block: AtomicPtr::new(block) }
    }

    /// Out of the gap, which this thread brought the end into, to the next block (segments-3).
    fn move_on(&self, first: Word, block: *mut Block<T>) {
        // Ordering: Release, both; meets the Acquire of whoever finds the block, and the index that it belongs to.
        self.block.store(block, Ordering::Release);
        self.index.store(first, Ordering::Release);
    }
}

/// Whether `to` is past `from`.
fn is_past(from: Word, to: Word) -> bool {
    (1..=Word::MAX / 2).contains(&to.wrapping_sub(from))
}

impl<T, const SLOTS: usize> Segments<T, SLOTS> {
    /// Indices from the first of a block to the first of the next.
    const LAP: Word = SLOTS as Word + 1;

    pub(crate) fn new() -> Self {
        let block = Box::into_raw(Block::new(SLOTS));
        Self {
            head: CachePadded::new(Head { end: End::new(block), known: AtomicWord::new(0) }),
            tail: CachePadded::new(End::new(block)),
        }
    }

    /// The slot of an index, or `SLOTS` for the gap.
    const fn slot_of(index: Word) -> usize {
        (index % Self::LAP) as usize
    }

    /// The first index of the next block.
    const fn next_first(index: Word) -> Word {
        (index - index % Self::LAP).wrapping_add(Self::LAP)
    }

    /// How many items lie between two indices: the gaps are none.
    fn items_between(from: Word, to: Word) -> usize {
        if !is_past(from, to) {
            return 0;
        }
        let first = from % Self::LAP;
        let to = to.wrapping_sub(from - first);
        (to / Self::LAP * (Self::LAP - 1) + to % Self::LAP - first) as usize
    }

    pub(crate) fn push(&self, item: T) {
        let mut spare = None;
        let (block, slot, tail) = wait_for(|| self.win_slot(&mut spare));
        // SAFETY: segments-3, segments-5; the block of the slot that was won stays until that slot was read.
        let block = unsafe { &*block };
        if slot + 1 == SLOTS {
            let next = Box::into_raw(spare.take().expect("it was made for the last slot"));
            self.tail.move_on(Self::next_first(tail), next);
            // Ordering: Release; meets the Acquire of the thief of this slot (segments-4).
            block.next.store(next, Ordering::Release);
        }
        let slot = &block.slots[slot];
        // SAFETY: segments-1.
        slot.item.with_mut(|place| unsafe { _ = (*place).write(item) });
        // Ordering: Release; meets the Acquire in `Claimed::next` (segments-2). The last access to the block.
        slot.written.store(true, Ordering::Release);
    }

    /// A pusher tries to win the next slot: its block, its number and its index. `spare` is the next block, made here
    /// for the last slot, before that is won, so that nobody waits in the gap for memory.
    #[inline]
    fn win_slot(
        &self,
        spare: &mut Option<Box<Block<T>>>,
    ) -> Option<(*const Block<T>, usize, Word)> {
        // Ordering: Acquire, both; meets the Release in `move_on`, also through other pushers' swaps. That of the block also keeps
        // its load before the move of the index: later it might be the next block's (segments-3).
        let tail = self.tail.index.load(Ordering::Acquire);
        let slot = Self::slot_of(tail);
        if slot == SLOTS {
            return None;
        }
        let block = self.tail.block.load(Ordering::Acquire);
        if slot + 1 == SLOTS && spare.is_none() {
            *spare = Some(Block::new(SLOTS));
        }
        // A tail that is the same was so all the time, as it never decreases (segments-1). Ordering: Relaxed; what a pusher
        // did is handed over by `written`, and as a read-modify-write this carries the Release of `move_on` on.
        self.tail
            .index
            .compare_exchange(tail, tail.wrapping_add(1), Ordering::Relaxed, Ordering::Relaxed)
            .ok()
            .map(|_| (block.cast_const(), slot, tail))
    }

    /// Tries once to win as many of the oldest slots as `count` says of so many items seen, but of one block. Without `all`
    /// not more than one is asked for, and what is seen may be less than there is.
    #[inline]
    fn claim(&self, all: bool, count: impl FnOnce(usize) -> usize) -> Steal<Claimed<'_, T, SLOTS>> {
        // Ordering: Acquire, both; meets the Release in `move_on`, also through other thieves' swaps, and as in `win_slot`.
        let head = self.head.end.index.load(Ordering::Acquire);
        let slot = Self::slot_of(head);
        if slot == SLOTS {
            return Steal::Busy;
        }
        let block = self.head.end.block.load(Ordering::Acquire);
        // Ordering: Relaxed; whatever some thief saw of a tail that never decreases is true (segments-1).
        let mut tail = self.head.known.load(Ordering::Relaxed);
        if all || !is_past(head, tail) {
            // Ordering: Relaxed; whoever learns of a push by its return reads its tail or a later one, and what was pushed comes
            // by `written`.
            tail = self.tail.index.load(Ordering::Relaxed);
            if !is_past(head, tail) {
                return Steal::Empty;
            }
            // Ordering: Relaxed, as above.
            self.head.known.store(tail, Ordering::Relaxed);
        }
        let count = count(Self::items_between(head, tail)).min(SLOTS - slot);
        // A head that is the same was so all the time, as it never decreases (segments-1). Ordering: Relaxed; what was pushed
        // comes by `written`, and as a read-modify-write this carries the Release of `move_on` on.
        let won = self.head.end.index.compare_exchange(
            head,
            head.wrapping_add(count as Word),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        if won.is_err() {
            return Steal::Busy;
        }
        // SAFETY: segments-3, segments-5; the block stays until the slots that were won are counted as read.
        let block_ref = unsafe { &*block };
        if slot + count == SLOTS {
            let next = wait_for(|| {
                // Ordering: Acquire; meets the Release of the pusher of the last slot (segments-4), for what the block is.
                let next = block_ref.next.load(Ordering::Acquire);
                (!next.is_null()).then_some(next)
            });
            self.head.end.move_on(Self::next_first(head), next);
        }
        Steal::Taken(Claimed { queue: self, block, slot, left: count, count })
    }

    #[inline]
    pub(crate) fn steal(&self) -> Steal<T> {
        self.claim(false, |_| 1).map(|mut claimed| claimed.next().expect("one was claimed"))
    }

    /// Steals as many items as `count` says of so many seen, but of one block, and hands each to the sink.
    pub(crate) fn steal_some(
        &self,
        count: impl FnOnce(usize) -> usize,
        sink: impl FnMut(T),
    ) -> Steal<usize> {
        self.claim(true, count).map(|mut claimed| {
            let stolen = claimed.count;
            claimed.by_ref().for_each(sink);
            stolen
        })
    }

    /// How many items there seem to be.
    pub(crate) fn len(&self) -> usize {
        // Ordering: Relaxed, both; a hint. Who learns of a push by its return counts it, as long as nobody has stolen it.
        let head = self.head.end.index.load(Ordering::Relaxed);
        Self::items_between(head, self.tail.index.load(Ordering::Relaxed))
    }
}

/// Slots that a thief has won. What is left when this is dropped is pushed again; then they are counted as read.
struct Claimed<'a, T, const SLOTS: usize> {
    queue: &'a Segments<T, SLOTS>,
    block: *mut Block<T>,
    /// The next one.
    slot: usize,
    left: usize,
    count: usize,
}

impl<T, const SLOTS: usize> Iterator for Claimed<'_, T, SLOTS> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: segments-5; the slots are not yet counted as read.
        let slot = unsafe { &(&(*self.block).slots)[self.slot] };
        self.slot += 1;
        // Ordering: Acquire; meets the Release in `push` (segments-2).
        wait_for(|| slot.written.load(Ordering::Acquire).then_some(()));
        // SAFETY: segments-1, segments-2; each slot is read once.
        Some(slot.item.with(|item| unsafe { (*item).assume_init_read() }))
    }
}

impl<T, const SLOTS: usize> Drop for Claimed<'_, T, SLOTS> {
    #[inline]
    fn drop(&mut self) {
        while let Some(item) = self.next() {
            self.queue.push(item);
        }
        // SAFETY: segments-5; these slots are not yet counted.
        let read = unsafe { &(*self.block).read };
        // Ordering: AcqRel; what each thief did to the block comes before it is freed.
        if read.fetch_add(self.count, Ordering::AcqRel) + self.count == SLOTS {
            // SAFETY: segments-5; boxed in `Block::new`, and counted full once.
            drop(unsafe { Box::from_raw(self.block) });
        }
    }
}

impl<T, const SLOTS: usize> Drop for Segments<T, SLOTS> {
    #[inline(never)]
    fn drop(&mut self) {
        // Nobody else is there any more, so nothing is busy and no end in the gap.
        let rest: Vec<T> = std::iter::from_fn(|| self.steal().taken()).collect();
        // Ordering: Relaxed; as above.
        let block = self.head.end.block.load(Ordering::Relaxed);
        // SAFETY: segments-5; the last block, not all of whose slots were read.
        drop(unsafe { Box::from_raw(block) });
        // Last, for a destructor may panic.
        drop(rest);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Segments, Word};

    type Three = Segments<u8, 3>;

    /// Indices of three blocks: which slots they are, and how many items lie before each.
    #[test]
    fn an_index_is_a_slot_or_the_gap() {
        for first in [0, 4, Word::MAX - 7] {
            for (past, (slot, items)) in
                [(0, 0), (1, 1), (2, 2), (3, 3), (0, 3), (1, 4), (2, 5), (3, 6), (0, 6)]
                    .into_iter()
                    .enumerate()
            {
                let index = Word::wrapping_add(first, past as Word);
                assert_eq!(
                    (Three::slot_of(index), Three::items_between(first, index)),
                    (slot, items)
                );
                assert_eq!(Three::items_between(index, first), 0);
                assert_eq!(Three::slot_of(Three::next_first(index)), 0);
                assert_eq!(Three::items_between(index, Three::next_first(index)), 3 - slot);
            }
        }
    }
}
