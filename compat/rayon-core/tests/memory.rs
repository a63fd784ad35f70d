//! What pools take of memory and of addresses, whatever allocator the program has.
#![cfg(target_os = "linux")]

mod common;

use common::{part, text_of, within};
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;

/// As `GlobalAlloc` is by default: what is asked for zeroed is allocated, and then zeroed by hand.
struct ByHand;

// SAFETY: the system's.
unsafe impl GlobalAlloc for ByHand {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the caller's word.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: by the caller's word.
        unsafe { System.dealloc(place, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: ByHand = ByHand;

fn number_after(label: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(label)).unwrap();
    line[label.len()..].trim().trim_end_matches(" kB").parse().unwrap()
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn leaves(depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (a, b) = rayon_core::join(|| leaves(depth - 1), || leaves(depth - 1));
    a + b
}

/// So many joins open at once, one in the first closure of another.
fn deep(levels: u64) -> u64 {
    if levels == 0 {
        return 0;
    }
    let (a, b) = rayon_core::join(|| deep(levels - 1), || 1);
    a + b
}

#[test]
fn a_join_on_eight_threads_touches_little() {
    let test = "a_join_on_eight_threads_touches_little";
    if part().is_some() {
        // What threads of the standard library take does not count.
        std::thread::scope(|threads| (0..8).for_each(|_| drop(threads.spawn(|| ()))));
        let before = number_after("VmRSS:");
        let pool = pool(8);
        assert_eq!(pool.install(|| rayon_core::join(|| 1, || 2)), (1, 2));
        let used = number_after("VmRSS:") - before;
        assert!(used <= 1 << 10, "{used} kB");
        return;
    }
    let output = within("unlimited", test, "alone");
    assert!(output.status.success(), "{}", text_of(&output));
}

#[test]
fn where_addresses_are_scarce_there_is_a_pool_all_the_same() {
    let test = "where_addresses_are_scarce_there_is_a_pool_all_the_same";
    if let Some(threads) = part() {
        let pool = pool(threads.parse().unwrap());
        assert_eq!(pool.install(|| leaves(16)), 1 << 16);
        // More than fit into a small array.
        assert_eq!(pool.install(|| deep(6_000)), 6_000);
        let threads = pool.current_num_threads();
        assert_eq!(pool.broadcast(|context| context.index()).len(), threads);
        drop(pool);
        // One after the other, while those before are ending.
        (0..3).for_each(|_| assert_eq!(self::pool(threads).install(|| leaves(10)), 1 << 10));
        return;
    }
    for (kilobytes, threads) in [("262144", "4"), ("131072", "4"), ("4194304", "64")] {
        let output = within(kilobytes, test, threads);
        assert!(output.status.success(), "{kilobytes} kB, {threads} threads: {}", text_of(&output));
    }
}

/// What a deep recursion took is given back when its threads sleep.
#[test]
fn what_was_deep_is_given_back() {
    let test = "what_was_deep_is_given_back";
    if part().is_some() {
        let pool = ThreadPoolBuilder::new().num_threads(1).stack_size(1 << 30).build().unwrap();
        let before = number_after("RssAnon:");
        // The kernel counts pages late, but all when it is asked for the whole.
        let used = || {
            drop(fs::read_to_string("/proc/self/smaps_rollup").unwrap());
            number_after("RssAnon:") - before
        };
        // Looked at while the thread is awake. Its stack stays as it is; the tasks' array has twelve megabytes.
        let (levels, deep_kb) = pool.install(|| (deep(200_000), used()));
        assert_eq!(levels, 200_000);
        for _ in 0..1_000 {
            if used() + (10 << 10) < deep_kb {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("{deep_kb} kB, and still {} kB", used());
    }
    let output = within("unlimited", test, "alone");
    assert!(output.status.success(), "{}", text_of(&output));
}
