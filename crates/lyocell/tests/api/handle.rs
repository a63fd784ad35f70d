//! Handles to detached tasks.

use crate::common::{Drops, many, panic_of, pool};
use lyocell::{Caller, Cancel, Cancelled, Pool, TaskHandle};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

#[test]
fn whoever_joins_gets_the_result() {
    for caller in [Caller::Works, Caller::Sleeps] {
        for workers in [1, 3] {
            let pool = Pool::builder().workers(workers).caller(caller).build().unwrap();
            let elsewhere = pool_of_one();
            for i in 0..many(100, 2) {
                assert_eq!(pool.spawn_detached_with_handle(move |_| i).join(), i);
                let handle = pool.spawn_detached_with_handle(move |_| i);
                assert_eq!(elsewhere.run(|_| handle.join()), i);
                assert_eq!(pool.run(|w| w.spawn_detached_with_handle(move |_| i).join()), i);
                assert_eq!(pool.run(|_| lyocell::spawn_detached_with_handle(move || i).join()), i);
            }
        }
    }
}

#[test]
fn who_waits_with_a_timeout_has_the_handle_again_or_the_result() {
    let pool = pool(2);
    let (send, receive) = mpsc::channel();
    let (begins, begun) = mpsc::channel();
    let waits = pool.spawn_detached_with_handle(move |_| {
        begins.send(()).unwrap();
        receive.recv().unwrap()
    });
    let waits = waits.join_timeout(Duration::ZERO).unwrap_err();
    // Else who waits on the seat may run it, and wait for itself.
    begun.recv().unwrap();
    let waits = waits.join_timeout(Duration::from_millis(1)).unwrap_err();
    let waits = pool.run(|_| waits.join_timeout(Duration::from_millis(1)).unwrap_err());
    send.send(7).unwrap();
    assert_eq!(pool.run(|_| waits.join_timeout(Duration::from_secs(3600)).unwrap()), 7);
    let panics: TaskHandle<()> = pool.spawn_detached_with_handle(|_| panic!("the task"));
    assert_eq!(panic_of(|| panics.join_timeout(Duration::MAX).unwrap()), "the task");
}

/// The one worker runs the task that it waits for, and before that one that it does not.
#[test]
fn a_worker_that_waits_with_a_timeout_works() {
    let answer = pool_of_one().run(|w| {
        let first = w.spawn_detached_with_handle(|_| 1);
        let second = w.spawn_detached_with_handle(move |_| first.join() + 1);
        second.join_timeout(Duration::from_secs(3600)).unwrap()
    });
    assert_eq!(answer, 2);
}

#[test]
fn tasks_of_a_scope_have_handles_and_borrow() {
    for workers in [1, 3] {
        let pool = pool(workers);
        let words = [String::from("a"), String::from("bc")];
        let of_pool = pool.scope(|s| {
            words
                .each_ref()
                .map(|word| s.spawn_with_handle(move |_| word.as_str()))
                .map(|h| h.join())
        });
        let of_any = pool.run(|_| {
            lyocell::scope(|s| {
                words
                    .each_ref()
                    .map(|word| s.spawn_with_handle(move |_| word.len()))
                    .map(|h| h.join())
            })
        });
        assert_eq!((of_pool, of_any), (["a", "bc"], [1, 2]));
        // It outlives the scope, and what it gives is what the task has borrowed.
        let kept = pool.scope(|s| s.spawn_with_handle(|_| &words[1]));
        assert_eq!(kept.join(), "bc");
    }
}

#[test]
fn a_panic_of_a_task_with_a_handle_is_the_handles_and_not_the_scopes() {
    let pool = pool(2);
    let panics: TaskHandle<()> = pool.scope(|s| s.spawn_with_handle(|_| panic!("the task")));
    assert_eq!(panic_of(|| panics.join()), "the task");
}

/// A task that is cancelled before it begins ends its handle: whoever waits for it is stopped.
#[test]
fn who_waits_for_a_cancelled_task_of_a_scope_is_stopped() {
    let pool = pool_of_one();
    let cancel = Cancel::new();
    let outcome = pool.run(|w| {
        w.cancellable(&cancel, |w| {
            w.scope(|s| {
                let handle = s.spawn_with_handle(|_| 1);
                cancel.cancel();
                handle.join()
            })
        })
    });
    assert_eq!(outcome, Err(Cancelled));
}

fn pool_of_one() -> Pool {
    pool(1)
}

/// The one worker waits for a task that waits for another.
#[test]
fn a_worker_that_waits_works() {
    let pool = pool(1);
    let sum = pool.run(|w| {
        let first =
            w.spawn_detached_with_handle(|w| w.spawn_detached_with_handle(|_| 1).join() + 1);
        let second = w.spawn_detached_with_handle(|_| 4);
        first.join() + second.join()
    });
    assert_eq!(sum, 6);
}

#[test]
fn a_panic_comes_out_where_it_is_joined() {
    let pool = pool(2);
    let handle: TaskHandle<()> = pool.spawn_detached_with_handle(|_| panic!("the task"));
    assert_eq!(panic_of(|| handle.join()), "the task");
}

#[test]
fn what_nobody_takes_is_dropped_once_and_a_panic_goes_nowhere() {
    static DROPS: Drops = Drops::new();
    let (send, panics) = mpsc::channel();
    let builder = Pool::builder().workers(2);
    let pool = builder.on_panic(move |_| send.send(()).unwrap()).build().unwrap();
    for _ in 0..many(50, 2) {
        drop(pool.spawn_detached_with_handle(|_| DROPS.ticket()));
        drop(pool.spawn_detached_with_handle::<_, ()>(|_| panic!("nobody hears")));
        let late = pool.spawn_detached_with_handle(|_| DROPS.ticket());
        while !late.is_finished() {
            thread::yield_now();
        }
    }
    drop(pool);
    assert_eq!((DROPS.count(), panics.iter().count()), (many(100, 4), 0));
}

/// Counts how often a future asked to be polled again, and unparks its thread.
struct Awoken(AtomicUsize, thread::Thread);

impl Wake for Awoken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
        self.1.unpark();
    }
}

#[test]
fn as_a_future_it_is_ready_once_and_wakes_who_polled_it_last() {
    let pool = pool(2);
    for _ in 0..many(100, 2) {
        let (go, wait) = mpsc::channel();
        let mut handle = pool.spawn_detached_with_handle(move |_| wait.recv().unwrap());
        let awoken = [0, 1].map(|_| Arc::new(Awoken(AtomicUsize::new(0), thread::current())));
        let wakers = awoken.clone().map(Waker::from);
        for waker in &wakers {
            let poll = Pin::new(&mut handle).poll(&mut Context::from_waker(waker));
            assert_eq!(poll, Poll::Pending);
        }
        go.send(7).unwrap();
        let ready = loop {
            match Pin::new(&mut handle).poll(&mut Context::from_waker(&wakers[1])) {
                Poll::Ready(ready) => break ready,
                Poll::Pending => thread::park(),
            }
        };
        assert_eq!((ready, awoken[0].0.load(Ordering::Relaxed)), (7, 0));
    }
}
