//! How thieves of a direct task stack agree on the tail: the rows of Wool's Figure 4.
//!
//! The tail (Wool's `bot`) has no synchronisation of its own: whoever has stolen the task it points to
//! owns it, and then the owner that has collected that task.
//!
//! ```text
//!   thief:  look at slot[tail] -> acquire -> is the tail still there? -> commit -> tail + 1
//!                                                 '-- no: give back
//! ```
//!
//! # Invariants
//! - stealing-1. All tasks below the tail are stolen, and if a task is stolen, so are all below it (deque-2).
//! - stealing-2. While slot `t` is stolen and not retired, and the tail is `t`, only the thief of `t` writes the
//!   tail: it writes `t + 1`, once, before it finishes the task. When the owner retires `t`, the tail is
//!   `t + 1` and nobody else may write it; the owner writes `t`.
//!
//! # Why a thief looks at the tail again
//! A thief may read the tail, `t`, and be delayed. Meanwhile the owner pops `t`, collects the stolen tasks
//! below and pushes anew, up to slot `t` again. Then there is a task to acquire in `t`, but those below
//! it are not stolen. So the thief reads the tail once more when it has acquired `t`:
//! - the read is new enough: the acquire meets the offer of this very task, so the thief sees at least
//!   what the owner last wrote to the tail before that. From then on, and until the thief commits or the
//!   owner takes `t`, the tail only rises, by thieves of tasks below `t`, that stay stolen: the owner
//!   cannot reach them before it has taken `t`.
//! - so if it reads `t`, all below `t` is stolen, and stays so until it commits; and the commit fails if the
//!   owner took `t` meanwhile (claim-2).
//!
//! # Orderings
//! The tail is Relaxed throughout. Its writers take turns by stealing-2: a thief that writes `t + 1` has read `t`,
//! so its write comes later in the tail's modification order; the owner writes after it has seen the
//! thief's `State::finish` with Acquire.
//!
//! Source: Faxén 2010, sections III-A and IV-C, Figures 3 and 4. Departure: see [`Claim`](crate::task::claim::Claim).

use super::thief_lock::ThiefLock;
use crate::deque::Steal;
use crate::task::Slots;
use crate::task::claim::{Seen, Won};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, Ordering};

/// The index of the oldest task that is not stolen: Wool's `bot`.
#[derive(Default)]
pub struct Tail(CachePadded<AtomicUsize>);

impl Tail {
    pub(crate) fn load(&self) -> usize {
        // Ordering: Relaxed; see the module.
        self.0.load(Ordering::Relaxed)
    }

    /// By stealing-2 the caller owns the tail.
    pub(crate) fn store(&self, index: usize) {
        // Ordering: Relaxed; see the module.
        self.0.store(index, Ordering::Relaxed);
    }
}

/// How thieves and owner agree on the tail.
pub trait Stealing: Default + Send + Sync + 'static {
    /// The tail.
    fn tail(&self) -> &Tail;

    /// Thief: takes the oldest task and tells its index.
    fn steal(&self, slots: &Slots, thief: usize) -> Steal<usize>;

    /// Owner: the stolen task with this index has been collected.
    fn retire(&self, index: usize);
}

/// No lock: thieves acquire, look again, and commit or give back.
#[derive(Default)]
pub struct NoLock(Tail);

impl Stealing for NoLock {
    fn tail(&self) -> &Tail {
        &self.0
    }

    fn steal(&self, slots: &Slots, thief: usize) -> Steal<usize> {
        let tail = self.0.load();
        let claim = &slots.get(tail).claim;
        match claim.look() {
            Seen::Empty => return Steal::Empty,
            Seen::InTransit => return Steal::Busy,
            Seen::Offered => {}
        }
        if claim.acquire(thief) == Won::No {
            return Steal::Busy;
        }
        if self.0.load() != tail {
            claim.give_back(thief);
            return Steal::Busy;
        }
        match claim.commit(thief) {
            Won::Yes => {
                self.0.store(tail + 1);
                Steal::Task(tail)
            }
            Won::No => Steal::Busy,
        }
    }

    fn retire(&self, index: usize) {
        self.0.store(index);
    }
}

/// A tail that is written only with its lock held: no thief ever has to back off.
#[derive(Default)]
struct LockedTail {
    /// Wherever a thief is, stealing-1 holds: the task is stolen in one step, and the tail moved in the next.
    lock: ThiefLock,
    tail: Tail,
}

impl LockedTail {
    /// Whether there is something at the tail.
    fn peek(&self, slots: &Slots) -> Seen {
        slots.get(self.tail.load()).claim.look()
    }

    fn steal_when_free(&self, slots: &Slots) -> Steal<usize> {
        let _lock = self.lock.lock();
        self.steal_locked(slots)
    }

    /// The caller holds the lock, so the tail stays, and what it points to is the oldest task (stealing-1).
    fn steal_locked(&self, slots: &Slots) -> Steal<usize> {
        let tail = self.tail.load();
        let claim = &slots.get(tail).claim;
        match claim.steal() {
            Won::Yes => {
                self.tail.store(tail + 1);
                Steal::Task(tail)
            }
            Won::No => Steal::Empty,
        }
    }

    fn retire(&self, index: usize) {
        let _lock = self.lock.lock();
        self.tail.store(index);
    }
}

/// `base` of Figure 4: a thief takes the lock, then looks.
#[derive(Default)]
pub struct LockFirst(LockedTail);

impl Stealing for LockFirst {
    fn tail(&self) -> &Tail {
        &self.0.tail
    }

    fn steal(&self, slots: &Slots, _thief: usize) -> Steal<usize> {
        self.0.steal_when_free(slots)
    }

    fn retire(&self, index: usize) {
        self.0.retire(index);
    }
}

/// `peek` of Figure 4: a thief looks, and takes the lock only if there is something.
#[derive(Default)]
pub struct Peek(LockedTail);

impl Stealing for Peek {
    fn tail(&self) -> &Tail {
        &self.0.tail
    }

    fn steal(&self, slots: &Slots, _thief: usize) -> Steal<usize> {
        match self.0.peek(slots) {
            Seen::Empty => Steal::Empty,
            Seen::InTransit => Steal::Busy,
            Seen::Offered => self.0.steal_when_free(slots),
        }
    }

    fn retire(&self, index: usize) {
        self.0.retire(index);
    }
}

/// `trylock` of Figure 4: as [`Peek`], but a thief that finds the lock held goes away.
#[derive(Default)]
pub struct TryLock(LockedTail);

impl Stealing for TryLock {
    fn tail(&self) -> &Tail {
        &self.0.tail
    }

    fn steal(&self, slots: &Slots, _thief: usize) -> Steal<usize> {
        match self.0.peek(slots) {
            Seen::Empty => return Steal::Empty,
            Seen::InTransit => return Steal::Busy,
            Seen::Offered => {}
        }
        match self.0.lock.try_lock() {
            Some(_lock) => self.0.steal_locked(slots),
            None => Steal::Busy,
        }
    }

    fn retire(&self, index: usize) {
        self.0.retire(index);
    }
}
