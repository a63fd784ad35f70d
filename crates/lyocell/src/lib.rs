//! Fine-grained fork-join parallelism: a [`join`](Worker::join) that nobody steals costs at most about two cycles over a call when
//! its closures capture by move and it has a handle, so a recursion that has work in both branches needs no cut-off.
//!
//! ```
//! use lyocell::{Pool, Worker};
//!
//! fn fib(w: &Worker, n: u64) -> u64 {
//!     if n < 2 {
//!         return n;
//!     }
//!     let (a, b) = w.join(move |w| fib(w, n - 1), move |w| fib(w, n - 2));
//!     a + b
//! }
//!
//! let pool = Pool::new()?;
//! assert_eq!(pool.run(|w| fib(w, 25)), 75025);
//! # Ok::<(), lyocell::BuildError>(())
//! ```
//!
//! | to run in parallel | use |
//! |---|---|
//! | two branches | [`Worker::join`], or [`join()`] where there is no handle |
//! | a few branches, by index | [`Worker::join_range`] |
//! | a loop over ranges, slices, chunks | [`Worker::for_each`], [`Worker::map_reduce`], [`Worker::fold`], [`par`] |
//! | a sum of floating-point numbers, the same on any number of workers | [`Worker::map_reduce_deterministic`] |
//! | a loop that may end early | [`Worker::find_any`], [`Worker::try_for_each`], [`Worker::try_map_reduce`] |
//! | branches that may fail | [`Worker::try_join`], [`Worker::try_join_range`]; [`Worker::try_scope`], where the first error stops all |
//! | what may be stopped from elsewhere, or has a deadline | [`Worker::cancellable`], [`Cancel`] |
//! | tiny items that beget more, as a search does | [`Worker::coalesce`] |
//! | any number of tasks that borrow | [`Worker::scope`], [`Pool::scope`]; [`scope()`], whose tasks are given the scope |
//! | tasks of a pool from any thread, without entering it | [`Pool::in_place_scope`], [`in_place_scope`] |
//! | a task nobody waits for | [`Pool::spawn_detached`], [`spawn_detached`]; in order, [`spawn_detached_fifo`] |
//! | a task whose result is wanted later, or awaited | [`Pool::spawn_detached_with_handle`], [`spawn_detached_with_handle`] |
//! | a task that runs when nothing else waits | [`Pool::spawn_background`], [`spawn_background`] |
//! | a call from asynchronous code, cancelled if nobody awaits it any more | [`Pool::run_async`], [`Pool::scope_async`] |
//! | what blocks, while another worker takes this one's place | [`Worker::blocking`], [`blocking`] |
//! | anything while a lock, a borrow or a `OnceLock` is held | [`Worker::isolated`], [`isolated`] |
//! | to find where that is needed | [`held()`], [`Builder::check_locks`] |
//! | something on each worker of a pool | [`Pool::broadcast`], [`broadcast`] |
//!
//! The handle `&Worker` is passed from task to task: that is what makes a join cheap. It cannot leave its
//! thread:
//!
//! ```compile_fail
//! lyocell::Pool::new().unwrap().run(|w| std::thread::scope(|s| { s.spawn(|| w.index()); }));
//! ```
//!
//! # How it works
//! Each worker keeps its tasks in a deque of its own; the default is the split deque of Lace ([`deque`]).
//! A worker without work steals the oldest task of another; one that waits for a stolen task steals back
//! from the thief. Idle workers sleep, and the first that has work to share wakes one. Where tasks run for
//! milliseconds between two joins, [`Builder::interrupt`] has their workers share in between.
//!
//! # The order of tasks
//! Of joins, a worker runs the newest first, and thieves take the oldest. Tasks that were spawned in scopes or detached wait in a
//! queue of their own beside those of joins: a worker that has nothing else to do, or that waits, takes the newest of its own, but
//! now and then the oldest of anybody ([`SpawnOrder`]); with `spawn_fifo` it is the oldest always. A scope is over when all its
//! tasks are; a detached task is over some time before its pool is dropped. The global pool is never dropped: when `main` returns,
//! the process ends, and detached tasks with it, wherever they are. Who wants their end waits for it, by
//! [`TaskHandle::join`], a channel or a scope.
//!
//! # What runs while a worker waits
//! A worker that waits for a task runs others meanwhile, on the stack of the one that waits. Mostly nobody notices. Two do: who
//! holds something that those others want, a lock, a borrow, a `OnceLock` that is being made, and so waits for itself; and who has
//! little stack, or is to be back soon. For the first there is [`Worker::isolated`]: in it a worker that waits runs what descends
//! from there, and else sleeps. To find such a place, look for a `join`, a loop or a scope between a `lock()` and its end; a hang whose
//! backtrace has both twice is one. Or write [`held()`] where locks are taken, and run the program with `LYOCELL_CHECK_LOCKS=1`: then it
//! tells the places itself, before anything hangs. For the second, a thread that calls a pool from outside is so isolated by itself: it runs what
//! descends from its call, unless nothing else is in the pool ([`Caller`]).
//!
//! # Background work
//! What may take its time, an index that is made anew, a cache that is compacted, proofs ahead of need, is spawned by
//! [`Pool::spawn_background`] in the pool that serves calls: so no second pool is needed, of which one half idles.
//!
//! ```
//! let pool = lyocell::Pool::new()?;
//! let index = pool.spawn_background_with_handle(|w| w.map(0..10_000_u64, |i| i.swap_bytes()));
//! // Served meanwhile, as if there were no index to be made, but for the rest of a leaf.
//! assert_eq!(pool.run(|w| w.join(|_| "a", |_| "call")), ("a", "call"));
//! assert_eq!(index.join().len(), 10_000);
//! # Ok::<(), lyocell::BuildError>(())
//! ```
//!
//! - *When it runs.* On workers that find no task and no call; on as many as there are, or as [`Builder::background_workers`] says. What it
//!   forks, loops over and spawns in scopes is background work as well.
//! - *When it gives way.* Where it forks, and so at each part of a loop, if a call, a task or a part of one waits and nobody is
//!   idle: the worker runs that first, on top of the background task. How long a call waits at most is so how long a leaf of the background
//!   takes, and a few microseconds; let leaves be short. The parts of a call that is run so are had by other workers as those of any,
//!   with [`Split`]; with other deques by those alone who have run what is below them. Locks that are held across a fork are held meanwhile.
//! - *That it comes to an end.* Beside a flood of other work, a thread of the pool begins a background task at one of 976 things that it takes
//!   up, and one that has begun goes on to its next fork after 61 that came before. Dropping the pool runs all of it to its end.
//! - *Who waits for it.* Best a thread that is no worker. A worker that waits for the handle of a background task works in the
//!   background meanwhile, and so is kept by it.
//! - *Where it blocks.* Within [`Worker::blocking`] it does not count as one of so many, and another may begin.
//! - *Without threads.* [There](#without-threads) it runs as detached tasks do, but after them.
//!
//! **What a background task has given way to runs on its stack, and so must not wait for it.** The task goes on only when that is over: a
//! call that waits there for the task's handle, or for a lock that the task holds across a fork, waits for itself. (For the handle it panics, where
//! that can be told. For the lock, [`held()`] tells the place.) A background task that waits for a branch of its own may begin another one
//! meanwhile, of which the same is true. So let a background task hold locks in its leaves only, let calls take what is
//! ready, and wait outside:
//!
//! ```
//! use std::sync::{Arc, OnceLock};
//!
//! let pool = lyocell::Pool::new()?;
//! let index = Arc::new(OnceLock::new());
//! let made = Arc::clone(&index);
//! let task = pool.spawn_background_with_handle(move |w| {
//!     // Calls may run on top of this, at each fork. (Within `get_or_init` they would find a lock.)
//!     let squares = w.map(0..1_000_u64, |i| i * i);
//!     made.set(squares).expect("nobody else makes it");
//! });
//! // A call: it takes the index if there is one, and else does without.
//! let square = |i: u64| {
//!     pool.run(|_| index.get().map_or_else(|| i * i, |squares: &Vec<u64>| squares[i as usize]))
//! };
//! assert_eq!(square(12), 144);
//! // On a thread that is no worker.
//! task.join();
//! assert_eq!(square(12), 144);
//! # Ok::<(), lyocell::BuildError>(())
//! ```
//!
//! # Looking at performance
//! A [`probe`] is a type parameter of pools and handles, so that a pool without one pays nothing: in its machine code there is
//! no trace of it. A program that gives its handle a name changes one line to be looked at:
//!
//! ```
//! use lyocell::probe::{Counters, Event};
//! use lyocell::{Pool, Split};
//!
//! // The line to change: `lyocell::NoProbe` when nobody looks.
//! type Probe = Counters;
//! type Worker = lyocell::Worker<Split, Probe>;
//!
//! fn fib(w: &Worker, n: u64) -> u64 {
//!     if n < 2 {
//!         return n;
//!     }
//!     let (a, b) = w.join(move |w| fib(w, n - 1), move |w| fib(w, n - 2));
//!     a + b
//! }
//!
//! let pool = Pool::builder().probe::<Probe>().build()?;
//! assert_eq!(pool.run(|w| fib(w, 10)), 55);
//! # let forks: usize = pool.probes().map(|probe| probe.counts().of(Event::Spawn)).sum();
//! # assert_eq!(forks, 88);
//! # Ok::<(), lyocell::BuildError>(())
//! ```
//!
//! Functions for handles of all types are written `fn f<D: Deque, P: Probe>(w: &Worker<D, P>)`. What gives its closures no handle
//! ([`join()`], [`scope()`], [`par`], [`spawn_detached`] and its like, [`broadcast`]) runs in the current pool, whatever its type. So a
//! program without handles is looked at by one line at its beginning: [`Builder::build_global`] takes a probe.
//!
//! # For those who know rayon
//! | rayon | here |
//! |---|---|
//! | `ThreadPoolBuilder::new().num_threads(n).build()` | [`Pool::builder`], [`Builder::workers`], [`Builder::build`] |
//! | `pool.install(\|\| …)` | [`Pool::run`]: the caller works itself, unless [`Caller::Sleeps`] |
//! | `join(\|\| a(), \|\| b())` | [`Worker::join`], or [`join()`]. If `a` panics, a `b` that has not begun does not run |
//! | `join_context` | [`Worker::join_context`], [`join_context`]; there `b` runs in any case |
//! | `scope(\|s\| s.spawn(\|s\| …))` | [`scope()`], the same; or [`Worker::scope`]: `s.spawn(move \|w\| …)`, where tasks capture `s` and are given the worker |
//! | `spawn`, `spawn_fifo`, `spawn_broadcast` | [`spawn_detached`], [`spawn_detached_fifo`], [`spawn_detached_broadcast`] |
//! | `scope_fifo`, `in_place_scope`, `broadcast`, `yield_now` | the same names; a FIFO spawn is a method of the one [`Scope`] |
//! | `current_thread_index`, `current_num_threads` | the same names, or [`Worker::index`], [`Worker::workers`] |
//! | `par_iter().for_each(f)`, `.map(f).reduce(…)` | [`Worker::for_each`], [`Worker::map_reduce`], [`par`] |
//! | other adaptors, `par_sort`, `par_bridge` | rayon itself, with `compat/rayon-core` of the repository under it |
//! | a panic in `spawn` aborts without a handler | it is dropped without [`Builder::on_panic`] |
//! | `spawn_handler`, `build_scoped` | [`Builder::build_with`] |
//!
//! # After a fork
//! In the child of a `fork()`, pools from before it run everything on the calling thread, one after the
//! other, and what is spawned there is over when the call returns that spawned it. What waited at the fork is the parent's:
//! it is not run in the child, not even by [`Worker::yield_now`]. A pool built in the child has threads as usual. A child of a
//! task may fork, join and spawn through its handle, and must end inside the task.
//!
#![cfg_attr(not(doctest), doc = include_str!("with_tokio.md"))]
//!
//! # Without threads
//! On `wasm32-unknown-unknown` and `wasm32-wasip1`, and wherever the system says that it supports no threads, a pool is one worker, however
//! many are asked for: whichever thread calls it, for as long as it does. All of the interface is there, the global pool and rayon on
//! top of it (`compat/rayon-core`) too:
//!
//! - Joins, loops and scopes run on the calling thread, one task after the other.
//! - A detached task that is spawned within a call of its pool runs when that call waits for something, at the latest before it returns;
//!   one that is spawned from elsewhere runs at once, before the call that spawns it returns. So none is lost, and whoever spawns one
//!   while it holds a lock that the task takes waits for itself. A [`Pool::run_async`] is ready when it is first polled.
//! - A background task as well, but after all others; and whoever waits while nothing else is there begins one.
//! - Pools may call each other and themselves, as functions do. Nothing sleeps, so it may all be on the main thread of a page. What
//!   nobody is left to do cannot be waited for: that panics.
//! - With [`Builder::use_current_thread`] tasks wait until that thread waits, yields, or drops the pool. With [`Builder::build_with`]
//!   it is the program's function that tells, by an error of the kind [`Unsupported`](std::io::ErrorKind::Unsupported) for the first thread.
//! - Hooks of threads are not called. Interrupts are an error, as everywhere but on Linux.
//! - Panics abort there, as a rule. So tokens stop nothing that has begun; [`Worker::is_cancelled`] tells.
//! - On the web there is no clock but what a program imports: time passes only while something waits for it to pass. So
//!   [`TaskHandle::join_timeout`] comes back, but [`Cancel::after`] does not come while tasks compute; [`Cancel::cancel`] it from a task
//!   that has looked at `performance.now()`.
//!
//! With `wasm32-wasip1-threads` a pool has the threads that its host starts, and is as on any system without barriers. Web workers over
//! shared memory are not supported yet: a pool would need a clock, which has to be imported, and its callers would have to be kept off
//! the main thread, which may not sleep.
//!
//! # What it does not do
//! Tasks that block, block their worker, but for [`Worker::blocking`].

mod cancel;
mod current;
pub mod deque;
#[doc(hidden)]
pub mod foreign;
mod fork_join;
mod global;
mod idle;
mod interrupt;
mod jobs;
mod limits;
#[cfg(all(test, not(loom)))]
mod lines;
#[cfg(all(test, loom))]
mod models;
mod owner;
mod pool;
pub mod probe;
mod scheduler;
mod task;
mod wait;

pub use cancel::{Cancel, Cancelled};
pub use current::{AnyScope, Held, Observed, TaskHandle, Yield};
pub use deque::{Abp, ChaseLev, Deque, Direct, DirectLocked, Receiver, Sender, Split};
pub use fork_join::{Bag, Fallible, FnContext, Scope, TryScope};
pub use global::{
    blocking, broadcast, current_num_threads, current_thread_has_pending_tasks,
    current_thread_index, global, global_or_init, held, in_place_scope, isolated, join,
    join_context, join_context_or_in, join3, join4, par, scope, spawn_background,
    spawn_background_with_handle, spawn_detached, spawn_detached_broadcast, spawn_detached_fifo,
    spawn_detached_with_handle, with_current, yield_local, yield_now,
};
pub use interrupt::{InterruptError, Signals};
pub use jobs::SpawnOrder;
pub use limits::MAX_WORKERS;
pub use pool::{
    BuildError, Builder, Caller, Exposing, Pinning, Pool, Running, ThreadBuilder, WakeSteering,
};
pub use probe::{NoProbe, Probe};
// For `compat/rayon-core`. Not part of the interface.
#[doc(hidden)]
pub use lyocell_sync::address_limit;
pub use scheduler::Worker;
pub use wait::{UnknownWait, Victims, Wait};
