//! An allocator whose every piece begins on a line of its own, so that what shares a line depends on types alone.

use crate::world::with_world;
use std::alloc::{GlobalAlloc, Layout, System};

/// Two lines: processors fetch neighbours together.
const ALIGNMENT: usize = 128;
/// So large pieces come from the system as they are, page by page, untouched.
const LARGE: usize = 256 << 10;

/// The allocator of a program that simulates.
///
/// What it hands out is new to the machine, wherever it lies and whoever had it before.
#[derive(Clone, Copy, Debug)]
pub struct LineAllocator;

fn aligned(layout: Layout) -> Layout {
    if layout.size() >= LARGE { layout } else { layout.align_to(ALIGNMENT).unwrap_or(layout) }
}

fn is_new(place: *mut u8, layout: Layout) -> *mut u8 {
    if !place.is_null() {
        new_memory(place.addr(), layout.size());
    }
    place
}

/// Says that what lies there is new, and nobody has its lines.
pub fn new_memory(address: usize, bytes: usize) {
    let _ = with_world(|world| world.forget(address, bytes));
}

/// Says that what lies there is about to go.
pub fn old_memory(address: usize, bytes: usize) {
    let _ = with_world(|world| {
        if world.buffers() {
            world.drain_range(address, bytes);
        }
    });
}

// SAFETY: the system's allocator, asked for a larger alignment.
unsafe impl GlobalAlloc for LineAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the caller.
        is_new(unsafe { System.alloc(aligned(layout)) }, layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the caller.
        is_new(unsafe { System.alloc_zeroed(aligned(layout)) }, layout)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        old_memory(place.addr(), layout.size());
        // SAFETY: by the caller; it was allocated with the same alignment.
        unsafe { System.dealloc(place, aligned(layout)) }
    }
}
