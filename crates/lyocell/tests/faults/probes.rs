//! Probes that break their promise not to unwind: the process ends where they do, and nothing is freed that others use.

use crate::process::isolated;
use lyocell::probe::{Event, Origin, Phase, Root};
use lyocell::{Pool, Probe, Split, Worker};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The methods of a probe that the runtime calls, each in the middle of something.
const METHODS: [&str; 17] = [
    "count",
    "spawned",
    "enter",
    "fork",
    "next_branch",
    "sync_branch",
    "join",
    "leave",
    "begin_task",
    "end_stolen",
    "collect",
    "end_root",
    "begin_group",
    "spawn_in",
    "begin_spawned",
    "end_spawned",
    "end_group",
];

/// The number of the method that falls; none before the program has begun.
static FALLS: AtomicUsize = AtomicUsize::new(usize::MAX);

fn told(method: &str) {
    let falls = METHODS.get(FALLS.load(Ordering::Relaxed));
    assert!(falls != Some(&method), "{method} unwinds");
}

#[derive(Default)]
struct Falling;

// SAFETY: none of what is promised is kept: the subject of these tests.
unsafe impl Probe for Falling {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn count(&self, _: Event) {
        told("count");
    }

    fn spawned(&self, _: impl FnOnce() -> usize) {
        told("spawned");
    }

    fn enter(&self, phase: Phase) -> Phase {
        told("enter");
        phase
    }

    fn fork(&self, _: usize, _: impl FnOnce() -> usize, _: impl FnOnce() -> usize) {
        told("fork");
    }

    fn next_branch(&self, (): ()) {
        told("next_branch");
    }

    fn sync_branch(&self, (): ()) {
        told("sync_branch");
    }

    fn join(&self, (): ()) {
        told("join");
    }

    fn leave(&self, (): ()) {
        told("leave");
    }

    fn begin_task(&self, _: Origin) {
        told("begin_task");
    }

    fn end_stolen<'a>(&self, _: impl FnOnce() -> &'a Self, _: usize) {
        told("end_stolen");
    }

    fn collect(&self, _: usize) {
        told("collect");
    }

    fn end_root(&self, _: Root) {
        told("end_root");
    }

    fn begin_group(&self) {
        told("begin_group");
    }

    fn spawn_in<'a>((): &(), _: impl FnOnce() -> Option<&'a Self>) {
        told("spawn_in");
    }

    fn begin_spawned(&self, (): &(), (): ()) {
        told("begin_spawned");
    }

    fn end_spawned(&self, (): &()) {
        told("end_spawned");
    }

    fn end_group(&self, (): &()) {
        told("end_group");
    }
}

/// Something of everything, in which each method is called.
fn program(w: &Worker<Split, Falling>) {
    w.scope(|s| (0..3).for_each(|_| s.spawn(|_| ())));
    w.join_range(0..3, (), |_, _| (), |(), ()| ());
    w.join(|_| (), |_| ());
    let begun = AtomicBool::new(false);
    let share = |w: &Worker<Split, Falling>| {
        while !begun.load(Ordering::Relaxed) {
            w.join(|_| (), |_| ());
            thread::yield_now();
        }
    };
    w.join(share, |_| begun.store(true, Ordering::Relaxed));
}

/// How a child ended in which one method falls.
fn end_of_a_child(method: usize) -> i32 {
    // SAFETY: the child only runs the program, and ends without returning.
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: no preconditions. The process is not to outlive a hang.
            unsafe { libc::alarm(20) };
            let pool = Pool::builder().probe::<Falling>().workers(2).build().expect("a pool");
            FALLS.store(method, Ordering::Relaxed);
            pool.run(program);
            // SAFETY: no preconditions.
            unsafe { libc::_exit(0) }
        }
        child => {
            let mut status = -1;
            // SAFETY: the status is there to be written.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            status
        }
    }
}

#[test]
fn the_process_ends_where_a_probe_unwinds() {
    isolated(|| {
        let status = end_of_a_child(usize::MAX);
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status}");
        for (number, method) in METHODS.iter().enumerate() {
            let status = end_of_a_child(number);
            let aborted = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT;
            assert!(aborted, "{method}: {status}");
        }
    });
}
