//! All workers at once.

use crate::error::{Code, Error, code_of};
use crate::{Argument, Task};
use lyocell::foreign::{FrameError, FrameStep, Handle, poll_frame, together};
use std::ffi::{c_int, c_void};

/// Who of the workers calls the body of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    All,
    /// The one that begins it.
    One,
}

/// Runs a body in a frame, and tells of its steps.
///
/// # Safety
/// The task is for this argument, which is as in promise-3.
pub(crate) unsafe fn run(
    worker: &Handle,
    who: Who,
    task: Task,
    argument: Argument,
    tell: &(dyn Fn(FrameStep) + Sync),
) -> Result<(), Error> {
    let beginner = worker.index();
    let body = move |worker: &Handle| {
        if who == Who::All || worker.index() == beginner {
            // SAFETY: by the caller's word.
            unsafe { argument.call(task, worker) }
        }
    };
    together(worker, &body, tell).map_err(|FrameError::Seat| {
        let message = "a frame needs every worker, and worker 0 of this pool may be nobody: build the pool with LYO_CALLERS_SLEEP";
        Error::new(Code::Seat, message)
    })
}

/// `lyo_together`.
///
/// # Safety
/// As in promise-1 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_together(
    worker: *const Handle,
    body: Task,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: promise-1, promise-3.
    code_of(unsafe { run(&*worker, Who::All, body, Argument(argument), &|_| ()) })
}

/// `lyo_newframe`.
///
/// # Safety
/// As in promise-1 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_newframe(
    worker: *const Handle,
    body: Task,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: promise-1, promise-3.
    code_of(unsafe { run(&*worker, Who::One, body, Argument(argument), &|_| ()) })
}

/// `lyo_yield_frame`.
///
/// # Safety
/// As in promise-1.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_yield_frame(worker: *const Handle) {
    // SAFETY: promise-1.
    poll_frame(unsafe { &*worker });
}
