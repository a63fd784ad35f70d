//! The original Lace, in C, as the crate `lace-native` brings it (see `build.rs`), and what our programs for it
//! rest on.
//!
//! The programs are C too, a `lace.c` in the folder of each: `fib`, `queens` and `uts` with all that their tasks do,
//! the others with the same Rust function for the work of a leaf as every other engine calls. They are compiled as
//! Lace's own users compile theirs ([`BUILT`] has the flags): for a position-independent executable, so that calls
//! can be inlined and split, and without a frame pointer. Lace's Rust bindings are not used, since their trampolines
//! cost more than a task.
//!
//! Beside them stands the `serial.c` of the programs with short tasks, compiled in the same way: compilers differ in
//! what they make of plain recursion, and what a task costs in C is to be seen beside that.
//!
//! Where there was no C compiler, nobody can have a [`Running`], and the programs for Lace are never called.
//!
//! - lace-1. Lace runs exactly while a [`Running`] lives, and there is at most one. Programs in C are called with a
//!   reference to it.
//! - lace-2. Lace is started and stopped from threads that are no workers of it.
//! - lace-3. A call of a program in C returns when all its tasks are done; its arguments live until then.

#[cfg(not(lace))]
mod absent;
#[cfg(lace)]
mod running;

#[cfg(not(lace))]
pub use absent::{Compiled, Running};
#[cfg(lace)]
pub use running::{Compiled, Running};

use crate::engine::Engine;

/// Lace, in C.
#[derive(Debug)]
pub enum Lace {}

impl Engine for Lace {
    type Handle<'a> = &'a Running;
}

/// The serial programs in C.
#[derive(Debug)]
pub enum SerialC {}

impl Engine for SerialC {
    type Handle<'a> = Compiled;
}

/// Which Lace this is and how it was compiled; or why it is not here.
pub const BUILT: Result<&str, &str> =
    if cfg!(lace) { Ok(env!("LYOCELL_LACE")) } else { Err(env!("LYOCELL_LACE")) };

/// Lace could not be built on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Absent;
