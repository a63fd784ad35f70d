//! What a program in C promises, and what it is called with by this.
//!
//! # Invariants
//! - promise-1. A pointer to a worker comes from this library, as the argument of a task, and is used on its thread, until the task is over.
//! - promise-2. A pointer to a pool, a scope or a handle comes from the function that makes it, and is used until it is freed, or until
//!   the body of the scope and its tasks are over.
//! - promise-3. What a caller passes as the argument of a task may be used on other threads, and is there until the task is over.

use lyocell::foreign::Handle;
use std::ffi::c_void;

/// What is called with an argument on a worker, and what it may do when it unwinds: see the docs of the crate.
pub type Task = unsafe extern "C-unwind" fn(*const Handle, *mut c_void);

/// The argument of a task, which may be used on any thread (promise-3).
#[derive(Clone, Copy)]
pub(crate) struct Argument(pub(crate) *mut c_void);

// SAFETY: promise-3.
unsafe impl Send for Argument {}
// SAFETY: promise-3.
unsafe impl Sync for Argument {}

impl Argument {
    /// Calls a task with it.
    ///
    /// # Safety
    /// The task is for this argument.
    pub(crate) unsafe fn call(self, task: Task, worker: &Handle) {
        // SAFETY: by the caller's word, and promise-1.
        unsafe { task(worker, self.0) }
    }
}
