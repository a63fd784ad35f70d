//! A global pool as the program builds it, in a process of its own.
#![cfg(not(miri))]

mod common;

use lyocell::{BuildError, Pool};
use std::sync::mpsc;
use std::thread;

#[test]
fn the_global_pool_is_as_it_was_built_and_there_is_one() {
    let (send, panics) = mpsc::channel();
    let built = Pool::builder()
        .workers(3)
        .caller(lyocell::Caller::Sleeps)
        .stack_size(80 << 20)
        .thread_names(|i| format!("global {i}"))
        .on_panic(move |panic| send.send(common::text_of(&*panic)).unwrap())
        .build_global()
        .unwrap();
    assert!(std::ptr::eq(built, lyocell::global().unwrap()));
    assert_eq!(lyocell::current_num_threads(), 3);
    let names = lyocell::broadcast(|| thread::current().name().map(str::to_owned));
    assert_eq!(names, [0, 1, 2].map(|i| Some(format!("global {i}"))));
    lyocell::spawn_detached(|| panic!("heard"));
    assert_eq!(panics.recv().unwrap(), "heard");
    // More than any other stack here.
    built.run(|_| assert_eq!(deep(70), 70));
    let again = Pool::builder().workers(1).build_global();
    assert!(matches!(again, Err(BuildError::GlobalPoolExists)), "{again:?}");
    assert!(again.unwrap_err().to_string().contains("before anything uses it"));
    let same = lyocell::global_or_init(|| unreachable!("there is one"));
    assert!(std::ptr::eq(same.unwrap(), built));
    let (send, receive) = mpsc::channel();
    lyocell::spawn_detached_fifo(move || send.send(lyocell::current_num_threads()).unwrap());
    assert_eq!(receive.recv(), Ok(3));
    let (send, receive) = mpsc::channel();
    let index = || lyocell::current_thread_index().unwrap();
    lyocell::spawn_detached_broadcast(move || send.send(index()).unwrap());
    assert_eq!(receive.iter().sum::<usize>(), 3);
    let mut there = None;
    lyocell::in_place_scope(|s| s.spawn(|_| there = Some(lyocell::current_num_threads())));
    assert_eq!(there, Some(3));
}

/// Takes a mebibyte of stack for each level.
fn deep(levels: usize) -> usize {
    let frame = [levels; (1 << 20) / size_of::<usize>()];
    let frame = std::hint::black_box(&frame);
    if levels == 0 { 0 } else { 1 + deep(frame[levels] - 1) }
}
