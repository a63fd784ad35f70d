//! Pools: what is set about them, one within the other, dropped.

use crate::Check;
use crate::forks::{fib, global};
use lyocell::probe::{Counters, Event, Phase, Times};
use lyocell::{BuildError, Caller, Direct, InterruptError, Pinning, Pool, SpawnOrder, Wait};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    ("several workers are one", || {
        let pool = Pool::with_workers(4).unwrap();
        pool.workers() as u64 * 100 + pool.run(|w| (w.workers() * 10 + w.index()) as u64)
    }),
    ("as few workers as there are", || {
        let refused = matches!(Pool::with_workers(0), Err(BuildError::Workers { asked: 0 }));
        u64::from(refused) + global().workers() as u64
    }),
    ("everything set", || {
        let pool = Pool::builder()
            .workers(2)
            .caller(Caller::Sleeps)
            .stack_size(1 << 20)
            .deque_capacity(100)
            .search_time(Duration::ZERO)
            .spawn_order(SpawnOrder::OldestFirst)
            .pinning(Pinning::Compact)
            .wait(Wait::Leap)
            .thread_names(|_| String::from("none"))
            .on_start(|_| unreachable!("no thread starts"))
            .on_exit(|_| unreachable!("no thread ends"))
            .build()
            .unwrap();
        pool.run(|w| fib(w, 10))
    }),
    ("interrupts are refused", || {
        let built = Pool::builder().interrupt(Duration::from_millis(1)).build();
        let unavailable = InterruptError::Unavailable;
        match built {
            Err(BuildError::Interrupt { source }) => {
                u64::from(source.to_string() == unavailable.to_string())
            }
            _ => 0,
        }
    }),
    ("threads of the program's are refused by it", || {
        let refused = Pool::builder().workers(2).build_with(|_| Err(std::io::Error::other("no")));
        let pool = Pool::builder()
            .workers(2)
            .build_with(|thread| std::thread::Builder::new().spawn(move || thread.run()).map(drop));
        u64::from(refused.is_err()) * 10 + pool.unwrap().workers() as u64
    }),
    ("probes", || {
        let pool = Pool::builder().probe::<Counters>().build().unwrap();
        pool.run(|w| fib(w, 10));
        let forks: usize = pool.probes().map(|probe| probe.counts().of(Event::Spawn)).sum();
        forks as u64
    }),
    ("a probe that reads the clock", || {
        let pool = Pool::builder().deque::<Direct>().probe::<Times>().build().unwrap();
        pool.run(|w| fib(w, 10));
        let idle: Duration = pool.probes().map(|probe| probe.spent().on(Phase::Leaping)).sum();
        u64::from(idle.is_zero())
    }),
    ("a pool within a pool within the first", || {
        let (one, other) = (Pool::new().unwrap(), Pool::new().unwrap());
        one.run(|_| other.run(|w| fib(w, 5) + one.run(|w| fib(w, 6) + other.run(|w| fib(w, 7)))))
    }),
    ("a scope and a broadcast within the first again", || {
        let pool = Pool::builder().deque::<Direct>().build().unwrap();
        let mut scoped = 0;
        global().run(|_| {
            pool.run(|_| {
                global().in_place_scope(|s| s.spawn(|w| scoped = fib(w, 6)));
                scoped += global().broadcast(|w| w.index() as u64 + 1)[0];
            });
        });
        scoped
    }),
    ("the handle of another pool", || {
        let (one, other) = (Pool::new().unwrap(), Pool::new().unwrap());
        one.run(|w| {
            let below = w.spawn_detached_with_handle(|w| fib(w, 9));
            other.run(|_| {
                // Left to a pool whose worker waits further down.
                let beside = one.spawn_detached_with_handle(|w| fib(w, 8));
                below.join() + beside.join()
            })
        })
    }),
    ("a task left to another pool", || {
        let (one, other) = (Pool::new().unwrap(), Arc::new(Pool::new().unwrap()));
        let count = Arc::new(AtomicU64::new(0));
        one.run(|w| {
            let (pool, count) = (Arc::clone(&other), Arc::clone(&count));
            w.spawn_detached(move |_| {
                pool.spawn_detached(move |w| _ = count.fetch_add(fib(w, 6), Ordering::Relaxed));
            });
        });
        count.load(Ordering::Relaxed)
    }),
    ("background tasks", || {
        let pool = Pool::new().unwrap();
        let count = Arc::new(AtomicU64::new(0));
        let task = || {
            let count = Arc::clone(&count);
            move |w: &lyocell::Worker| _ = count.fetch_add(fib(w, 5), Ordering::Relaxed)
        };
        pool.spawn_background(task());
        let waited = pool.run(|w| {
            w.spawn_background(task());
            w.spawn_background_with_handle(|w| fib(w, 9)).join()
        });
        drop(pool);
        waited + count.load(Ordering::Relaxed)
    }),
    ("nothing is lost when a pool is dropped", || {
        let count = Arc::new(AtomicU64::new(0));
        let pool = Pool::new().unwrap();
        for _ in 0..10 {
            let task = Arc::clone(&count);
            pool.spawn_detached(move |w| {
                w.spawn_detached(move |_| _ = task.fetch_add(1, Ordering::Relaxed));
            });
        }
        drop(pool);
        // One within a task of another.
        let task = Arc::clone(&count);
        global().run(|_| {
            let pool = Pool::new().unwrap();
            pool.run(|w| w.spawn_detached(move |_| _ = task.fetch_add(1, Ordering::Relaxed)));
        });
        count.load(Ordering::Relaxed)
    }),
    ("many pools", || (0..200).map(|_| Pool::new().unwrap().run(|w| fib(w, 5))).sum()),
];

/// What changes the thread for good.
pub(crate) const LAST: &[Check] = &[("a worker for good", || {
    let pool = Pool::builder().workers(3).use_current_thread().build().unwrap();
    let count = Arc::new(AtomicU64::new(0));
    let task = Arc::clone(&count);
    let index = lyocell::current_thread_index().unwrap() as u64;
    // It waits until this thread waits, or drops the pool.
    pool.spawn_detached(move |_| _ = task.fetch_add(5, Ordering::Relaxed));
    let before = count.load(Ordering::Relaxed);
    let inside = pool.run(|w| fib(w, 10));
    // From another pool back into that one, and out of it.
    let nested = Pool::new().unwrap().run(|_| pool.run(|w| fib(w, 7)));
    drop(pool);
    index + before + inside + nested + count.load(Ordering::Relaxed)
})];
