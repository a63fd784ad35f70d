//! How much of the thread's stack is left.
//!
//! A worker that waits may steal, and what it stole may wait and steal in turn: below a reserve it
//! must stop (see `wait`).

use std::cell::Cell;

/// Where the stack of a worker's thread ends.
pub(crate) struct Stack {
    end: Cell<usize>,
}

/// One part in so many is the reserve. In it a waiting worker steals only from the thief of what it
/// waits for, whose tasks would have run on this stack anyway. Untuned.
const RESERVE_SHARE: usize = 4;

/// Assumed where the system does not tell: what every thread has at the least.
const ASSUMED: usize = 512 << 10;

/// Whether a waiting worker may take on any task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Plenty,
    Reserve,
}

impl Stack {
    pub(crate) fn unknown() -> Stack {
        Stack { end: Cell::new(0) }
    }

    /// Remembers this thread's stack: of what lies below here, a share is the reserve.
    pub(crate) fn measure(&self) {
        let here = position();
        let end = end_of_stack().filter(|end| *end < here).unwrap_or(here.saturating_sub(ASSUMED));
        self.end.set(end + (here - end) / RESERVE_SHARE);
    }

    pub(crate) fn room(&self) -> Room {
        if position() > self.end.get() { Room::Plenty } else { Room::Reserve }
    }
}

/// An address in the current frame.
#[inline(never)]
fn position() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}

/// The lowest address of this thread's stack; asked once a thread, for it may be slow.
fn end_of_stack() -> Option<usize> {
    thread_local!(static END: Cell<Option<Option<usize>>> = const { Cell::new(None) });
    END.try_with(|end| match end.get() {
        Some(known) => known,
        None => {
            let asked = system::end_of_stack();
            end.set(Some(asked));
            asked
        }
    })
    .ok()
    .flatten()
}

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use std::mem::MaybeUninit;

    pub(super) fn end_of_stack() -> Option<usize> {
        let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
        let mut lowest = std::ptr::null_mut();
        let mut size = 0;
        // SAFETY: the attributes are initialised by the first call, read by the second if that
        // succeeded, and destroyed once.
        unsafe {
            if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
                return None;
            }
            let got = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            (got == 0).then(|| lowest.addr())
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    pub(super) fn end_of_stack() -> Option<usize> {
        None
    }
}
