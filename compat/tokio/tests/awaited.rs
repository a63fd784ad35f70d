//! Calls that tokio awaits, and gives up.

use lyocell::{Caller, Pool, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;

fn pool() -> Pool {
    let builder = Pool::builder().workers(2).caller(Caller::Sleeps).spare_workers(2);
    builder.build().expect("a pool of two workers")
}

fn fib(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(move |w| fib(w, n - 1), move |w| fib(w, n - 2));
    a + b
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_beside_each_other() {
    let pool = Arc::new(pool());
    let tasks: Vec<_> = (0..50_u64)
        .map(|n| {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.run_async(move |w| fib(w, n % 15)).await })
        })
        .collect();
    let mut sum = 0;
    for task in tasks {
        sum += task.await.unwrap();
    }
    let fibs = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377];
    assert_eq!(sum, (0..50).map(|n| fibs[n % 15]).sum::<u64>());
}

/// On the one thread of the runtime, too.
#[tokio::test]
async fn a_call_that_takes_too_long_is_stopped_and_what_it_owns_is_dropped() {
    let (pool, owned, begun) = (pool(), Arc::new(()), Arc::new(AtomicBool::new(false)));
    let (kept, begins) = (Arc::clone(&owned), Arc::clone(&begun));
    let endless = pool.run_async(move |w| {
        let _kept = kept;
        w.for_each(0..u64::MAX, |_| begins.store(true, Ordering::Relaxed));
    });
    let begins = async {
        while !begun.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = endless => panic!("it has no end"),
        () = begins => {}
    }
    while Arc::strong_count(&owned) > 1 {
        tokio::task::yield_now().await;
    }
    // As by a time limit.
    let endless = pool.run_async(|w| w.for_each(0..u64::MAX, |_| ()));
    assert!(tokio::time::timeout(Duration::from_millis(1), endless).await.is_err());
}

#[tokio::test]
async fn a_panic_comes_out_where_it_is_awaited() {
    let pool = Arc::new(pool());
    let panics = tokio::spawn(async move { pool.run_async(|_| panic!("the call")).await });
    let error: tokio::task::JoinError = panics.await.unwrap_err();
    assert_eq!(*error.into_panic().downcast::<&str>().unwrap(), "the call");
}

#[tokio::test]
async fn a_scope_is_awaited() {
    let (pool, ran) = (pool(), Arc::new(AtomicUsize::new(0)));
    let spawned = Arc::clone(&ran);
    let scope = pool.scope_async(move |s| {
        for _ in 0..10 {
            let ran = Arc::clone(&spawned);
            s.spawn(move |w| _ = ran.fetch_add(fib(w, 6) as usize, Ordering::Relaxed));
        }
    });
    scope.await;
    assert_eq!(ran.load(Ordering::Relaxed), 80);
}

/// Each task waits for one of the runtime's, which waits for the next of the pool's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_that_wait_for_tokio_have_others_work_meanwhile() {
    fn down(pool: &Arc<Pool>, tokio: &Handle, left: u64) -> u64 {
        if left == 0 {
            return 0;
        }
        let (below, inner) = (Arc::clone(pool), tokio.clone());
        let next = async move {
            let pool = Arc::clone(&below);
            below.run_async(move |_| down(&pool, &inner, left - 1)).await
        };
        lyocell::blocking(|| tokio.block_on(next)) + 1
    }
    let (pool, tokio) = (Arc::new(pool()), Handle::current());
    let inner = Arc::clone(&pool);
    // Four workers, and as many that wait for each other.
    let depth = pool.run_async(move |_| down(&inner, &tokio, 3)).await;
    assert_eq!(depth, 3);
}
