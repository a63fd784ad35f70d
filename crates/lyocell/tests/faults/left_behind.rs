//! `fork()` in a task: what its worker does in the child with what waited at the fork, and with what comes after it.

use crate::common::tick;
use crate::process::{assert_ended_well, in_a_fork, isolated};
use crate::system::shared_counter;
use lyocell::probe::{Counters, Event};
use lyocell::{Builder, Deque, Scope};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

on_each_kind_of_deque! { isolated, the locked one too:
    tasks_of_one_scope_wait_for_each_other,
    what_a_half_has_spawned_before_the_fork_is_the_parents,
    who_waits_in_the_child_runs_nothing_of_the_parents,
    a_bag_is_worked_off_though_others_have_asked,
}

/// The child of this call goes on with the task, and ends inside it: by [`end`].
fn fork() -> libc::pid_t {
    // SAFETY: what the child uses is its own memory.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: no preconditions. It ends a child that hangs.
        unsafe { libc::alarm(120) };
    }
    child
}

/// The child ends here, well if this is true there; and the parent waits for that.
fn end(child: libc::pid_t, is_well: impl FnOnce() -> bool) {
    match child {
        // SAFETY: no preconditions.
        0 => unsafe { libc::_exit(i32::from(!is_well())) },
        child => assert_ended_well(child),
    }
}

/// All tasks of a scope are there before one of them has to be over.
fn tasks_of_one_scope_wait_for_each_other<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().workers(2).build().unwrap();
    pool.run(|w| in_a_fork(|| w.scope(|s| meet(s))));
    in_a_fork(|| pool.in_place_scope(|s| meet(s)));
}

/// Two tasks that wait for each other, once in a process.
fn meet<'scope, D: Deque>(s: &'scope Scope<'scope, '_, D>) {
    static THERE: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
    for own in 0..2 {
        s.spawn(move |w| {
            THERE[own].store(true, Ordering::Relaxed);
            while !THERE[1 - own].load(Ordering::Relaxed) {
                w.yield_now();
            }
        });
    }
}

/// The child comes back from the first half, and goes on to the second.
fn what_a_half_has_spawned_before_the_fork_is_the_parents<D: Deque>(
    builder: impl Fn() -> Builder<D>,
) {
    let ran = shared_counter();
    let pool = builder().workers(1).build().unwrap();
    pool.run(|w| {
        let (child, ()) = w.join_context(
            |w, _| {
                w.spawn_detached(|_| tick(ran));
                fork()
            },
            |_, _| (),
        );
        // The lane is the parent's.
        end(child, || !w.has_pending_tasks());
    });
    drop(pool);
    assert_eq!(ran.load(Ordering::Relaxed), 1);
}

/// Another thread of the child has spawned into a scope from before, and this one waits for that.
fn who_waits_in_the_child_runs_nothing_of_the_parents<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let ran = shared_counter();
    let pool = builder().workers(1).build().unwrap();
    pool.run(|w| {
        w.spawn_detached(|_| tick(ran));
        let child = w.scope(|s| {
            let child = fork();
            if child == 0 {
                static BEGUN: AtomicUsize = AtomicUsize::new(0);
                // SAFETY: the child ends inside the task, after the scope, which waits for this.
                let s: &'static Scope<'static, 'static, D> =
                    unsafe { &*std::ptr::from_ref(s).cast() };
                thread::spawn(move || {
                    s.spawn(|_| {
                        tick(&BEGUN);
                        // Some time for what must not happen.
                        (0..10_000).for_each(|_| thread::yield_now());
                    });
                });
                while BEGUN.load(Ordering::Relaxed) == 0 {
                    thread::yield_now();
                }
            }
            child
        });
        end(child, || ran.load(Ordering::Relaxed) == 0);
        assert_eq!(ran.load(Ordering::Relaxed), 0, "it is the parent's, which has not come to it");
    });
    drop(pool);
    assert_eq!(ran.load(Ordering::Relaxed), 1);
}

/// Those who have asked are not there to take half of it.
fn a_bag_is_worked_off_though_others_have_asked<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let pool = builder().probe::<Counters>().workers(2).build().unwrap();
    pool.run(|w| {
        let other = pool.probes().nth(1).unwrap();
        while other.counts().of(Event::Park) == 0 {
            thread::yield_now();
        }
        in_a_fork(|| {
            let sum = AtomicUsize::new(0);
            w.coalesce(0..100, 1, |_, item, _| _ = sum.fetch_add(item, Ordering::Relaxed));
            assert_eq!(sum.into_inner(), 4950);
        });
    });
}
