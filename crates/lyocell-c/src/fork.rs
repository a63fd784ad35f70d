//! The rest of a spawn and of a sync, of which the header has the beginning.

use lyocell::foreign::{Handle, Slot, spawn_slowly, sync_slowly};

/// `lyo_spawn_slow`.
///
/// # Safety
/// As in promise-1; called by the header, which has raised the head above this slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_spawn_slow(worker: *const Handle, slot: *const Slot) -> *const Slot {
    // SAFETY: promise-1, and what a header writes.
    unsafe { spawn_slowly(&*worker, slot) }
}

/// `lyo_sync_slow`.
///
/// # Safety
/// As in promise-1; called by the header, which has lowered the head to this slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_sync_slow(worker: *const Handle, slot: *const Slot) -> *const u8 {
    // SAFETY: promise-1, and spawns and syncs are nested.
    unsafe { sync_slowly(&*worker, slot) }
}
