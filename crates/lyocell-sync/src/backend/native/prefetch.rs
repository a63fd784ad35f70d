//! What a processor is told of accesses to come.

/// Begins to fetch the line of this for a store to come, and does not wait for it: several lines come together, where the stores would
/// wait for one after the other. A hint, which changes nothing else, and nothing at all where it is not known how to give it.
#[inline]
pub fn prefetch_to_write<T>(what: &T) {
    let at = std::ptr::from_ref(what);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: the instruction is a hint, which faults nowhere: a processor that does not know it takes it for none.
    unsafe {
        std::arch::asm!("prefetchw [{at}]", at = in(reg) at, options(readonly, nostack, preserves_flags));
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: the instruction is a hint, which faults nowhere.
    unsafe {
        std::arch::asm!("prfm pstl1keep, [{at}]", at = in(reg) at, options(readonly, nostack, preserves_flags));
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    let _ = at;
}
