//! Where one worker sleeps: its status, and the two that change it, the worker itself and whoever wakes it (idle-1).

use super::ground::Ground;
use super::{Crowd, Notifier, Offer, Searching};
use crossbeam_utils::CachePadded;
use lyocell_sync::affinity::Steering;
use lyocell_sync::{
    AtomicU32, AtomicUsize, Ordering, Parker, Unparker, prefetch_to_write, yield_now,
};

/// Where one worker sleeps.
pub(super) struct Sleeper {
    status: AtomicU32,
    unparker: Unparker,
    steering: Steering,
    /// Where it looks for others to wake.
    pub(super) ground: Ground,
    /// How many were woken for this worker's tasks and have yet to look there (idle-8).
    on_the_way: CachePadded<AtomicUsize>,
}

/// A waker has claimed it, and is about to wake it.
const CLAIMED: u32 = 0;
pub(super) const PARKED: u32 = 1;
pub(super) const BACKING_OFF: u32 = 2;
pub(super) const PARKED_FOR_JOBS: u32 = 3;
/// It is awake. Above this is what its waker has told it.
const AWAKE: u32 = 4;

/// What a waker tells whom it wakes.
#[derive(Clone, Copy)]
pub(super) enum Told {
    Nothing,
    /// Where it saw tasks. The sleeper counts as searching, as when it was told nothing.
    TasksAt(usize),
    /// Where it saw tasks, if that owner counts those who are on the way (idle-8): then nobody else need.
    OnTheWayTo(usize),
}

impl Told {
    /// Of tasks, or of none. In a crowd one who searches is enough for all, so there all who are awake count.
    pub(super) fn of(offer: Option<Offer>, crowd: Crowd) -> Told {
        match offer {
            None => Told::Nothing,
            Some(Offer { owner, tasks: Some(_) }) if crowd == Crowd::None => {
                Told::OnTheWayTo(owner)
            }
            Some(Offer { owner, .. }) => Told::TasksAt(owner),
        }
    }

    pub(super) fn owner(self) -> Option<usize> {
        match self {
            Told::Nothing => None,
            Told::TasksAt(owner) | Told::OnTheWayTo(owner) => Some(owner),
        }
    }

    /// As a status. Lossless: there are MAX_WORKERS at the most.
    fn to_status(self) -> u32 {
        AWAKE
            + match self {
                Told::Nothing => 0,
                Told::TasksAt(owner) => 1 + 2 * owner as u32,
                Told::OnTheWayTo(owner) => 2 + 2 * owner as u32,
            }
    }

    /// Of who is awake.
    fn of_status(status: u32) -> Told {
        let Some(told) = status.saturating_sub(AWAKE).checked_sub(1) else { return Told::Nothing };
        let owner = (told / 2) as usize;
        if told % 2 == 0 { Told::TasksAt(owner) } else { Told::OnTheWayTo(owner) }
    }
}

/// What became of an announcement that was taken back.
pub(super) enum Retracted {
    /// It had this status, and has it no more.
    From(u32),
    /// A waker was faster, and has told this.
    Claimed(Told),
}

impl Sleeper {
    pub(super) fn new(parker: &Parker) -> Sleeper {
        Sleeper {
            status: AtomicU32::new(AWAKE),
            unparker: parker.unparker().clone(),
            steering: Steering::new(),
            ground: Ground::new(),
            on_the_way: CachePadded::new(AtomicUsize::new(0)),
        }
    }

    /// The calling thread is the one that sleeps here, for life.
    pub(super) fn bind_thread(&self) {
        self.steering.bind_thread();
    }

    // Ordering, of `has`, `announce` and `claim`: Relaxed; around them are the fences of idle-3. Who claims a sleeper is
    // decided by the one word, and what else the two have to tell each other goes with the unparker.

    pub(super) fn has(&self, status: u32) -> bool {
        self.status.load(Ordering::Relaxed) == status
    }

    /// The worker announces that it will sleep.
    pub(super) fn announce(&self, status: u32) {
        self.status.store(status, Ordering::Relaxed);
    }

    /// A waker makes the one transition back from `PARKED`; [`Sleeper::wake`] has to follow. Tells whether it did.
    pub(super) fn claim(&self) -> bool {
        self.replace(PARKED, CLAIMED)
    }

    fn replace(&self, status: u32, by: u32) -> bool {
        self.status.compare_exchange(status, by, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// A waker ends the sleep that it has claimed, and tells what for.
    pub(super) fn wake(&self, notifier: Notifier, told: Told) {
        if notifier == Notifier::GoesOn {
            self.steering.steer_away();
        }
        // Ordering: Release; meets the Acquire in `retract`.
        self.status.store(told.to_status(), Ordering::Release);
        self.unpark();
    }

    /// A hint that their number is about to change.
    pub(super) fn prefetch_on_the_way(&self) {
        prefetch_to_write(&self.on_the_way);
    }

    /// One more is woken for the tasks of the worker that sleeps here.
    pub(super) fn note_sent(&self) {
        self.on_the_way.fetch_add(1, Ordering::Relaxed);
    }

    /// One of them does not come, if they are still so many; else tells how many.
    pub(super) fn recall_one(&self, coming: usize) -> Result<(), usize> {
        let (to, order) = (coming - 1, Ordering::Relaxed);
        self.on_the_way.compare_exchange(coming, to, order, order).map(|_| ())
    }

    /// One of them has looked, or does not come after all.
    pub(super) fn note_arrival(&self) {
        self.on_the_way.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn on_the_way(&self) -> usize {
        self.on_the_way.load(Ordering::Relaxed)
    }

    /// Ends the sleep without a claim: as always when it wakes up, the worker looks everywhere once more.
    pub(super) fn unpark(&self) {
        self.unparker.unpark();
    }

    /// The worker, awake: where its latest waker saw tasks.
    pub(super) fn tasks_at(&self) -> Option<usize> {
        // Ordering: Relaxed; a hint, and this thread's since `retract`.
        Told::of_status(self.status.load(Ordering::Relaxed)).owner()
    }

    /// The worker takes its announcement back, or waits for the end of a claim.
    pub(super) fn retract(&self) -> Retracted {
        loop {
            // Ordering: Acquire; meets the Release in `wake`: what the waker did to this thread's processors is
            // done, and undone before a task may choose others.
            match self.status.load(Ordering::Acquire) {
                status @ AWAKE.. => {
                    self.steering.undo();
                    return Retracted::Claimed(Told::of_status(status));
                }
                CLAIMED => yield_now(),
                status if self.replace(status, AWAKE) => return Retracted::From(status),
                _ => {}
            }
        }
    }
}

/// Whether a worker counts as searching, who had announced a sleep and has taken that back.
impl From<&Retracted> for Searching {
    fn from(retracted: &Retracted) -> Searching {
        match retracted {
            // The waker made it a searcher (idle-4).
            Retracted::Claimed(Told::Nothing | Told::TasksAt(_)) => Searching::Counted,
            Retracted::Claimed(Told::OnTheWayTo(_)) => Searching::OnTheWay,
            Retracted::From(_) => Searching::Uncounted,
        }
    }
}
