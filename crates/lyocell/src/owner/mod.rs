//! The owner of a deque: the thread that pushes and pops, without its pool.
//!
//! | file | what |
//! |---|---|
//! | [`head`] | the owner's end of the deque, in the order that a signal handler and exposers need |
//! | [`owner_only`] | what thieves must not touch |
//! | [`overflow`] | tasks of a header for which the array had no room |
//! | [`pace`] | how many items of a loop make a part |
//! | [`stack`] | how much of the thread's stack is left |
//!
//! May import: probe, task, deque, interrupt.
//! Never enters: who else is there.

mod head;
mod overflow;
mod owner_only;
mod pace;
pub(crate) mod stack;

pub(crate) use head::Head;
pub(crate) use overflow::Overflow;
pub(crate) use owner_only::OwnerOnly;
pub(crate) use pace::{LoopId, Pace};

use crate::deque::{Deque, Fast};
use crate::interrupt::Target;
use crate::probe::{Guarded, Probe};
use crate::task::{Run, Slot, SlotPtr, Slots};
use crossbeam_utils::CachePadded;

/// A deque, and the one thread that pushes and pops.
// `repr(C)`, hot fields first: the head and the deque's limits are the data path.
#[repr(C)]
pub(crate) struct Owner<D: Deque, P: Probe> {
    pub(crate) head: Head<Slot>,
    /// The number of its worker, where a header finds it; the runtime reads that of the worker, on a line that nobody writes.
    pub(crate) index: OwnerOnly<usize>,
    pub(crate) deque: D,
    pub(crate) probe: Guarded<P>,
    /// Where the head stands when the deque is empty.
    bottom: OwnerOnly<*const Slot>,
    /// Where it stands when the deque is full.
    pub(crate) end: OwnerOnly<*const Slot>,
    pub(crate) interrupt: CachePadded<Target>,
}

impl<D: Deque, P: Probe> Owner<D, P> {
    pub(crate) fn new(index: usize, slots: Slots, options: &D::Options) -> Self {
        let (first, end) = (slots.first(), slots.end());
        Owner {
            head: Head::at(first),
            index: OwnerOnly(index),
            bottom: OwnerOnly(first),
            end: OwnerOnly(end),
            deque: D::new(slots, options),
            probe: Guarded::default(),
            interrupt: CachePadded::new(Target::new()),
        }
    }

    /// The slot the next push goes to.
    #[inline(always)]
    pub(crate) fn head(&self) -> SlotPtr<'_> {
        // SAFETY: the head stands within the array, the end included, and the array is the deque's,
        // which lives as long as the owner.
        unsafe { SlotPtr::new(self.head.get()) }
    }

    /// The slot of the newest task.
    ///
    /// # Safety
    /// There is one.
    #[inline(always)]
    pub(crate) unsafe fn newest(&self) -> SlotPtr<'_> {
        // SAFETY: by the caller's word; as in `head`.
        unsafe { SlotPtr::new(self.head.get().sub(1)) }
    }

    /// Makes the slot at the head, which has been written, a task of the deque. If that is slow, the
    /// pool has to be asked. The probe is told by [`Owner::tell_of_spawn`].
    #[inline(always)]
    pub(crate) fn push(&self, slot: SlotPtr<'_>) -> Fast {
        self.head.raise(slot.next());
        self.deque.push(slot.next(), &self.probe)
    }

    /// A task is in the deque, or is about to run in place.
    #[inline(always)]
    pub(crate) fn tell_of_spawn(&self) {
        self.probe.spawned(|| self.depth());
    }

    /// A frame has forked, and runs its first branch; the others are run by `run`.
    #[inline(always)]
    pub(crate) fn tell_of_fork(&self, tasks: usize, run: Run) -> P::Fork {
        self.probe.fork(tasks, || self.depth(), || run as usize)
    }

    /// Anybody: whether this slot is one of the array.
    pub(crate) fn has(&self, slot: &Slot) -> bool {
        (*self.bottom..*self.end).contains(&std::ptr::from_ref(slot))
    }

    /// How many tasks are in the deque.
    pub(crate) fn depth(&self) -> usize {
        (self.head.get().addr() - self.bottom.addr()) / size_of::<Slot>()
    }

    /// Takes the top task, in `slot`, back. If that is slow, the pool has to be asked.
    #[inline(always)]
    pub(crate) fn pop(&self, slot: SlotPtr<'_>) -> Fast {
        self.head.lower(slot.pointer());
        self.deque.pop(slot.pointer(), &self.probe)
    }

    /// Thief, after the heavy barrier: where the head is.
    pub(crate) fn look_at_head(&self) -> *const Slot {
        self.head.look()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::Split;
    use crate::lines::hold_lines;
    use crate::probe::NoProbe;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Owner<Split, NoProbe>:
            head: Owner,
            index: Owner,
            deque: Anybody,
            probe: Owner,
            bottom: Nobody,
            end: Nobody,
            interrupt: Anybody,
        );
    }
}
