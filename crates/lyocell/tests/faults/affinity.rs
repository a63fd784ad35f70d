//! Processes and threads that may use one processor only.
#![cfg(any(target_os = "linux", target_os = "android"))]

use crate::common::{fib, join_stolen, pool};
use crate::process::isolated;
use lyocell::deque::{ReceiverOptions, SenderOptions};
use lyocell::{Caller, Deque, Pinning, Pool, Receiver, Sender, WakeSteering, Worker};
use std::mem::{MaybeUninit, size_of};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

type Set = libc::cpu_set_t;

/// The processors the calling thread may use.
fn allowed() -> Vec<usize> {
    // SAFETY: all zero is the empty set.
    let mut set: Set = unsafe { MaybeUninit::zeroed().assume_init() };
    // SAFETY: the set is as large as said.
    assert_eq!(unsafe { libc::sched_getaffinity(0, size_of::<Set>(), &mut set) }, 0);
    // SAFETY: below the size of the set.
    (0..libc::CPU_SETSIZE as usize).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).collect()
}

/// Keeps the calling thread, and those it starts, on one processor.
fn allow_only(processor: usize) {
    // SAFETY: as above.
    unsafe {
        let mut set: Set = MaybeUninit::zeroed().assume_init();
        libc::CPU_SET(processor, &mut set);
        assert_eq!(libc::sched_setaffinity(0, size_of::<Set>(), &set), 0);
    }
}

#[test]
fn a_process_with_one_processor() {
    isolated(|| {
        let processor = *allowed().last().unwrap();
        allow_only(processor);
        let pool = Pool::new().unwrap();
        if std::env::var_os("LYOCELL_WORKERS").is_none() {
            assert_eq!(pool.workers(), 1);
        }
        assert_eq!(pool.run(|w| fib(w, 20)), 6765);
        // Nobody calls, and the one worker has no thread but its backup thread.
        let (send, receive) = mpsc::channel();
        for i in 0..10 {
            let send = send.clone();
            pool.spawn_detached(move |w| send.send(i * w.workers()).unwrap());
        }
        assert_eq!(receive.iter().take(10).count(), 10);
    });
}

#[test]
fn many_workers_on_one_processor() {
    isolated(|| {
        allow_only(allowed()[0]);
        for pinning in [Pinning::Off, Pinning::Compact, Pinning::Node, Pinning::NearFirst] {
            let pool = Pool::builder().workers(8).pinning(pinning).build().unwrap();
            for _ in 0..20 {
                assert_eq!(pool.run(|w| fib(w, 18)), 2584);
                // One has to yield to the other here.
                pool.run(|w| join_stolen(w, |_| (), |_| ()));
            }
        }
    });
}

/// Whoever is asked for tasks must have the processor to answer: a thief that searches for no time at all still lets it.
fn whoever_is_asked_may_answer<D: Deque>(options: D::Options) {
    allow_only(allowed()[0]);
    let builder = Pool::builder().deque::<D>().deque_options(options);
    let pool = builder.workers(2).search_time(Duration::ZERO).build().unwrap();
    for _ in 0..20 {
        let started = AtomicBool::new(false);
        pool.run(|w| {
            // Pushes and pops, and never yields.
            let push = |w: &Worker<D>| {
                while !started.load(Ordering::Relaxed) {
                    w.join(|_| (), |_| ());
                }
            };
            w.join(push, |_| started.store(true, Ordering::Relaxed));
        });
    }
}

#[test]
fn a_receiver_on_one_processor_is_answered() {
    isolated(|| whoever_is_asked_may_answer::<Receiver>(ReceiverOptions::default()));
}

#[test]
fn a_sender_on_one_processor_deals() {
    isolated(|| whoever_is_asked_may_answer::<Sender>(SenderOptions::default()));
}

#[test]
fn a_worker_keeps_the_processor_that_a_hook_gave_it() {
    isolated(|| {
        let processor = *allowed().last().unwrap();
        let pool = Pool::builder()
            .workers(3)
            .caller(Caller::Sleeps)
            .search_time(Duration::ZERO)
            .on_start(move |_| allow_only(processor))
            .build()
            .unwrap();
        for _ in 0..500 {
            // Each round parks and wakes them.
            pool.run(|w| {
                assert_eq!(allowed(), [processor]);
                join_stolen(w, |_| (), |_| assert_eq!(allowed(), [processor]));
            });
        }
    });
}

#[test]
fn a_caller_keeps_its_processors() {
    isolated(|| {
        let mine = allowed();
        let pool = pool(4);
        for _ in 0..500 {
            pool.run(|w| join_stolen(w, |_| (), |_| ()));
            assert_eq!(allowed(), mine);
        }
    });
}

/// What a program, or somebody outside, chooses for a worker's thread while it runs stays, however often the worker is
/// woken and steered after that.
#[test]
fn a_worker_keeps_the_processor_that_a_task_gave_it() {
    isolated(|| {
        let processors = allowed();
        for steering in [WakeSteering::AwayFromWaker, WakeSteering::Off] {
            let pool = Pool::builder()
                .workers(2)
                .wake_steering(steering)
                .search_time(Duration::ZERO)
                .build()
                .unwrap();
            let stolen = |task: fn(usize), argument| {
                pool.run(|w| join_stolen(w, |_| (), |_| task(argument)));
            };
            for processor in processors.iter().chain(&processors) {
                // The worker has been steered before, maybe.
                (0..50).for_each(|_| stolen(|_| (), 0));
                stolen(allow_only, *processor);
                for _ in 0..100 {
                    stolen(|processor| assert_eq!(allowed(), [processor]), *processor);
                    // So that it parks.
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        }
    });
}

/// A set of several processors is another matter: from it the worker is steered, and gets the whole of it back.
#[test]
fn a_steered_worker_gets_its_processors_back() {
    isolated(|| {
        let mine = allowed();
        let pool = Pool::builder().workers(2).search_time(Duration::ZERO).build().unwrap();
        for _ in 0..100 {
            pool.run(|w| join_stolen(w, |_| (), |_| assert_eq!(allowed(), mine)));
            std::thread::sleep(Duration::from_millis(2));
        }
    });
}
