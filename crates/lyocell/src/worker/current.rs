//! Which worker this thread is, for code that was not handed one.
//!
//! # Invariants
//! - current-1. A thread is a worker of one pool at most, and works there whatever it waits for. So calls among
//!   pools, each of which may have just one worker, cannot lock each other out: a worker that waits for
//!   another pool goes on serving its own, and what is begun there later is over sooner. (In the child of a
//!   fork nobody waits for anybody, and calls among pools nest.)
//! - current-2. The entry lives in the frame that occupies the worker, and is unlinked before that frame ends; or it is
//!   never freed, nor is the worker, when a thread is a worker for good.
//! - current-3. What a free `join` looks up is the default worker of the linked entry, kept beside it: one load in place of two
//!   that wait for each other, at every join.
//!
//! In the child of a fork the entry stays: through it, and through the handle, the task still forks and joins. But no pool of
//! the child takes the thread for a worker of another one (after_fork-5).

use crate::deque::{Deque, Split};
use crate::probe::{NoProbe, Probe};
use crate::wait::{Goal, sleep_until};
use crate::worker::{AnyWorker, Worker};
use lyocell_sync::unmodelled::{AtomicPtr, Ordering, compiler_fence};
use lyocell_sync::{Generation, Parker, thread_local};
use std::any::Any;
use std::cell::Cell;

/// The worker of a pool with the default deque and no probe.
type DefaultWorker = Worker<Split, NoProbe>;

/// The worker that this thread is.
struct Entry {
    pool: *const (),
    worker: *const (),
    /// The same worker, if it is of the default type.
    default: Option<*const DefaultWorker>,
    /// The same worker, whatever its type; unless an observer is running.
    any: Option<*const dyn AnyWorker>,
    /// That of its pool.
    generation: Generation,
    /// How to wait as this worker, whatever its type.
    parker: unsafe fn(*const ()) -> &'static Parker,
    wait: unsafe fn(*const (), &dyn Goal),
    /// What a signal handler does as this worker.
    interrupted: unsafe fn(*const ()),
}

thread_local! {
    // A plain pointer: no destructor, so it can be used from any other destructor. Atomic for the thread's
    // signal handler.
    static ENTRY: AtomicPtr<Entry> = const { AtomicPtr::new(std::ptr::null_mut()) };
    // The default worker of that entry, or null (current-3). No signal handler looks at it.
    static DEFAULT: Cell<*const DefaultWorker> = const { Cell::new(std::ptr::null()) };
    // What is dropped when a thread ends that is a worker for good.
    static PRESENCE: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

// Ordering of all accesses: Relaxed, and the compiler's fences; only this thread looks, and its signal handler, which
// is the same thread.

fn linked() -> *const Entry {
    ENTRY.with(|entry| entry.load(Ordering::Relaxed))
}

/// Links an entry, which is in memory first; or unlinks one, which stays there until that is done.
fn link(entry: *const Entry) {
    // SAFETY: current-2.
    let default = unsafe { entry.as_ref() }.and_then(|entry| entry.default);
    compiler_fence(Ordering::SeqCst);
    ENTRY.with(|place| place.store(entry.cast_mut(), Ordering::Relaxed));
    compiler_fence(Ordering::SeqCst);
    DEFAULT.with(|place| place.set(default.unwrap_or(std::ptr::null())));
}

/// Makes this thread the worker while `body` runs.
pub(crate) fn occupy<D: Deque, P: Probe, R>(
    worker: &Worker<D, P>,
    body: impl FnOnce(&Worker<D, P>) -> R,
) -> R {
    let entry = Entry::of(worker);
    let before = linked();
    link(&raw const entry);
    worker.stack.measure();
    let _unlink = Unlink { before };
    body(worker)
}

/// Keeps something until this thread ends.
pub(crate) fn keep_until_the_end(presence: Box<dyn Any>) {
    // A thread that is on its way out has ended as far as anybody can rely on it: then it is dropped here.
    let _ = PRESENCE.try_with(|place| place.set(Some(presence)));
}

/// Makes this thread, which is no worker, the worker until it ends.
///
/// # Safety
/// The worker is never freed.
pub(crate) unsafe fn occupy_for_good<D: Deque, P: Probe>(worker: &Worker<D, P>) {
    debug_assert!(!is_worker(), "current-1");
    link(Box::leak(Box::new(Entry::of(worker))));
    worker.stack.measure();
}

impl Entry {
    fn of<D: Deque, P: Probe>(worker: &Worker<D, P>) -> Entry {
        Entry {
            pool: worker.pool().identity(),
            worker: std::ptr::from_ref(worker).cast(),
            default: as_default(worker),
            any: Some(std::ptr::from_ref::<Worker<D, P>>(worker)),
            generation: worker.pool().generation,
            parker: parker_of::<'static, D, P>,
            wait: wait_as::<D, P>,
            interrupted: interrupted_as::<D, P>,
        }
    }
}

fn as_default<D: Deque, P: Probe>(worker: &Worker<D, P>) -> Option<*const DefaultWorker> {
    let same = std::any::TypeId::of::<Worker<D, P>>() == std::any::TypeId::of::<DefaultWorker>();
    same.then(|| std::ptr::from_ref(worker).cast())
}

/// Calls code of the user's in the middle of the worker's own: meanwhile this thread is the worker of no pool, and
/// no pool lets it wait.
pub(crate) fn shielded<R>(body: impl FnOnce() -> R) -> R {
    let before = linked();
    let entry = Entry {
        pool: std::ptr::null(),
        worker: before.cast(),
        default: None,
        any: None,
        generation: entry().map_or_else(Generation::now, |entry| entry.generation),
        parker: refuse_parker,
        wait: refuse_wait,
        interrupted: interrupted_behind,
    };
    link(&raw const entry);
    let _unlink = Unlink { before };
    body()
}

/// Fails if this is called by an observer.
pub(crate) fn refuse_observer() {
    if entry().is_some_and(|entry| entry.pool.is_null()) {
        refuse();
    }
}

#[cold]
fn refuse() -> ! {
    panic!(
        "an observer ran something on a pool: it is called in the middle of a push, a pop or a steal. Let it leave a \
         note in an atomic or a channel, and act on it in a task or on another thread"
    )
}

/// # Safety
/// None is needed: it has the type of `parker_of`.
unsafe fn refuse_parker(_before: *const ()) -> &'static Parker {
    refuse()
}

/// # Safety
/// None is needed: it has the type of `wait_as`.
unsafe fn refuse_wait(_before: *const (), _goal: &dyn Goal) {
    refuse()
}

/// The handler of an interrupt that comes while an observer runs does what it would do without one.
///
/// # Safety
/// `before` is null, or the entry of this thread behind the shield.
unsafe fn interrupted_behind(before: *const ()) {
    // SAFETY: by the caller's word; current-2.
    if let Some(entry) = unsafe { before.cast::<Entry>().as_ref() } {
        // SAFETY: this thread occupies the worker while the entry is linked, or waits to be again.
        unsafe { (entry.interrupted)(entry.worker) };
    }
}

/// Ends the occupation, also when the body unwinds.
struct Unlink {
    before: *const Entry,
}

impl Drop for Unlink {
    fn drop(&mut self) {
        link(self.before);
    }
}

/// The entry of this thread, for use within its frame.
fn entry<'a>() -> Option<&'a Entry> {
    // SAFETY: current-2.
    unsafe { linked().as_ref() }
}

/// The same, unless this is the child of a fork, where the thread is no worker to anybody (after_fork-5).
fn entry_here<'a>() -> Option<&'a Entry> {
    entry().filter(|entry| !entry.generation.is_past())
}

/// Whether this thread is a worker of any pool.
pub(crate) fn is_worker() -> bool {
    entry_here().is_some()
}

/// In a signal handler: the worker that this thread is, if it is one, is interrupted.
pub(crate) fn interrupted() {
    if let Some(entry) = entry() {
        // SAFETY: this thread occupies the worker while the entry is linked.
        unsafe { (entry.interrupted)(entry.worker) };
    }
}

/// The worker that this thread is in the pool at this address, if it is one.
pub(crate) fn worker_in<'a, D: Deque, P: Probe>(pool: *const ()) -> Option<&'a Worker<D, P>> {
    let entry = entry().filter(|entry| entry.pool == pool)?;
    // SAFETY: the pool at this address has workers of this type, and so has its stand-in; and this thread occupies it.
    Some(unsafe { &*entry.worker.cast() })
}

/// Calls `body` with the worker that runs the current task, if its pool is of the default type.
#[inline]
pub(crate) fn with_default<R>(body: impl FnOnce(Option<&DefaultWorker>) -> R) -> R {
    // Not by `with`: that is compiled once for all keys of a type, so what it asks where this one is would be called, not
    // inlined: a nanosecond at every join. This fails only where a key has a destructor.
    let worker = DEFAULT.try_with(Cell::get).unwrap_or(std::ptr::null());
    // SAFETY: this thread occupies the worker while its entry is linked (current-3).
    body(unsafe { worker.as_ref() })
}

/// Calls `body` with the worker that runs the current task, of whatever type.
#[inline]
pub(crate) fn with_any<R>(body: impl FnOnce(Option<&dyn AnyWorker>) -> R) -> R {
    // SAFETY: this thread occupies the worker while the entry is linked.
    body(entry().and_then(|entry| entry.any).map(|worker| unsafe { &*worker }))
}

/// Calls `body` with a parker of this thread and with the way to wait here: a worker goes on working in
/// its own pool, any other thread sleeps.
pub(crate) fn waiting<R>(body: impl FnOnce(&Parker, &dyn Fn(&dyn Goal)) -> R) -> R {
    match entry_here() {
        Some(entry) => {
            // SAFETY: this thread occupies the worker while the entry is linked.
            let parker = unsafe { (entry.parker)(entry.worker) };
            // SAFETY: as above.
            body(parker, &|goal| unsafe { (entry.wait)(entry.worker, goal) })
        }
        None => {
            let parker = Parker::default();
            body(&parker, &|goal| sleep_until(goal, &parker))
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
unsafe fn wait_as<D: Deque, P: Probe>(worker: *const (), goal: &dyn Goal) {
    // SAFETY: by the caller's word.
    unsafe { &*worker.cast::<Worker<D, P>>() }.work_until(goal);
}

/// # Safety
/// As for `wait_as`.
unsafe fn interrupted_as<D: Deque, P: Probe>(worker: *const ()) {
    // SAFETY: by the caller's word.
    unsafe { &*worker.cast::<Worker<D, P>>() }.interrupted();
}
