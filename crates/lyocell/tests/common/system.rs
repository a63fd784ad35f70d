//! What the system says of this process.
// Each test file is a crate of its own, and none uses everything.
#![allow(dead_code)]

use std::fs;
use std::sync::atomic::AtomicUsize;
use std::thread;

/// How many threads this process has.
pub(crate) fn threads() -> usize {
    number_after("Threads:")
}

/// How many kilobytes of memory it uses.
pub(crate) fn resident_kb() -> usize {
    number_after("VmRSS:")
}

/// How many kilobytes of addresses it uses.
pub(crate) fn addresses_kb() -> usize {
    number_after("VmSize:")
}

fn number_after(label: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("a Linux /proc");
    let line = status.lines().find(|line| line.starts_with(label)).expect("a line of it");
    let number = line[label.len()..].trim().trim_end_matches(" kB");
    number.parse().expect("a number")
}

/// Waits until this process has this many threads again; the watchdog ends a wait in vain. (A thread that
/// has been joined may still be on its way out of the kernel's list.)
pub(crate) fn until_threads(count: usize) {
    while threads() > count {
        thread::yield_now();
    }
}

/// No more addresses than so many kilobytes beyond what is used now.
pub(crate) fn limit_addresses(more_kb: usize) {
    let bytes = ((addresses_kb() + more_kb) << 10) as libc::rlim_t;
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the limit is there to be read.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
}

/// A counter that a child of a fork shares with its parent.
pub(crate) fn shared_counter() -> &'static AtomicUsize {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    let bytes = size_of::<AtomicUsize>();
    // SAFETY: new memory, of which nobody knows.
    let place = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
    assert_ne!(place, libc::MAP_FAILED);
    // SAFETY: it begins a page, is zero, and stays.
    unsafe { &*place.cast() }
}
