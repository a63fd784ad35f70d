//! Scopes and detached tasks.

use crate::Check;
use crate::forks::{fib, global};
use lyocell::{Cancel, Cancelled, Pool, Worker, Yield};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    ("scopes", || {
        let mut results = [0; 4];
        lyocell::scope(|s| {
            for (i, result) in results.iter_mut().enumerate() {
                s.spawn(move |s| s.spawn(move |_| *result = i as u64 + 1));
            }
        });
        let mut more = [0; 3];
        global().scope(|s| more.iter_mut().for_each(|more| s.spawn(|_| *more = 10)));
        results.iter().sum::<u64>() + more.iter().sum::<u64>()
    }),
    ("a scope in place", || {
        let here = std::rc::Rc::new(5);
        let [mut one, mut two, mut three] = [0; 3];
        lyocell::in_place_scope(|s| {
            let five = *here;
            let (one, two) = (&mut one, &mut two);
            s.spawn(move |_| *one = five);
            s.spawn(move |_| *two = 7);
        });
        global().in_place_scope(|s| s.spawn_fifo(|w| three = fib(w, 10)));
        one + two + three
    }),
    ("scopes wait for their tasks, and not before", || {
        // The task finds what the body has done after it was spawned.
        let (send, receive) = std::sync::mpsc::channel();
        let mut received = 0;
        lyocell::in_place_scope(|s| {
            let received = &mut received;
            s.spawn(move |_| *received = receive.try_recv().unwrap());
            send.send(9).unwrap();
        });
        received
    }),
    ("a detached task from outside", || {
        counted(|count| {
            let task = count.clone();
            lyocell::spawn_detached(move || task.add(1));
            count.is(1);
            let task = count.clone();
            global().spawn_detached_fifo(move |_| task.add(1));
            count.is(2);
        })
    }),
    ("detached tasks within a call", || {
        counted(|count| {
            global().run(|w| {
                let task = count.clone();
                w.spawn_detached(move |_| task.add(1));
                count.is(0);
            });
            count.is(1);
        })
    }),
    ("a long chain of detached tasks", || {
        counted(|count| {
            fn next(w: &Worker, left: u64, count: Count) {
                count.add(1);
                if left > 1 {
                    w.spawn_detached(move |w| next(w, left - 1, count));
                }
            }
            let first = count.clone();
            global().spawn_detached(move |w| next(w, 100_000, first));
        })
    }),
    ("detached tasks in order", || {
        let order = Arc::new(Mutex::new(0));
        global().run(|w| {
            for i in 1..=4 {
                let order = Arc::clone(&order);
                w.spawn_detached_fifo(move |_| {
                    let mut order = order.lock().unwrap();
                    *order = *order * 10 + i;
                });
            }
        });
        let order = order.lock().unwrap();
        *order
    }),
    ("handles", || {
        let outside = lyocell::spawn_detached_with_handle(|| 40).join();
        let inside = global().run(|w| w.spawn_detached_with_handle(|w| fib(w, 10)).join());
        let scoped = global().scope(|s| s.spawn_with_handle(|_| 7_u64).join());
        outside + inside + scoped
    }),
    ("a handle for a while", || {
        // Nobody but the task itself waits for it: it is not over however long that takes.
        let own = Arc::new(Mutex::new(None));
        let place = Arc::clone(&own);
        global().run(|w| {
            let handle = w.spawn_detached_with_handle(move |_| {
                let handle: Option<lyocell::TaskHandle<()>> = place.lock().unwrap().take();
                let handle = handle.unwrap().join_timeout(Duration::from_millis(20));
                *place.lock().unwrap() = Some(handle.unwrap_err());
            });
            *own.lock().unwrap() = Some(handle);
        });
        let handle = own.lock().unwrap().take().unwrap();
        u64::from(handle.is_finished())
    }),
    ("broadcasts", || {
        counted(|count| {
            count.add(lyocell::broadcast(|| 10).iter().sum());
            count.add(global().run(|w| w.broadcast(|w| w.index() as u64 + 1)).iter().sum());
            let task = count.clone();
            global().spawn_detached_broadcast(move |_| task.add(100));
            count.is(111);
            lyocell::scope(|s| s.spawn_broadcast(|_| count.add(1)));
        })
    }),
    ("yielding", || {
        let [mut first, mut second] = [Yield::Idle; 2];
        global().run(|w| {
            w.spawn_detached(|_| ());
            first = w.yield_now();
            second = w.yield_local();
        });
        u64::from(first == Yield::Executed) * 2 + u64::from(second == Yield::Idle)
    }),
    ("a call that is awaited", || {
        let mut call = pin!(async { global().run_async(|w| fib(w, 10)).await + 1 });
        let mut context = Context::from_waker(Waker::noop());
        match call.as_mut().poll(&mut context) {
            Poll::Ready(answer) => answer,
            Poll::Pending => 0,
        }
    }),
    ("a call that nobody awaits", || {
        counted(|count| {
            let task = count.clone();
            drop(global().run_async(move |_| task.add(1)));
        })
    }),
    ("a token that is set before", || {
        let cancel = Cancel::new();
        cancel.cancel();
        let called = global().run(|w| w.cancellable(&cancel, |_| 1));
        u64::from(called == Err(Cancelled))
    }),
    ("a token that is asked", || {
        let cancel = Cancel::new();
        let counted = global().run(|w| {
            w.cancellable(&cancel, |w| {
                let mut count = 0;
                while !w.is_cancelled() {
                    count += 1;
                    if count == 1_000 {
                        cancel.cancel();
                    }
                }
                count
            })
        });
        counted.unwrap()
    }),
    ("a token with a time", || {
        let (now, later) = (Cancel::after(Duration::ZERO), Cancel::after(Duration::MAX));
        u64::from(now.is_cancelled()) * 2 + u64::from(later.is_cancelled())
    }),
    ("what nobody is left to do", || {
        // A task that waits for its own end.
        let own = Arc::new(Mutex::new(None));
        let place = Arc::clone(&own);
        global().run(|w| {
            let handle = w.spawn_detached_with_handle(move |_| {
                let handle: Option<lyocell::TaskHandle<()>> = place.lock().unwrap().take();
                handle.unwrap().join();
            });
            *own.lock().unwrap() = Some(handle);
        });
        0
    }),
    ("what is not over in time", || {
        let pool = Pool::new().unwrap();
        let handle = pool.run(|w| w.spawn_detached_with_handle(|_| 3));
        handle.join_timeout(Duration::from_secs(1)).unwrap()
    }),
];

/// A number that tasks add to.
#[derive(Clone, Default)]
struct Count(Arc<AtomicU64>);

impl Count {
    fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    #[track_caller]
    fn is(&self, expected: u64) {
        assert_eq!(self.0.load(Ordering::Relaxed), expected);
    }
}

/// What tasks have added up by the end of `body`.
fn counted(body: impl FnOnce(&Count)) -> u64 {
    let count = Count::default();
    body(&count);
    count.0.load(Ordering::Relaxed)
}
