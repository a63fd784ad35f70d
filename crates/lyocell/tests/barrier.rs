//! Systems that refuse the asymmetric barrier: at once, at its first use, and when the pool has used it for a while.
//!
//! Filters of system calls, as containers and sandboxes set them, here by the program itself.
#![cfg(all(target_os = "linux", not(miri)))]

#[path = "common/process.rs"]
mod process;

use lyocell::probe::{Counters, Event};
use lyocell::{Deque, Direct, Pool, Split};
use process::isolated;
use std::sync::{Arc, Condvar, Mutex};

/// Which commands of `membarrier` are refused.
#[derive(Clone, Copy)]
enum Refused {
    All,
    /// All but the registration.
    Use,
}

/// From now on the system refuses these to every thread of this process, and of those that it starts.
fn refuse(refused: Refused) {
    // What the filter looks at, as `struct seccomp_data` has it: the number of the call, and the lower half of its first
    // argument.
    const NUMBER: u32 = 0;
    const COMMAND: u32 = if cfg!(target_endian = "big") { 20 } else { 16 };
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let if_equal = |k: u32, jt: u8, jf: u8| {
        let code = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        libc::sock_filter { code, jt, jf, k }
    };
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let answer = libc::BPF_RET | libc::BPF_K;
    let registration = match refused {
        Refused::All => u32::MAX,
        Refused::Use => libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED as u32,
    };
    let mut filter = [
        statement(load, NUMBER),
        if_equal(libc::SYS_membarrier as u32, 0, 3),
        statement(load, COMMAND),
        if_equal(registration, 1, 0),
        statement(answer, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        statement(answer, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the call takes numbers.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }, 0);
    // SAFETY: the program is there to be read.
    let set = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_TSYNC,
            &raw const program,
        )
    };
    assert_eq!(set, 0, "no filter: {}", std::io::Error::last_os_error());
    // SAFETY: the call takes numbers.
    let issued =
        unsafe { libc::syscall(libc::SYS_membarrier, libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) };
    assert_eq!(issued, -1, "the barrier is not refused");
}

/// Something that happens once, and is waited for without a push or a pop.
#[derive(Default)]
struct Once {
    happened: Mutex<bool>,
    changed: Condvar,
}

impl Once {
    fn happens(&self) {
        *self.happened.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut happened = self.happened.lock().unwrap();
        while !*happened {
            happened = self.changed.wait(happened).unwrap();
        }
    }
}

/// Joins that end only in parallel: the owner sits in `a`, and neither pushes nor pops.
fn long_joins<D: Deque>(pool: &Pool<D, Counters>) {
    for round in 0..200 {
        pool.run(|w| {
            (0..round % 7).for_each(|_| _ = w.join(|_| (), |_| ()));
            let begun = Once::default();
            w.join(|_| begun.wait(), |_| begun.happens());
        });
    }
}

fn pool_of<D: Deque>(workers: usize) -> Arc<Pool<D, Counters>> {
    let builder = Pool::builder().deque::<D>().probe::<Counters>();
    Arc::new(builder.workers(workers).build().unwrap())
}

#[test]
fn refused_at_once() {
    isolated(|| {
        refuse(Refused::All);
        long_joins(&pool_of::<Split>(2));
        long_joins(&pool_of::<Direct>(2));
    });
}

#[test]
fn refused_at_its_first_use() {
    isolated(|| {
        refuse(Refused::Use);
        long_joins(&pool_of::<Split>(2));
        long_joins(&pool_of::<Direct>(2));
    });
}

/// Worker 0 sleeps above a task that it keeps to itself, and waits for one that waits for this. Then the barrier is refused
/// to the third worker, which has nothing else to do.
fn refused_while_an_owner_sleeps<D: Deque>() {
    let pool = pool_of::<D>(3);
    let [waits, refuses, runs] = [(); 3].map(|()| Arc::new(Once::default()));
    let (begins, ends) = (Arc::clone(&waits), Arc::clone(&runs));
    let waiting = pool.spawn_with_handle(move |_| {
        begins.happens();
        ends.wait();
    });
    let (begins, watched) = (Arc::clone(&refuses), Arc::clone(&pool));
    let refusing = pool.spawn_with_handle(move |_| {
        let parks = || watched.probes().next().unwrap().counts().of(Event::Park);
        let before = parks();
        begins.happens();
        while parks() == before {
            std::thread::yield_now();
        }
        refuse(Refused::All);
    });
    pool.run(|w| {
        waits.wait();
        refuses.wait();
        // Nobody is idle: whatever was asked before, this worker keeps the next task.
        (0..100).for_each(|_| _ = w.join(|_| (), |_| ()));
        w.join(|_| waiting.join(), |_| runs.happens());
    });
    refusing.join();
    long_joins(&pool);
}

#[test]
fn refused_later_with_split() {
    isolated(|| {
        refused_while_an_owner_sleeps::<Split>();
    });
}

#[test]
fn refused_later_with_direct() {
    isolated(|| {
        refused_while_an_owner_sleeps::<Direct>();
    });
}
