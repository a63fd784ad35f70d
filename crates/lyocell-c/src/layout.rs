//! The numbers by which header and library agree.
//!
//! The header asserts them against its own structures, this file against the runtime's, and a pool compares the two when it is built: so a
//! program that was compiled with the header of another version is told so.

use lyocell::foreign::{LAYOUT, Layout};

/// The bytes that the runtime keeps two processors apart by, as `LYO_LINE` in the header.
const LINE: usize = if cfg!(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "arm64ec",
    target_arch = "powerpc64"
)) {
    128
} else if cfg!(any(
    target_arch = "arm",
    target_arch = "mips",
    target_arch = "mips32r6",
    target_arch = "mips64",
    target_arch = "mips64r6",
    target_arch = "sparc",
    target_arch = "hexagon"
)) {
    32
} else if cfg!(target_arch = "s390x") {
    256
} else {
    64
};

/// What the structures of the header look like.
const HEADER: Layout = Layout {
    head: 0,
    index: size_of::<usize>(),
    push_limit: LINE,
    pop_limit: LINE + size_of::<usize>(),
    run: 0,
    state: size_of::<usize>(),
    payload: 16,
    slot: 64,
};

const _: () = {
    assert!(LAYOUT.head == HEADER.head && LAYOUT.index == HEADER.index);
    assert!(LAYOUT.push_limit == HEADER.push_limit && LAYOUT.pop_limit == HEADER.pop_limit);
    assert!(LAYOUT.run == HEADER.run && LAYOUT.state == HEADER.state);
    assert!(LAYOUT.payload == HEADER.payload && LAYOUT.slot == HEADER.slot);
};

/// The layout that the library was compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_layout() -> Layout {
    LAYOUT
}
