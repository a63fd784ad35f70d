//! The global pool, and what it can do whatever its type is.

use super::any_worker::{with_number, without_handle, without_handles};
use crate::current::{self, DynWorker, ScopeBody};
use crate::deque::{Deque, Split};
use crate::pool::{BuildError, Builder, Pool};
use crate::probe::{NoProbe, Probe};
use crate::scheduler::Registry;
use lyocell_sync::{OnceLock, thread_local};
use std::any::Any;
use std::cell::Cell;

/// Returns the pool that [`join`](crate::join()), [`scope`](crate::scope()), [`spawn_detached`](crate::spawn_detached) and
/// [`par`](crate::par) use when they are called outside any pool. It is built at the first use, as by [`Pool::new`], and never
/// dropped.
///
/// # Errors
/// Fails if the pool could not be built; later calls return the same error. Fails also if the program has built a global pool with
/// another deque or with a probe: that one is what [`Builder::build_global`] and [`global_or_init`] return.
///
/// # Examples
/// ```
/// match lyocell::global() {
///     Ok(pool) => println!("{} workers", pool.workers()),
///     Err(error) => eprintln!("{error}"),
/// }
/// ```
pub fn global() -> Result<&'static Pool, &'static BuildError> {
    global_or_init(Pool::new)
}

static GLOBAL: OnceLock<Result<Global, BuildError>> = OnceLock::new();

/// The global pool, which is never dropped. For what is asked of one of the default type there is no table (see `current::any`): what
/// nobody asks for is not linked.
#[derive(Clone, Copy)]
enum Global {
    Default(&'static Pool),
    Other(&'static dyn AnyPool),
}

impl Global {
    fn of<D: Deque, P: Probe>(pool: Pool<D, P>) -> Global {
        let pool: &'static Pool<D, P> = Box::leak(Box::new(pool));
        match (pool as &dyn Any).downcast_ref() {
            Some(pool) => Global::Default(pool),
            None => Global::Other(pool),
        }
    }

    fn downcast<D: Deque, P: Probe>(self) -> Option<&'static Pool<D, P>> {
        match self {
            Global::Default(pool) => (pool as &dyn Any).downcast_ref(),
            Global::Other(pool) => pool.as_any().downcast_ref(),
        }
    }
}

thread_local! {
    // Whether this thread builds the global pool.
    static BUILDS: Cell<bool> = const { Cell::new(false) };
}

/// Returns the global pool; if there is none yet, the one that `build` returns becomes it.
///
/// # Errors
/// Fails if `build` fails, now or at the call that came first; later calls return the same error. Fails if the global pool has
/// another deque or another probe than the one that `build` would return, and if `build` itself asks for the global pool, by this or
/// by a [`join`](crate::join()): there is none yet.
///
/// # Examples
/// ```
/// use lyocell::Pool;
///
/// let pool = lyocell::global_or_init(|| Pool::builder().workers(2).build())?;
/// assert_eq!(pool.workers(), 2);
/// assert!(std::ptr::eq(pool, lyocell::global()?));
/// # Ok::<(), &lyocell::BuildError>(())
/// ```
pub fn global_or_init<D: Deque, P: Probe>(
    build: impl FnOnce() -> Result<Pool<D, P>, BuildError>,
) -> Result<&'static Pool<D, P>, &'static BuildError> {
    static OF_ANOTHER_TYPE: BuildError = BuildError::GlobalPoolOfAnotherType;
    erased(|| build().map(Global::of))?.downcast().ok_or(&OF_ANOTHER_TYPE)
}

fn erased(
    build: impl FnOnce() -> Result<Global, BuildError>,
) -> Result<Global, &'static BuildError> {
    static IN_THE_MAKING: BuildError = BuildError::GlobalPoolInTheMaking;
    /// Also when `build` unwinds.
    struct Built;
    impl Drop for Built {
        fn drop(&mut self) {
            BUILDS.with(|builds| builds.set(false));
        }
    }
    if BUILDS.with(Cell::get) {
        // It would wait for itself.
        return Err(&IN_THE_MAKING);
    }
    let built = GLOBAL.get_or_init(|| {
        BUILDS.with(|builds| builds.set(true));
        let _built = Built;
        build()
    });
    built.as_ref().copied()
}

impl<D: Deque, P: Probe> Builder<D, P> {
    /// Builds the global pool: the one that all functions without a handle use outside of pools.
    ///
    /// It may have any deque and any probe: so a program that has no handles is looked at by one line at its beginning.
    ///
    /// # Errors
    /// Fails if there is a global pool already, or if it cannot be built (as [`Builder::build`]); then there will be none.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::builder().workers(2).stack_size(16 << 20).build_global()?;
    /// assert_eq!(lyocell::join(lyocell::current_num_threads, || 1), (2, 1));
    /// assert!(lyocell::Pool::builder().build_global().is_err());
    /// # Ok::<(), &lyocell::BuildError>(())
    /// ```
    ///
    /// With a probe:
    ///
    /// ```
    /// use lyocell::probe::{Counters, Event};
    ///
    /// let pool = lyocell::Pool::builder().probe::<Counters>().build_global()?;
    /// lyocell::join(|| lyocell::join(|| (), || ()), || ());
    /// let forks: usize = pool.probes().map(|probe| probe.counts().of(Event::Spawn)).sum();
    /// assert_eq!(forks, 2);
    /// # Ok::<(), &lyocell::BuildError>(())
    /// ```
    pub fn build_global(self) -> Result<&'static Pool<D, P>, &'static BuildError> {
        static EXISTS: BuildError = BuildError::GlobalPoolExists;
        let mut builder = Some(self);
        let pool = global_or_init(|| builder.take().expect("called once").build());
        match pool {
            Err(BuildError::GlobalPoolInTheMaking) => pool,
            _ if builder.is_some() => Err(&EXISTS),
            _ => pool,
        }
    }
}

/// What a pool can do whatever its type is, for a thread that is a worker of none.
pub(super) trait AnyPool: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn workers(&self) -> usize;
    fn run(&self, task: &mut (dyn FnMut(&DynWorker) + Send));
    fn join(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send));
    fn in_place_scope<'env>(&self, body: &mut ScopeBody<'_, 'env>);
    fn spawn_detached(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_background(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_detached_fifo(&self, task: Box<dyn FnOnce() + Send>);
    fn spawn_detached_broadcast(&self, task: Box<dyn Fn() + Send + Sync>);
    /// Each call is told the number of its worker.
    fn broadcast(&self, task: &(dyn Fn(usize) + Sync));
}

impl<D: Deque, P: Probe> AnyPool for Pool<D, P> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn workers(&self) -> usize {
        self.workers()
    }

    fn run(&self, task: &mut (dyn FnMut(&DynWorker) + Send)) {
        self.run(|worker| task(worker));
    }

    fn join(&self, a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
        self.registry().join_outside(a, b);
    }

    fn in_place_scope<'env>(&self, body: &mut ScopeBody<'_, 'env>) {
        self.in_place_scope(|scope| body(crate::current::AnyScope::of(scope)));
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
}

/// The global pool, for functions that cannot return an error.
fn needed() -> Global {
    erased(|| Pool::new().map(Global::of))
        .unwrap_or_else(|error| panic!("lyocell has no global pool: {error}"))
}

/// The global pool, with all that it can do: who calls this links that.
// Inlined, all of that would be compiled with each caller.
#[inline(never)]
pub(super) fn pool() -> &'static dyn AnyPool {
    match needed() {
        Global::Default(pool) => pool,
        Global::Other(pool) => pool,
    }
}

/// What runs the global pool's workers, for a thread that is a worker of no pool of the default type: if it is one of none, and that pool
/// is of that type.
pub(super) fn default_outside<'a>() -> Option<&'a Registry<Split, NoProbe>> {
    match current::other_worker() {
        Some(_) => None,
        None => match needed() {
            Global::Default(pool) => Some(pool.registry()),
            Global::Other(_) => None,
        },
    }
}

/// A join on the global pool, by a thread that is a worker of none; a program that joins alone links nothing else of it.
pub(super) fn join_outside(a: &mut dyn FnMut(), b: &mut (dyn FnMut() + Send)) {
    match needed() {
        Global::Default(pool) => pool.registry().join_outside(a, b),
        Global::Other(pool) => pool.join(a, b),
    }
}
