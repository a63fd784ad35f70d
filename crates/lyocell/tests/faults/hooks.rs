//! Broadcasts while threads of the pool begin, end, or do not come at all: each thread that is there runs them, and nobody
//! waits for the others.

use crate::common::{fib, tick};
use crate::process::isolated;
use lyocell::{BuildError, Caller, Pool, ThreadBuilder};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// Each thread of the pool, when it ends, has all that are still there run something.
#[test]
fn threads_that_broadcast_when_they_end() {
    isolated(|| {
        for round in 0..300 {
            for caller in [Caller::Works, Caller::Sleeps] {
                let ran = Arc::new(AtomicUsize::new(0));
                let counter = Arc::clone(&ran);
                let on_exit = move |_| {
                    let ran = Arc::clone(&counter);
                    if round % 2 == 0 {
                        lyocell::spawn_detached_broadcast(move || tick(&ran));
                    } else {
                        let indices = lyocell::broadcast(lyocell::current_thread_index);
                        assert!(indices.contains(&lyocell::current_thread_index()));
                        tick(&ran);
                    }
                };
                let threads = 3;
                let workers = threads + usize::from(caller == Caller::Works);
                let builder = Pool::builder().workers(workers).caller(caller).on_exit(on_exit);
                let pool = builder.build().unwrap();
                assert_eq!(pool.run(|w| fib(w, 5)), 5);
                drop(pool);
                // Each has run its own at the least; all workers hear of it at the most, that of the seat among them.
                let ran = ran.load(Ordering::Relaxed);
                assert!((threads..=threads * workers).contains(&ran), "{ran}");
            }
        }
    });
}

/// What a thread spawns when it ends is run, by a thread that is still there.
#[test]
fn a_thread_that_ends_runs_what_it_spawned() {
    isolated(|| {
        for _ in 0..100 {
            let ran = Arc::new(Mutex::new(Vec::new()));
            let keep = Arc::clone(&ran);
            let on_exit = move |_| {
                let keep = Arc::clone(&keep);
                lyocell::spawn_detached(move || {
                    let indices = lyocell::broadcast(lyocell::current_thread_index);
                    keep.lock().unwrap().push(indices);
                });
            };
            let builder = Pool::builder().workers(1).caller(Caller::Sleeps).on_exit(on_exit);
            drop(builder.build().unwrap());
            assert_eq!(*ran.lock().unwrap(), [[Some(0)]]);
        }
    });
}

/// Those that run by the time wait for all that are to come, and one of these does not.
#[test]
fn threads_that_broadcast_when_they_begin_beside_one_that_cannot_be_started() {
    isolated(|| {
        for caller in [Caller::Works, Caller::Sleeps] {
            for use_current_thread in [false, true] {
                let mut threads = Vec::new();
                let mut builder = Pool::builder().workers(5).caller(caller).on_start(|_| {
                    lyocell::broadcast(|| ());
                    lyocell::spawn_detached_broadcast(|| ());
                });
                if use_current_thread {
                    builder = builder.use_current_thread();
                }
                let built = builder.build_with(|thread| {
                    if thread.index() == 3 {
                        return Err(io::Error::other("no more"));
                    }
                    threads.push(thread::spawn(|| thread.run()));
                    Ok(())
                });
                let error = built.unwrap_err();
                assert!(matches!(error, BuildError::Thread { worker: 3, .. }), "{error:?}");
                // They have nothing left to wait for.
                threads.into_iter().for_each(|thread| thread.join().unwrap());
                assert_eq!(lyocell::current_thread_index(), None);
            }
        }
    });
}

/// The same of threads that the library starts: the system refuses the last.
#[test]
fn build_returns_its_error_though_threads_broadcast_when_they_begin() {
    isolated(|| {
        let names = |index| if index == 3 { panic!("no name") } else { String::new() };
        let builder = Pool::builder().workers(4).thread_names(names);
        let builder = builder.on_start(|_| drop(lyocell::broadcast(|| ())));
        let text = crate::common::panic_of(move || builder.build());
        assert_eq!(text, "no name");
    });
}

#[test]
fn a_thread_that_is_never_run_is_left_out() {
    isolated(|| {
        let held = Mutex::new(None::<ThreadBuilder>);
        let builder = Pool::builder().workers(3).caller(Caller::Sleeps);
        let pool = builder.build_with(|thread| {
            match thread.index() {
                0 => drop(thread),
                1 => drop(thread::spawn(|| thread.run())),
                _ => *held.lock().unwrap() = Some(thread),
            }
            Ok(())
        });
        let pool = Arc::new(pool.unwrap());
        // It waits for the one that may yet come.
        let (send, receive) = mpsc::channel();
        let beside = Arc::clone(&pool);
        let broadcast = thread::spawn(move || {
            let tell = |index: usize| {
                send.send(index).unwrap();
                index
            };
            beside.broadcast(|w| tell(w.index()))
        });
        assert_eq!(receive.recv(), Ok(1));
        drop(held.lock().unwrap().take());
        assert_eq!(broadcast.join().unwrap(), [1]);
        assert_eq!(pool.broadcast(|w| w.index()), [1]);
        assert_eq!(pool.run(|w| w.broadcast(|w| w.index())), [1]);
        let owned = Arc::new(());
        let kept = Arc::clone(&owned);
        pool.spawn_detached_broadcast(move |_| _ = &kept);
        drop(pool);
        while Arc::strong_count(&owned) > 1 {
            thread::yield_now();
        }
    });
}

#[test]
fn a_worker_whose_thread_is_over_is_left_out() {
    isolated(|| {
        for round in 0..50 {
            let (send, receive) = mpsc::channel();
            let (go, wait) = mpsc::channel::<()>();
            let builds = thread::spawn(move || {
                let pool = Pool::builder().workers(2).use_current_thread().build().unwrap();
                send.send(pool).unwrap();
                let _ = wait.recv();
            });
            let pool = receive.recv().unwrap();
            let owned = Arc::new(());
            let kept = Arc::clone(&owned);
            if round % 2 == 0 {
                // It is in the mail when the thread ends, which does not read it any more.
                pool.spawn_detached_broadcast(move |_| _ = &kept);
                drop(go);
            } else {
                drop(go);
                builds.join().unwrap();
                pool.spawn_detached_broadcast(move |_| _ = &kept);
                assert_eq!(pool.broadcast(|w| w.index()), [1]);
            }
            assert_eq!(pool.run(|w| fib(w, 10)), 55);
            drop(pool);
            assert_eq!(Arc::strong_count(&owned), 1);
        }
    });
}
