//! Pools: their ends, their shapes, and the global one. What rayon-core's own tests `workers_stop` and `sleeper_stop` see
//! from the inside is seen here from without.

mod common;

use common::{part, play, text_of};
use rayon_core::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

fn join_a_lot(n: usize) {
    if n > 0 {
        rayon_core::join(|| join_a_lot(n - 1), || join_a_lot(n - 1));
    }
}

/// The threads of a dropped pool end, whether they have just worked or sleep.
#[test]
fn threads_end_when_the_pool_is_dropped() {
    for sleep in [Duration::ZERO, Duration::from_millis(300)] {
        let mut threads = Vec::new();
        let built = ThreadPoolBuilder::new()
            .num_threads(22)
            .spawn_handler(|thread| {
                threads.push(thread::spawn(|| thread.run()));
                Ok(())
            })
            .build();
        let pool = built.unwrap();
        if sleep.is_zero() {
            pool.install(|| join_a_lot(if cfg!(miri) { 3 } else { 16 }));
        }
        thread::sleep(sleep);
        drop(pool);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
}

/// As rayon's: who drops a pool does not wait for what runs in it.
#[test]
fn dropping_a_pool_waits_for_nobody() {
    let over = Arc::new(Barrier::new(2));
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let inside = Arc::clone(&over);
    pool.spawn(move || {
        inside.wait();
        rayon_core::spawn(move || _ = inside.wait());
    });
    drop(pool);
    over.wait();
    over.wait();
}

/// As in rayon: a thread that waits for another pool begins its own other items meanwhile, and so leaves several to that pool.
#[test]
fn items_that_wait_for_another_pool_wait_together() {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (one, two) = (pool(1), pool(2));
    let both = Barrier::new(2);
    let meet = || two.install(|| _ = both.wait());
    one.install(|| rayon_core::join(meet, meet));
}

#[test]
fn handlers_are_called_on_threads_of_the_pool() {
    let calls = Arc::new(AtomicUsize::new(0));
    let handler = || {
        let calls = Arc::clone(&calls);
        move |index| {
            assert_eq!(rayon_core::current_thread_index(), Some(index));
            assert_eq!(rayon_core::current_num_threads(), 3);
            calls.fetch_add(1, Ordering::Relaxed);
        }
    };
    let builder = ThreadPoolBuilder::new().num_threads(3);
    builder
        .start_handler(handler())
        .exit_handler(handler())
        .build_scoped(|thread| thread.run(), |pool| pool.broadcast(|context| context.index()))
        .unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 6);
}

#[test]
fn about_the_current_thread() {
    assert_eq!(rayon_core::current_thread_index(), None);
    assert_eq!(rayon_core::current_thread_has_pending_tasks(), None);
    assert_eq!(rayon_core::yield_now(), None);
    assert_eq!(rayon_core::yield_local(), None);
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let other = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        assert_eq!((pool.current_thread_index(), other.current_thread_index()), (Some(0), None));
        assert_eq!(pool.current_thread_has_pending_tasks(), Some(false));
        rayon_core::spawn(|| ());
        assert_eq!(rayon_core::current_thread_has_pending_tasks(), Some(true));
        assert_eq!(other.current_thread_has_pending_tasks(), None);
        assert_eq!(
            (pool.yield_local(), other.yield_local()),
            (Some(rayon_core::Yield::Executed), None)
        );
        assert_eq!((pool.yield_now(), other.yield_now()), (Some(rayon_core::Yield::Idle), None));
    });
    assert!(rayon_core::max_num_threads() >= 1000);
}

#[test]
fn more_threads_than_there_can_be_are_fewer() {
    if cfg!(miri) {
        return;
    }
    let asked = rayon_core::max_num_threads() + 1;
    let pool = ThreadPoolBuilder::new().num_threads(asked).stack_size(64 << 10).build();
    // So many threads may be refused by the system, but not for their number being too large.
    if let Ok(pool) = pool {
        assert_eq!(pool.current_num_threads(), rayon_core::max_num_threads());
    }
}

#[test]
fn the_global_pool_is_built_once_and_before_its_first_use() {
    let test = "the_global_pool_is_built_once_and_before_its_first_use";
    let exists = "The global thread pool has already been initialized.";
    match part().as_deref() {
        Some("built") => {
            let started = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&started);
            let start = move |_| _ = count.fetch_add(1, Ordering::Relaxed);
            ThreadPoolBuilder::new().num_threads(3).start_handler(start).build_global().unwrap();
            assert_eq!(rayon_core::current_num_threads(), 3);
            rayon_core::broadcast(|_| ());
            assert_eq!(started.load(Ordering::Relaxed), 3);
        }
        Some("used") => {
            rayon_core::join(|| (), || ());
            let again = ThreadPoolBuilder::new().num_threads(3).build_global();
            assert_eq!(again.unwrap_err().to_string(), exists);
        }
        Some("current") => {
            ThreadPoolBuilder::new().num_threads(2).use_current_thread().build_global().unwrap();
            assert_eq!(rayon_core::current_thread_index(), Some(0));
            let local = ThreadPoolBuilder::new().num_threads(2).use_current_thread().build();
            let expected = "The current thread is already part of another thread pool.";
            assert_eq!(local.unwrap_err().to_string(), expected);
            assert_eq!(rayon_core::join(|| 1, || 2), (1, 2));
        }
        Some("lyocell") => {
            // Lyocell's own functions and rayon's have one pool.
            assert_eq!(rayon_core::current_num_threads(), lyocell::global().unwrap().workers());
            let of_rayon = rayon_core::broadcast(|_| thread::current().id());
            assert_eq!(lyocell::broadcast(|| thread::current().id()), of_rayon);
        }
        Some("failed") => {
            let failed = ThreadPoolBuilder::new()
                .num_threads(2)
                .spawn_handler(|_| Err(std::io::Error::other("no threads today")))
                .build_global();
            assert_eq!(failed.unwrap_err().to_string(), "no threads today");
            let again = ThreadPoolBuilder::new().build_global();
            assert_eq!(again.unwrap_err().to_string(), exists);
            rayon_core::join(|| (), || ());
        }
        Some(other) => panic!("no such part: {other}"),
        None => {
            for name in ["built", "used", "current", "lyocell"] {
                let output = play(test, name, &[]);
                assert!(output.status.success(), "{name}: {}", text_of(&output));
            }
            let text = text_of(&play(test, "failed", &[]));
            assert!(text.contains("has not been initialized.: ThreadPoolBuildError"), "{text}");
        }
    }
}

#[test]
fn shapes() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<ThreadPool>();
    is_send_and_sync::<ThreadPoolBuildError>();
    is_send_and_sync::<rayon_core::Scope<'_>>();
    is_send_and_sync::<rayon_core::ScopeFifo<'_>>();
    fn is_send<T: Send>() {}
    is_send::<rayon_core::ThreadBuilder>();
    let builder = ThreadPoolBuilder::new().num_threads(2).thread_name(|i| i.to_string());
    assert_eq!(
        format!("{builder:?}"),
        "ThreadPoolBuilder { num_threads: 2, use_current_thread: false, get_thread_name: \
         Some(<closure>), panic_handler: None, stack_size: None, start_handler: None, \
         exit_handler: None, breadth_first: false }"
    );
    let pool = builder.build().unwrap();
    assert!(format!("{pool:?}").starts_with("ThreadPool { num_threads: 2"));
    assert_eq!(pool.broadcast(|_| thread::current().name().map(str::to_owned)).len(), 2);
    pool.scope(|s| assert!(format!("{s:?}").starts_with("Scope")));
    pool.scope_fifo(|s| assert!(format!("{s:?}").starts_with("ScopeFifo")));
}

#[test]
#[allow(deprecated)]
fn old_names() {
    let configuration = rayon_core::Configuration::new().num_threads(2).breadth_first();
    let pool = ThreadPool::new(configuration).unwrap();
    let (send, receive) = std::sync::mpsc::channel();
    let one = rayon_core::Configuration::new().num_threads(1).breadth_first().build().unwrap();
    one.install(|| {
        for i in 0..10 {
            let send = send.clone();
            rayon_core::spawn(move || send.send(i).unwrap());
        }
    });
    drop((send, one));
    assert!(receive.iter().eq(0..10), "breadth first is oldest first");
    assert_eq!(pool.current_num_threads(), 2);
}
