//! Where there are threads after all: `wasm32-wasip1-threads`.

use crate::Check;
use crate::forks::fib;
use lyocell::{Abp, Caller, ChaseLev, Deque, Direct, Pool, Receiver, Sender, Split};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::thread;

pub(crate) const CHECKS: &[Check] = &[
    ("threads: several workers", || {
        let pool = Pool::with_workers(3).unwrap();
        pool.workers() as u64 * 100 + pool.run(|w| fib(w, 10))
    }),
    ("threads: wait for each other", || {
        let pool = Pool::builder().workers(3).caller(Caller::Sleeps).build().unwrap();
        let barrier = Barrier::new(3);
        pool.broadcast(|_| u64::from(barrier.wait().is_leader())).iter().sum()
    }),
    ("threads: each deque", || {
        fib_on::<Split>()
            + fib_on::<Direct>()
            + fib_on::<Receiver>()
            + fib_on::<Sender>()
            + fib_on::<ChaseLev>()
            + fib_on::<Abp>()
    }),
    ("threads: a detached task", || {
        let (event, happens) = event();
        lyocell::spawn_detached(move || happens.happen());
        event.wait();
        lyocell::spawn_detached_with_handle(|| 7).join()
    }),
    ("threads: callers", || {
        let pool = &Pool::with_workers(2).unwrap();
        let call = || (0..50).map(|_| pool.run(|w| fib(w, 10))).sum::<u64>();
        thread::scope(|threads| {
            let others = [0; 2].map(|_| threads.spawn(call));
            call() + others.map(|other| other.join().unwrap()).iter().sum::<u64>()
        })
    }),
    ("threads: end with their pool", || {
        let ended = Arc::new(AtomicU64::new(0));
        let ends = Arc::clone(&ended);
        let count = move |_| _ = ends.fetch_add(1, Ordering::Relaxed);
        let builder = Pool::builder().workers(3).caller(Caller::Sleeps);
        drop(builder.on_exit(count).build().unwrap());
        ended.load(Ordering::Relaxed)
    }),
    ("threads: one in place of one that blocks", || {
        let pool = Pool::builder().workers(1).spare_workers(1).build().unwrap();
        let (event, happens) = event();
        pool.run(move |w| {
            w.spawn_detached(move |_| happens.happen());
            w.blocking(|| event.wait());
            w.index() as u64 + 9
        })
    }),
    ("threads: rayon", || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let sum: u64 = pool.install(|| (0..100_000_u64).into_par_iter().map(|i| i % 10).sum());
        sum * 10 + pool.current_num_threads() as u64
    }),
];

/// What one thread waits for and another has happen. (To receive from an empty channel of the standard library's never ends here.)
#[derive(Default)]
struct Event {
    has_happened: Mutex<bool>,
    changes: Condvar,
}

fn event() -> (Arc<Event>, Arc<Event>) {
    let event = Arc::new(Event::default());
    (Arc::clone(&event), event)
}

impl Event {
    fn happen(&self) {
        *self.has_happened.lock().unwrap() = true;
        self.changes.notify_all();
    }

    fn wait(&self) {
        let mut has_happened = self.has_happened.lock().unwrap();
        while !*has_happened {
            has_happened = self.changes.wait(has_happened).unwrap();
        }
    }
}

/// Where thieves are at work.
fn fib_on<D: Deque>() -> u64 {
    let pool = Pool::builder().deque::<D>().workers(3).build().unwrap();
    (0..20).map(|_| pool.run(|w| fib(w, 18))).sum()
}
