//! The end of a pool: no thread ends before the last task, and none sleeps through it.

use super::{explore, race, role};
use crate::idle::{Crowd, Idle};
use crate::jobs::drain::{Drain, TaskEnd};
use lyocell_sync::{Parker, RaceCell as UnsafeCell};
use std::sync::Arc;

/// A pool with two threads and one detached task.
struct Pool {
    drain: Drain,
    idle: Idle,
    parkers: [Parker; 2],
    done: UnsafeCell<bool>,
}

// SAFETY: this is what the models check.
unsafe impl Sync for Pool {}
// SAFETY: as above.
unsafe impl Send for Pool {}

impl Pool {
    fn new() -> Arc<Pool> {
        let parkers = [Parker::default(), Parker::default()];
        let idle = Idle::new(parkers.iter(), Crowd::None);
        Arc::new(Pool { drain: Drain::new(), idle, parkers, done: UnsafeCell::new(false) })
    }

    /// The life of a thread: it sleeps until the pool is over.
    fn serve(&self, thread: usize) {
        while !self.drain.is_over() {
            self.idle.enter_search();
            self.idle.announce_parked(thread);
            if self.drain.is_over() {
                break;
            }
            let _ = self.idle.park(thread, &self.parkers[thread]);
        }
        // SAFETY: drain-1: the one task is over.
        self.done.with(|done| assert!(unsafe { *done }));
    }

    /// The life of a backup thread that finds no jobs: it parks without an announcement, and so without a fence.
    fn serve_as_backup(&self, thread: usize) {
        while !self.drain.is_over() {
            self.parkers[thread].park();
        }
        // SAFETY: drain-1: the one task is over.
        self.done.with(|done| assert!(unsafe { *done }));
    }

    fn run_task(&self) {
        // SAFETY: the task's, until it is over.
        self.done.with_mut(|done| unsafe { *done = true });
        if self.drain.end_task() == TaskEnd::Final {
            self.idle.unpark_all();
        }
    }

    fn close(&self) {
        self.drain.close();
        self.idle.unpark_all();
    }
}

#[test]
fn pool_closes_while_its_last_task_ends() {
    explore(3, || {
        let pool = Pool::new();
        pool.drain.begin_task();
        let (server, runner) = (Arc::clone(&pool), Arc::clone(&pool));
        race([role(move || server.serve(0)), role(move || runner.run_task())], || pool.close());
    });
}

#[test]
fn backup_thread_hears_of_the_end() {
    explore(3, || {
        let pool = Pool::new();
        pool.drain.begin_task();
        let (backup, runner) = (Arc::clone(&pool), Arc::clone(&pool));
        race([role(move || backup.serve_as_backup(0)), role(move || runner.run_task())], || {
            pool.close()
        });
    });
}

/// Who closes has begun the task; a thread that sees the one sees the other.
#[test]
fn pool_closes_after_it_began_a_task() {
    explore(3, || {
        let pool = Pool::new();
        let server = Arc::clone(&pool);
        race([role(move || server.serve(0))], || {
            pool.drain.begin_task();
            let runner = Arc::clone(&pool);
            let task = loom::thread::spawn(move || runner.run_task());
            pool.close();
            task.join().unwrap();
        });
    });
}
