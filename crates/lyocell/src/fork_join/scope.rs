//! Scopes: any number of tasks that borrow, spawned from anywhere, all over when the scope ends.
//!
//! # Invariants
//! - scope-1. `pending` counts the tasks that are not over, and one for the body; the scope's frame waits for
//!   zero, so what tasks borrow outlives them.
//! - scope-2. A task's last access to the scope is its decrement of `pending`, through a reference to that word alone.
//! - scope-3. Whom to wake, and the pool, are read before that decrement.

use crate::cancel::Token;
use crate::current::{self, Spawns, TaskHandle};
use crate::deque::{Deque, Split};
use crate::jobs::{Fifo, InFrame, Job, Maker, Unbegun};
use crate::probe::{Guarded, NoProbe, Probe};
use crate::scheduler::Registry;
use crate::scheduler::Worker;
use crate::scheduler::lineage::Parent;
use crate::task::panic::{FirstPanic, drop_quietly};
use crate::task::{Ancestor, Unpark};
use crate::wait::{Goal, Subscribed};
use crossbeam_utils::CachePadded;
use lyocell_sync::{AtomicUsize, OnceLock, Ordering, Parker, Unparker};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// A place to spawn tasks that may borrow what outlives the scope; made by [`Worker::scope`],
/// [`Pool::scope`](crate::Pool::scope) and [`Pool::in_place_scope`](crate::Pool::in_place_scope).
///
/// Its tasks are given the handle of the worker that runs them, and capture the scope to spawn more in it. Nothing that the handle
/// offers is called `spawn`: [`Worker::spawn_detached`] spawns a task that no scope waits for. [`scope`](crate::scope()), which
/// needs no handle, gives its tasks the scope.
///
/// A worker takes up what was spawned on it newest first, as the body of the scope does when it is over. With
/// [`Scope::spawn_fifo`] it is oldest first. Other workers steal the oldest in both cases.
pub struct Scope<'scope, 'env: 'scope, D: Deque = Split, P: Probe = NoProbe> {
    pub(super) registry: &'scope Registry<D, P>,
    /// On a line of its own: each task writes it, and reads what is around (a tree of 32,767 empty tasks took 1.27 times as long on two workers).
    pending: CachePadded<Pending>,
    owner: Owner,
    panic: FirstPanic,
    /// Tasks that are to be run oldest first, one queue for each worker; made when the first is spawned.
    fifos: OnceLock<Box<[Fifo]>>,
    /// What the probes keep of the tasks.
    group: P::Group,
    /// What its tasks are under: what its frame is.
    token: Option<Token>,
    /// What its tasks descend from: what its frame does.
    origin: Option<Ancestor>,
    // Invariant in both, as `std::thread::Scope`.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// Whose frame waits for the end of a scope.
#[derive(Clone)]
enum Owner {
    /// That of a worker of the pool.
    Worker(usize),
    /// That of another thread.
    Elsewhere(Unparker),
}

impl<'scope, D: Deque, P: Probe> Scope<'scope, '_, D, P> {
    /// Spawns `task`, which runs some time before the scope ends, on some worker of its pool.
    ///
    /// Spawn from the scope's body, from its tasks, or from any thread that the body lets near. The task is
    /// allocated; where two or a few branches are forked and joined at once,
    /// [`Worker::join`] costs far less.
    ///
    /// # Panics
    /// `spawn` itself does not panic. The first panic of a task is resumed where the scope ends.
    ///
    /// # Examples
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// let pool = lyocell::Pool::new()?;
    /// let sum = AtomicU32::new(0);
    /// pool.scope(|s| {
    ///     for i in 1..=10 {
    ///         let sum = &sum;
    ///         s.spawn(move |_| {
    ///             sum.fetch_add(i, Ordering::Relaxed);
    ///             s.spawn(move |_| { sum.fetch_add(i, Ordering::Relaxed); });
    ///         });
    ///     }
    /// });
    /// assert_eq!(sum.into_inner(), 110);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    ///
    /// What the tasks are given has no `spawn`, which the scope would not wait for:
    ///
    /// ```compile_fail,E0599
    /// lyocell::Pool::new().unwrap().scope(|s| s.spawn(|s| s.spawn(|_| ())));
    /// ```
    ///
    /// A function that spawns into a scope it is handed names the scope's life twice:
    ///
    /// ```
    /// use lyocell::Scope;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// fn count<'scope>(s: &'scope Scope<'scope, '_>, depth: u32, nodes: &'scope AtomicU32) {
    ///     nodes.fetch_add(1, Ordering::Relaxed);
    ///     if depth > 0 {
    ///         s.spawn(move |_| count(s, depth - 1, nodes));
    ///         s.spawn(move |_| count(s, depth - 1, nodes));
    ///     }
    /// }
    ///
    /// let nodes = AtomicU32::new(0);
    /// lyocell::Pool::new()?.scope(|s| count(s, 5, &nodes));
    /// assert_eq!(nodes.into_inner(), 63);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    ///
    /// Nothing that a task borrows may end before the scope:
    ///
    /// ```compile_fail
    /// lyocell::Pool::new().unwrap().scope(|s| {
    ///     let inside = 5;
    ///     s.spawn(|_| println!("{inside}"));
    /// });
    /// ```
    pub fn spawn<F>(&'scope self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'scope,
    {
        self.registry.submit(|spawner| self.job(spawner, task));
    }

    /// As [`Scope::spawn`], with a handle to what the task returns. It may borrow what the task may.
    ///
    /// A panic of the task is the handle's, and not the scope's.
    ///
    /// # Panics
    /// As [`Scope::spawn`].
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let words = [String::from("long"), String::from("longer")];
    /// let longest = pool.scope(|s| {
    ///     let [a, b] = words.each_ref().map(|word| s.spawn_with_handle(move |_| word));
    ///     std::cmp::max_by_key(a.join(), b.join(), |word| word.len())
    /// });
    /// assert_eq!(longest, "longer");
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_with_handle<F, T>(&'scope self, task: F) -> TaskHandle<T>
    where
        F: FnOnce(&Worker<D, P>) -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let (handle, finish) = TaskHandle::new();
        self.spawn(move |worker| finish.run(|| task(worker)));
        handle
    }

    /// As [`Scope::spawn`], but a worker takes up what was spawned on it in this way in the order of the spawns.
    ///
    /// # Panics
    /// As [`Scope::spawn`].
    ///
    /// # Examples
    /// ```
    /// use std::sync::Mutex;
    ///
    /// let pool = lyocell::Pool::builder().workers(1).build()?;
    /// let order = Mutex::new(Vec::new());
    /// pool.scope(|s| {
    ///     for i in 0..3 {
    ///         let order = &order;
    ///         s.spawn_fifo(move |_| order.lock().unwrap().push(i));
    ///     }
    /// });
    /// assert_eq!(order.into_inner().unwrap(), [0, 1, 2]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    ///
    /// # Source
    /// `scope_fifo` of rayon.
    pub fn spawn_fifo<F>(&'scope self, task: F)
    where
        F: FnOnce(&Worker<D, P>) + Send + 'scope,
    {
        let fifos = || {
            let workers = self.registry.workers.len();
            self.fifos.get_or_init(|| (0..workers).map(|_| Fifo::new(self.origin)).collect())
        };
        // SAFETY: by scope-1 the scope, and so the queue, is there until the task is over.
        unsafe {
            self.registry.submit_fifo(|spawner| self.job(spawner, task), |worker| &fifos()[worker]);
        }
    }

    /// Spawns `task` on each worker of the pool: each calls it once before the scope ends, when it has nothing of its own
    /// to do, and before it steals; as [`Pool::broadcast`](crate::Pool::broadcast) says.
    ///
    /// # Panics
    /// As [`Scope::spawn`].
    ///
    /// # Examples
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let pool = lyocell::Pool::with_workers(3)?;
    /// let sum = AtomicUsize::new(0);
    /// pool.scope(|s| {
    ///     s.spawn_broadcast(|w| { sum.fetch_add(w.index(), Ordering::Relaxed); });
    /// });
    /// assert_eq!(sum.into_inner(), 0 + 1 + 2);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn spawn_broadcast<F>(&'scope self, task: F)
    where
        F: Fn(&Worker<D, P>) + Send + Sync + 'scope,
    {
        let task = Arc::new(task);
        self.registry.post_to_each(None, |_, _| {
            let task = Arc::clone(&task);
            // Owned by the call, so that the last one drops it before the scope ends (job-1).
            self.job(None, move |worker| task(worker))
        });
    }

    /// The worker of its pool that this thread is, if it is one.
    pub(super) fn worker_here(&self) -> Option<&'scope Worker<D, P>> {
        if self.registry.generation.is_past() { None } else { self.registry.current() }
    }

    /// A task of this scope, which is pending from now on, and who spawns it, if that is a worker of the pool.
    #[inline]
    fn job<F>(&'scope self, spawner: Option<&Worker<D, P>>, task: F) -> Job
    where
        F: FnOnce(&Worker<D, P>) + Send + 'scope,
    {
        // SAFETY: by scope-1 the scope, and all that is borrowed for `'scope`, is there until the task is over.
        unsafe { Job::boxed(spawner, task, self.part(spawner)) }
    }

    /// One more part of this scope, which is pending from now on.
    #[inline]
    pub(super) fn part(&self, spawner: Option<&Worker<D, P>>) -> Part<D, P> {
        self.pending.add();
        let start =
            Guarded::<P>::spawn_in(&self.group, || spawner.map(|worker| &worker.owner.probe));
        Part { scope: InFrame::new(std::ptr::from_ref(self).cast_mut().cast()), start }
    }

    /// The body or a task is over.
    ///
    /// # Safety
    /// It has not been counted yet, so the scope is alive. It may be gone when this returns, so it is not passed as a
    /// reference, which would have to be good until then.
    #[inline]
    unsafe fn finish_one(scope: *const Self) {
        // SAFETY: by the caller's word, up to the count (scope-2, scope-3).
        let (registry, owner, pending) =
            unsafe { ((*scope).registry, &(*scope).owner, &*(*scope).pending) };
        match owner {
            &Owner::Worker(owner) => {
                if pending.finish() == Unpark::Owner {
                    // scope-2: the scope may be gone; the pool is not, for this is one of its workers.
                    registry.idle.unpark(owner);
                }
            }
            Owner::Elsewhere(owner) => {
                let owner = owner.clone();
                if pending.finish() == Unpark::Owner {
                    owner.unpark();
                }
            }
        }
    }
}

/// Whose task it is: a scope's, which is there until this has ended; how long that is no type tells.
pub(super) struct Part<D: Deque, P: Probe> {
    scope: InFrame<Scope<'static, 'static, D, P>>,
    start: P::Start,
}

impl<D: Deque, P: Probe> Part<D, P> {
    /// What it descends from.
    pub(super) fn origin(&self) -> Option<Ancestor> {
        // SAFETY: by scope-1 the scope is there until its tasks are counted.
        unsafe { (*self.scope.pointer()).origin }
    }

    /// Calls the task.
    #[inline]
    pub(super) fn run(&self, worker: &Worker<D, P>, task: impl FnOnce()) {
        // SAFETY: as above.
        let scope = unsafe { &*self.scope.pointer() };
        worker.owner.probe.begin_spawned(&scope.group, self.start);
        let task = || {
            worker.stop_if_cancelled();
            task();
        };
        let task = || catch_unwind(AssertUnwindSafe(task));
        let parent = Parent::of_job(scope.origin);
        let outcome = worker.descending(parent, || worker.under(scope.token.clone(), task));
        if let Err(panic) = outcome {
            scope.panic.keep(panic);
        }
        worker.owner.probe.end_spawned(&scope.group);
    }

    /// It is over, and so the scope may be.
    #[inline]
    pub(super) fn end(self) {
        // SAFETY: as above; it is counted here.
        unsafe { Scope::finish_one(self.scope.pointer()) }
    }
}

impl<D: Deque, P: Probe, F> Maker<Worker<D, P>, F> for Part<D, P>
where
    F: FnOnce(&Worker<D, P>),
{
    fn origin(&self) -> Option<Ancestor> {
        self.origin()
    }

    #[inline]
    fn call(&self, task: Unbegun<F, Self>, worker: &Worker<D, P>) {
        self.run(worker, || task.call(worker));
    }

    #[inline]
    fn end(self, _: &Worker<D, P>) {
        self.end();
    }
}

impl<'scope, D: Deque, P: Probe> Spawns<'scope> for Scope<'scope, '_, D, P> {
    fn spawn(&'scope self, task: Box<dyn FnOnce() + Send + 'scope>) {
        self.spawn(|_| task());
    }

    fn spawn_fifo(&'scope self, task: Box<dyn FnOnce() + Send + 'scope>) {
        self.spawn_fifo(|_| task());
    }

    fn spawn_broadcast(&'scope self, task: Box<dyn Fn() + Send + Sync + 'scope>) {
        self.spawn_broadcast(move |_| task());
    }
}

impl<D: Deque, P: Probe> fmt::Debug for Scope<'_, '_, D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

/// Opens a scope, calls the body with it, and waits for all that was spawned.
fn run<'env, D, P, F, R>(
    registry: &Registry<D, P>,
    owner: Owner,
    group: P::Group,
    (token, origin): (Option<Token>, Option<Ancestor>),
    body: F,
    wait: impl FnOnce(&Scope<'_, 'env, D, P>),
) -> R
where
    D: Deque,
    P: Probe,
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R,
{
    let scope = Scope {
        registry,
        pending: CachePadded::new(Pending::new()),
        owner,
        panic: FirstPanic::default(),
        fifos: OnceLock::new(),
        group,
        token,
        origin,
        scope: PhantomData,
        env: PhantomData,
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&scope)));
    // SAFETY: the scope is in this frame, and its body is counted once.
    unsafe { Scope::finish_one(&raw const scope) };
    wait(&scope);
    match (outcome, scope.panic.take()) {
        (Ok(result), None) => result,
        (Ok(result), Some(panic)) => {
            drop_quietly(result);
            resume_unwind(panic)
        }
        (Err(panic), other) => {
            drop_quietly(other);
            resume_unwind(panic)
        }
    }
}

impl<D: Deque, P: Probe> Worker<D, P> {
    /// Calls `body` with a scope to spawn in, and waits for all that was spawned, working meanwhile.
    ///
    /// # Panics
    /// Panics with the panic of `body`, else with the first panic of a task; in both cases after all tasks are
    /// over.
    ///
    /// # Examples
    /// ```
    /// let pool = lyocell::Pool::new()?;
    /// let mut words = vec![String::from("a"), String::from("b")];
    /// pool.run(|w| w.scope(|s| {
    ///     for word in &mut words {
    ///         s.spawn(|_| word.push('!'));
    ///     }
    /// }));
    /// assert_eq!(words, ["a!", "b!"]);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn scope<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R,
    {
        if self.is_left_behind() {
            // after_fork-4.
            return self.registry().by_stand_in(|worker| worker.scope(body));
        }
        let group = self.owner.probe.begin_group();
        let wait = |scope: &Scope<'_, '_, D, P>| {
            self.work_until_parts(&*scope.pending);
            self.owner.probe.end_group(&scope.group);
        };
        self.with_origin(|origin| {
            let under = (self.token(), origin);
            run(self.registry(), Owner::Worker(self.index()), group, under, body, wait)
        })
    }
}

impl<D: Deque, P: Probe> Registry<D, P> {
    /// A scope of this pool whose body runs on the calling thread, whatever that is. To the probes its tasks are a group
    /// that nobody's frame waits for.
    pub(crate) fn in_place_scope<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env, D, P>) -> R,
    {
        current::waiting(|parker: &Parker, wait| {
            let owner = Owner::Elsewhere(parker.unparker().clone());
            let _stranger = self.stranger();
            run(self, owner, P::Group::default(), (None, None), body, |scope| wait(&*scope.pending))
        })
    }
}

/// How many tasks are not over, and whether the owner sleeps.
///
/// ```text
///   | tasks           | owner sleeps |
///                     1              0
/// ```
pub(crate) struct Pending(AtomicUsize);

const SLEEPS: usize = 1;
const ONE: usize = 2;

impl Pending {
    /// Counts one, the body.
    pub(crate) fn new() -> Pending {
        Pending(AtomicUsize::new(ONE))
    }

    pub(crate) fn add(&self) {
        // Ordering: Relaxed; whoever spawns is itself pending, so this cannot meet zero.
        self.0.fetch_add(ONE, Ordering::Relaxed);
    }

    pub(crate) fn finish(&self) -> Unpark {
        // Ordering: Release; meets the Acquire in `reached`: all ends form one release sequence.
        let before = self.0.fetch_sub(ONE, Ordering::Release);
        if before == ONE | SLEEPS { Unpark::Owner } else { Unpark::Nobody }
    }
}

impl Goal for Pending {
    fn reached(&self) -> bool {
        // Ordering: Acquire; meets the Release in `finish`.
        self.0.load(Ordering::Acquire) < ONE
    }

    fn subscribe(&self) -> Subscribed {
        // Ordering: Acquire; as `reached`, if there is nothing left.
        match self.0.fetch_or(SLEEPS, Ordering::Acquire) {
            0 | SLEEPS => Subscribed::Reached,
            _ => Subscribed::WillUnpark,
        }
    }
}
