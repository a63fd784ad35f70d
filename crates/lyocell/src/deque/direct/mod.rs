//! Wool's direct task stack: owner and thieves meet on the task itself, and most tasks are private.
//!
//! ```text
//!   0        tail           frontier                 head
//!   | stolen | public       | private                | free
//!   |        | offered      | empty claims           | empty claims
//! ```
//! A *public* slot offers its task: pushing writes OFFERED to the slot's [claim](crate::task::claim), the owner takes
//! the task back by a swap, a thief by a CAS. A *private* slot offers nothing, so its task is pushed and
//! popped with no atomic operation but the load of the [frontier], one compare each. What is
//! public is a matter of slots, not of tasks: the frontier may lie above the head, and then tasks are
//! born public.
//!
//! Thieves ask for more public slots when they find nothing, or when they steal the *trip wire*, one of the
//! highest public slots: the owner then moves the frontier up at its next push or pop. When it has inlined
//! many public tasks and nothing was stolen, it makes the slots from the top on private again.
//!
//! An owner in a long leaf neither pushes nor pops, and cannot answer. Then a thief *exposes* the oldest private task: it
//! offers it in the owner's stead, one slot at a time. The owner pays nothing for that, and can void it at any moment.
//!
//! | file | what |
//! |---|---|
//! | [`claim`](crate::task::claim) | the word of a slot: offered, acquired by a thief, stolen, taken |
//! | `stealing` | the tail, how thieves agree on it, and why they back off |
//! | `frontier` | public and private, requests, the trip wire |
//! | `exposer` | who exposes, and which slot |
//! | `variant` | the ablations of Table II and Figure 4, by name |
//! | `locked` | the locked base line of Table II |
//! | `thief_lock` | the lock of those that have one |
//!
//! # Invariants
//! - direct-1. A slot below the frontier that holds a task which is not stolen is offered or acquired; all other
//!   slots at or above the tail have empty claims, but for those that were exposed since the frontier was reset last: they
//!   follow it without a gap. So a private task cannot be stolen, and no thief that was delayed can mistake it for the public
//!   one that was in its slot before.
//! - direct-2. The tail is at or below the frontier, or follows it over exposed tasks, all stolen, until the owner moves the
//!   frontier over them. It is lowered only to a slot whose task the owner has just taken, above all stolen ones.
//! - direct-3. A claim tells once whose the task is (claim-2), the tail is always the oldest that is not stolen
//!   (stealing-1, stealing-2).
//! - direct-4. An exposer whose mark is still there offers no task that the owner has popped, or will pop without a look at
//!   the claim. See below.
//!
//! # Why exposing is safe (direct-4)
//! ```text
//!   exposer, of tail t                        owner, in a pop              owner, in a reset of the frontier
//!   1. post t                                 1. lower the head            1. write the frontier to `low`
//!   2. mark the claim of slot t               2. light barrier             2. take the mark off the posted slot
//!   3. trip `low`                             3. `low` tripped?            3. is anything above it exposed?
//!   4. heavy barrier                              no:  the task is mine        yes: again, with that below
//!   5. slot t below the head, private,            yes: take the mark off,
//!      the tail at t still?                            then decide
//!   6. offer, if the mark is still there
//! ```
//! Take a pop of the owner that takes the task of slot `t`, and an exposer that offers it. Every write to `low` is a
//! read-modify-write, so its order says what the pop finds:
//!
//! | `low` in the pop | and so |
//! |---|---|
//! | is tripped | The pop takes the mark off as it decides. If it finds none, the mark came after the owner's barrier, and so did the exposer's barrier, and the exposer read the head lowered (barrier-1). |
//! | was last reset before the exposer tripped it | The owner has not seen the exposer's write, so the exposer has seen the owner's: it read the head lowered (barrier-1). |
//! | was last reset after the exposer tripped it | The reset's Acquire meets the trip's Release, whoever else wrote `low` in between. So the owner reads `t` as posted, and takes off this very mark, wherever frontier and tail stand by then; or it reads what was posted later, and then this exposer was done before, and the owner sees what it has offered. |
//!
//! So a mark that is still there says that no pop of this task and no reset has come since the trip. That is more than a
//! second look at frontier and tail could say: both may go down and up again.
//!
//! What was offered follows the frontier without a gap (direct-1). The tail is lowered below `t` only after a pop of slot `t`,
//! and raised over it only after a steal of it. Since step 4 there was neither, so when the exposer offers slot `t` the tail is
//! where step 5 has read it, and all slots from the frontier up to it are stolen (stealing-1) and not retired. An owner
//! that resets the frontier sees that, by the same Acquire.
//!
//! A lock, which nobody waits for, lets in one exposer at a time (exposer-1).
//!
//! # Orderings
//! Two of weight: `offer` is Release, `acquire` is Acquire. With them travel the contents of the slot and the
//! last value that the owner gave the tail, on which the back-off rests (see `stealing`). The paper assumes
//! that stores are not reordered (SPARC's and x86's TSO); its owner's plain store of `state` must
//! be a Release elsewhere, its thief's CAS an Acquire, and the rest may be relaxed.
//!
//! Source: Faxén 2010, sections III-A (Figure 3) and III-B. Departures:
//! - thieves expose.
//! - a thief commits by a CAS where Wool stores, so that the owner never waits for a thief's next instruction
//!   (see [`Claim`]).
//! - STOLEN does not name the thief and there is no DONE: the slot's state tells both, as for every deque.
//! - the `public` flags are one frontier. A flag in the slot could not be looked at and acquired in one step;
//!   a claim that is empty in private slots can.
//! - a request of any thief that finds nothing moves the frontier too, not only the trip wire ([`DirectTripWire`] has the wire
//!   alone); and it moves by half of what is private, at least to `AHEAD` slots above the tail.

mod exposer;
mod frontier;
mod locked;
mod stealing;
#[cfg(all(test, not(loom)))]
mod tests;
mod thief_lock;
mod variant;

pub use locked::DirectLocked;
pub use stealing::{LockFirst, NoLock, Peek, Stealing, Tail, TryLock};
pub use variant::*;

use super::kit::Asked;
use super::{Deque, Fast, Join, Loot, Pop, PrivateTasks, Push, Requests, Steal, Stealable, Team};
use crate::probe::{Event, Probe};
use crate::task::claim::{Claim, Reclaim, Seen, Won};
use crate::task::{Slot, SlotPtr, Slots};
use crossbeam_utils::CachePadded;
use exposer::Exposer;
use frontier::{Frontier, Patience};
use lyocell_sync::{HeavyBarrier, Issued, light};

/// The least number of slots, from the tail on, that are public after a request. Untuned.
const AHEAD: usize = if cfg!(loom) { 1 } else { 4 };

/// Wool's direct task stack with private tasks, and its variants.
///
/// # Guarantee
/// The owner's operations are wait-free. A steal is not lock-free: a thief suspended between its second
/// compare-and-swap and the write of the tail holds up other thieves of this victim, though never the owner.
/// The owner makes private tasks public at its next push or pop after somebody asks. If it does not come to one, a thief
/// [exposes](crate::Exposing) them without it, one by one.
///
/// # Cost
/// One compare for a private task, and one swap for the pop of a public one. A steal is two compare-and-swaps on
/// the task's own cache line.
///
/// # When to choose it
/// Over [`Split`](crate::Split) where steals are frequent: a thief needs one cache line for the
/// task and the word they meet on, and public slots need no request for each task. Choose a [`Variant`] to
/// see what a part of it is worth.
///
/// # Source
/// Faxén 2010, Figure 3 and section III.
///
/// # Examples
/// ```
/// use lyocell::{Direct, Pool};
///
/// let pool = Pool::builder().deque::<Direct>().build()?;
/// assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct Direct<V: Variant = Private> {
    slots: Slots,
    frontier: Frontier,
    stealing: V::Stealing,
    exposer: CachePadded<Exposer>,
}

impl<V: Variant> Direct<V> {
    /// The slot below a head that has been raised over it, or at one that has been lowered to it.
    #[inline(always)]
    fn at(&self, slot: *const Slot) -> SlotPtr<'_> {
        // SAFETY: heads stand within the array of this deque, the end included, and those of a push above
        // its first slot (worker-2).
        unsafe { SlotPtr::new(slot) }
    }

    /// Owner: pushes to a public slot, if there is room and nobody asks. (While somebody does, it is not known to be one.)
    #[inline(always)]
    fn push_public(&self, slot: SlotPtr<'_>) -> Fast {
        if self.frontier.is_asked() || self.frontier.is_past_end(slot.next()) {
            return Fast::Slow;
        }
        self.offer(slot)
    }

    /// Owner: lets thieves have the task of this slot, and looks after that whether somebody asks (idle-6).
    #[inline(always)]
    fn offer(&self, slot: SlotPtr<'_>) -> Fast {
        slot.claim.offer();
        light();
        if self.frontier.is_asked() { Fast::Slow } else { Fast::Done }
    }

    /// Owner: pops from a public slot, if nobody asks and there is no reason to move the frontier.
    #[inline(always)]
    fn pop_public(&self, slot: SlotPtr<'_>, probe: &impl Probe) -> Fast {
        if self.frontier.is_asked() || self.patience() == Patience::Over {
            return Fast::Slow;
        }
        match take(&slot.claim, probe) {
            Reclaim::Mine => Fast::Done,
            Reclaim::Stolen => Fast::Slow,
        }
    }

    #[inline(always)]
    fn patience(&self) -> Patience {
        match V::PRIVACY {
            Privacy::Adaptive | Privacy::Wired => self.frontier.spend_patience(),
            Privacy::Absent | Privacy::Nothing | Privacy::Everything => Patience::Left,
        }
    }

    /// Owner: how many slots are public, with those that were exposed.
    fn public(&self) -> usize {
        let mut public = self.frontier.public(&self.slots);
        // It ends at the slot past the last one, if not before: nobody ever offers that.
        while V::PRIVACY.adapts() && self.slots.get(public).claim.look() != Seen::Empty {
            public += 1;
        }
        public
    }

    /// Owner: the first `public` slots are public from now on, and those above them that are exposed; an exposer is turned
    /// away. Tells whether a request stood, which is forgotten.
    fn reset(&self, mut public: usize, probe: &impl Probe) -> Asked {
        let mut asked = Asked::No;
        loop {
            probe.count(Event::OwnerRmw);
            if self.frontier.move_to(&self.slots, public) == Asked::Yes {
                asked = Asked::Yes;
            }
            if !V::PRIVACY.adapts() {
                return asked;
            }
            // direct-4. Who was faster has exposed its task, and the frontier has to go over that.
            self.slots.get(self.exposer.posted()).claim.unmark();
            let exposed = self.public();
            if exposed == self.frontier.public(&self.slots) {
                return asked;
            }
            public = exposed;
        }
    }

    /// Owner: how many slots should be public now that somebody asks, of which so many are.
    fn wanted(&self, head: usize, public: usize) -> usize {
        match V::PRIVACY {
            // Where all public slots are stolen the wire was, seen or not.
            Privacy::Wired
                if !self.frontier.take_wire() && self.stealing.tail().load() < public =>
            {
                public
            }
            Privacy::Adaptive | Privacy::Wired => {
                let private = head.saturating_sub(public);
                (public + private.div_ceil(2)).max(self.stealing.tail().load() + AHEAD)
            }
            Privacy::Absent | Privacy::Nothing | Privacy::Everything => public,
        }
    }
}

// What thieves do, step by step: any of them may be late.
impl<V: Variant> Direct<V> {
    /// Thief: takes the oldest task of this deque, which is that of worker `owner`.
    pub(crate) fn steal_oldest(&self, owner: usize, thief: usize) -> Steal<Loot<'_>> {
        match self.stealing.steal(&self.slots, thief) {
            Steal::Task(index) => {
                Steal::Task(Loot { owner, first: self.slots.get(index), count: 1 })
            }
            Steal::Empty => Steal::Empty,
            Steal::Busy => Steal::Busy,
        }
    }

    /// Thief: asks for more if it has stolen the trip wire.
    fn ask_at_trip_wire(&self, stolen: SlotPtr<'_>) {
        if V::PRIVACY.adapts() && self.frontier.is_wired(self.slots.index(stolen.pointer())) {
            if V::PRIVACY == Privacy::Wired {
                self.frontier.tell_of_wire();
            }
            self.request();
        }
    }

    /// Thief: exposes the task of the slot that it has read in the tail, if that is still where the tail stands.
    pub(crate) fn expose_at(
        &self,
        tail: usize,
        barrier: &HeavyBarrier,
        head: impl FnOnce() -> *const Slot,
    ) -> Stealable {
        let Some(exposing) = self.exposer.enter() else { return self.stealable() };
        let claim = &self.slots.get(tail).claim;
        // direct-4: whoever resets the frontier after it is tripped here reads what is posted, and finds the mark.
        exposing.post(tail);
        if claim.mark() == Won::No {
            return self.stealable();
        }
        self.frontier.trip();
        let issued = barrier.issue() == Issued::Yes;
        // What is past the end is no task: a push that has no room raises the head over it.
        let has_task = |head| tail < self.slots.index(head).min(self.slots.capacity());
        // The owner offers what it pushes to a public slot, and raises the head before.
        let is_private = || self.frontier.is_private(self.slots.get(tail).pointer());
        if issued && has_task(head()) && is_private() && self.stealing.tail().load() == tail {
            claim.publish();
        } else {
            claim.unmark();
        }
        self.stealable()
    }
}

/// Owner: wants the task of this claim back.
#[inline(always)]
fn take(claim: &Claim, probe: &impl Probe) -> Reclaim {
    probe.count(Event::OwnerRmw);
    claim.take()
}

// SAFETY: deque-1 to deque-3 by direct-1 and direct-3; deque-4 because only `retire` lowers the tail over a stolen
// slot.
unsafe impl<V: Variant> Deque for Direct<V> {
    const NAME: &'static str = V::NAME;
    const MAX_CAPACITY: usize = isize::MAX as usize / size_of::<Slot>();
    const PRIVATE_TASKS: PrivateTasks = match V::PRIVACY {
        Privacy::Adaptive | Privacy::Wired => PrivateTasks::Exposed,
        Privacy::Absent | Privacy::Nothing | Privacy::Everything => PrivateTasks::None,
    };
    const JOIN: Join = V::JOIN;

    type Requests = Frontier;
    type Options = ();

    fn new(slots: Slots, (): &()) -> Direct<V> {
        let public = match V::PRIVACY {
            Privacy::Nothing => Self::MAX_CAPACITY,
            Privacy::Wired => AHEAD,
            // With no private slots the two compares are left to find the end and requests.
            Privacy::Absent | Privacy::Everything | Privacy::Adaptive => 0,
        };
        Direct {
            frontier: Frontier::new(&slots, public),
            slots,
            stealing: Default::default(),
            exposer: CachePadded::default(),
        }
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        let slot = self.at(head.wrapping_sub(1));
        let plain = self.frontier.push_is_plain(slot.pointer());
        match V::PRIVACY {
            Privacy::Absent if plain => self.offer(slot),
            _ if plain => Fast::Done,
            Privacy::Absent | Privacy::Everything => Fast::Slow,
            Privacy::Nothing | Privacy::Adaptive | Privacy::Wired => self.push_public(slot),
        }
    }

    fn push_slow(&self, head: *const Slot, _probe: &impl Probe) -> Push {
        if self.frontier.is_past_end(head) {
            return Push::Full;
        }
        let slot = self.at(head.wrapping_sub(1));
        let is_public = V::PRIVACY == Privacy::Absent || !self.frontier.is_private(slot.pointer());
        // The fast path may have offered it already, and then it may be stolen by now.
        if is_public && slot.claim.look() == Seen::Empty {
            slot.claim.offer();
        }
        Push::Asked
    }

    #[inline(always)]
    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        if V::JOIN == Join::Generic {
            // The whole join is the slow path, as in a library that is called for it.
            return Fast::Slow;
        }
        let plain = self.frontier.pop_is_plain(head);
        match V::PRIVACY {
            Privacy::Absent if plain => self.pop_public(self.at(head), probe),
            _ if plain => Fast::Done,
            Privacy::Absent | Privacy::Everything => Fast::Slow,
            Privacy::Nothing | Privacy::Adaptive | Privacy::Wired => {
                self.pop_public(self.at(head), probe)
            }
        }
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        let claim = &self.at(head).claim;
        let is_private = V::PRIVACY != Privacy::Absent && self.frontier.is_private(head);
        let reclaim = if is_private {
            probe.count(Event::OwnerRmw);
            claim.take_private()
        } else {
            take(claim, probe)
        };
        if reclaim == Reclaim::Stolen {
            // So that thieves that still find it at the tail see why.
            claim.note_stolen();
            self.frontier.be_patient();
            return Pop::Stolen;
        }
        if is_private || self.frontier.is_asked() {
            return Pop::Asked;
        }
        if V::PRIVACY.adapts() && self.patience() == Patience::Over {
            probe.count(Event::Shrink);
            // direct-2: all that is stolen lies below the task just taken.
            let head = self.slots.index(head);
            let public = match V::PRIVACY {
                // A wire is left; above the head there are no tasks, and those to come are born public.
                Privacy::Wired => head.max(self.stealing.tail().load() + AHEAD),
                _ => head,
            };
            if self.reset(public, probe) == Asked::Yes {
                return Pop::Asked;
            }
        }
        Pop::Popped
    }

    fn retire(&self, head: *const Slot, _probe: &impl Probe) {
        self.at(head).claim.clear();
        self.stealing.retire(self.slots.index(head));
    }

    fn share(
        &self,
        head: *const Slot,
        _team: &Team<Self>,
        _me: usize,
        probe: &impl Probe,
    ) -> Stealable {
        let head = self.slots.index(head);
        let before = self.public();
        // First forget the request, then answer it: one that comes meanwhile stands.
        let _ = self.reset(self.wanted(head, before), probe);
        let public = self.frontier.public(&self.slots);
        if public > before {
            probe.count(Event::Grow);
        }
        (before..public.min(head)).for_each(|index| self.slots.get(index).claim.offer_private());
        self.stealable()
    }

    #[inline]
    fn requests(&self) -> &Frontier {
        &self.frontier
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        _probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        let deque = team.deque(victim);
        let stolen = deque.steal_oldest(victim, thief);
        if let Steal::Task(loot) = &stolen {
            deque.ask_at_trip_wire(loot.first);
        }
        stolen
    }

    fn stealable(&self) -> Stealable {
        // A task in transit may come back, or uncover the next.
        match self.slots.get(self.stealing.tail().load()).claim.look() {
            Seen::Empty => Stealable::None,
            Seen::Offered | Seen::InTransit => Stealable::Some,
        }
    }

    fn withholds(&self, head: *const Slot) -> bool {
        // Where something was exposed and stolen, the tail is above the frontier.
        let kept = self.frontier.public(&self.slots).max(self.stealing.tail().load());
        self.stealable() == Stealable::None && self.slots.index(head) > kept
    }

    fn expose(&self, barrier: &HeavyBarrier, head: impl FnOnce() -> *const Slot) -> Stealable {
        self.expose_at(self.stealing.tail().load(), barrier, head)
    }

    fn request(&self) {
        // Where nothing can be shared there is nothing to ask for.
        if V::PRIVACY != Privacy::Everything {
            self.frontier.request();
        }
    }
}
