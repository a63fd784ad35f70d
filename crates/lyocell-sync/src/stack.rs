//! Where the stack of the calling thread is.

use crate::backend::{stack as system, thread_local};
use std::cell::Cell;

/// An address in the current frame.
#[inline(never)]
pub fn position() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}

thread_local! {
    // Without a destructor, so that it can be used from any other.
    static LOWEST: Cell<Option<Option<usize>>> = const { Cell::new(None) };
}

/// The lowest address of this thread's stack, if it is known; asked once a thread, for it may be slow.
pub fn lowest_address() -> Option<usize> {
    LOWEST.get().unwrap_or_else(|| remember(system::lowest_address()))
}

/// This thread has just begun, on a stack of this many bytes: that tells where it ends, if the system does not.
pub fn begin(bytes: usize) {
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

#[cfg(all(test, target_os = "linux", not(any(loom, miri))))]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_is_told_is_near_what_the_system_says() {
        const BYTES: usize = 4 << 20;
        // The guard, and what lies above the first frame.
        const NEAR: usize = 128 << 10;
        let thread = crate::thread::Builder::new().stack_size(BYTES);
        let told = || (lowest_of(BYTES), system::lowest_address());
        let (told, asked) = thread.spawn(told).unwrap().join().unwrap();
        assert!(told.abs_diff(asked.unwrap()) < NEAR, "{told:#x}, {asked:#x?}");
    }
}
