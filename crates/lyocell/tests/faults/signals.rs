//! Signals: floods of them, threads frozen in mid-step, and wake-ups for no reason.

use crate::common::{fib, join_stolen, pool_of, tick};
use crate::process::isolated;
use crate::rounds;
use lyocell::{Builder, Caller, Deque, Pool};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;

on_each_kind_of_deque! { isolated:
    ten_thousand_signals_a_second,
    signals_to_each_thread_in_turn_interrupt_every_wait,
    threads_frozen_in_mid_step,
    a_storm_of_unparks,
    a_stale_token_of_the_caller_does_not_end_its_wait,
}

extern "C" fn ignore(_: libc::c_int) {}

/// Keeps the thread it interrupts from going on, for a moment of up to half a millisecond.
extern "C" fn freeze(_: libc::c_int) {
    static SEED: AtomicUsize = AtomicUsize::new(1);
    let random = SEED.fetch_add(0x9E37_79B9, Ordering::Relaxed).wrapping_mul(0x85EB_CA6B) >> 8;
    let pause = libc::timespec { tv_sec: 0, tv_nsec: (random % 500_000) as _ };
    // SAFETY: `nanosleep` may be called in a handler; the time is there to be read.
    unsafe { libc::nanosleep(&pause, std::ptr::null_mut()) };
}

/// Handles a signal so, without restarting the system calls it interrupts.
fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) {
    // SAFETY: the action is initialised, and the handlers above may interrupt anything.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as libc::sighandler_t;
        libc::sigemptyset(&mut action.sa_mask);
        assert_eq!(libc::sigaction(signal, &action, std::ptr::null_mut()), 0);
    }
}

/// The threads of a pool, as they come.
#[derive(Clone, Default)]
struct Threads(Arc<Mutex<Vec<(libc::pthread_t, Thread)>>>);

impl Threads {
    /// Remembers the calling thread.
    fn enter(&self) {
        // SAFETY: no preconditions.
        let here = unsafe { libc::pthread_self() };
        self.0.lock().unwrap().push((here, thread::current()));
    }

    /// Until `stop`, does something to one after the other. The pool must outlive this.
    fn torment(&self, stop: &AtomicBool, how: impl Fn(libc::pthread_t, &Thread)) {
        let mut at = 0;
        while !stop.load(Ordering::Relaxed) {
            let threads = self.0.lock().unwrap();
            if let Some((thread, handle)) = threads.get(at % threads.len().max(1)) {
                how(*thread, handle);
            }
            drop(threads);
            at += 1;
            thread::sleep(Duration::from_micros(100));
        }
    }
}

/// A pool whose threads are known, and the calling thread with them.
fn pool_of_known<D: Deque>(
    builder: &impl Fn() -> Builder<D>,
    workers: usize,
    caller: Caller,
) -> (Pool<D>, Threads) {
    let threads = Threads::default();
    threads.enter();
    let entering = threads.clone();
    let pool = builder()
        .workers(workers)
        .caller(caller)
        // The sooner they sleep, the more there is to disturb.
        .search_time(Duration::ZERO)
        .on_start(move |_| entering.enter())
        .build()
        .unwrap();
    (pool, threads)
}

/// Some of everything, many times.
fn work<D: Deque>(pool: &Pool<D>) {
    // A thief that parks at once seldom meets an owner that has to give: beside other load, a steal from a private
    // deque takes a tenth of a second.
    for round in 0..rounds::<D>(300, 20) {
        assert_eq!(pool.run(|w| fib(w, 16)), 987);
        pool.run(|w| join_stolen(w, |_| (), |_| ()));
        let count = AtomicUsize::new(0);
        pool.scope(|s| {
            for _ in 0..20 {
                s.spawn(|w| {
                    assert_eq!(w.join_range(0..10, 0, |_, i| i, |a, b| a + b), 45);
                    tick(&count);
                });
            }
        });
        assert_eq!(count.into_inner(), 20);
        if round % 8 == 0 {
            // Let everybody park.
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Works on pools of so many, while something is done to their threads and this one.
fn work_under_torment<D: Deque>(
    builder: impl Fn() -> Builder<D>,
    pools: &[(usize, Caller)],
    how: impl Fn(libc::pthread_t, &Thread) + Sync,
) {
    for &(workers, caller) in pools {
        let (pool, known) = pool_of_known(&builder, workers, caller);
        let stop = AtomicBool::new(false);
        thread::scope(|threads| {
            threads.spawn(|| known.torment(&stop, &how));
            work(&pool);
            stop.store(true, Ordering::Relaxed);
        });
    }
}

/// Sends the signal to a thread that is being tormented.
fn send(thread: libc::pthread_t) {
    // SAFETY: the pool is dropped after the torment ends, so the thread is there.
    unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
}

fn ten_thousand_signals_a_second<D: Deque>(builder: impl Fn() -> Builder<D>) {
    handle(libc::SIGALRM, ignore);
    let every = libc::timeval { tv_sec: 0, tv_usec: 100 };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: the timer is there to be read.
    assert_eq!(unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, std::ptr::null_mut()) }, 0);
    for (workers, caller) in [(2, Caller::Works), (4, Caller::Sleeps)] {
        let (pool, _) = pool_of_known(&builder, workers, caller);
        work(&pool);
    }
}

fn signals_to_each_thread_in_turn_interrupt_every_wait<D: Deque>(builder: impl Fn() -> Builder<D>) {
    handle(libc::SIGUSR1, ignore);
    let pools = [(4, Caller::Works), (4, Caller::Sleeps)];
    work_under_torment(builder, &pools, |thread, _| send(thread));
}

fn threads_frozen_in_mid_step<D: Deque>(builder: impl Fn() -> Builder<D>) {
    handle(libc::SIGUSR1, freeze);
    let pools = [(2, Caller::Works), (4, Caller::Sleeps), (8, Caller::Works)];
    work_under_torment(builder, &pools, |thread, _| send(thread));
}

fn a_storm_of_unparks<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pools = [(4, Caller::Works), (4, Caller::Sleeps)];
    work_under_torment(builder, &pools, |_, thread| thread.unpark());
}

fn a_stale_token_of_the_caller_does_not_end_its_wait<D: Deque>(builder: impl Fn() -> Builder<D>) {
    // One worker, so the second caller sleeps until the first has left.
    let pool = builder().workers(1).caller(Caller::Sleeps).build().unwrap();
    for _ in 0..rounds::<D>(500, 100) {
        thread::current().unpark();
        assert_eq!(pool.run(|w| fib(w, 10)), 55);
    }
    let other = pool_of(&builder, 2);
    for _ in 0..rounds::<D>(500, 100) {
        thread::current().unpark();
        other.run(|w| join_stolen(w, |_| (), |_| ()));
    }
}
