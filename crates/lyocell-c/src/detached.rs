//! Detached tasks, and handles to them.

use crate::error::{Error, code_of};
use crate::pool::SharedPool;
use crate::{Argument, Task};
use lyocell::TaskHandle;
use std::ffi::{c_int, c_void};

/// `lyo_spawn_detached`.
///
/// # Safety
/// As in promise-2 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_spawn_detached(
    pool: *const SharedPool,
    task: Option<Task>,
    argument: *mut c_void,
) -> c_int {
    let argument = Argument(argument);
    // SAFETY: by the caller's word.
    let outcome = unsafe { SharedPool::share(pool) }.and_then(|pool| {
        let task = task.ok_or_else(|| Error::null("the task"))?;
        let _begun = pool.begin()?;
        // SAFETY: promise-3.
        pool.pool.spawn_detached(move |worker| unsafe { argument.call(task, worker) });
        Ok(())
    });
    code_of(outcome)
}

/// `lyo_spawn_handle`.
///
/// # Safety
/// As in promise-2 and promise-3; `place` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_spawn_handle(
    pool: *const SharedPool,
    place: *mut *mut TaskHandle<()>,
    task: Option<Task>,
    argument: *mut c_void,
) -> c_int {
    let argument = Argument(argument);
    // SAFETY: by the caller's word.
    let outcome = unsafe { SharedPool::share(pool) }.and_then(|pool| {
        let task = task.ok_or_else(|| Error::null("the task"))?;
        if place.is_null() {
            return Err(Error::null("the place for the handle"));
        }
        let _begun = pool.begin()?;
        // SAFETY: promise-3.
        let task = move |worker: &_| unsafe { argument.call(task, worker) };
        let handle = Box::new(pool.pool.spawn_detached_with_handle(task));
        // SAFETY: by the caller's word.
        unsafe { place.write(Box::into_raw(handle)) };
        Ok(())
    });
    code_of(outcome)
}

/// `lyo_handle_is_over`.
///
/// # Safety
/// As in promise-2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_handle_is_over(handle: *const TaskHandle<()>) -> c_int {
    // SAFETY: promise-2.
    c_int::from(unsafe { &*handle }.is_finished())
}

/// `lyo_handle_wait`.
///
/// # Safety
/// As in promise-2; the pointer is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_handle_wait(handle: *mut TaskHandle<()>) {
    // SAFETY: promise-2.
    unsafe { Box::from_raw(handle) }.join();
}

/// `lyo_handle_free`.
///
/// # Safety
/// As in promise-2; the pointer is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_handle_free(handle: *mut TaskHandle<()>) {
    if !handle.is_null() {
        // SAFETY: promise-2.
        drop(unsafe { Box::from_raw(handle) });
    }
}
