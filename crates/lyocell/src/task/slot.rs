//! The slot: one task, in place, and its way from the owner to a thief and back.
//!
//! A task is not pointed to, it *is* the slot: the function to run, a state word, and 48 bytes
//! that first hold the closure and later its result. One cache line, so a steal moves one.
//!
//! ```text
//!   0        8       12      16                                       64
//!   | run    | state | claim | payload: closure, then result or panic |
//! ```
//! The claim is for the direct task stack, where owner and thieves decide on the slot itself who gets the task.
//!
//! # Invariants
//! - slot-1. Between two pushes of a slot exactly one party runs its task: the owner, who popped it,
//!   or the thief that won it from the deque. That party alone touches `run` and `payload` from
//!   then on, until it hands the slot over by slot-3.
//! - slot-2. `state` is pending and unmarked in every slot that is not stolen, so a push need not
//!   write it. The owner restores that when it retires a stolen slot.
//! - slot-3. A thief's last access to a slot is the swap in [`State::finish`], or, if it has not begun the task, the mark of
//!   [`State::give_back`]. After it the slot is the owner's again, or that of whoever takes the task over
//!   ([`State::take_over`]), who is its thief from then on.
//! - slot-4. `payload` holds a `Stored<B>` from push until the task starts, and after a finished steal
//!   a `Stored<R>` (done) or a `Panic` (panicked).
//!
//! # Orderings
//! The closure travels with the deque's own Release/Acquire pair (grow, steal); the result travels
//! with `finish` (Release) and [`State::load`] (Acquire). Nothing else here carries data.
//!
//! Source: the direct task stack of Wool (Faxén 2010, section III) and Lace (van Dijk and van de
//! Pol 2014, section 3.1). Departure: the identity of the thief is OR-ed into the state, so that the
//! owner's wish to be woken, which may come first, is not lost.

use super::claim::Claim;
use super::panic::Panic;
use super::state::{Finished, State};
use lyocell_sync::RaceCell as UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit, align_of, offset_of, size_of};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the task of a slot on the worker at the given address and stores what comes of it. By the conventions of C, in
/// which the tasks of other languages are written too.
pub(crate) type Run = unsafe extern "C" fn(&Slot, *const ()) -> Finished;

/// 48 bytes that hold any closure or result that fits.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Payload([MaybeUninit<u8>; PAYLOAD_BYTES]);

const PAYLOAD_BYTES: usize = 48;

/// One task of a worker's stack of tasks.
#[repr(C, align(64))]
pub struct Slot {
    run: UnsafeCell<MaybeUninit<Run>>,
    pub(crate) state: State,
    pub(crate) claim: Claim,
    payload: UnsafeCell<Payload>,
}

// SAFETY: by slot-1 and slot-3 `run` and `payload` have one party at a time, handed over by a
// Release/Acquire pair; `state` is atomic.
unsafe impl Sync for Slot {}
// SAFETY: as above; a slot holds only what was `Send` when it was written (see `store`).
unsafe impl Send for Slot {}

impl Slot {
    /// Where a header finds what it needs: the function, the state and the payload.
    pub(crate) const OFFSETS: [usize; 3] =
        [offset_of!(Slot, run), offset_of!(Slot, state), offset_of!(Slot, payload)];

    pub(crate) fn new() -> Slot {
        Slot {
            run: UnsafeCell::new(MaybeUninit::uninit()),
            state: State::new(),
            claim: Claim::new(),
            payload: UnsafeCell::new(Payload([MaybeUninit::uninit(); PAYLOAD_BYTES])),
        }
    }

    /// Writes a task: its function and the value it starts from, whose ownership stays outside.
    ///
    /// # Safety
    /// The slot is the caller's (slot-1), and free. Whoever runs the task later takes over `*start`,
    /// which must be fit to be sent there and stay in place until then.
    #[inline(always)]
    pub(crate) unsafe fn store<B>(&self, run: Run, start: &ManuallyDrop<B>) {
        self.run.with_mut(|p| {
            // SAFETY: slot-1: no one else touches `run` now.
            unsafe { (*p).write(run) };
        });
        // SAFETY: slot-1, and `Stored` keeps the bytes or the address within the payload.
        self.payload.with_mut(|p| unsafe { Stored::<B>::put(p, start) });
    }

    /// Whether a task has ever been written to this slot, which began as zeroes.
    pub(crate) fn was_stored(&self) -> bool {
        // SAFETY: by slot-1 nobody writes to a slot of an array that is dropped; a function's address is not null, and zeroes are an
        // integer.
        self.run.with(|p| unsafe { p.cast::<usize>().read() } != 0)
    }

    /// A copy of a task that has no slot of its own, and of its value.
    ///
    /// # Safety
    /// The task is the caller's (slot-1), and is run in the copy or here, not in both.
    pub(crate) unsafe fn moved(&self) -> Slot {
        let moved = Slot::new();
        moved.run.with_mut(|to| {
            // SAFETY: by the caller's word; what a slot holds is bytes.
            self.run.with(|from| unsafe { to.copy_from_nonoverlapping(from, 1) });
        });
        moved.payload.with_mut(|to| {
            // SAFETY: as above.
            self.payload.with(|from| unsafe { to.copy_from_nonoverlapping(from, 1) });
        });
        moved
    }

    /// Where what a finished task has left is, for a header that knows its type.
    pub(crate) fn outcome(&self) -> *const u8 {
        self.payload.with(<*const Payload>::cast)
    }

    /// Takes the value that [`Slot::store`] wrote.
    ///
    /// # Safety
    /// By slot-1 the task is the caller's to run, it has not started, and it was stored with this `B`.
    #[inline]
    pub(crate) unsafe fn take<B>(&self) -> B {
        // SAFETY: slot-4, by the caller's word.
        self.payload.with(|p| unsafe { Stored::<B>::get(p) })
    }

    /// Runs the task of a stolen slot.
    ///
    /// # Safety
    /// The caller is the thief (slot-1), and `worker` is the address of its worker, of the type the
    /// task was stored for.
    pub(crate) unsafe fn run(&self, worker: *const ()) -> Finished {
        // SAFETY: slot-4: `run` was written before the slot was shared.
        let run = self.run.with(|p| unsafe { (*p).assume_init() });
        // SAFETY: by the caller's word.
        unsafe { run(self, worker) }
    }

    /// Calls `task` and leaves its result, or its panic, in the payload.
    ///
    /// # Safety
    /// The caller is the thief (slot-1) and has taken the starting value.
    pub(crate) unsafe fn fill<R>(&self, task: impl FnOnce() -> R) -> Finished {
        match catch_unwind(AssertUnwindSafe(task)) {
            Ok(result) => {
                // SAFETY: slot-1: the payload is the thief's, and empty since the take.
                self.payload.with_mut(|p| unsafe { Outcome::<R>::put(p, result) });
                Finished::Done
            }
            Err(panic) => {
                // SAFETY: as above.
                self.payload.with_mut(|p| unsafe { Outcome::<Panic>::put(p, panic) });
                Finished::Panicked
            }
        }
    }

    /// Takes what a finished task left and makes the slot fit for the next push.
    ///
    /// # Safety
    /// The caller is the owner, it has seen `finished` in `state` with Acquire (slot-3), calls this once,
    /// and the task was stored with result type `R`.
    pub(crate) unsafe fn collect<R>(&self, finished: Finished) -> Result<R, Panic> {
        let outcome = self.payload.with(|p| match finished {
            // SAFETY: slot-4.
            Finished::Done => Ok(unsafe { Outcome::<R>::get(p) }),
            // SAFETY: slot-4.
            Finished::Panicked => Err(unsafe { Outcome::<Panic>::get(p) }),
        });
        self.state.reset();
        outcome
    }
}

/// A starting value in the payload: itself if it fits, else the address of the frame's copy.
struct Stored<B>(B);

impl<B> Stored<B> {
    const INLINE: bool = fits::<B>();

    /// # Safety
    /// `payload` may be written.
    #[inline(always)]
    unsafe fn put(payload: *mut Payload, start: &ManuallyDrop<B>) {
        if Self::INLINE {
            // SAFETY: `fits` checked size and alignment; the bytes are copied, ownership is not.
            unsafe { payload.cast::<B>().copy_from_nonoverlapping((&raw const *start).cast(), 1) };
        } else {
            // SAFETY: a pointer fits.
            unsafe { payload.cast::<*const B>().write((&raw const *start).cast()) };
        }
    }

    /// # Safety
    /// `put` came before, and the caller takes the value over.
    #[inline(always)]
    unsafe fn get(payload: *const Payload) -> B {
        if Self::INLINE {
            // SAFETY: written by `put`.
            unsafe { payload.cast::<B>().read() }
        } else {
            // SAFETY: the frame that `put` was given waits for this task, so its copy is there.
            unsafe { payload.cast::<*const B>().read().read() }
        }
    }
}

/// A result in the payload: itself if it fits, else boxed. Only stolen tasks pay the box.
struct Outcome<R>(R);

impl<R> Outcome<R> {
    const INLINE: bool = fits::<R>();

    /// # Safety
    /// `payload` may be written.
    unsafe fn put(payload: *mut Payload, result: R) {
        if Self::INLINE {
            // SAFETY: `fits` checked size and alignment.
            unsafe { payload.cast::<R>().write(result) };
        } else {
            // SAFETY: a box fits.
            unsafe { payload.cast::<Box<R>>().write(Box::new(result)) };
        }
    }

    /// # Safety
    /// `put` came before, and this is called once.
    unsafe fn get(payload: *const Payload) -> R {
        if Self::INLINE {
            // SAFETY: written by `put`.
            unsafe { payload.cast::<R>().read() }
        } else {
            // SAFETY: written by `put`.
            *unsafe { payload.cast::<Box<R>>().read() }
        }
    }
}

const fn fits<T>() -> bool {
    size_of::<T>() <= PAYLOAD_BYTES && align_of::<T>() <= align_of::<Payload>()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Doubles the number it was stored with; panics at an odd one.
    unsafe extern "C" fn double(slot: &Slot, _worker: *const ()) -> Finished {
        // SAFETY: stored with `u64`, and run once.
        let number = unsafe { slot.take::<u64>() };
        // SAFETY: the value has been taken.
        unsafe {
            slot.fill(|| {
                assert!(number % 2 == 0, "odd");
                [number * 2; 8]
            })
        }
    }

    fn run(number: u64) -> (Slot, Finished) {
        let slot = Slot::new();
        // SAFETY: a new slot is free, and the value is copied.
        unsafe { slot.store(double, &ManuallyDrop::new(number)) };
        // SAFETY: nobody else knows the slot, and `double` looks at no worker.
        let finished = unsafe { slot.run(std::ptr::null()) };
        (slot, finished)
    }

    #[test]
    fn a_result_too_large_for_the_slot_comes_back() {
        let (slot, finished) = run(22);
        assert_eq!(finished, Finished::Done);
        // SAFETY: the task is done, and its result is 64 bytes.
        assert_eq!(unsafe { slot.collect::<[u64; 8]>(finished) }.unwrap(), [44; 8]);
    }

    #[test]
    fn a_panic_comes_back() {
        let (slot, finished) = run(5);
        assert_eq!(finished, Finished::Panicked);
        // SAFETY: as above.
        let panic = unsafe { slot.collect::<[u64; 8]>(finished) }.unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"odd"));
    }
}
