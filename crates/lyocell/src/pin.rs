//! Keeping a thread on one processor.

/// Keeps this thread on the `index`-th of the processors it may use, counted round and round. Does
/// nothing where the system cannot.
pub(crate) fn to_processor(index: usize) {
    system::pin(index);
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use std::mem::{MaybeUninit, size_of};

    pub(super) fn pin(index: usize) {
        let mut allowed = MaybeUninit::<libc::cpu_set_t>::zeroed();
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: the set is as large as said, and all zero is a valid empty set.
        let allowed = unsafe {
            if libc::sched_getaffinity(0, size, allowed.as_mut_ptr()) != 0 {
                return;
            }
            allowed.assume_init()
        };
        // SAFETY: the number of a processor below the size of the set.
        let is_allowed = |processor: &usize| unsafe { libc::CPU_ISSET(*processor, &allowed) };
        let processors: Vec<usize> = (0..libc::CPU_SETSIZE as usize).filter(is_allowed).collect();
        let Some(&processor) = processors.get(index % processors.len().max(1)) else { return };
        // SAFETY: as above; a set of one.
        unsafe {
            let mut one: libc::cpu_set_t = MaybeUninit::zeroed().assume_init();
            libc::CPU_SET(processor, &mut one);
            libc::sched_setaffinity(0, size, &one);
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    pub(super) fn pin(_index: usize) {}
}
