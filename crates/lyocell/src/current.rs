//! Which workers this thread is, for code that was not handed one.
//!
//! A thread can be a worker of several pools at once: a task of one pool may run something in another.
//! The entries form a stack through the frames that occupy the workers.

use crate::deque::{Deque, Split};
use crate::latch::Latch;
use crate::probe::{NoProbe, Probe};
use crate::sync::Parker;
use crate::worker::Worker;
use std::any::Any;
use std::cell::Cell;
use std::marker::PhantomData;

/// The worker of a pool with the default deque and no probe.
type DefaultWorker = Worker<Split, NoProbe>;

/// One worker that this thread is.
struct Entry {
    pool: *const (),
    worker: *const (),
    /// The same worker, if it is of the default type.
    default: Option<*const DefaultWorker>,
    /// How to wait as this worker, whatever its type.
    parker: unsafe fn(*const ()) -> &'static Parker,
    wait: unsafe fn(*const (), &Latch),
    below: *const Entry,
}

thread_local! {
    // A plain pointer: no destructor, so it can be used from any other destructor.
    static TOP: Cell<*const Entry> = const { Cell::new(std::ptr::null()) };
}

/// Makes this thread the worker while `body` runs.
pub(crate) fn occupy<D: Deque, P: Probe, R>(
    worker: &Worker<D, P>,
    body: impl FnOnce(&Worker<D, P>) -> R,
) -> R {
    let entry = Entry {
        pool: std::ptr::from_ref(worker.pool()).cast(),
        worker: std::ptr::from_ref(worker).cast(),
        default: as_default(worker),
        parker: parker_of::<'static, D, P>,
        wait: wait_as::<D, P>,
        below: TOP.get(),
    };
    TOP.set(&raw const entry);
    worker.stack.measure();
    let _restore = Restore { below: entry.below, thread: PhantomData };
    body(worker)
}

fn as_default<D: Deque, P: Probe>(worker: &Worker<D, P>) -> Option<*const DefaultWorker> {
    let same = std::any::TypeId::of::<Worker<D, P>>() == std::any::TypeId::of::<DefaultWorker>();
    same.then(|| std::ptr::from_ref(worker).cast())
}

/// Ends the occupation, also when the body unwinds.
struct Restore {
    below: *const Entry,
    thread: PhantomData<*const dyn Any>,
}

impl Drop for Restore {
    fn drop(&mut self) {
        TOP.set(self.below);
    }
}

/// The worker that this thread is in the pool at this address, if it is one.
pub(crate) fn worker_in<'a, D: Deque, P: Probe>(pool: *const ()) -> Option<&'a Worker<D, P>> {
    let mut at = TOP.get();
    // SAFETY: entries live in frames below this one, and each is unlinked before its frame ends.
    while let Some(entry) = unsafe { at.as_ref() } {
        if entry.pool == pool {
            // SAFETY: the pool at this address has workers of this type, and this thread occupies it.
            return Some(unsafe { &*entry.worker.cast() });
        }
        at = entry.below;
    }
    None
}

/// Calls `body` with the worker that runs the current task, if its pool is of the default type.
#[inline]
pub(crate) fn with_default<R>(body: impl FnOnce(Option<&DefaultWorker>) -> R) -> R {
    // SAFETY: as in `worker_in`.
    let entry = unsafe { TOP.get().as_ref() };
    // SAFETY: this thread occupies the worker while the entry is linked.
    body(entry.and_then(|entry| entry.default).map(|worker| unsafe { &*worker }))
}

/// Calls `body` with a parker of this thread and with the way to wait here: a worker goes on working in
/// its own pool, any other thread sleeps.
pub(crate) fn waiting<R>(body: impl FnOnce(&Parker, &dyn Fn(&Latch)) -> R) -> R {
    // SAFETY: as in `worker_in`.
    match unsafe { TOP.get().as_ref() } {
        Some(entry) => {
            // SAFETY: this thread occupies the worker while the entry is linked.
            let parker = unsafe { (entry.parker)(entry.worker) };
            // SAFETY: as above.
            body(parker, &|latch| unsafe { (entry.wait)(entry.worker, latch) })
        }
        None => {
            let parker = Parker::default();
            body(&parker, &|latch| latch.wait(&parker))
        }
    }
}

/// # Safety
/// `worker` is a worker of this type that lives for `'a`.
unsafe fn parker_of<'a, D: Deque, P: Probe>(worker: *const ()) -> &'a Parker {
    // SAFETY: by the caller's word.
    unsafe { &(*worker.cast::<Worker<D, P>>()).parker }
}

/// # Safety
/// `worker` is a worker of this type, and this thread occupies it.
unsafe fn wait_as<D: Deque, P: Probe>(worker: *const (), latch: &Latch) {
    // SAFETY: by the caller's word.
    unsafe { &*worker.cast::<Worker<D, P>>() }.work_until(latch);
}
