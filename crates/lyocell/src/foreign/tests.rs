//! What the header does inline, in Rust; the tests of the header itself are those of `lyocell-c`.

use super::*;
use crate::task::Finished;
use lyocell_sync::{AtomicUsize, Ordering};
use std::mem::ManuallyDrop;
use std::ptr;

/// The numbers that tasks have added up.
static TOGETHER: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn run_fib(slot: &Slot, worker: *const ()) -> Finished {
    // SAFETY: stored with a `usize` by `spawn`, and run once.
    let n = unsafe { slot.take::<usize>() };
    // SAFETY: workers of this pool are of this type.
    let worker = unsafe { &*worker.cast::<Handle>() };
    // SAFETY: the value has been taken.
    unsafe { slot.fill(|| fib(worker, n)) }
}

fn spawn(worker: &Handle, n: usize) {
    let slot = worker.owner.head();
    // SAFETY: the slot at the head is free and ours.
    unsafe { slot.store(run_fib, &ManuallyDrop::new(n)) };
    if worker.owner.push(slot) == crate::deque::Fast::Slow {
        // SAFETY: it has just been written.
        unsafe { spawn_slowly(worker, slot.pointer()) };
    }
}

fn sync(worker: &Handle) -> usize {
    // SAFETY: each sync has its spawn.
    let slot = unsafe { worker.owner.newest() };
    let outcome = match worker.owner.pop(slot) {
        crate::deque::Fast::Done => ptr::null(),
        // SAFETY: as above.
        crate::deque::Fast::Slow => unsafe { sync_slowly(worker, slot.pointer()) },
    };
    match outcome.is_null() {
        // SAFETY: the task is ours, and has not begun.
        true => fib(worker, unsafe { slot.take::<usize>() }),
        // SAFETY: `run_fib` left a `usize`.
        false => unsafe { outcome.cast::<usize>().read() },
    }
}

fn fib(worker: &Handle, n: usize) -> usize {
    if n < 2 {
        return n;
    }
    spawn(worker, n - 1);
    let b = fib(worker, n - 2);
    sync(worker) + b
}

fn pool(workers: usize, capacity: usize) -> Pool {
    let builder = Pool::builder().workers(workers).deque_capacity(capacity);
    builder.caller(crate::Caller::Sleeps).build().unwrap()
}

const N: usize = if cfg!(miri) { 8 } else { 22 };
const FIB: usize = if cfg!(miri) { 21 } else { 17_711 };

#[test]
fn spawns_and_syncs_of_a_header_add_up_whatever_room_there_is() {
    let (workers, capacities): (&[_], &[_]) = match cfg!(miri) {
        true => (&[1, 2], &[1, 7]),
        false => (&[1, 2, 5], &[1, 2, 7, 100]),
    };
    for &workers in workers {
        for &capacity in capacities {
            assert_eq!(pool(workers, capacity).run(|w| fib(w, N)), FIB, "{workers}, {capacity}");
        }
    }
}

#[test]
fn many_tasks_of_one_frame_beyond_the_end_are_kept_for_their_syncs() {
    let sum = pool(2, 3).run(|w| {
        (0..10).for_each(|n| spawn(w, n));
        let middle = fib(w, N);
        assert_eq!(middle, FIB);
        (0..10).map(|_| sync(w)).collect::<Vec<_>>()
    });
    assert_eq!(sum, [34, 21, 13, 8, 5, 3, 2, 1, 1, 0]);
}

#[test]
fn every_worker_runs_what_is_run_together_and_its_tasks_are_there_afterwards() {
    let workers = if cfg!(miri) { 2 } else { 5 };
    let pool = pool(workers, 64);
    let told = AtomicUsize::new(0);
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        TOGETHER.store(0, Ordering::Relaxed);
        let result = pool.run(|w| {
            (0..4).for_each(|n| spawn(w, n + 4));
            let body = |w: &Handle| {
                assert_eq!(fib(w, 5), 5);
                TOGETHER.fetch_add(1, Ordering::Relaxed);
            };
            let tell = |_| _ = told.fetch_add(1, Ordering::Relaxed);
            together(w, &body, &tell).unwrap();
            assert_eq!(TOGETHER.load(Ordering::Relaxed), workers);
            (0..4).map(|_| sync(w)).sum::<usize>()
        });
        assert_eq!(result, 13 + 8 + 5 + 3);
    }
    assert_eq!(told.load(Ordering::Relaxed), if cfg!(miri) { 4 } else { 400 });
}

/// Everybody begins a frame from within its task, and one within that.
#[test]
fn frames_that_many_begin_come_one_after_the_other() {
    fn tree(w: &Handle, depth: usize, frames: &AtomicUsize) {
        if depth == 0 {
            let inner = |w: &Handle| {
                assert_eq!(fib(w, 6), 8);
                frames.fetch_add(1, Ordering::Relaxed);
            };
            let me = w.index();
            let outer = |w: &Handle| {
                if w.index() == me {
                    together(w, &inner, &|_| ()).unwrap();
                }
            };
            return together(w, &outer, &|_| ()).unwrap();
        }
        w.join(|w| tree(w, depth - 1, frames), |w| tree(w, depth - 1, frames));
    }
    let (workers, depth) = if cfg!(miri) { (2, 1) } else { (4, 5) };
    let frames = AtomicUsize::new(0);
    pool(workers, 64).run(|w| tree(w, depth, &frames));
    assert_eq!(frames.load(Ordering::Relaxed), workers << depth);
}

#[test]
fn a_frame_needs_every_worker_and_a_seat_may_be_empty() {
    let pool = Pool::builder().workers(2).build().unwrap();
    assert_eq!(pool.run(|w| together(w, &|_| (), &|_| ())), Err(FrameError::Seat));
    let alone = Pool::builder().workers(1).build().unwrap();
    assert_eq!(alone.run(|w| together(w, &|_| (), &|_| ())), Ok(()));
}

#[test]
fn a_panic_in_a_frame_goes_to_who_began_it_when_all_have_left() {
    let pool = pool(3, 64);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        pool.run(|w| together(w, &|w| assert_ne!(w.index(), 1, "one of them"), &|_| ()).unwrap());
    }));
    assert!(outcome.unwrap_err().downcast_ref::<String>().unwrap().contains("one of them"));
    assert_eq!(pool.run(|w| fib(w, N)), FIB);
}
