//! The functions without a handle, inside and outside of pools.
//!
//! Not under Miri: the global pool is never dropped, and Miri wants every thread joined.
#![cfg(not(miri))]

mod common;

use common::{panic_of, pool};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

#[test]
fn without_a_handle_join_finds_the_worker_or_the_global_pool() {
    fn sum(values: &[u64]) -> u64 {
        if values.len() < 2 {
            return values.iter().sum();
        }
        let (left, right) = values.split_at(values.len() / 2);
        let (a, b) = lyocell::join(|| sum(left), || sum(right));
        a + b
    }
    let values: Vec<u64> = (0..10_000).collect();
    let expected = values.iter().sum::<u64>();
    assert_eq!(sum(&values), expected);
    assert_eq!(pool(3).run(|_| sum(&values)), expected);
    thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| assert_eq!(sum(&values), expected));
        }
    });
}

#[test]
fn without_a_handle_a_stays_here_and_panics_come_out() {
    let here = thread::current().id();
    let kept = Rc::new(5);
    let (a, b) = lyocell::join(
        || {
            assert_eq!(thread::current().id(), here);
            Rc::clone(&kept)
        },
        || 6,
    );
    assert_eq!((*a, b), (5, 6));
    assert_eq!(panic_of(|| lyocell::join(|| panic!("a fell"), || ())), "a fell");
    assert_eq!(panic_of(|| lyocell::join(|| (), || panic!("b fell"))), "b fell");
}

#[test]
fn the_global_pool_is_one_and_the_same() {
    let first = lyocell::global().expect("a global pool");
    let second = thread::scope(|s| s.spawn(lyocell::global).join().unwrap()).unwrap();
    assert!(std::ptr::eq(first, second));
    assert!(first.workers() >= 1);
}

#[test]
fn inside_a_pool_the_functions_use_that_pool() {
    let pool = pool(3);
    // Only this pool has threads of this name.
    let named = lyocell::Pool::builder()
        .workers(2)
        .caller(lyocell::Caller::Sleeps)
        .thread_names(|_| String::from("here"))
        .build()
        .unwrap();
    let is_here = || thread::current().name() == Some("here");
    named.run(|_| {
        lyocell::join(|| assert!(is_here()), || assert!(is_here()));
        lyocell::scope(|s| s.spawn(move |_| assert!(is_here())));
        lyocell::par::for_each(0..100, |_| assert!(is_here()));
        let (send, receive) = mpsc::channel();
        lyocell::spawn_detached(move || send.send(is_here()).unwrap());
        // Waiting by receive would block the worker; there are two.
        assert!(receive.recv().unwrap());
    });
    assert!(pool.run(|_| !is_here()));
}

/// Joins, and what is asked about the current thread; what gives a handle cannot, for that is of another type.
#[test]
fn inside_a_pool_with_another_deque_or_a_probe_joins_use_that_pool() {
    let pool = lyocell::Pool::builder()
        .deque::<lyocell::ChaseLev>()
        .probe::<lyocell::probe::Counters>()
        .workers(2)
        .caller(lyocell::Caller::Sleeps)
        .thread_names(|_| String::from("there"))
        .build()
        .unwrap();
    let is_there = || thread::current().name() == Some("there");
    pool.run(|w| {
        let (a, b) = lyocell::join(is_there, is_there);
        assert!(a && b);
        let (a, b) = lyocell::join_context(|_| is_there(), |_| is_there());
        assert!(a && b);
        assert_eq!(panic_of(|| lyocell::join(|| panic!("a fell"), || ())), "a fell");
        assert_eq!(panic_of(|| lyocell::join(|| (), || panic!("b fell"))), "b fell");
        assert_eq!(lyocell::current_thread_index(), Some(w.index()));
        assert_eq!(lyocell::current_num_threads(), 2);
        w.spawn_detached(|_| ());
        assert_eq!(lyocell::current_thread_has_pending_tasks(), Some(true));
        while lyocell::yield_local() == Some(lyocell::Yield::Executed) {}
        assert!(lyocell::yield_now().is_some());
        assert!(lyocell::with_current(|worker| worker.is_none()));
    });
    let spawns = pool.probes().map(|probe| probe.counts().of(lyocell::probe::Event::Spawn));
    assert!(spawns.sum::<usize>() >= 4, "this pool was told");
}

#[test]
fn a_pool_with_a_probe_is_not_taken_for_one_without() {
    #[derive(Default)]
    struct Mine;
    impl lyocell::probe::Observe for Mine {}
    let builder = lyocell::Pool::builder().workers(1);
    let probed = builder.probe::<lyocell::Observed<Mine>>().build().unwrap();
    // It must not be taken for the default kind: the global pool serves.
    assert_eq!(probed.run(|_| lyocell::join(|| 1, || 2)), (1, 2));
    assert_eq!(probed.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
}

#[test]
fn scope_and_spawn_from_outside_run_on_the_global_pool() {
    let sum = AtomicUsize::new(0);
    lyocell::scope(|s| {
        for i in 0..100 {
            let sum = &sum;
            s.spawn(move |_| {
                assert_eq!(lyocell::current_num_threads(), lyocell::global().unwrap().workers());
                sum.fetch_add(i, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(sum.into_inner(), 4950);
    let (send, receive) = mpsc::channel();
    for i in 0..100 {
        let send = send.clone();
        lyocell::spawn_detached(move || send.send(i).unwrap());
    }
    drop(send);
    let mut got: Vec<i32> = receive.iter().collect();
    got.sort_unstable();
    assert_eq!(got, (0..100).collect::<Vec<_>>());
}
