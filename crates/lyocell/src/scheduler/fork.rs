//! Spawn and sync: an owner's push and pop, and what its pool has to do where these are slow.
//!
//! This is all of forking that a frame needs who brings its own slot: the joins of [`fork_join`](crate::fork_join) are over it,
//! and so may be those of another language.

use super::Worker;
use crate::deque::{Deque, Fast, Pop, Push};
use crate::probe::{Event, Probe};
use crate::task::{Finished, Slot, SlotPtr};

/// What came of a sync.
pub(crate) enum Synced {
    /// The task is the owner's, and has not begun.
    Mine,
    /// A thief has run it. [`Worker::retire`] has to follow when its outcome has been taken out of the slot.
    Done(Finished),
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Spawns the task in this slot, which is that at the head: makes it one of the deque, unless there is no room.
    #[inline]
    pub(crate) fn spawn_slot(&self, slot: SlotPtr<'_>) -> Push {
        match self.owner.push(slot) {
            Fast::Done => Push::Pushed,
            Fast::Slow => self.push_slow(),
        }
    }

    /// Syncs the newest task, which is in this slot.
    #[inline]
    pub(crate) fn sync_slot(&self, slot: SlotPtr<'_>) -> Synced {
        match self.owner.pop(slot) {
            Fast::Done => Synced::Mine,
            Fast::Slow => self.sync_slot_slowly(slot, Self::wait_for),
        }
    }

    /// As [`Worker::sync_slot`] for a frame that unwinds: no other task is run meanwhile.
    pub(crate) fn sync_slot_unwinding(&self, slot: SlotPtr<'_>) -> Synced {
        match self.owner.pop(slot) {
            Fast::Done => Synced::Mine,
            Fast::Slow => self.sync_slot_slowly(slot, Self::wait_only_for),
        }
    }

    /// The rest of a sync whose pop was slow.
    #[cold]
    pub(crate) fn sync_slot_slowly(
        &self,
        slot: SlotPtr<'_>,
        wait: fn(&Self, &Slot) -> Option<Finished>,
    ) -> Synced {
        match self.pop_slow(slot) {
            Pop::Popped | Pop::Asked => Synced::Mine,
            Pop::Stolen => loop {
                if let Some(finished) = wait(self, &slot) {
                    self.owner.probe.collect(slot.pointer().addr());
                    break Synced::Done(finished);
                }
                // It was given back, and another may have taken it over (confined-3).
                if slot.state.take_over() {
                    // slot-2: this owner may have marked that it sleeps.
                    slot.state.reset();
                    self.retire(slot);
                    break Synced::Mine;
                }
            },
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn push_slow(&self) -> Push {
        let end = self.owner.interrupt.gate.closed(|| {
            let end = self.owner.deque.push_slow(self.owner.head.get(), &self.owner.probe);
            match end {
                Push::Full => self.owner.head.lower(self.owner.head.get().wrapping_sub(1)),
                Push::Asked => self.answer(),
                Push::Pushed => {}
            }
            end
        });
        if end != Push::Full {
            self.give_way_if_called();
        }
        end
    }

    #[cold]
    #[inline(never)]
    fn pop_slow(&self, slot: SlotPtr<'_>) -> Pop {
        self.owner.interrupt.gate.closed(|| {
            let end = self.owner.deque.pop_slow(slot.pointer(), &self.owner.probe);
            match end {
                // What is pushed while we wait goes above the stolen slot (deque-4).
                Pop::Stolen => self.owner.head.raise(slot.next()),
                Pop::Asked => self.answer(),
                Pop::Popped => _ = self.request_unless_stealable(),
            }
            end
        })
    }

    /// Forgets the top task, in `slot`, which was stolen and has been collected.
    pub(crate) fn retire(&self, slot: SlotPtr<'_>) {
        self.owner.interrupt.gate.closed(|| {
            self.owner.head.lower(slot.pointer());
            self.owner.deque.retire(slot.pointer(), &self.owner.probe);
            self.owner.probe.count(Event::Retire);
        });
    }
}
