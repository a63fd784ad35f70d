//! Scopes: tasks that borrow.

use crate::global::{global, in_worker};
use crate::BroadcastContext;
use std::fmt;

/// A place to spawn tasks in that may borrow what outlives the scope.
pub struct Scope<'scope>(Base<'scope>);

/// As [`Scope`], but a thread takes up the tasks that it spawned in it in the order of the spawns.
pub struct ScopeFifo<'scope>(Base<'scope>);

/// The scope of the runtime, in the frame that waits for its end.
///
/// The runtime names the scope's own life as well, which is shorter than `'scope`; rayon's interface has no name for that.
/// So the reference claims more than is true. It is given to the body and to the tasks only, and both are over before the
/// scope is gone.
#[derive(Clone, Copy)]
struct Base<'scope>(&'scope lyocell::Scope<'scope, 'scope>);

impl<'scope> Base<'scope> {
    /// # Safety
    /// Nobody has it when the scope has ended.
    unsafe fn of<'life>(scope: &'life lyocell::Scope<'life, 'scope>) -> Base<'scope> {
        let scope: *const lyocell::Scope<'life, 'scope> = scope;
        // SAFETY: types differ in lifetimes only, and the scope is there whenever the reference is used, by the caller's word.
        Base(unsafe { &*scope.cast() })
    }
}

/// Calls `op` with a scope, on a thread of the current pool or else of the global one, and waits for all that it spawned.
pub fn scope<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R + Send,
    R: Send,
{
    in_worker(|worker| worker.scope(|scope| Scope::open(scope, op)))
}

/// As [`scope`], for tasks that are taken up in the order of the spawns.
pub fn scope_fifo<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
    R: Send,
{
    in_worker(|worker| worker.scope(|scope| ScopeFifo::open(scope, op)))
}

/// As [`scope`], but `op` runs on this thread, whatever it is.
pub fn in_place_scope<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R,
{
    lyocell::with_current(|worker| match worker {
        Some(worker) => worker.scope(|scope| Scope::open(scope, op)),
        None => global().in_place_scope(|scope| Scope::open(scope, op)),
    })
}

/// As [`scope_fifo`], but `op` runs on this thread, whatever it is.
pub fn in_place_scope_fifo<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R,
{
    lyocell::with_current(|worker| match worker {
        Some(worker) => worker.scope(|scope| ScopeFifo::open(scope, op)),
        None => global().in_place_scope(|scope| ScopeFifo::open(scope, op)),
    })
}

impl<'scope> Scope<'scope> {
    /// Calls `op` with this scope of the runtime.
    pub(crate) fn open<'life, R>(
        scope: &'life lyocell::Scope<'life, 'scope>,
        op: impl FnOnce(&Scope<'scope>) -> R,
    ) -> R {
        // SAFETY: `op` is the body, which cannot keep what it is lent.
        op(&Scope(unsafe { Base::of(scope) }))
    }

    /// Spawns a task, which is over before the scope ends.
    pub fn spawn<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&Scope<'scope>) + Send + 'scope,
    {
        let base = self.0;
        base.0.spawn(move |_| body(&Scope(base)));
    }

    /// Spawns a task on each thread of the pool; all are over before the scope ends.
    pub fn spawn_broadcast<BODY>(&self, body: BODY)
    where
        BODY: Fn(&Scope<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
    {
        let base = self.0;
        base.0.spawn_broadcast(move |worker| body(&Scope(base), BroadcastContext::new(worker)));
    }
}

impl<'scope> ScopeFifo<'scope> {
    /// Calls `op` with this scope of the runtime.
    pub(crate) fn open<'life, R>(
        scope: &'life lyocell::Scope<'life, 'scope>,
        op: impl FnOnce(&ScopeFifo<'scope>) -> R,
    ) -> R {
        // SAFETY: `op` is the body, which cannot keep what it is lent.
        op(&ScopeFifo(unsafe { Base::of(scope) }))
    }

    /// Spawns a task, which is over before the scope ends, and comes after those that this thread has spawned before.
    pub fn spawn_fifo<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&ScopeFifo<'scope>) + Send + 'scope,
    {
        let base = self.0;
        base.0.spawn_fifo(move |_| body(&ScopeFifo(base)));
    }

    /// Spawns a task on each thread of the pool; all are over before the scope ends.
    pub fn spawn_broadcast<BODY>(&self, body: BODY)
    where
        BODY: Fn(&ScopeFifo<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
    {
        let base = self.0;
        base.0.spawn_broadcast(move |worker| body(&ScopeFifo(base), BroadcastContext::new(worker)));
    }
}

impl<'scope> fmt::Debug for Scope<'scope> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

impl<'scope> fmt::Debug for ScopeFifo<'scope> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeFifo").finish_non_exhaustive()
    }
}
