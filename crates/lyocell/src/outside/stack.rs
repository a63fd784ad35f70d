//! Where the stack of the calling thread is.

use super::thread_local;
use std::cell::Cell;

/// An address in the current frame.
#[inline(never)]
pub(crate) fn position() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}

thread_local! {
    // Without a destructor, so that it can be used from any other.
    static LOWEST: Cell<Option<Option<usize>>> = const { Cell::new(None) };
}

/// The lowest address of this thread's stack, if it is known; asked once a thread, for it may be slow.
pub(crate) fn lowest_address() -> Option<usize> {
    LOWEST.get().unwrap_or_else(|| remember(system::lowest_address()))
}

/// This thread has just begun, on a stack of this many bytes: that tells where it ends, if the system does not.
pub(crate) fn begin(bytes: usize) {
    remember(system::lowest_address().or_else(|| Some(lowest_of(bytes))));
}

fn remember(lowest: Option<usize>) -> Option<usize> {
    LOWEST.set(Some(lowest));
    lowest
}

/// The lowest address of a stack of this many bytes, of which next to none is used.
fn lowest_of(bytes: usize) -> usize {
    position().saturating_sub(bytes)
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

#[cfg(all(test, target_os = "linux", not(any(loom, miri))))]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_is_told_is_near_what_the_system_says() {
        const BYTES: usize = 4 << 20;
        // The guard, and what lies above the first frame.
        const NEAR: usize = 128 << 10;
        let thread = crate::outside::thread::Builder::new().stack_size(BYTES);
        let told = || (lowest_of(BYTES), system::lowest_address());
        let (told, asked) = thread.spawn(told).unwrap().join().unwrap();
        assert!(told.abs_diff(asked.unwrap()) < NEAR, "{told:#x}, {asked:#x?}");
    }
}
