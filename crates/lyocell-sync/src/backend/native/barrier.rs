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

#[cfg(target_os = "freebsd")]
mod heavy {
    use std::mem::transmute;

    type Membarrier = unsafe extern "C" fn(libc::c_int, libc::c_uint, libc::c_int) -> libc::c_int;

    /// `MEMBARRIER_CMD_PRIVATE_EXPEDITED` and its registration, as on Linux.
    const ISSUE: libc::c_int = 1 << 3;
    const REGISTER: libc::c_int = 1 << 4;

    pub(crate) fn register() -> bool {
        membarrier(REGISTER)
    }

    pub(crate) fn issue() -> bool {
        membarrier(ISSUE)
    }

    /// Since FreeBSD 14.1. By name: a call that the kernel does not have would end the process.
    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: a name that ends with a zero.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"membarrier".as_ptr()) };
        // SAFETY: null is `None`; else it is the function of this name.
        let function = unsafe { transmute::<*mut libc::c_void, Option<Membarrier>>(found) };
        // SAFETY: the call takes a command, flags and a processor, which it ignores, and no pointer.
        function.is_some_and(|membarrier| unsafe { membarrier(command, 0, 0) == 0 })
    }
}

/// There is no such call. But to read the registers of a thread, the kernel has to stop it, and so to have it pass what a change of
/// threads passes: all that it has done is there for others, and all that it will read it reads after.
///
/// A thread that is not in the list began after the list was made: what the caller did before that comes before the thread.
#[cfg(target_os = "macos")]
mod heavy {
    use std::mem::transmute;
    use std::ptr::null_mut;

    type Read = unsafe extern "C" fn(
        libc::thread_t,
        *mut usize,
        *mut usize,
        *mut usize,
    ) -> libc::kern_return_t;

    unsafe extern "C" {
        fn mach_port_deallocate(
            task: libc::mach_port_t,
            name: libc::mach_port_t,
        ) -> libc::kern_return_t;
    }

    /// More than a thread of either processor has.
    const REGISTERS: usize = 128;

    pub(crate) fn register() -> bool {
        read().is_some()
    }

    pub(crate) fn issue() -> bool {
        let Some(read) = read() else { return false };
        let (mut threads, mut count) = (null_mut(), 0);
        // SAFETY: no preconditions.
        #[allow(deprecated)]
        let task = unsafe { libc::mach_task_self() };
        // SAFETY: both are there to be written.
        if unsafe { libc::task_threads(task, &mut threads, &mut count) } != libc::KERN_SUCCESS {
            return false;
        }
        for at in 0..count as usize {
            // SAFETY: so many are in the list, each a right of this process.
            let thread = unsafe { *threads.add(at) };
            let (mut stack, mut registers, mut values) = (0, REGISTERS, [0; REGISTERS]);
            // A thread that has none any more, because it ends, has nothing to pass; no worker is such a one.
            // SAFETY: all are there to be written, and so many values.
            let _ = unsafe { read(thread, &mut stack, &mut registers, values.as_mut_ptr()) };
            // SAFETY: the right came with the list, and is given back once.
            unsafe { mach_port_deallocate(task, thread) };
        }
        let bytes = count as usize * size_of::<libc::thread_t>();
        // SAFETY: the list is this process's since the call that made it, and read no more.
        unsafe { libc::vm_deallocate(task, threads.addr(), bytes) };
        true
    }

    /// Since macOS 10.14.
    fn read() -> Option<Read> {
        let name = c"thread_get_register_pointer_values";
        // SAFETY: a name that ends with a zero.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        // SAFETY: null is `None`; else it is the function of this name.
        unsafe { transmute::<*mut libc::c_void, Option<Read>>(found) }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "freebsd", target_os = "macos", windows)))]
mod heavy {
    pub(crate) fn register() -> bool {
        false
    }

    pub(crate) fn issue() -> bool {
        false
    }
}
