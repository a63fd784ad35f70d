//! Pools: options, calls, the end.
//!
//! # Invariants
//! - pool-1. The runtime's pool is dropped by whoever is the last to have a share of it: the program by its pointer, until it frees it, and each call.
//! - pool-2. Once a pool is closed no call begins but those of its own tasks; and who frees it, if it is none of these, waits until all are over.

use crate::error::{Code, Error, code_of};
use crate::{Argument, Task};
use lyocell::foreign::{Handle, LAYOUT, Layout, current, exposes};
use lyocell::{BuildError, Caller, Exposing, Pool};
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

const CALLERS_SLEEP: u64 = 1;
const NO_EXPOSING: u64 = 2;

/// `lyo_options`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Options {
    size: usize,
    pub(crate) workers: usize,
    pub(crate) deque_capacity: usize,
    pub(crate) stack_size: usize,
    search_time_ns: u64,
    pub(crate) flags: u64,
}

impl Options {
    /// Those of a pool for Lace, in which callers are no workers.
    pub(crate) fn for_lace(workers: usize, deque_capacity: usize, stack_size: usize) -> Options {
        let flags = CALLERS_SLEEP;
        Options { workers, deque_capacity, stack_size, flags, ..Options::default() }
    }

    pub(crate) fn build(&self) -> Result<Pool, Error> {
        let unknown = self.flags & !(CALLERS_SLEEP | NO_EXPOSING);
        if unknown != 0 {
            let message = format!(
                "the flags {unknown:#x} of the options are not known: set `flags` to 0, LYO_CALLERS_SLEEP or LYO_NO_EXPOSING"
            );
            return Err(Error::new(Code::Argument, message));
        }
        let mut builder = Pool::builder();
        if self.workers > 0 {
            builder = builder.workers(self.workers);
        }
        if self.deque_capacity > 0 {
            builder = builder.deque_capacity(self.deque_capacity);
        }
        if self.stack_size > 0 {
            builder = builder.stack_size(self.stack_size);
        }
        if self.search_time_ns > 0 {
            builder = builder.search_time(Duration::from_nanos(self.search_time_ns));
        }
        if self.flags & CALLERS_SLEEP != 0 {
            builder = builder.caller(Caller::Sleeps);
        }
        if self.flags & NO_EXPOSING != 0 {
            builder = builder.exposing(Exposing::Off);
        }
        builder.build().map_err(|error| {
            let code = match &error {
                BuildError::Workers { .. }
                | BuildError::Environment { .. }
                | BuildError::DequeCapacity { .. } => Code::Argument,
                _ => Code::System,
            };
            Error::new(code, error.to_string())
        })
    }
}

/// A pool, as a program in C has it.
pub struct SharedPool {
    pub(crate) pool: Pool,
    calls: Mutex<Calls>,
    all_over: Condvar,
}

#[derive(Default)]
struct Calls {
    running: usize,
    is_closed: bool,
}

impl SharedPool {
    pub(crate) fn new(options: &Options) -> Result<Arc<SharedPool>, Error> {
        let pool = options.build()?;
        Ok(Arc::new(SharedPool { pool, calls: Mutex::default(), all_over: Condvar::new() }))
    }

    /// The pool at this address, with a share of it.
    ///
    /// # Safety
    /// The pointer is null or that of a pool that is not freed (promise-2).
    pub(crate) unsafe fn share(pool: *const SharedPool) -> Result<Arc<SharedPool>, Error> {
        if pool.is_null() {
            return Err(Error::null("the pool"));
        }
        // SAFETY: by the caller's word, it came from `Arc::into_raw`, whose share is still there.
        unsafe { Arc::increment_strong_count(pool) };
        // SAFETY: the share of the line before.
        Ok(unsafe { Arc::from_raw(pool) })
    }

    fn calls(&self) -> std::sync::MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_here(&self) -> bool {
        self.pool.with_current(|worker| worker.is_some())
    }

    /// Runs a task on a worker.
    ///
    /// # Safety
    /// The task is for this argument, which is as in promise-3.
    pub(crate) unsafe fn run(&self, task: Task, argument: Argument) -> Result<(), Error> {
        let _call = self.begin()?;
        self.pool.run(move |worker| {
            // SAFETY: by the caller's word.
            unsafe { argument.call(task, worker) }
        });
        Ok(())
    }

    /// A call, or something else that must not begin once the pool is closed.
    pub(crate) fn begin(&self) -> Result<Call<'_>, Error> {
        let mut calls = self.calls();
        if calls.is_closed && !self.is_here() {
            return Err(Error::new(
                Code::Closed,
                "the pool is being freed, and takes on nothing: wait for its callers before you free it",
            ));
        }
        calls.running += 1;
        Ok(Call(self))
    }

    /// Nothing begins from now on; waits for what has, unless this is one of its tasks (pool-2).
    pub(crate) fn close(&self) {
        let is_here = self.is_here();
        let mut calls = self.calls();
        calls.is_closed = true;
        while calls.running > 0 && !is_here {
            calls = self.all_over.wait(calls).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends a call, also when it unwinds.
pub(crate) struct Call<'a>(&'a SharedPool);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.running -= 1;
        if calls.running == 0 && calls.is_closed {
            self.0.all_over.notify_all();
        }
    }
}

/// `lyo_pool_new`, with the layout that the header of the program has.
///
/// # Safety
/// `place` is null or may be written; `options` is null or has the size that it says, `layout` is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_pool_new_for(
    place: *mut *const SharedPool,
    options: *const Options,
    layout: *const Layout,
) -> c_int {
    // SAFETY: by the caller's word.
    code_of(unsafe { new_pool(place, options, layout) })
}

/// # Safety
/// As of [`lyo_pool_new_for`].
unsafe fn new_pool(
    place: *mut *const SharedPool,
    options: *const Options,
    layout: *const Layout,
) -> Result<(), Error> {
    if place.is_null() {
        return Err(Error::null("the place for the pool"));
    }
    // SAFETY: by the caller's word.
    check_layout(unsafe { layout.as_ref() })?;
    // SAFETY: by the caller's word: the size comes first, in every version.
    let options = match unsafe { options.cast::<usize>().as_ref() } {
        None => Options::default(),
        Some(&size) if size == size_of::<Options>() => {
            // SAFETY: by the caller's word, and of the size of ours.
            unsafe { options.read() }
        }
        Some(size) => {
            let message = format!(
                "the options have size {size}: set `size` to sizeof(lyo_options), which is {}",
                size_of::<Options>()
            );
            return Err(Error::new(Code::Argument, message));
        }
    };
    let pool = SharedPool::new(&options)?;
    // SAFETY: by the caller's word.
    unsafe { place.write(Arc::into_raw(pool)) };
    Ok(())
}

/// Fails unless the header that a program was compiled with is that of this library.
pub(crate) fn check_layout(header: Option<&Layout>) -> Result<(), Error> {
    if header == Some(&LAYOUT) {
        return Ok(());
    }
    let message = format!(
        "the program was compiled with a lyocell.h of another version: it expects {header:?}, and this library has {LAYOUT:?}. \
         Compile it with the header that came with the library"
    );
    Err(Error::new(Code::Layout, message))
}

/// `lyo_pool_free`.
///
/// # Safety
/// As in promise-2; the pointer is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_pool_free(pool: *const SharedPool) {
    if pool.is_null() {
        return;
    }
    // SAFETY: by the caller's word; the share that the program had ends here (pool-1).
    let pool = unsafe { Arc::from_raw(pool) };
    pool.close();
}

/// `lyo_run`.
///
/// # Safety
/// As in promise-2 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_run(
    pool: *const SharedPool,
    task: Option<Task>,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: by the caller's word.
    let outcome = unsafe { SharedPool::share(pool) }.and_then(|pool| {
        let task = task.ok_or_else(|| Error::null("the task"))?;
        // SAFETY: by the caller's word.
        unsafe { pool.run(task, Argument(argument)) }
    });
    code_of(outcome)
}

/// `lyo_workers`.
///
/// # Safety
/// As in promise-2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_workers(pool: *const SharedPool) -> usize {
    // SAFETY: by the caller's word.
    unsafe { SharedPool::share(pool) }.map_or(0, |pool| pool.pool.workers())
}

/// `lyo_exposing`.
///
/// # Safety
/// As in promise-2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_exposing(pool: *const SharedPool) -> c_int {
    // SAFETY: by the caller's word.
    unsafe { SharedPool::share(pool) }.map_or(0, |pool| c_int::from(exposes(&pool.pool)))
}

/// `lyo_current`.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_current() -> *const Handle {
    current()
}

/// `lyo_workers_beside`.
///
/// # Safety
/// As in promise-1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_workers_beside(worker: *const Handle) -> usize {
    // SAFETY: promise-1.
    unsafe { &*worker }.workers()
}
