//! Thread-local destructors that use pools, on threads of any kind.

use crate::common::{fib, join_stolen, pool, tick};
use crate::process::isolated;
use lyocell::Pool;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Uses pools when its thread ends.
struct Last {
    pool: Option<Arc<Pool>>,
    done: Arc<AtomicUsize>,
}

impl Drop for Last {
    fn drop(&mut self) {
        if let Some(pool) = &self.pool {
            assert_eq!(pool.run(|w| fib(w, 10)), 55);
            pool.run(|w| join_stolen(w, |_| (), |_| ()));
            pool.scope(|s| s.spawn(|_| tick(&self.done)));
        } else {
            tick(&self.done);
        }
        assert_eq!(lyocell::join(|| 1, || 2), (1, 2));
        tick(&self.done);
    }
}

thread_local!(static LAST: RefCell<Vec<Last>> = const { RefCell::new(Vec::new()) });

#[test]
fn of_a_foreign_thread() {
    isolated(|| {
        let (pool, done) = (Arc::new(pool(2)), Arc::new(AtomicUsize::new(0)));
        for _ in 0..50 {
            let last = Last { pool: Some(Arc::clone(&pool)), done: Arc::clone(&done) };
            thread::spawn(|| LAST.with_borrow_mut(|lasts| lasts.push(last))).join().unwrap();
        }
        assert_eq!(done.load(Ordering::Relaxed), 100);
        // Also one whose thread has been a caller before.
        let last = Last { pool: Some(Arc::clone(&pool)), done: Arc::clone(&done) };
        let caller = Arc::clone(&pool);
        thread::spawn(move || {
            caller.run(|w| fib(w, 10));
            LAST.with_borrow_mut(|lasts| lasts.push(last));
            caller.run(|w| fib(w, 10));
        })
        .join()
        .unwrap();
        assert_eq!(done.load(Ordering::Relaxed), 102);
    });
}

#[test]
fn of_a_worker() {
    isolated(|| {
        let done = Arc::new(AtomicUsize::new(0));
        let other = Arc::new(pool(2));
        for _ in 0..50 {
            let pool = pool(3);
            let ((), ()) = pool.run(|w| {
                join_stolen(
                    w,
                    |_| (),
                    |_| {
                        // At the end of this worker another pool is there, and its own is not.
                        let pool = Some(Arc::clone(&other));
                        let last = Last { pool, done: Arc::clone(&done) };
                        LAST.with_borrow_mut(|lasts| lasts.push(last));
                        let last = Last { pool: None, done: Arc::clone(&done) };
                        LAST.with_borrow_mut(|lasts| lasts.push(last));
                    },
                )
            });
            drop(pool);
        }
        assert_eq!(done.load(Ordering::Relaxed), 50 * 4);
    });
}

#[test]
fn that_drop_the_pool() {
    isolated(|| {
        thread_local!(static KEPT: RefCell<Option<Pool>> = const { RefCell::new(None) });
        let ran = Arc::new(AtomicUsize::new(0));
        for _ in 0..50 {
            let ran = Arc::clone(&ran);
            thread::spawn(move || {
                let pool = pool(2);
                pool.spawn_detached(move |_| tick(&ran));
                KEPT.set(Some(pool));
            })
            .join()
            .unwrap();
        }
        assert_eq!(ran.load(Ordering::Relaxed), 50);
    });
}
