//! A library in Rust, with `lyocell-c` in it, whose functions panic and catch panics: `panic.cpp` calls it, and is called by it.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

// What it exports is all that `panic.cpp` is linked with.
extern crate lyocell_c as _;

#[unsafe(no_mangle)]
extern "C-unwind" fn rust_panics() {
    std::panic::resume_unwind(Box::new("of Rust"));
}

/// Whether a function panics.
///
/// # Safety
/// The function is for this argument.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn rust_catches(
    function: unsafe extern "C-unwind" fn(*mut c_void),
    argument: *mut c_void,
) -> bool {
    // SAFETY: by the caller's word.
    let outcome = catch_unwind(AssertUnwindSafe(|| unsafe { function(argument) }));
    outcome.is_err_and(|panic| *panic.downcast::<&str>().unwrap() == "of Rust")
}
