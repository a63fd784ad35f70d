//! Whose tasks a worker runs: what each of them descends from.
//!
//! ```text
//!   the worker's array     | t t t | t t t t t t | t t | t …
//!                            a call   a stolen      a job of     each entry: from which head on, and from where it came
//!                                     task          a scope
//! ```
//! Whatever is forked lies above the head at which its forker began (as in [`cancel`](crate::cancel)). So a task descends from the
//! last entry at or below its slot, that one from the slot or the scope it came from, at another worker, and so on up to a call or
//! a detached task. A thief writes an entry when it begins, on lines of its own, and reads nobody's: the way up is gone by those
//! alone who must know whether what they have won descends from what they run ([`confined`](super::confined)).
//!
//! An entry also says of which class it is, foreground or background. A thief reads that of what it has won while there is a background
//! task at all (background-1), and writes it into its own entry: so nobody goes up the way for it.
//!
//! # Invariants
//! - lineage-1. An entry stands while its frame does, and the heads of the entries do not fall. The occupant alone writes.
//! - lineage-2. While a stolen task is not over, the entries at or below its slot stand, for their frames wait for it. Every entry that
//!   was or will be above them meanwhile began with a head above the slot. So who looks from the top down for the first that began
//!   at or below the slot finds that one, whatever comes and goes above it.
//! - lineage-3. While a job of a scope is not over, the entry in which the scope was opened stands.
//! - lineage-4. By lineage-2 and -3 the whole way up from a task that is not over stands, and does not change.
//! - lineage-5. What came from the frame of the last entry, or from nowhere where there is no entry, needs none of its own: the way up
//!   from what it forks is the same without.
//!
//! # Orderings
//! The entries at or below a slot were written before its task was pushed, and come to the thief with it. The length is written
//! with Release after an entry and read with Acquire: so what is read of an entry below it is that entry, or a later one in the
//! same place.

use super::confined::Awaited;
use super::{Registry, Worker};
use crate::deque::Deque;
use crate::probe::Probe;
use crate::task::{Ancestor, Slot};
use lyocell_sync::unmodelled::AtomicPtr;
use lyocell_sync::{AtomicUsize, Ordering};
use std::cell::Cell;
use std::ptr::null_mut;

/// Where what a worker runs came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// From outside: a call, or a detached task.
    Root,
    /// From outside, as a background task.
    Background,
    /// It is a part of what the entry below it is of: a call of [`Worker::isolated`].
    Below,
    /// It is a part of what the entry below it is of: a scope, where somebody looks at what is [held](super::locks).
    Within,
    /// It is a task that was stolen from this worker, out of the slot at this address.
    Slot { owner: usize, slot: usize },
    /// It is a job of a scope that was opened there.
    Scope(Ancestor),
}

/// Of which class something is: what it came from is, and a background task is the first of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Foreground,
    Background,
}

/// The entries of one worker.
pub(crate) struct Lineage {
    count: AtomicUsize,
    /// From which entry on there are tasks that may be stolen; those below it are set aside.
    base: AtomicUsize,
    /// Each twice as long as the one before, made when it is needed and there as long as the worker: who reads an entry that is
    /// gone reads something old, and no more.
    chunks: [AtomicPtr<Entry>; CHUNKS],
}

/// The last entry of a worker, until this is dropped.
pub(crate) struct Entered<'a> {
    lineage: &'a Lineage,
    pub(super) of: Ancestor,
    /// What the worker waited for before.
    awaited: &'a Cell<Awaited>,
    before: Awaited,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.lineage.leave();
        self.awaited.set(self.before);
    }
}

/// How many chunks there may be: a frame takes more stack than an entry has bytes, so the stack ends before.
const CHUNKS: usize = if usize::BITS < 64 { 20 } else { 32 };

/// How many entries the first chunk has.
const FIRST: usize = if cfg!(loom) { 2 } else { 32 };

#[derive(Default)]
struct Entry {
    /// The address of the head at the beginning.
    from: AtomicUsize,
    /// The slot's address, or the place of an entry and [`IS_ENTRY`], or one of those below.
    place: AtomicUsize,
    worker: AtomicUsize,
}

// Slots are aligned to 64 bytes.
const ROOT: usize = 0;
const BELOW: usize = 2;
const WITHIN: usize = 4;
const IS_ENTRY: usize = 1;
/// Beside any of these: it is of the background.
const IS_BACKGROUND: usize = 8;
const ENTRY_SHIFT: u32 = 4;

impl Lineage {
    pub(crate) fn new() -> Lineage {
        Lineage {
            count: AtomicUsize::new(0),
            base: AtomicUsize::new(0),
            chunks: [const { AtomicPtr::new(null_mut()) }; CHUNKS],
        }
    }

    /// Owner: a frame begins with its head here (lineage-1); returns the place of its entry.
    fn enter(&self, from: usize, parent: Parent, class: Class) -> u32 {
        // Ordering: Relaxed; the owner reads what it wrote itself.
        let place = self.count.load(Ordering::Relaxed);
        let entry = self.entry_or_new(place);
        let (at, worker) = match parent {
            Parent::Root | Parent::Background => (ROOT, 0),
            Parent::Below => (BELOW, 0),
            Parent::Within => (WITHIN, 0),
            Parent::Slot { owner, slot } => (slot, owner),
            Parent::Scope(of) => ((of.entry() as usize) << ENTRY_SHIFT | IS_ENTRY, of.worker()),
        };
        let class = if class == Class::Background { IS_BACKGROUND } else { 0 };
        // Ordering: Relaxed, before the Release below; see the module's docs.
        entry.from.store(from, Ordering::Relaxed);
        entry.place.store(at | class, Ordering::Relaxed);
        entry.worker.store(worker, Ordering::Relaxed);
        self.count.store(place + 1, Ordering::Release);
        place as u32
    }

    /// Owner: the frame of the last entry ends.
    fn leave(&self) {
        // Ordering: Release; meets the Acquire in `oldest_class`, whose caller knows of no entry otherwise.
        self.count.store(self.count() - 1, Ordering::Release);
    }

    /// Owner: the place of the last entry.
    #[inline]
    fn last(&self) -> Option<u32> {
        self.count().checked_sub(1).map(|place| place as u32)
    }

    /// Owner: how many entries there are.
    #[inline]
    pub(super) fn count(&self) -> usize {
        // Ordering: Relaxed; as in `enter`.
        self.count.load(Ordering::Relaxed)
    }

    /// Owner: of which class it is what runs at the moment, if anything does.
    pub(super) fn last_class(&self) -> Option<Class> {
        self.last().map(|place| self.class(place))
    }

    /// Anybody: of which class the oldest are of the tasks that may be stolen from here, if there are any. A hint.
    pub(super) fn oldest_class(&self) -> Option<Class> {
        // Ordering: Relaxed; a hint.
        let base = self.base.load(Ordering::Relaxed);
        // Ordering: Acquire; meets the Release in `enter` and `leave`: an entry below the length has been written.
        (base < self.count.load(Ordering::Acquire)).then(|| self.class(base as u32))
    }

    /// Owner: the tasks of all entries so far are set aside; returns what [`Lineage::put_back`] takes.
    pub(super) fn set_aside(&self) -> usize {
        // Ordering: Relaxed, here and below; a hint to others.
        let before = self.base.load(Ordering::Relaxed);
        self.base.store(self.count(), Ordering::Relaxed);
        before
    }

    /// Owner: undoes [`Lineage::set_aside`].
    pub(super) fn put_back(&self, before: usize) {
        self.base.store(before, Ordering::Relaxed);
    }

    /// Of which class an entry is.
    #[inline(never)]
    fn class(&self, place: u32) -> Class {
        // Ordering: Relaxed; as in `parent`.
        let at =
            self.entry(place as usize).map_or(ROOT, |entry| entry.place.load(Ordering::Relaxed));
        if at & IS_BACKGROUND != 0 { Class::Background } else { Class::Foreground }
    }

    /// The place of the entry that the task in this slot, which is not over, descends from (lineage-2).
    fn of_slot(&self, slot: usize) -> Option<u32> {
        // Ordering: Acquire; meets the Release in `enter`.
        let count = self.count.load(Ordering::Acquire);
        let began_below = |place: &usize| {
            // Ordering: Relaxed; after the Acquire above.
            self.entry(*place).is_some_and(|entry| entry.from.load(Ordering::Relaxed) <= slot)
        };
        (0..count).rev().find(began_below).map(|place| place as u32)
    }

    /// What the frame of an entry that stands descends from.
    fn parent(&self, place: u32) -> Parent {
        let Some(entry) = self.entry(place as usize) else { return Parent::Root };
        // Ordering: Relaxed; who asks for an entry that stands has learnt of it after it was written (lineage-4).
        let (at, worker) =
            (entry.place.load(Ordering::Relaxed), entry.worker.load(Ordering::Relaxed));
        match at & !IS_BACKGROUND {
            ROOT => Parent::Root,
            BELOW => Parent::Below,
            WITHIN => Parent::Within,
            entry if entry & IS_ENTRY != 0 => {
                Parent::Scope(Ancestor::new(worker, (entry >> ENTRY_SHIFT) as u32))
            }
            slot => Parent::Slot { owner: worker, slot },
        }
    }

    fn entry(&self, place: usize) -> Option<&Entry> {
        let (chunk, offset, _) = locate(place);
        // Ordering: Relaxed; who knows of an entry has read the count after it was written, or has learnt of it from who had.
        let chunk = self.chunks.get(chunk)?.load(Ordering::Relaxed);
        if chunk.is_null() {
            return None;
        }
        // SAFETY: a chunk has as many entries as `locate` says, and is there as long as this.
        Some(unsafe { &*chunk.add(offset) })
    }

    fn entry_or_new(&self, place: usize) -> &Entry {
        if let Some(entry) = self.entry(place) {
            return entry;
        }
        let (chunk, _, length) = locate(place);
        let entries: Box<[Entry]> = (0..length).map(|_| Entry::default()).collect();
        // Ordering: Relaxed; before the Release of the count.
        self.chunks[chunk].store(Box::into_raw(entries).cast(), Ordering::Relaxed);
        self.entry(place).expect("it has just been made")
    }
}

impl Drop for Lineage {
    // A program has the glue that drops a worker three times.
    #[inline(never)]
    fn drop(&mut self) {
        for (index, chunk) in self.chunks.iter().enumerate() {
            let entries = chunk.load(Ordering::Relaxed);
            if !entries.is_null() {
                // SAFETY: made by `entry_or_new` with this length, and nobody else is left.
                drop(unsafe {
                    Box::from_raw(std::ptr::slice_from_raw_parts_mut(entries, FIRST << index))
                });
            }
        }
    }
}

/// The chunk of an entry, its place there, and how long that chunk is.
fn locate(place: usize) -> (usize, usize, usize) {
    let chunk = (place / FIRST + 1).ilog2() as usize;
    let before = FIRST * ((1 << chunk) - 1);
    (chunk, place - before, FIRST << chunk)
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` as what came from there.
    pub(crate) fn enter<R>(&self, parent: Parent, body: impl FnOnce(Ancestor) -> R) -> R {
        let entered = self.begin(parent);
        body(entered.of)
    }

    /// What came from there begins.
    pub(crate) fn begin(&self, parent: Parent) -> Entered<'_> {
        let class = match parent {
            Parent::Below | Parent::Within => {
                self.lineage.last_class().unwrap_or(Class::Foreground)
            }
            _ => self.registry().class_of(parent),
        };
        let below = self.lineage.last();
        let entry = self.lineage.enter(self.owner.head().pointer().addr(), parent, class);
        self.note_class(class, || below.map(|place| self.lineage.class(place)));
        Entered {
            of: Ancestor::new(self.index, entry),
            lineage: &self.lineage,
            awaited: &self.own.awaited,
            before: self.own.awaited.replace(Awaited::Part),
        }
    }

    /// Whether what came from there descends from what is next below it on this worker (lineage-5), and so is of its class.
    #[inline]
    pub(crate) fn is_next_below(&self, parent: Parent) -> bool {
        match parent {
            Parent::Scope(of) => self.current() == Some(of),
            Parent::Root => self.current().is_none() && !self.registry().background.is_used(),
            Parent::Background | Parent::Below | Parent::Within | Parent::Slot { .. } => false,
        }
    }

    /// What it runs at the moment, unless that came from nowhere.
    #[inline]
    pub(crate) fn current(&self) -> Option<Ancestor> {
        self.lineage.last().map(|entry| Ancestor::new(self.index, entry))
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Of which class something is that is not over (lineage-4).
    pub(crate) fn class_of(&self, parent: Parent) -> Class {
        if !self.background.is_used() {
            // background-1: it would be, if this were of it.
            return Class::Foreground;
        }
        let entry = match parent {
            Parent::Root | Parent::Below | Parent::Within => None,
            Parent::Background => return Class::Background,
            Parent::Slot { owner, slot } => {
                let lineage = &self.worker(owner).lineage;
                lineage.of_slot(slot).map(|entry| (lineage, entry))
            }
            Parent::Scope(of) => Some((&self.worker(of.worker()).lineage, of.entry())),
        };
        entry.map_or(Class::Foreground, |(lineage, entry)| lineage.class(entry))
    }

    /// What something that is not over descends from, the nearest first (lineage-4), and what each came from.
    pub(crate) fn ancestors(&self, parent: Parent) -> impl Iterator<Item = (Ancestor, Parent)> {
        std::iter::successors(self.above(parent, None), |(ancestor, parent)| {
            self.above(*parent, Some(*ancestor))
        })
    }

    /// What comes from there descends from this next, and what that came from.
    #[inline(never)]
    fn above(&self, parent: Parent, ancestor: Option<Ancestor>) -> Option<(Ancestor, Parent)> {
        let of = match parent {
            Parent::Root | Parent::Background => return None,
            Parent::Below | Parent::Within => {
                let of = ancestor?;
                Ancestor::new(of.worker(), of.entry().checked_sub(1)?)
            }
            Parent::Slot { owner, slot } => {
                Ancestor::new(owner, self.worker(owner).lineage.of_slot(slot)?)
            }
            // lineage-3.
            Parent::Scope(ancestor) => ancestor,
        };
        Some((of, self.worker(of.worker()).lineage.parent(of.entry())))
    }
}

impl Parent {
    /// Of a task that was stolen from this worker.
    pub(crate) fn of_stolen(slot: &Slot, owner: usize) -> Parent {
        Parent::Slot { owner, slot: std::ptr::from_ref(slot).addr() }
    }

    /// Of a job.
    #[inline]
    pub(crate) fn of_job(origin: Option<Ancestor>) -> Parent {
        match origin {
            None => Parent::Root,
            Some(Ancestor::BACKGROUND) => Parent::Background,
            Some(scope) => Parent::Scope(scope),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_place_of_its_own() {
        let mut next = (0, 0);
        for place in 0..FIRST * 40 {
            let (chunk, offset, length) = locate(place);
            if (chunk, offset) != next {
                assert_eq!((chunk, offset), (next.0 + 1, 0), "place {place}");
            }
            assert!(offset < length && length == FIRST << chunk);
            next = (chunk, offset + 1);
        }
    }

    #[test]
    fn a_slot_descends_from_the_last_that_began_at_or_below_it() {
        let lineage = Lineage::new();
        let stolen = Parent::Slot { owner: 3, slot: 640 };
        let job = Parent::Scope(Ancestor::new(2, 7));
        for (from, parent) in [(64, Parent::Root), (128, stolen), (128, Parent::Below), (256, job)]
        {
            lineage.enter(from, parent, Class::Foreground);
        }
        let of = |slot| lineage.of_slot(slot).map(|place| lineage.parent(place));
        assert_eq!(
            [0, 64, 128, 192, 256].map(of),
            [None, Some(Parent::Root), Some(Parent::Below), Some(Parent::Below), Some(job)]
        );
        lineage.leave();
        lineage.leave();
        assert_eq!([of(256), of(64)], [Some(stolen), Some(Parent::Root)]);
    }

    #[test]
    fn as_many_as_there_are() {
        // The way down from the last is as long as they are many; under Miri, the third chunk has one.
        let entries = if cfg!(miri) { 3 * FIRST + 1 } else { 10_000 };
        let lineage = Lineage::new();
        (0..entries).for_each(|from| {
            _ = lineage.enter(64 * from, Parent::Root, Class::Foreground);
        });
        assert!((0..entries).all(|from| lineage.of_slot(64 * from) == Some(from as u32)));
        (0..entries).for_each(|_| lineage.leave());
        assert_eq!(lineage.of_slot(usize::MAX), None);
    }

    #[test]
    fn a_class_is_beside_what_an_entry_came_from() {
        let lineage = Lineage::new();
        assert_eq!((lineage.last_class(), lineage.oldest_class()), (None, None));
        let parents = [
            (Parent::Background, Parent::Root),
            (Parent::Below, Parent::Below),
            (Parent::Slot { owner: 1, slot: 64 }, Parent::Slot { owner: 1, slot: 64 }),
            (Parent::Scope(Ancestor::new(1, 2)), Parent::Scope(Ancestor::new(1, 2))),
        ];
        for (parent, expected) in parents {
            for class in [Class::Background, Class::Foreground] {
                let place = lineage.enter(64, parent, class);
                assert_eq!((lineage.parent(place), lineage.class(place)), (expected, class));
            }
        }
        assert_eq!(lineage.last_class(), Some(Class::Foreground));
        assert_eq!(lineage.oldest_class(), Some(Class::Background));
        let before = lineage.set_aside();
        assert_eq!(lineage.oldest_class(), None);
        lineage.enter(64, Parent::Root, Class::Foreground);
        assert_eq!(lineage.oldest_class(), Some(Class::Foreground));
        lineage.leave();
        lineage.put_back(before);
        assert_eq!(lineage.oldest_class(), Some(Class::Background));
    }
}
