//! The handle of a detached task: whoever waits hears of the end and sees what the task did, and its outcome is dropped once.

use super::{explore, race, role};
use crate::current;
use crate::current::TaskHandle;
use crate::deque::{Split, SplitOptions};
use crate::pool::Pool;
use crate::probe::NoProbe;
use crate::scheduler::Registry;
use lyocell_sync::{AtomicUsize, Ordering, Parker, RaceCell as UnsafeCell, Unparker, yield_now};
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake};
use std::time::Duration;

/// What a task returns: it has written something, and counts how often it is dropped.
struct Outcome {
    written: UnsafeCell<u32>,
    drops: Arc<AtomicUsize>,
}

// SAFETY: this is what the models check.
unsafe impl Send for Outcome {}

impl Outcome {
    fn new(drops: &Arc<AtomicUsize>) -> Outcome {
        let outcome = Outcome { written: UnsafeCell::new(0), drops: Arc::clone(drops) };
        // SAFETY: nobody else has it yet.
        outcome.written.with_mut(|written| unsafe { *written = 42 });
        outcome
    }

    fn assert_written(&self) {
        // SAFETY: it is the waiter's now.
        self.written.with(|written| assert_eq!(unsafe { *written }, 42));
    }
}

impl Drop for Outcome {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::Relaxed);
    }
}

/// A task that ends on one thread, and somebody who has its handle on another; then its outcome has been dropped once.
fn task_and(have: impl FnOnce(TaskHandle<Outcome>)) {
    let drops = Arc::new(AtomicUsize::new(0));
    let (handle, finish) = TaskHandle::new();
    let counted = Arc::clone(&drops);
    let task = role(move || finish.run(|| Outcome::new(&counted)));
    race([task], || have(handle));
    assert_eq!(drops.load(Ordering::Relaxed), 1);
}

#[test]
fn a_thread_from_outside_sleeps_until_the_end() {
    explore(3, || task_and(|handle| handle.join().assert_written()));
}

/// It works on, with nothing to do, and is woken.
#[test]
fn a_worker_is_woken_by_the_end() {
    explore(2, || {
        let builder = Pool::builder().deque_capacity(3).search_time(Duration::ZERO);
        let parts = builder.config.parts::<Split>(1).expect("a few slots");
        let (pool, _) = Registry::<Split, NoProbe>::new(parts, &SplitOptions::default());
        task_and(|handle| {
            // Only this role looks up which worker it is: to loom all threads are one.
            current::occupy(&*pool.workers[0], |_| handle.join().assert_written());
        });
    });
}

#[test]
fn who_looks_now_and_then_takes_it_at_last() {
    explore(3, || {
        task_and(|handle| {
            while !handle.is_finished() {
                yield_now();
            }
            handle.join().assert_written();
        });
    });
}

/// Wakes the thread that polls.
struct Woken(Mutex<Unparker>);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().unpark();
    }
}

/// An executor of one future.
fn block_on(handle: TaskHandle<Outcome>) -> Outcome {
    let parker = Parker::default();
    let waker = Arc::new(Woken(Mutex::new(parker.unparker().clone()))).into();
    let mut future = pin!(handle);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(outcome) => return outcome,
            Poll::Pending => parker.park(),
        }
    }
}

#[test]
fn a_future_is_woken_by_the_end() {
    explore(3, || task_and(|handle| block_on(handle).assert_written()));
}

/// It was polled by one executor, and another goes on with it, as futures may.
#[test]
fn the_waker_of_the_last_poll_is_woken() {
    explore(3, || {
        task_and(|handle| {
            let elsewhere = Parker::default();
            let waker = Arc::new(Woken(Mutex::new(elsewhere.unparker().clone()))).into();
            let mut handle = handle;
            match pin!(&mut handle).poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(outcome) => outcome.assert_written(),
                Poll::Pending => block_on(handle).assert_written(),
            }
        });
    });
}

#[test]
fn what_nobody_takes_is_dropped_with_the_last_of_the_two() {
    explore(3, || task_and(drop));
}
