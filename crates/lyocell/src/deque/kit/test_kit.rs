//! A deque alone on one thread, with tasks known by their number: what the unit tests of every deque use.

use crate::deque::{Deque, Fast, Loot, Pop, Push, Steal, Team};
use crate::probe::{Counters, Event};
use crate::task::{Finished, Slot, Slots};
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// A deque, its owner's head, and a thief with an empty one.
pub(in crate::deque) struct TestKit<D: Deque> {
    team: Team<D>,
    first: *const Slot,
    /// How many slots are below the head.
    height: Cell<usize>,
    // Stealable, for the team points to them: a box claims to be the only pointer.
    _deques: Arc<[D]>,
    owner: Counters,
    thief: Counters,
}

/// What the kit's tasks are, of which nobody runs one.
unsafe extern "C" fn never_run(_: &Slot, _: *const ()) -> Finished {
    unreachable!("the kit's tasks are only counted")
}

const OWNER: usize = 0;
const THIEF: usize = 1;

/// Runs this in the child of a fork, and fails unless it came to its end there.
#[cfg(all(unix, not(miri)))]
pub(in crate::deque) fn in_a_child(body: impl FnOnce()) {
    // SAFETY: the child only runs the body, on memory that is its own, and ends without returning.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: no preconditions. It ends a child that hangs.
        unsafe { libc::alarm(60) };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        // SAFETY: no preconditions.
        unsafe { libc::_exit(i32::from(outcome.is_err())) };
    }
    let mut status = -1;
    // SAFETY: the status is there to be written.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child fell, or hung");
}

impl<D: Deque> TestKit<D> {
    pub(in crate::deque) fn new(capacity: usize) -> TestKit<D> {
        TestKit::with_options(capacity, &D::Options::default())
    }

    pub(in crate::deque) fn with_options(capacity: usize, options: &D::Options) -> TestKit<D> {
        let slots = || Slots::new(capacity).expect("a few slots");
        let own = slots();
        let first = own.first();
        let deques: Arc<[D]> = Arc::from([D::new(own, options), D::new(slots(), options)]);
        // SAFETY: the deques are on the heap, and live as long as the team.
        let team = unsafe { Team::new(deques.iter()) };
        let (owner, thief) = Default::default();
        TestKit { team, first, height: Cell::new(0), _deques: deques, owner, thief }
    }

    pub(in crate::deque) fn deque(&self) -> &D {
        self.team.deque(OWNER)
    }

    fn head(&self) -> *const Slot {
        self.first.wrapping_add(self.height.get())
    }

    fn raise(&self) {
        self.height.set(self.height.get() + 1);
    }

    fn lower(&self) {
        self.height.set(self.height.get() - 1);
    }

    /// Pushes the task that is known by the number of its slot.
    pub(in crate::deque) fn push(&self) -> Push {
        // SAFETY: of the array, or its end, and by slot-1 the owner's, for it is where the head is. Nobody runs it.
        unsafe { (*self.head()).store(never_run, &ManuallyDrop::new(())) };
        self.raise();
        if self.deque().push(self.head(), &self.owner) == Fast::Done {
            return Push::Pushed;
        }
        let end = self.deque().push_slow(self.head(), &self.owner);
        match end {
            Push::Full => self.lower(),
            Push::Asked => self.share(),
            Push::Pushed => {}
        }
        end
    }

    /// Pops the newest task.
    pub(in crate::deque) fn pop(&self) -> Pop {
        self.lower();
        if self.deque().pop(self.head(), &self.owner) == Fast::Done {
            return Pop::Popped;
        }
        let end = self.deque().pop_slow(self.head(), &self.owner);
        match end {
            Pop::Stolen => self.raise(),
            Pop::Asked => self.share(),
            Pop::Popped => {}
        }
        end
    }

    /// Retires the newest task, which was stolen.
    pub(in crate::deque) fn retire(&self) {
        self.lower();
        self.deque().retire(self.head(), &self.owner);
    }

    pub(in crate::deque) fn share(&self) {
        self.deque().share(self.head(), &self.team, OWNER, &self.owner);
    }

    /// What the deque told the probes of owner and thief so far, without what never happened.
    pub(in crate::deque) fn counts(&self) -> Vec<(Event, usize)> {
        let counts = self.owner.counts().merge(&self.thief.counts());
        let events = Event::ALL.iter().copied().map(|event| (event, counts.of(event)));
        events.filter(|(_, count)| *count > 0).collect()
    }

    fn numbers(&self, loot: Loot<'_>) -> (usize, usize) {
        let bytes = loot.first.pointer().addr() - self.first.addr();
        (bytes / size_of::<Slot>(), loot.count)
    }

    /// Looks what the thief wants, as an owner that waits does.
    pub(in crate::deque) fn communicate(&self) {
        self.deque().communicate(self.head(), &self.team, OWNER, &self.owner);
    }

    /// The thief stops asking, and tells what it was sent: the first task and how many.
    pub(in crate::deque) fn withdraw(&self) -> Option<(usize, usize)> {
        D::withdraw(&self.team, THIEF, &self.thief).map(|loot| self.numbers(loot))
    }

    /// Steals, and tells the first task and how many.
    pub(in crate::deque) fn steal_many(&self) -> Steal<(usize, usize)> {
        match D::steal(&self.team, OWNER, THIEF, &self.thief) {
            Steal::Task(loot) => Steal::Task(self.numbers(loot)),
            Steal::Empty => Steal::Empty,
            Steal::Busy => Steal::Busy,
        }
    }

    /// Steals one task.
    pub(in crate::deque) fn steal(&self) -> Steal<usize> {
        match self.steal_many() {
            Steal::Task((task, count)) => {
                assert_eq!(count, 1);
                Steal::Task(task)
            }
            Steal::Empty => Steal::Empty,
            Steal::Busy => Steal::Busy,
        }
    }
}
