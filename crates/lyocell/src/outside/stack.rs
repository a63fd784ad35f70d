//! Where the stack of the calling thread is.

use super::thread_local;
use std::cell::Cell;

/// An address in the current frame.
#[inline(never)]
pub(crate) fn position() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}

/// The lowest address of this thread's stack; asked once a thread, for it may be slow.
pub(crate) fn lowest_address() -> Option<usize> {
    thread_local!(static END: Cell<Option<Option<usize>>> = const { Cell::new(None) });
    END.try_with(|end| match end.get() {
        Some(known) => known,
        None => {
            let asked = system::lowest_address();
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

    pub(super) fn lowest_address() -> Option<usize> {
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
    pub(super) fn lowest_address() -> Option<usize> {
        None
    }
}
