//! `fork()`: what becomes of a pool in the child.
//!
//! The child has one thread, the one that forked. A pool from before the fork has no threads there, its
//! seat may be taken by a thread that does not exist, and its locks and lanes are as some other thread left
//! them in mid-step. What waits in its lanes is the parent's to run. So in the child none of that is touched. A *stand-in*,
//! a registry with one worker, serves the pool for as long as a call into it lasts, on the calling thread:
//!
//! ```text
//!   the parent's pool, in the child             its stand-in, in the frame of the outermost call
//!   | lanes, mail, injector, seat, sleepers |   | a lane, mail, an injector | <- what the child leaves
//!   | the deque of the worker that forked   |   | a deque                   | <- forks and joins of what runs there
//!       ^ own end only: joins by its handle
//! ```
//! What is left to a stand-in is over before that call returns, detached tasks too. A pool that the child builds itself is as
//! good as any.
//!
//! A child of a *task* may still fork and join through the handle it has, and spawn. But what was stolen before the
//! fork never comes back, nor do tasks of a scope that were spawned before it, so the child must end inside the task: with
//! `exec` or `_exit`, as is usual.
//!
//! # Invariants
//! - after_fork-1. A pool's generation is the number of forks between the start of the program and its own; a pool of
//!   a past generation has no threads in this process.
//! - after_fork-2. A worker of a past generation answers nobody, and so wakes nobody. Those who asked before the fork, and the mailboxes
//!   they left open, are still to be seen, but a task that is given to them never comes back.
//! - after_fork-3. An owner in such a child waits for no thief's next step: the one lock that owners share with
//!   thieves, which a thief may hold for ever here, is passed over ([`DirectLocked`](crate::DirectLocked)).
//! - after_fork-4. Of a pool of a past generation nothing is used but the own end of the forking worker's deque. There are two
//!   doors. Whoever leaves a job does so in [`Registry::here`], which is the stand-in, and so does whoever opens a scope or
//!   a coalesced task by such a worker's handle. And such a worker neither looks for work nor parks: where it would
//!   wait, it looks now and then whether its goal is reached. Nor is the registry freed, whoever drops the pool.
//! - after_fork-5. The thread of such a worker is no worker to the pools of this process: it takes their seats, and parks by a
//!   parker of its own where it waits for them. The old one's lock may be held by who was about to unpark it.
//!
//! A process made without the C library's `fork` (a bare `clone`) is not noticed.

use super::{Parts, Registry, Settings, Threads};
use crate::current;
use crate::current::Through;
use crate::deque::Deque;
use crate::probe::Probe;
use crate::scheduler::Worker;
use crate::task::Slots;
use crate::wait::Wait;
use lyocell_sync::Seed;
use std::ptr::NonNull;

/// For a worker without thieves: more joins open at once run in place, which costs the same.
const CAPACITY: usize = 64;

impl<D: Deque, P: Probe> Registry<D, P> {
    /// Calls `task` with the registry that serves this pool in this process (after_fork-4): this one, or its stand-in.
    #[inline]
    pub(crate) fn here<R>(&self, task: impl FnOnce(&Self) -> R) -> R {
        if self.generation.is_past() {
            self.by_stand_in(|worker| task(worker.registry()))
        } else {
            task(self)
        }
    }

    /// Calls `task` with the worker of this pool's stand-in: that of the call that this is part of, if there is one.
    #[cold]
    pub(crate) fn by_stand_in<R>(&self, task: impl FnOnce(&Worker<D, P>) -> R) -> R {
        match self.current().filter(|worker| !worker.is_left_behind()) {
            Some(worker) => task(worker),
            None => {
                let mut task = Through::new(task);
                self.enter_alone(&mut |worker| task.call(|task| task(worker)));
                task.result()
            }
        }
    }

    /// Runs a task, and all that it leaves, by a new stand-in.
    #[cold]
    pub(crate) fn enter_alone(&self, task: &mut dyn FnMut(&Worker<D, P>)) {
        current::refuse_observer();
        let (stand_in, _) = Registry::<D, P>::new(self.parts_alone(), &D::Options::default());
        stand_in.attach_probes().unwrap_or_else(|refused| {
            panic!("lyocell cannot run in the child of a fork: {}", refused.source)
        });
        current::occupy(&*stand_in.workers[0], |worker| {
            stand_in.and_what_waits(worker, || task(worker));
        });
    }

    fn parts_alone(&self) -> Parts {
        let slots = Slots::new(CAPACITY)
            .unwrap_or_else(|_| panic!("lyocell has no memory to run in the child of a fork"));
        Parts {
            seed: Seed::of_this_run(),
            slots: vec![slots],
            spares: 0,
            nodes: Vec::new(),
            settings: Settings { wait: Wait::default(), threads: Threads::None, ..self.settings },
            ticker: None,
            has_seat: false,
            first_calls: true,
            barrier: None,
            // Nobody waits for anybody there, so nobody begins anything else.
            locks: None,
            on_panic: self.on_panic.clone(),
            stands_in_for: NonNull::new(self.identity().cast_mut()),
        }
    }
}

#[cfg(all(test, unix, not(any(loom, miri))))]
mod tests {
    use crate::scheduler::seat::TURN;
    use crate::{Pool, Worker, Yield};
    use lyocell_sync::unmodelled::{AtomicUsize, Ordering};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    /// All that leaves jobs to the pool of this worker, or looks for some.
    fn use_jobs(w: &Worker, pool: &Pool) {
        let count = Arc::new(AtomicUsize::new(0));
        let tick = || _ = count.fetch_add(1, Ordering::Relaxed);
        w.scope(|s| {
            s.spawn(|_| s.spawn_fifo(|_| tick()));
            s.spawn_broadcast(|_| tick());
        });
        pool.in_place_scope(|s| s.spawn(|_| tick()));
        w.coalesce([(), ()], 1, |_, (), _| tick());
        w.broadcast(|_| tick());
        pool.run(|w| w.join_context(|w, _| w.scope(|s| s.spawn(|_| tick())), |_, _| tick()));
        assert_eq!(
            w.spawn_detached_with_handle(|w| w.spawn_detached_with_handle(|_| 6).join()).join(),
            6
        );
        assert_eq!(
            w.spawn_background_with_handle(|w| w.spawn_background_with_handle(|_| 6).join()).join(),
            6
        );
        let four = Arc::clone(&count);
        pool.spawn_background(move |w| {
            _ = w.join(|_| (), |_| four.fetch_add(1, Ordering::Relaxed))
        });
        let (one, two, three) = (Arc::clone(&count), Arc::clone(&count), Arc::clone(&count));
        w.spawn_detached(move |w| {
            w.spawn_detached_fifo(move |_| _ = one.fetch_add(1, Ordering::Relaxed))
        });
        pool.spawn_detached(move |_| _ = two.fetch_add(1, Ordering::Relaxed));
        pool.spawn_detached_broadcast(move |_| _ = three.fetch_add(1, Ordering::Relaxed));
        assert_eq!(count.load(Ordering::Relaxed), 12);
        assert_eq!((w.yield_now(), w.yield_local()), (Yield::Idle, Yield::Idle));
    }

    #[test]
    fn no_lock_of_before_is_waited_for() {
        let pool = Pool::builder().workers(2).build().unwrap();
        pool.run(|w| {
            let registry = pool.registry();
            // A job in each, so that nobody passes by because there is none.
            w.spawn_detached(|_| ());
            w.spawn_detached_fifo(|_| ());
            std::thread::scope(|threads| _ = threads.spawn(|| pool.spawn_detached(|_| ())));
            let injector = registry.injector.locked();
            let workers = registry.workers.iter();
            let held: Vec<_> = workers.map(|w| (w.lane.locked(), w.mail.locked())).collect();
            in_a_child(|| use_jobs(w, &pool));
            drop((injector, held));
        });
    }

    /// From outside of the pool, whose seat is free, and whose backup thread is about to take it for the jobs.
    #[test]
    fn the_seat_of_before_is_not_taken() {
        let pool = Pool::builder().workers(1).build().unwrap();
        let held = pool.registry().seat.as_ref().map(|seat| seat.locked());
        pool.spawn_detached(|_| ());
        in_a_child(|| {
            // Who leaves it for the last time of a turn would look for the backup thread in the queue.
            for _ in 0..TURN {
                assert_eq!(pool.broadcast(|w| w.index()), [0]);
            }
        });
        drop(held);
    }

    #[test]
    fn a_thread_that_was_never_run_is_dropped_without_a_lock() {
        let mut never_run = None;
        let builder = Pool::builder().workers(2);
        let pool = builder.build_with(|thread| {
            never_run = Some(thread);
            Ok(())
        });
        let pool = pool.unwrap();
        let held = pool.registry().workers[1].mail.locked();
        in_a_child(|| drop(never_run.take()));
        drop(held);
    }

    /// Runs this in the child of a fork, and fails unless it came to its end there.
    fn in_a_child(body: impl FnOnce()) {
        // SAFETY: the child goes on with the body, on memory that is its own, and ends inside it.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: no preconditions. It ends a child that hangs.
            unsafe { libc::alarm(60) };
            let outcome = catch_unwind(AssertUnwindSafe(body));
            // SAFETY: no preconditions.
            unsafe { libc::_exit(i32::from(outcome.is_err())) };
        }
        let mut status = -1;
        // SAFETY: the status is there to be written.
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0, "the child fell, or hung");
    }
}
