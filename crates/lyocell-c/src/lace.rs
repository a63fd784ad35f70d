//! What `lace.h` has beyond `lyocell.h`: the one pool of a program for Lace.
//!
//! Its callers sleep, as in Lace, since its programs keep things in thread-local variables that they set up on each worker (TOGETHER), and
//! since frames need every worker.
//!
//! Lace's functions return nothing by which a program could learn that they failed: where there is no way on, the process ends, with a message.

use crate::error::Error;
use crate::frame::{self, Who};
use crate::pool::{Options, SharedPool, check_layout};
use crate::{Argument, Task};
use lyocell::foreign::{FrameStep, Handle, Layout, Slot, current, random};
use std::ffi::{c_int, c_uint, c_void};
use std::process::abort;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, PoisonError, RwLock};

/// The pool between `lace_start` and `lace_stop`.
static LACE: RwLock<Option<Lace>> = RwLock::new(None);

/// What `lace_set_stacksize` has said.
static STACK_BYTES: AtomicUsize = AtomicUsize::new(0);

#[derive(Clone)]
struct Lace {
    pool: Arc<SharedPool>,
    /// Where all workers meet in `lace_barrier`.
    barrier: Arc<Barrier>,
}

/// `lace_newframe`: not null while workers are to enter a frame. What it points to is nothing that a program could look at.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct NewFrame(AtomicPtr<Slot>);

/// The one of the program.
#[unsafe(no_mangle)]
pub static lyo_lace_newframe: NewFrame = NewFrame(AtomicPtr::new(null_mut()));

// Ordering of it: Relaxed; a hint to poll, which takes a lock.
fn tell(step: FrameStep) {
    let waits = match step {
        FrameStep::Begun => std::ptr::dangling_mut(),
        FrameStep::Entered => null_mut(),
    };
    lyo_lace_newframe.0.store(waits, Ordering::Relaxed);
}

/// Ends the process.
fn give_up(what: &str, error: &Error) -> ! {
    eprintln!("{what}: {}", error.message);
    abort()
}

/// The pool, for a function that needs it.
fn running(what: &str) -> Lace {
    let lace = LACE.read().unwrap_or_else(PoisonError::into_inner).clone();
    lace.unwrap_or_else(|| {
        eprintln!("{what}: there are no workers: call lace_start first");
        abort()
    })
}

/// `lace_start`.
///
/// # Safety
/// `layout` is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_lace_start(
    workers: c_uint,
    capacity: usize,
    stack: usize,
    layout: *const Layout,
) {
    // Ordering: Relaxed; a number.
    let stack = if stack > 0 { stack } else { STACK_BYTES.load(Ordering::Relaxed) };
    let options = Options::for_lace(workers as usize, capacity, stack);
    // SAFETY: by the caller's word.
    let layout = check_layout(unsafe { layout.as_ref() });
    let pool = layout.and_then(|()| SharedPool::new(&options));
    let pool = pool.unwrap_or_else(|error| give_up("lace_start", &error));
    let barrier = Arc::new(Barrier::new(pool.pool.workers()));
    let mut lace = LACE.write().unwrap_or_else(PoisonError::into_inner);
    if lace.replace(Lace { pool, barrier }).is_some() {
        eprintln!("lace_start: the workers are there already: call lace_stop first");
        abort()
    }
}

/// `lace_stop`: when what others run is over.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_stop() {
    let lace = LACE.write().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(lace) = lace {
        lace.pool.close();
    }
}

/// The number of workers, 0 if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_workers() -> c_uint {
    // SAFETY: a worker of this thread.
    if let Some(worker) = unsafe { current().as_ref() } {
        return worker.workers() as c_uint;
    }
    let lace = LACE.read().unwrap_or_else(PoisonError::into_inner);
    lace.as_ref().map_or(0, |lace| lace.pool.pool.workers() as c_uint)
}

/// How many processors the process may use.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_processors() -> c_uint {
    std::thread::available_parallelism().map_or(1, |processors| processors.get() as c_uint)
}

/// `lace_set_verbosity`: there is nothing to tell.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_verbosity(_level: c_int) {}

/// `lace_set_stacksize`.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_set_stack(bytes: usize) {
    // Ordering: Relaxed; as in `lyo_lace_start`.
    STACK_BYTES.store(bytes, Ordering::Relaxed);
}

/// `lace_get_stacksize`.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_get_stack() -> usize {
    // Ordering: Relaxed; as in `lyo_lace_start`.
    STACK_BYTES.load(Ordering::Relaxed)
}

/// `lace_barrier`: all workers meet.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_lace_barrier() {
    running("lace_barrier").barrier.wait();
}

/// `lace_steal_random`: enters a frame, or runs one task.
///
/// # Safety
/// As in promise-1.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_lace_steal_random(worker: *const Handle) {
    // SAFETY: promise-1.
    let worker = unsafe { &*worker };
    lyocell::foreign::poll_frame(worker);
    let _ = worker.yield_now();
}

/// `LACE_TRNG`: 32 bits at random, of which one is set: programs count zeros.
///
/// # Safety
/// As in promise-1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_lace_random(worker: *const Handle) -> u64 {
    // SAFETY: promise-1.
    u64::from(random(unsafe { &*worker }) | 1)
}

/// Calls `body` with the current worker, or with one of the pool.
fn with_worker(what: &str, body: impl FnOnce(&Handle) + Send) {
    // SAFETY: a worker of this thread.
    match unsafe { current().as_ref() } {
        Some(worker) => body(worker),
        None => {
            let pool = running(what).pool;
            match pool.begin() {
                Ok(_call) => pool.pool.run(body),
                Err(error) => give_up(what, &error),
            }
        }
    }
}

/// RUN: here if this thread is a worker, else on one.
///
/// # Safety
/// As in promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_lace_run(task: Task, argument: *mut c_void) {
    let argument = Argument(argument);
    // SAFETY: promise-3.
    with_worker("a task from outside", move |worker| unsafe { argument.call(task, worker) });
}

/// NEWFRAME, and RUNEX.
///
/// # Safety
/// As in promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_lace_newframe_run(task: Task, argument: *mut c_void) {
    // SAFETY: promise-3.
    unsafe { in_frame("NEWFRAME", Who::One, task, argument) }
}

/// TOGETHER.
///
/// # Safety
/// As in promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_lace_together(task: Task, argument: *mut c_void) {
    // SAFETY: promise-3.
    unsafe { in_frame("TOGETHER", Who::All, task, argument) }
}

/// # Safety
/// As in promise-3.
unsafe fn in_frame(what: &'static str, who: Who, task: Task, argument: *mut c_void) {
    let argument = Argument(argument);
    with_worker(what, move |worker| {
        // SAFETY: by the caller's word.
        let outcome = unsafe { frame::run(worker, who, task, argument, &tell) };
        outcome.unwrap_or_else(|error| give_up(what, &error));
    });
}
