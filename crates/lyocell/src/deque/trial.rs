//! A deque alone on one thread, with tasks known by their number: what the unit tests of every deque use.

use super::{Deque, Fast, Pop, Push, Steal, Team};
use crate::probe::NoProbe;
use crate::slots::Slots;
use crate::task::Slot;
use std::cell::Cell;

/// A deque, its owner's head, and a thief.
pub(super) struct Trial<D: Deque> {
    team: Team<D>,
    first: *const Slot,
    /// How many slots are below the head.
    height: Cell<usize>,
    // Boxed: the team points to it.
    _deque: Box<D>,
}

const OWNER: usize = 0;
const THIEF: usize = 1;

impl<D: Deque> Trial<D> {
    pub(super) fn new(capacity: usize) -> Trial<D> {
        Trial::with_options(capacity, &D::Options::default())
    }

    pub(super) fn with_options(capacity: usize, options: &D::Options) -> Trial<D> {
        let slots = Slots::new(capacity).expect("a few slots");
        let first = slots.first();
        let deque = Box::new(D::new(slots, options));
        // SAFETY: the deque is boxed, and lives as long as the team.
        let team = unsafe { Team::new(std::iter::once(&*deque)) };
        Trial { team, first, height: Cell::new(0), _deque: deque }
    }

    pub(super) fn deque(&self) -> &D {
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
    pub(super) fn push(&self) -> Push {
        self.raise();
        if self.deque().push(self.head(), &NoProbe) == Fast::Done {
            return Push::Pushed;
        }
        let end = self.deque().push_slow(self.head(), &NoProbe);
        match end {
            Push::Full => self.lower(),
            Push::Asked => self.share(),
            Push::Pushed => {}
        }
        end
    }

    /// Pops the newest task.
    pub(super) fn pop(&self) -> Pop {
        self.lower();
        if self.deque().pop(self.head(), &NoProbe) == Fast::Done {
            return Pop::Popped;
        }
        let end = self.deque().pop_slow(self.head(), &NoProbe);
        match end {
            Pop::Stolen => self.raise(),
            Pop::Asked => self.share(),
            Pop::Popped => {}
        }
        end
    }

    /// Retires the newest task, which was stolen.
    pub(super) fn retire(&self) {
        self.lower();
        self.deque().retire(self.head(), &NoProbe);
    }

    pub(super) fn share(&self) {
        self.deque().share(self.head(), &self.team, OWNER, &NoProbe);
    }

    /// Steals, and tells the first task and how many.
    pub(super) fn steal_many(&self) -> Steal<(usize, usize)> {
        match D::steal(&self.team, OWNER, THIEF, &NoProbe) {
            Steal::Task(loot) => {
                let bytes = loot.first.pointer().addr() - self.first.addr();
                Steal::Task((bytes / size_of::<Slot>(), loot.count))
            }
            Steal::Empty => Steal::Empty,
            Steal::Busy => Steal::Busy,
        }
    }

    /// Steals one task.
    pub(super) fn steal(&self) -> Steal<usize> {
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
