//! Which worker this thread is, for code that was not handed one.
//!
//! # Invariants
//! - current-1. A thread is a worker of one pool at most, and works there whatever it waits for. So calls among
//!   pools, each of which may have just one worker, cannot lock each other out: a worker that waits for
//!   another pool goes on serving its own, and what is begun there later is over sooner. (Of a pool without threads a worker of another
//!   becomes a worker too, above that: alone-3. And in the child of a fork nobody waits for anybody, and calls among pools nest.)
//! - current-2. The entry lives in the frame that occupies the worker, and is unlinked before that frame ends; or it is
//!   never freed, nor is the worker, when a thread is a worker for good.
//! - current-3. What a free `join` looks up is the default worker of the linked entry, kept beside it: one load in place of two
//!   that wait for each other, at every join.
//!
//! In the child of a fork the entry stays: through it, and through the handle, the task still forks and joins. But no pool of
//! the child takes the thread for a worker of another one (after_fork-5).
//!
//! | file | what |
//! |---|---|
//! | [`any`] | a worker of whatever type, for code that does not know it; `any_scope`: a scope |
//! | [`below`] | a thread that is a worker of several pools, one within the other |
//! | [`held`] | what this thread holds across its forks, as far as the program says so |
//! | [`handle`] | the handle to a task that somebody may wait for, whoever that is |
//! | [`through`] | a closure on its way through such code, and its result; the results of several |
//! | [`observed`] | a probe made of safe code, which may not come back here |
//!
//! May import: cancel, probe, task, wait, owner.
//! Never enters: the type of a worker; what one can do is told by [`Occupied`] and [`AnyWorker`].

mod any;
mod any_scope;
mod below;
mod handle;
mod held;
mod observed;
mod through;

pub use any::Yield;
pub(crate) use any::{AnyWorker, DynOccupied, DynWorker, Occupied, ScopeBody};
pub use any_scope::AnyScope;
pub(crate) use any_scope::Spawns;
pub(crate) use below::{again, worker_below};
pub use handle::TaskHandle;
pub use held::Held;
pub(crate) use held::{Place, for_each_held};
pub use observed::Observed;
pub(crate) use through::{Gathered, Through, join_through};

use crate::wait::{Goal, Subscribed, sleep_until};
use lyocell_sync::unmodelled::{AtomicPtr, Ordering, compiler_fence};
use lyocell_sync::{Generation, Instant, Parker, thread_local};
use std::any::Any;
use std::cell::Cell;
use std::ptr::null;
use std::time::Duration;

/// The worker that this thread is.
struct Entry {
    /// What names its pool; null while an observer runs.
    pool: *const (),
    /// Nobody, if an observer runs on a thread that is no worker.
    worker: Option<*const DynOccupied>,
    /// That of its pool.
    generation: Generation,
    /// What this thread was before, and is again when this is unlinked.
    before: *const Entry,
}

thread_local! {
    // A plain pointer: no destructor, so it can be used from any other destructor. Atomic for the thread's
    // signal handler.
    static ENTRY: AtomicPtr<Entry> = const { AtomicPtr::new(std::ptr::null_mut()) };
    // The worker of that entry if it is of the default type, or null (current-3). No signal handler looks at it.
    static DEFAULT: Cell<*const ()> = const { Cell::new(null()) };
    // What is dropped when a thread ends that is a worker for good.
    static PRESENCE: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

// Ordering of all accesses: Relaxed, and the compiler's fences; only this thread looks, and its signal handler, which
// is the same thread.

#[inline]
fn linked() -> *const Entry {
    // Not by `with`, as in `default_worker`.
    ENTRY.try_with(|entry| entry.load(Ordering::Relaxed).cast_const()).unwrap_or(null())
}

/// Links an entry, which is in memory first; or unlinks one, which stays there until that is done.
#[inline(never)]
fn link(entry: *const Entry) {
    // SAFETY: current-2.
    let default = unsafe { entry.as_ref() }.and_then(Entry::unobserved).map(Occupied::as_default);
    compiler_fence(Ordering::SeqCst);
    ENTRY.with(|place| place.store(entry.cast_mut(), Ordering::Relaxed));
    compiler_fence(Ordering::SeqCst);
    DEFAULT.with(|place| place.set(default.unwrap_or(null())));
}

/// Makes this thread the worker while `body` runs.
pub(crate) fn occupy<W: Occupied + 'static, R>(worker: &W, body: impl FnOnce(&W) -> R) -> R {
    let entry = Entry::of_type(worker);
    link(&raw const entry);
    worker.move_in();
    let _unlink = Unlink { before: entry.before };
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
pub(crate) unsafe fn occupy_for_good<W: Occupied + 'static>(worker: &W) {
    debug_assert!(!is_worker(), "current-1");
    link(Box::leak(Box::new(Entry::of_type(worker))));
    worker.move_in();
}

impl Entry {
    /// [`Entry::of`]. Not inlined: the worker's table is there once then.
    #[inline(never)]
    fn of_type<W: Occupied + 'static>(worker: &W) -> Entry {
        Entry::of(worker)
    }

    /// The next of this thread.
    fn of(worker: &DynOccupied) -> Entry {
        Entry {
            pool: worker.pool_identity(),
            worker: Some(std::ptr::from_ref(worker)),
            generation: worker.generation(),
            before: linked(),
        }
    }

    fn is_observed(&self) -> bool {
        self.pool.is_null()
    }

    /// The worker, whether an observer runs or not.
    fn worker(&self) -> Option<&DynOccupied> {
        // SAFETY: this thread occupies the worker while the entry is linked, or waits to be again.
        self.worker.map(|worker| unsafe { &*worker })
    }

    /// The worker, unless an observer runs.
    #[inline]
    fn unobserved(&self) -> Option<&DynOccupied> {
        if self.is_observed() { None } else { self.worker() }
    }
}

/// Calls code of the user's in the middle of the worker's own: meanwhile this thread is the worker of no pool, and
/// no pool lets it wait. The handler of an interrupt that comes does what it would do otherwise.
pub(crate) fn shielded<R>(body: impl FnOnce() -> R) -> R {
    let before = entry();
    let entry = Entry {
        pool: null(),
        worker: before.and_then(|entry| entry.worker),
        generation: before.map_or_else(Generation::now, |entry| entry.generation),
        before: linked(),
    };
    let _unlink = Unlink { before: entry.before };
    link(&raw const entry);
    body()
}

/// Whether this is called by an observer.
pub(crate) fn is_observed() -> bool {
    entry().is_some_and(Entry::is_observed)
}

/// Fails if this is called by an observer.
pub(crate) fn refuse_observer() {
    if is_observed() {
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
#[inline]
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

/// In a signal handler: the worker that this thread is, if it is one, is interrupted. If it is several, the signal is for one of them,
/// and the others take no notice.
pub(crate) fn interrupted() {
    let mut next = entry();
    while let Some(entry) = next {
        entry.worker().inspect(|worker| worker.interrupted());
        // SAFETY: current-2, and a frame below outlasts those above it.
        next = unsafe { entry.before.as_ref() };
    }
}

/// The worker that this thread is in the pool at this address, if it is one.
///
/// # Safety
/// The pool at this address has workers of this type, and so has its stand-in.
pub(crate) unsafe fn worker_in<'a, W>(pool: *const ()) -> Option<&'a W> {
    let entry = entry().filter(|entry| entry.pool == pool)?;
    // SAFETY: by the caller's word; and this thread occupies it.
    entry.worker.map(|worker| unsafe { &*worker.cast() })
}

/// The worker that runs the current task, if it is of the default type ([`Occupied::as_default`]), or null.
#[inline]
pub(crate) fn default_worker() -> *const () {
    // Not by `with`: that is compiled once for all keys of a type, so what it asks where this one is would be called, not
    // inlined: a nanosecond at every join. This fails only where a key has a destructor.
    DEFAULT.try_with(Cell::get).unwrap_or(null())
}

/// Calls `body` with the worker that runs the current task, of whatever type: with what its thread knows of it.
#[inline]
pub(crate) fn with_occupied<R>(body: impl FnOnce(Option<&DynOccupied>) -> R) -> R {
    body(entry().and_then(Entry::unobserved))
}

/// The worker that runs the current task, if it is of another type than the default one, for use within its frame.
pub(crate) fn other_worker<'a>() -> Option<&'a DynWorker> {
    entry().and_then(Entry::unobserved).and_then(Occupied::as_other)
}

/// The way to wait for a goal.
type Way<'a> = dyn Fn(&dyn Goal) + 'a;

/// Calls `body` with a parker of this thread and with the way to wait here: a worker goes on working in
/// its own pool, any other thread sleeps.
pub(crate) fn waiting<R>(body: impl FnOnce(&Parker, &Way<'_>) -> R) -> R {
    waiting_for(WaitFor::Anything, body)
}

/// What names the worker that this thread is, among those of all pools; or 0.
fn worker_here() -> usize {
    let worker = entry_here().and_then(|entry| entry.worker);
    worker.map_or(0, |worker| worker.cast::<()>().addr())
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitFor {
    Anything,
    /// Something that background work may bring about.
    Background,
}

/// As [`waiting`], for this.
pub(crate) fn waiting_for<R>(what: WaitFor, body: impl FnOnce(&Parker, &Way<'_>) -> R) -> R {
    let mut body = Through::new(body);
    wait_here(what, &mut |parker, wait| body.call(|body| body(parker, wait)));
    body.result()
}

/// [`waiting_for`], for bodies of all types.
fn wait_here(what: WaitFor, body: &mut dyn FnMut(&Parker, &Way<'_>)) {
    match entry_here() {
        Some(entry) => {
            let worker = entry.unobserved().unwrap_or_else(|| refuse());
            let work = |worker: &DynOccupied, goal: &dyn Goal| match what {
                WaitFor::Anything => worker.work_until(goal),
                WaitFor::Background => worker.work_until_background(goal),
            };
            match below::who_sleeps(entry) {
                None => body(worker.parker(), &|goal| work(worker, goal)),
                Some(sleeper) => {
                    body(sleeper.parker(), &|goal| below::work_until(entry, sleeper, goal, work))
                }
            }
        }
        None => {
            let parker = Parker::default();
            body(&parker, &|goal| sleep_until(goal, &parker))
        }
    }
}

/// So long a worker that waits for no longer than something naps when it finds nothing to run: nobody wakes it for tasks. Untuned.
const NAP: Duration = Duration::from_micros(500);

/// Waits for a goal, which is made with a parker of this thread, until this moment at the latest: a worker runs what it finds
/// meanwhile, any other thread sleeps.
pub(crate) fn waiting_until<G: Goal>(end: Instant, goal: impl FnOnce(&Parker) -> G) {
    let left = || end.saturating_duration_since(Instant::now());
    let Some(entry) = entry_here() else {
        let parker = Parker::default();
        let goal = goal(&parker);
        while !left().is_zero() && goal.subscribe() == Subscribed::WillUnpark {
            parker.park_timeout(left());
        }
        return;
    };
    let worker = entry.unobserved().unwrap_or_else(|| refuse());
    let goal = goal(worker.parker());
    while !left().is_zero() && goal.subscribe() == Subscribed::WillUnpark {
        if worker.yield_now() == Yield::Idle && below::yield_in_any(entry) == Yield::Idle {
            worker.parker().park_timeout(left().min(NAP));
        }
    }
}
