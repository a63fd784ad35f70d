//! The halves as the operating system has them.

pub(crate) use heavy::{issue, register};

use crate::unmodelled::{Ordering, compiler_fence};

/// The cheap half of the barrier. Where there is no other half, it still keeps the order that a signal handler needs.
#[inline(always)]
pub(crate) fn light() {
    compiler_fence(Ordering::SeqCst);
}

#[cfg(target_os = "linux")]
mod heavy {
    pub(crate) fn register() -> bool {
        membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
    }

    pub(crate) fn issue() -> bool {
        membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED)
    }

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: the call takes a command and flags, of which there are none, and no pointer.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0) == 0 }
    }
}

#[cfg(windows)]
mod heavy {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        safe fn FlushProcessWriteBuffers();
    }

    pub(crate) fn register() -> bool {
        true
    }

    pub(crate) fn issue() -> bool {
        FlushProcessWriteBuffers();
        true
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod heavy {
    pub(crate) fn register() -> bool {
        false
    }

    pub(crate) fn issue() -> bool {
        false
    }
}
