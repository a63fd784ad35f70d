//! Pools on threads that the program has started, and threads that are workers for good.
//!
//! Not under Miri: what a thread is for good is never freed.

use crate::common::{fib, panic_of, tick};
use lyocell::{BuildError, Caller, Pool};
use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// Whose threads the program starts leaves them to end by themselves, watched or not: the one that drops it may have yet to run them.
#[test]
fn a_watched_pool_does_not_wait_for_threads_of_the_program() {
    let mut threads = Vec::new();
    let builder = Pool::builder().workers(2).caller(Caller::Sleeps);
    let builder = builder.watch_processors(Duration::from_secs(3600));
    let pool = builder.build_with(|thread| {
        threads.push(thread);
        Ok(())
    });
    let pool = pool.unwrap();
    let ran = Arc::new(AtomicUsize::new(0));
    let runs = Arc::clone(&ran);
    pool.spawn_detached(move |_| tick(&runs));
    drop(pool);
    let run = |thread: lyocell::ThreadBuilder| thread::spawn(|| thread.run()).join().unwrap();
    threads.into_iter().for_each(run);
    assert_eq!(ran.load(Ordering::Relaxed), 1);
}

#[test]
fn the_program_starts_the_threads_and_hears_their_end() {
    for (caller, expected) in [(Caller::Works, vec![1, 2]), (Caller::Sleeps, vec![0, 1, 2])] {
        let ended = AtomicUsize::new(0);
        let borrowed = String::from("borrowed");
        thread::scope(|threads| {
            let mut started = Vec::new();
            let builder = Pool::builder().workers(3).caller(caller).stack_size(1 << 20);
            let pool = builder.thread_names(|i| format!("mine {i}")).build_with(|thread| {
                started.push(thread.index());
                assert_eq!(thread.name(), format!("mine {}", thread.index()));
                assert_eq!(thread.stack_size(), 1 << 20);
                thread::Builder::new().spawn_scoped(threads, || {
                    assert_eq!(borrowed, "borrowed");
                    thread.run();
                    assert_eq!(lyocell::current_thread_index(), None);
                    tick(&ended);
                })?;
                Ok(())
            });
            let pool = pool.unwrap();
            assert_eq!(started, expected);
            assert_eq!(pool.run(|w| fib(w, 15)), 610);
            assert_eq!(ended.load(Ordering::Relaxed), 0);
        });
        assert_eq!(ended.into_inner(), expected.len());
    }
}

#[test]
fn dropping_such_a_pool_does_not_wait_and_its_tasks_run_to_their_end() {
    let (go, wait) = mpsc::channel();
    let (send, receive) = mpsc::channel();
    let pool = Pool::builder().workers(2).build_with(|thread| {
        thread::spawn(|| thread.run());
        Ok(())
    });
    let pool = pool.unwrap();
    pool.spawn_detached(move |w| {
        wait.recv().unwrap();
        // The pool is dropped, and takes this all the same.
        w.spawn_detached(move |_| send.send("over").unwrap());
    });
    drop(pool);
    go.send(()).unwrap();
    assert_eq!(receive.recv(), Ok("over"));
}

#[test]
fn an_error_of_the_program_is_the_builders_and_threads_before_it_end() {
    let ended = Arc::new(AtomicUsize::new(0));
    let mut threads = Vec::new();
    let failed = Pool::builder().workers(4).caller(Caller::Sleeps).build_with(|thread| {
        if thread.index() == 2 {
            return Err(io::Error::other("no more"));
        }
        let ended = Arc::clone(&ended);
        threads.push(thread::spawn(move || {
            thread.run();
            tick(&ended);
        }));
        Ok(())
    });
    let error = failed.unwrap_err();
    assert!(matches!(error, BuildError::Thread { worker: 2, .. }), "{error:?}");
    assert_eq!(error.source().unwrap().to_string(), "no more");
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(ended.load(Ordering::Relaxed), 2);
}

#[test]
fn a_thread_that_is_a_worker_already_cannot_serve() {
    let (send, receive) = mpsc::channel();
    let pool = Pool::builder().workers(2).build_with(|thread| {
        send.send(thread).unwrap();
        Ok(())
    });
    let thread = receive.recv().unwrap();
    let other = Pool::builder().workers(1).build().unwrap();
    let text = panic_of(|| other.run(|_| thread.run()));
    assert!(text.contains("worker 1") && text.contains("run it on a new thread"), "{text}");
    drop(pool);
}

#[test]
fn hooks_are_called_by_the_worker_and_what_they_spawn_runs() {
    let (send, receive) = mpsc::channel();
    let send = Mutex::new(send);
    let tell = Arc::new(move |what: &'static str| {
        let index = lyocell::current_thread_index();
        let (send, also) = {
            let send = send.lock().unwrap();
            (send.clone(), send.clone())
        };
        send.send((what, index)).unwrap();
        lyocell::spawn_detached(move || {
            also.send(("spawned", lyocell::current_thread_index())).unwrap()
        });
    });
    let (start, exit) = (Arc::clone(&tell), tell);
    let builder = Pool::builder().workers(1).caller(Caller::Sleeps);
    let pool = builder.on_start(move |_| start("start")).on_exit(move |_| exit("exit")).build();
    drop(pool);
    let told: Vec<_> = receive.iter().collect();
    let here = Some(0);
    assert_eq!(told, [("start", here), ("spawned", here), ("exit", here), ("spawned", here)]);
}

#[test]
fn the_thread_that_builds_a_pool_can_be_its_worker_for_good() {
    let body = || {
        let pool = Pool::builder().workers(2).use_current_thread().build().unwrap();
        let here = thread::current().id();
        assert_eq!(lyocell::current_thread_index(), Some(0));
        assert_eq!(pool.run(|w| (w.index(), thread::current().id())), (0, here));
        assert_eq!(pool.run(|w| fib(w, 15)), 610);
        assert_eq!(pool.broadcast(|w| w.index()), [0, 1]);
        // It does nothing of its own accord: the other thread runs this.
        let (send, receive) = mpsc::channel();
        pool.spawn_detached(move |w| send.send(w.index()).unwrap());
        assert_eq!(receive.recv(), Ok(1));
        let again = Pool::builder().workers(1).use_current_thread().build().unwrap_err();
        assert!(matches!(again, BuildError::CurrentThreadIsWorker), "{again:?}");
        assert!(again.to_string().contains("on another thread"), "{again}");
        // Other threads sleep until a worker has made their call.
        thread::scope(|threads| {
            let index = threads.spawn(|| pool.run(|w| w.index())).join().unwrap();
            assert_eq!(index, 1);
        });
    };
    thread::spawn(body).join().unwrap();
}

#[test]
fn alone_it_runs_what_is_spawned_when_it_yields_or_waits() {
    let body = || {
        let pool = Pool::builder().workers(1).use_current_thread().build().unwrap();
        let (send, receive) = mpsc::channel();
        let again = send.clone();
        pool.spawn_detached(move |_| send.send(1).unwrap());
        assert!(receive.try_recv().is_err());
        assert_eq!(lyocell::yield_now(), Some(lyocell::Yield::Executed));
        assert_eq!(receive.try_recv(), Ok(1));
        pool.scope(|s| s.spawn(move |_| again.send(2).unwrap()));
        assert_eq!(receive.try_recv(), Ok(2));
    };
    thread::spawn(body).join().unwrap();
}

/// The thread can be the worker of one of them only: the first that is built.
#[test]
fn a_pool_built_while_another_takes_this_thread() {
    let body = || {
        let mut inner = None;
        let outer = Pool::builder().workers(2).use_current_thread().build_with(|thread| {
            thread::spawn(|| thread.run());
            inner = Some(Pool::builder().workers(2).use_current_thread().build().unwrap());
            Ok(())
        });
        let inner = inner.unwrap();
        assert!(matches!(outer.unwrap_err(), BuildError::CurrentThreadIsWorker));
        // The inner one has its thread still.
        assert_eq!(inner.run(|w| w.index()), 0);
        assert_eq!(inner.broadcast(|w| w.index()), [0, 1]);
        assert_eq!(inner.run(|w| w.join(|w| fib(w, 10), |_| 1)), (55, 1));
    };
    thread::spawn(body).join().unwrap();
}
