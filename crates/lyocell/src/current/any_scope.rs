//! A scope of a pool of whatever type, for functions that were not handed a worker.

use super::TaskHandle;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::from_ref;

/// A place to spawn tasks that may borrow what outlives the scope, in the current pool, whatever its deque and its probe are;
/// made by [`scope`](crate::scope()) and [`in_place_scope`](crate::in_place_scope).
///
/// Its tasks are given the scope again, to spawn more in it. They are given no handle: in them, [`join`](crate::join()) and its
/// like find the worker. A [`Scope`](crate::Scope), whose tasks have the handle, comes from [`Worker::scope`](crate::Worker::scope)
/// and [`Pool::scope`](crate::Pool::scope); its spawns cost an allocation less.
///
/// A worker takes up what was spawned on it newest first, with [`AnyScope::spawn_fifo`] oldest first.
#[repr(transparent)]
pub struct AnyScope<'scope, 'env: 'scope> {
    // Invariant, as `std::thread::Scope`.
    env: PhantomData<&'env mut &'env ()>,
    scope: dyn Spawns<'scope> + 'scope,
}

/// What a scope can do whatever its type is.
pub(crate) trait Spawns<'scope>: Sync {
    fn spawn(&'scope self, task: Box<dyn FnOnce() + Send + 'scope>);
    fn spawn_fifo(&'scope self, task: Box<dyn FnOnce() + Send + 'scope>);
    fn spawn_broadcast(&'scope self, task: Box<dyn Fn() + Send + Sync + 'scope>);
}

impl<'scope, 'env> AnyScope<'scope, 'env> {
    pub(crate) fn of(scope: &'scope (dyn Spawns<'scope> + 'scope)) -> &'scope Self {
        let scope: *const (dyn Spawns<'scope> + 'scope) = from_ref(scope);
        // SAFETY: the layout is that of the one field that has a size (`repr(transparent)`), and so is what comes with the pointer.
        unsafe { &*(scope as *const Self) }
    }

    /// Spawns `task`, which runs some time before the scope ends, on some worker of its pool.
    ///
    /// Spawn from the scope's body, from its tasks, or from any thread that the body lets near.
    ///
    /// # Panics
    /// `spawn` itself does not panic. The first panic of a task is resumed where the scope ends.
    ///
    /// # Examples
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// let sum = AtomicU32::new(0);
    /// lyocell::scope(|s| {
    ///     for i in 1..=10 {
    ///         let sum = &sum;
    ///         s.spawn(move |s| {
    ///             sum.fetch_add(i, Ordering::Relaxed);
    ///             s.spawn(move |_| { sum.fetch_add(i, Ordering::Relaxed); });
    ///         });
    ///     }
    /// });
    /// assert_eq!(sum.into_inner(), 110);
    /// ```
    ///
    /// A function that spawns into a scope it is handed names the scope's life twice:
    ///
    /// ```
    /// use lyocell::AnyScope;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// fn count<'scope>(s: &'scope AnyScope<'scope, '_>, depth: u32, nodes: &'scope AtomicU32) {
    ///     nodes.fetch_add(1, Ordering::Relaxed);
    ///     if depth > 0 {
    ///         s.spawn(move |s| count(s, depth - 1, nodes));
    ///         s.spawn(move |s| count(s, depth - 1, nodes));
    ///     }
    /// }
    ///
    /// let nodes = AtomicU32::new(0);
    /// lyocell::scope(|s| count(s, 5, &nodes));
    /// assert_eq!(nodes.into_inner(), 63);
    /// ```
    ///
    /// Nothing that a task borrows may end before the scope:
    ///
    /// ```compile_fail
    /// lyocell::scope(|s| {
    ///     let inside = 5;
    ///     s.spawn(|_| println!("{inside}"));
    /// });
    /// ```
    pub fn spawn<F>(&'scope self, task: F)
    where
        F: FnOnce(&'scope AnyScope<'scope, 'env>) + Send + 'scope,
    {
        self.scope.spawn(Box::new(move || task(self)));
    }

    /// As [`AnyScope::spawn`], with a handle to what the task returns: [`Scope::spawn_with_handle`](crate::Scope::spawn_with_handle).
    ///
    /// # Panics
    /// As [`AnyScope::spawn`].
    ///
    /// # Examples
    /// ```
    /// let words = ["a", "bc"];
    /// let lengths = lyocell::scope(|s| {
    ///     let lengths = words.each_ref().map(|word| s.spawn_with_handle(move |_| word.len()));
    ///     lengths.map(|length| length.join())
    /// });
    /// assert_eq!(lengths, [1, 2]);
    /// ```
    pub fn spawn_with_handle<F, T>(&'scope self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&'scope AnyScope<'scope, 'env>) -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let (handle, finish) = TaskHandle::new();
        self.spawn(move |scope| finish.run(|| task(scope)));
        handle
    }

    /// As [`AnyScope::spawn`], but a worker takes up what was spawned on it in this way in the order of the spawns.
    ///
    /// # Panics
    /// As [`AnyScope::spawn`].
    pub fn spawn_fifo<F>(&'scope self, task: F)
    where
        F: FnOnce(&'scope AnyScope<'scope, 'env>) + Send + 'scope,
    {
        self.scope.spawn_fifo(Box::new(move || task(self)));
    }

    /// Spawns `task` on each worker of the pool: [`Scope::spawn_broadcast`](crate::Scope::spawn_broadcast).
    ///
    /// # Panics
    /// As [`AnyScope::spawn`].
    pub fn spawn_broadcast<F>(&'scope self, task: F)
    where
        F: Fn(&'scope AnyScope<'scope, 'env>) + Send + Sync + 'scope,
    {
        self.scope.spawn_broadcast(Box::new(move || task(self)));
    }
}

impl fmt::Debug for AnyScope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyScope").finish_non_exhaustive()
    }
}
