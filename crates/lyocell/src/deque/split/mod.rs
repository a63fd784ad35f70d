//! Lace's non-blocking split deque: the default.
//!
//! ```text
//!   0        tail          split           head
//!   | stolen | shared      | private       | free
//! ```
//! Thieves take shared tasks by advancing `tail`; the owner pushes and pops private ones with plain
//! loads and stores. When thieves run out they *request* a split, and the owner shares half of what
//! is private. When the owner runs out of private tasks it takes half of the shared ones back.
//! (Half is the paper's choice. In these places, and where a thief exposes, it may be another [`Share`].)
//!
//! `tail` and `split` are two halves of ONE word ([`Bounds`]), and every write is to the whole word.
//! Two more words, the *limits*, are what the owner's fast paths compare with; a request trips both,
//! so that one compare covers "full" and "asked" on push, "shared" and "asked" on pop.
//!
//! An owner in a long leaf neither pushes nor pops, and cannot answer. Then a thief *exposes* its private tasks: it moves
//! the split point in the owner's stead, and the owner, who pays nothing for that, can void it at any moment:
//!
//! ```text
//!   exposer                                   owner, in a pop
//!   1. mark the bounds                        1. lower the head
//!   2. trip the limits                        2. light barrier
//!   3. heavy barrier                          3. pop limit tripped?
//!   4. read the head                              no:  the top task is the owner's
//!   5. share half of what is below it, if         yes: take the mark off the bounds, then decide by them
//!      the mark is still there
//! ```
//!
//! # Invariants
//! - split-1. `tail <= split <= head`; while a stolen task waits to be retired, `tail == split`.
//! - split-2. Only the owner moves `head`; only the owner moves `split`, or one exposer, once, while its mark is on the
//!   bounds. The mark is there only while nothing is shared.
//! - split-3. A shared slot belongs to whoever advances `tail` past it, or to the owner that moves `split`
//!   back below it. Both are RMWs of the one word, so its modification order decides.
//! - split-4. `pop_limit` is the address of the split point, or tripped: never below the split point, so a
//!   pop that passes it takes a private task. (In a slow path it may be behind for a while.)
//! - split-5. `push_limit` is past the end of the slots that are at hand, or before, where a push is to share, or tripped. More are had in
//!   a slow push only, and given back only when the deque is empty; so a push that is fast has written to a slot that is at hand, and so
//!   has one that is slow.
//! - split-6. An exposer whose mark is still there shares no task that the owner has popped. See below.
//!
//! # Why exposing is safe (split-6)
//! Take a pop of the owner and an exposer that publishes.
//! - *The pop limit is tripped.* The pop is slow, and takes the mark off before it decides. If it finds one, the exposer
//!   fails. If it finds none, the mark came after the owner's barrier, and so did the exposer's, who then read the head
//!   lowered (barrier-1).
//! - *It is not, and it was last reset before the exposer tripped it.* The owner has not seen the exposer's store, so the
//!   exposer has seen the owner's: it read the head lowered (barrier-1).
//! - *It is not, and it was last reset after the exposer tripped it, or found it tripped.* Whoever resets limits, which
//!   the owner alone does, takes the mark off after that, with a Release, before it goes on. That came after the mark,
//!   or else the mark's Acquire would have put the reset before the trip. So this mark is gone, and the exposer fails.
//!
//! A push needs none of this: it writes above the head, and the exposer shares what is below. Two exposers at a time
//! could take each other's marks for their own, so a lock, which nobody waits for, lets in one.
//!
//! # Orderings
//! Only the contents of slots travel: with grow's Release to steal's Acquire, or with the head to the exposer and its
//! Release. A shrink may be Relaxed: it is an RMW, so it continues grow's release sequence. `loom` models all of it (`models::split`), and the table in
//! MUTATIONS.md tells which ordering some model refuses to lose.
//!
//! Source: van Dijk and van de Pol 2014, Figure 4. Departures:
//! - shrink is one RMW, where the paper stores half of the word, fences, reads `tail` again and may
//!   correct itself. There is no fence, no mixed-size access, and no case left over.
//! - `allstolen` is not needed: `tail == split` says it.
//! - the two limits stand for `splitreq`, `o_split` and the bound check.
//! - a push into an empty deque shares only where a thief is near: one has asked, or the task before was stolen.
//!   In the paper every such push does.
//! - a steal may move half of the shared tasks: the same one RMW, with a larger step.
//! - the split point may move over another [`Share`] than half: the same RMW, with another step.

mod aside;
mod bounds;
#[cfg(all(feature = "ablations", target_arch = "x86_64"))]
mod fence;
mod options;
#[cfg(all(test, not(loom)))]
pub(super) mod tests;

pub(crate) use aside::SetAside;
#[cfg(all(feature = "ablations", target_arch = "x86_64"))]
pub use fence::SplitFence;
pub use options::{Share, SplitOptions};

use crate::deque::kit::{Asked, Limits};
use crate::deque::{
    Deque, Fast, Interrupts, Loot, Pop, PrivateTasks, Push, Requests, Room, Steal, Stealable, Team,
};
use crate::probe::{Event, Probe};
use crate::task::{Grown, Slot, Slots};
use bounds::{AtomicBounds, Bounds};
use crossbeam_utils::CachePadded;
use lyocell_sync::{HeavyBarrier, Issued, Mutex, prefetch_to_write};
use std::ops::Range;

/// Lace's split deque, the default: the owner's private tasks cost it nothing atomic, thieves take shared ones.
///
/// # Guarantee
/// Lock-free: a steal that fails means that another worker moved on, and a thief that is suspended holds nobody up.
/// The owner's push and pop are wait-free but for a contest for shared tasks. The owner shares half of its private tasks,
/// or as an [option](SplitOptions) another share, at its next push or pop after somebody asks. If it does not come to
/// one, a thief [exposes](crate::Exposing) them without it.
///
/// # Cost
/// An unasked push, or pop of a private task, is one compare, without fence or atomic read-modify-write. To share
/// and to take back are two of these each, for half of the tasks at once. A steal is one compare-and-swap; it moves
/// one task, or as an option half of those that are shared.
///
/// # When to choose it
/// Always, unless you compare deques.
///
/// # Source
/// Van Dijk and van de Pol 2014, section 3.
///
/// # Examples
/// ```
/// use lyocell::deque::{Amount, SplitOptions};
/// use lyocell::{Pool, Split};
///
/// let options = SplitOptions::default().amount(Amount::Half);
/// let pool = Pool::builder().deque::<Split>().deque_options(options).build()?;
/// assert_eq!(pool.run(|w| w.join_range(0..10, 0, |_, i| i, |a, b| a + b)), 45);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
// `repr(C)`, the limits first: a header has the fast paths inline, too.
#[repr(C)]
pub struct Split {
    pub(crate) limits: Limits,
    slots: Slots,
    bounds: CachePadded<AtomicBounds>,
    options: SplitOptions,
    /// Held by the one exposer.
    exposer: CachePadded<Mutex<()>>,
}

// SAFETY: deque-1 and deque-2 by split-3; deque-3 by grow's Release and steal's Acquire; deque-4 because only
// `retire` moves the bounds below a stolen slot.
unsafe impl Deque for Split {
    const NAME: &'static str = "split";
    const MAX_CAPACITY: usize = Bounds::MAX_INDEX;
    const INTERRUPTS: Interrupts = Interrupts::Answered;
    const PRIVATE_TASKS: PrivateTasks = PrivateTasks::Exposed;
    const LATE_THIEVES_HOLD_BACK: bool = true;
    const ROOM: Room = Room::Grows;

    type Requests = Limits;
    type Options = SplitOptions;

    fn new(slots: Slots, options: &SplitOptions) -> Split {
        let limits = Limits::new(&slots, 0);
        let bounds = CachePadded::new(AtomicBounds::new());
        let exposer = CachePadded::new(Mutex::new(()));
        Split { limits, slots, bounds, options: *options, exposer }
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        if self.limits.push_is_fast(head) { Fast::Done } else { Fast::Slow }
    }

    fn push_slow(&self, head: *const Slot, _probe: &impl Probe) -> Push {
        let past_end = self.slots.past_end();
        if head.addr() != past_end {
            return Push::Asked;
        }
        match self.slots.grow() {
            Grown::No => Push::Full,
            Grown::Yes => match self.limits.move_push(self.slots.past_end()) {
                Asked::Yes => Push::Asked,
                Asked::No => Push::Pushed,
            },
        }
    }

    fn prefetch_for_owner(&self) {
        prefetch_to_write(&self.limits);
        prefetch_to_write(&self.bounds);
    }

    fn prefetch_for_thief(&self) {
        prefetch_to_write(&self.bounds);
    }

    fn has_grown(&self) -> bool {
        self.slots.has_grown()
    }

    fn give_back(&self) {
        if self.slots.has_grown() {
            self.slots.shrink(|| _ = self.limits.move_push(self.slots.past_end()));
        }
    }

    #[inline(always)]
    fn pop(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        // split-4: at or past the limit, the task is private.
        if self.limits.pop_is_fast(head) { Fast::Done } else { Fast::Slow }
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        self.pop_slow_by(head, |bounds, seen, share| bounds.shrink(seen, share, probe), probe)
    }

    fn retire(&self, head: *const Slot, _probe: &impl Probe) {
        self.bounds.retire(self.slots.index(head));
        // The thief will be back: the next push shares, before it has to ask.
        self.limits.request();
    }

    fn share(
        &self,
        head: *const Slot,
        _team: &Team<Self>,
        _me: usize,
        probe: &impl Probe,
    ) -> Stealable {
        self.share_by(head, |bounds, seen, count| bounds.grow(seen, count, probe), probe)
    }

    fn share_above(&self, head: *const Slot, enough: usize) {
        let next = self.slots.index(head) + 1;
        if self.bounds.peek().stealable_count() < enough && next < self.slots.room() {
            let _ = self.limits.move_push(self.slots.address(next));
        }
    }

    fn forget_request(&self, probe: &impl Probe) {
        let mut seen = self.bounds.peek();
        loop {
            self.limits.reset_push(&self.slots);
            let _ = self.limits.reset_pop(&self.slots, seen.split(), probe);
            // split-6: an exposer that tripped them is turned away.
            match self.bounds.grow(seen, 0, probe) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    #[inline]
    fn requests(&self) -> &Limits {
        &self.limits
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        _thief: usize,
        _probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        team.deque(victim).steal_as(victim)
    }

    fn stealable(&self) -> Stealable {
        self.bounds.peek().stealable()
    }

    fn stealable_count(&self) -> Option<usize> {
        Some(self.bounds.peek().stealable_count())
    }

    fn withholds(&self, head: *const Slot) -> bool {
        let bounds = self.bounds.peek();
        bounds.stealable() == Stealable::None && self.slots.index(head) > bounds.split()
    }

    fn expose(&self, barrier: &HeavyBarrier, head: impl FnOnce() -> *const Slot) -> Stealable {
        let Some(_lock) = self.exposer.try_lock() else { return self.stealable() };
        let Some(marked) = self.bounds.mark() else { return self.stealable() };
        self.limits.request();
        if barrier.issue() == Issued::No {
            return Stealable::None;
        }
        // What is past the end is no task: a push that has no room raises the head over it.
        let head = self.slots.index(head()).min(self.slots.room());
        let private = head.saturating_sub(marked.split());
        if private > 0 {
            // split-2: nothing is shared, and the mark is this exposer's.
            self.bounds.publish(marked, self.options.share.of(private));
        }
        self.stealable()
    }
}

impl Split {
    /// Owner: from now on every pop is slow, until [`Split::release_pops`].
    pub(crate) fn hold_pops(&self) {
        self.limits.hold_pops();
    }

    /// Owner: pops may be fast again.
    pub(crate) fn release_pops(&self) {
        self.limits.release_pops();
    }
}

// By a given way to move the split point: there is one, and the file `fence` has another to compare it with.
impl Split {
    #[inline(always)]
    fn pop_slow_by(
        &self,
        head: *const Slot,
        shrink: impl FnOnce(&AtomicBounds, Bounds, Share) -> Option<usize>,
        probe: &impl Probe,
    ) -> Pop {
        let top = self.slots.index(head);
        let seen = self.bounds.turn_exposer_away(probe);
        if seen.split() <= top {
            return Pop::Asked;
        }
        match shrink(&self.bounds, seen, self.options.share) {
            None => Pop::Stolen,
            Some(split) => {
                probe.count(Event::Shrink);
                match self.limits.reset_pop(&self.slots, split, probe) {
                    Asked::Yes => Pop::Asked,
                    Asked::No => Pop::Popped,
                }
            }
        }
    }

    #[inline(always)]
    fn share_by(
        &self,
        head: *const Slot,
        grow: impl Fn(&AtomicBounds, Bounds, usize) -> Result<Bounds, Bounds>,
        probe: &impl Probe,
    ) -> Stealable {
        let mut seen = self.bounds.peek();
        loop {
            // Saturating: in a signal handler the head may be one below (interrupt-4).
            let private = self.slots.index(head).saturating_sub(seen.split());
            // First forget the request, then answer it: one that comes meanwhile stands. But a pop of the last task is
            // asked, and has nothing to give: the next push shall answer. Else a thief that asks while single tasks
            // come and go would never hear of one.
            if private > 0 || seen.stealable() == Stealable::Some {
                self.limits.reset_push(&self.slots);
            }
            let grown = self.options.share.of(private);
            let _ = self.limits.reset_pop(&self.slots, seen.split() + grown, probe);
            // Also if there is nothing to share: an exposer that tripped the limits is turned away (split-6).
            match grow(&self.bounds, seen, grown) {
                Ok(_) => {
                    if grown > 0 {
                        probe.count(Event::Grow);
                    }
                    return self.stealable();
                }
                // A thief was here, or an exposer, who may have moved the split point.
                Err(now) => seen = now,
            }
        }
    }

    /// Thief: steals from this deque, which is that of worker `owner`.
    #[inline(always)]
    fn steal_as(&self, owner: usize) -> Steal<Loot<'_>> {
        match self.bounds.steal(self.options.amount) {
            Steal::Task(Range { start, end }) => {
                Steal::Task(Loot { owner, first: self.slots.get(start), count: end - start })
            }
            Steal::Empty => Steal::Empty,
            Steal::Busy => Steal::Busy,
        }
    }
}
