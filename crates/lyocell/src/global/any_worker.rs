//! What a worker does for code without a handle, whatever its type; and the one type for which nothing stands in between.

use crate::current::{self, AnyScope, AnyWorker, DynWorker, Held, Occupied, ScopeBody, Yield};
use crate::deque::{Deque, Split};
use crate::owner::Pace;
use crate::probe::{NoProbe, Probe};
use crate::scheduler::Worker;
use crate::wait::Goal;
use lyocell_sync::{Generation, Parker};
use std::any::TypeId;
use std::panic::Location;
use std::ptr::{from_ref, null};

/// The worker of a pool with the default deque and no probe.
pub(super) type DefaultWorker = Worker<Split, NoProbe>;

/// Calls `body` with the worker that runs the current task, if its pool is of the default type.
#[inline]
pub(super) fn with_default<R>(body: impl FnOnce(Option<&DefaultWorker>) -> R) -> R {
    // SAFETY: it is of this type, by `as_default` below; and this thread occupies the worker while its entry is linked
    // (current-3).
    body(unsafe { current::default_worker().cast::<DefaultWorker>().as_ref() })
}

/// Calls `body` with the worker that runs the current task, of whatever type, and with all that it can do for code without a
/// handle: who calls this links that. [`join`](super::join()) does not.
#[inline]
pub(super) fn with_any<R>(body: impl FnOnce(Option<&DynWorker>) -> R) -> R {
    body(any())
}

// Inlined, all of that would be compiled with each caller.
#[inline(never)]
fn any<'a>() -> Option<&'a DynWorker> {
    // SAFETY: as in `with_default`; `with_any` has it in its frame.
    match unsafe { current::default_worker().cast::<DefaultWorker>().as_ref() } {
        Some(worker) => Some(worker),
        None => current::other_worker(),
    }
}

// What is spawned without a handle, by a worker or on a pool: of one type here, so that the way of such a task is compiled once.

pub(super) fn without_handle<D: Deque, P: Probe>(
    task: Box<dyn FnOnce() + Send>,
) -> impl FnOnce(&Worker<D, P>) + Send {
    move |_: &Worker<D, P>| task()
}

pub(super) fn without_handles<D: Deque, P: Probe>(
    task: Box<dyn Fn() + Send + Sync>,
) -> impl Fn(&Worker<D, P>) + Send + Sync {
    move |_: &Worker<D, P>| task()
}

pub(super) fn with_number<D: Deque, P: Probe>(
    task: &(dyn Fn(usize) + Sync),
) -> impl Fn(&Worker<D, P>) + Sync {
    move |worker: &Worker<D, P>| task(worker.index())
}

impl<D: Deque, P: Probe> Occupied for Worker<D, P> {
    fn pool_identity(&self) -> *const () {
        self.registry().identity()
    }

    fn generation(&self) -> Generation {
        self.registry().generation
    }

    fn as_default(&self) -> *const () {
        if is_default::<Self>() { from_ref(self).cast() } else { null() }
    }

    fn as_other(&self) -> Option<&DynWorker> {
        if is_default::<Self>() { None } else { other(self) }
    }

    fn is_alone(&self) -> bool {
        self.registry().is_alone()
    }

    fn move_in(&self) {
        self.own.stack.measure();
    }

    fn parker(&self) -> &Parker {
        &self.own.parker
    }

    fn work_until(&self, goal: &dyn Goal) {
        self.work_until(goal);
    }

    fn work_until_background(&self, goal: &dyn Goal) {
        self.work_until_background(goal);
    }

    fn interrupted(&self) {
        self.interrupted();
    }

    fn index(&self) -> usize {
        self.index()
    }

    fn yield_now(&self) -> Yield {
        self.yield_now()
    }
}

// The table comes with the call. Inlined, it would be linked for the default type too: LLVM has one value for both outcomes then, of
// which it leaves out the pointer alone.
#[inline(never)]
fn other<W: AnyWorker + 'static>(worker: &W) -> Option<&DynWorker> {
    Some(worker)
}

/// Known where it is compiled.
fn is_default<W: 'static>() -> bool {
    TypeId::of::<W>() == TypeId::of::<DefaultWorker>()
}

impl<D: Deque, P: Probe> AnyWorker for Worker<D, P> {
    fn workers(&self) -> usize {
        self.workers()
    }

    fn has_pending_tasks(&self) -> bool {
        self.has_pending_tasks()
    }

    fn yield_local(&self) -> Yield {
        self.yield_local()
    }

    fn pace(&self) -> &Pace {
        &self.own.pace
    }

    fn isolated(&self, body: &mut dyn FnMut()) {
        self.isolated(|_| body());
    }

    fn hold(&self, at: &'static Location<'static>) -> Held {
        self.hold(at)
    }

    fn blocking(&self, body: &mut dyn FnMut()) {
        self.blocking(body);
    }

    fn is_asked(&self) -> bool {
        self.owner.deque.is_asked()
    }

    fn stop_if_cancelled(&self) {
        self.stop_if_cancelled();
    }

    fn spawn_detached(&self, task: Box<dyn FnOnce() + Send>) {
        self.spawn_detached(without_handle(task));
    }

    fn spawn_background(&self, task: Box<dyn FnOnce() + Send>) {
        self.spawn_background(without_handle(task));
    }

    fn spawn_detached_fifo(&self, task: Box<dyn FnOnce() + Send>) {
        self.spawn_detached_fifo(without_handle(task));
    }

    fn spawn_detached_broadcast(&self, task: Box<dyn Fn() + Send + Sync>) {
        self.spawn_detached_broadcast(without_handles(task));
    }

    fn broadcast(&self, task: &(dyn Fn(usize) + Sync)) {
        self.broadcast(with_number(task));
    }

    fn join(&self, a: &mut dyn FnMut(&DynWorker), b: &mut (dyn FnMut(&DynWorker) + Send)) {
        self.join(|worker| a(worker), |worker| b(worker));
    }

    fn join_context(&self, a: &mut dyn FnMut(bool), b: &mut (dyn FnMut(bool) + Send)) {
        self.join_context(|_, context| a(context.migrated()), |_, context| b(context.migrated()));
    }

    fn scope<'env>(&self, body: &mut ScopeBody<'_, 'env>) {
        self.scope(|scope| body(AnyScope::of(scope)));
    }
}
