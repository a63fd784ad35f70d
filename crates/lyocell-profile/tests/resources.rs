//! What the profile needs of the system, and what becomes of it where that is not to be had. Each test is a process of its own.
#![cfg(all(target_os = "linux", not(miri)))]

use lyocell::{BuildError, Pool};
use lyocell_profile::{Exact, Profile};
use nix::sys::resource::{RLIM_INFINITY, Resource, setrlimit};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, alarm, fork};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, exit};
use std::{env, fs, thread};

/// Names the test whose body this process is here for.
const MARK: &str = "LYOCELL_TEST_BODY";

fn isolated(test: &str, body: impl FnOnce()) {
    if env::var(MARK).is_ok_and(|mark| mark == test) {
        // What hangs ends.
        alarm::set(120);
        return body();
    }
    let output = Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(MARK, test)
        .output()
        .unwrap();
    assert!(output.status.success(), "{test}: {output:#?}");
}

/// From now on no thread with a usual stack can be started, and little else is to be had.
fn starve() {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let used: u64 = size.trim().trim_end_matches(" kB").parse().unwrap();
    setrlimit(Resource::RLIMIT_AS, (used << 10) + (64 << 10), RLIM_INFINITY).unwrap();
    // The C library keeps stacks of threads that are over: they are taken, too.
    for kilobytes in [2048, 512, 256, 128, 64] {
        let asleep = || thread::Builder::new().stack_size(kilobytes << 10).spawn(thread::park);
        while asleep().is_ok() {}
    }
}

fn refused(built: Result<(), BuildError>, what: &str) {
    let error = built.unwrap_err();
    assert!(matches!(error, BuildError::Attach { worker: 0, .. }), "{error}");
    assert!(error.to_string().contains(what), "{error}");
    assert!(error.source().is_some());
}

#[test]
fn costs_that_cannot_be_measured_are_an_error() {
    isolated("costs_that_cannot_be_measured_are_an_error", || {
        let tiny = || Pool::builder().workers(1).deque_capacity(8).stack_size(32 << 10);
        starve();
        refused(tiny().probe::<Profile<Exact>>().build().map(drop), "cannot be measured");
        // Nothing is kept of it.
        setrlimit(Resource::RLIMIT_AS, RLIM_INFINITY, RLIM_INFINITY).unwrap();
        assert_eq!(
            tiny().probe::<Profile>().build().unwrap().run(|w| w.join(|_| 1, |_| 2)),
            (1, 2)
        );
    });
}

fn has_heartbeat() -> bool {
    let threads = fs::read_dir("/proc/self/task").unwrap();
    let mut names = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("comm")));
    names.any(|name| name.is_ok_and(|name| name.trim() == "lyocell-beat"))
}

/// A thread gives itself its name. If there is none, the process is ended by its alarm.
fn await_heartbeat() {
    while !has_heartbeat() {
        thread::yield_now();
    }
}

/// Runs this in the child of a fork, and fails unless it came to its end there.
fn in_a_fork(body: impl FnOnce()) {
    // SAFETY: the child only runs the body, on memory that is its own, and ends without returning.
    match unsafe { fork() }.unwrap() {
        ForkResult::Child => {
            alarm::set(20);
            let outcome = catch_unwind(AssertUnwindSafe(body));
            exit(i32::from(outcome.is_err()));
        }
        ForkResult::Parent { child } => {
            assert!(matches!(waitpid(child, None).unwrap(), WaitStatus::Exited(_, 0)));
        }
    }
}

#[test]
fn the_child_of_a_fork_has_a_heartbeat_of_its_own() {
    isolated("the_child_of_a_fork_has_a_heartbeat_of_its_own", || {
        let pool = Pool::builder().probe::<Profile>().workers(2).build().unwrap();
        assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
        await_heartbeat();
        // A pool that the child builds, and one from before the fork.
        in_a_fork(|| {
            assert!(!has_heartbeat());
            let own = Pool::builder().probe::<Profile>().workers(2).build().unwrap();
            assert_eq!(own.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
            await_heartbeat();
        });
        in_a_fork(|| {
            assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
            await_heartbeat();
        });
        // While the heart is at work, whatever it holds.
        for _ in 0..50 {
            pool.run(|w| w.join(|_| (), |_| ()));
            in_a_fork(|| {
                drop(Pool::builder().probe::<Profile>().workers(2).build().unwrap());
            });
        }
    });
}

/// The child has the costs of its parent, but not the thread.
#[test]
fn a_heartbeat_that_cannot_start_is_an_error() {
    isolated("a_heartbeat_that_cannot_start_is_an_error", || {
        let tiny = || Pool::builder().workers(1).deque_capacity(8).stack_size(32 << 10);
        drop(tiny().probe::<Profile>().build().unwrap());
        in_a_fork(|| {
            starve();
            refused(tiny().probe::<Profile>().build().map(drop), "its heartbeat cannot start");
            setrlimit(Resource::RLIMIT_AS, RLIM_INFINITY, RLIM_INFINITY).unwrap();
            let pool = tiny().probe::<Profile>().build().unwrap();
            assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
            await_heartbeat();
        });
    });
}
