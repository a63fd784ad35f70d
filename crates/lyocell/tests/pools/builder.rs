//! Every option of the builder, each with a test that fails if it is ignored, and the errors.

use crate::common::{fib, join_stolen, many, pool, share_until, text_of};
use lyocell::probe::{Counters, Event};
use lyocell::{BuildError, Caller, Deque, InterruptError, Pool, Split, Wait, Worker};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// Calls `look` on each worker of a pool, at the same time.
fn on_each_worker<T: Send>(pool: &Pool, look: impl Fn(&Worker) -> T + Sync) -> Vec<T> {
    let arrived = AtomicUsize::new(0);
    pool.run(|w| {
        let visit = |w: &Worker, _: usize| {
            arrived.fetch_add(1, Ordering::Relaxed);
            share_until(w, || arrived.load(Ordering::Relaxed) == w.workers());
            vec![look(w)]
        };
        w.join_range(0..w.workers(), Vec::new(), visit, |mut all, one| {
            all.extend(one);
            all
        })
    })
}

#[test]
fn workers() {
    for workers in [1, 2, 7] {
        assert_eq!(Pool::builder().workers(workers).build().unwrap().workers(), workers);
    }
}

#[test]
fn caller() {
    let here = thread::current().id();
    let where_it_runs = |caller| {
        let pool = Pool::builder().workers(2).caller(caller).build().unwrap();
        pool.run(|_| thread::current().id())
    };
    assert_eq!(where_it_runs(Caller::Works), here);
    assert_ne!(where_it_runs(Caller::Sleeps), here);
    assert_eq!(Caller::default(), Caller::Works);
}

#[test]
fn thread_names() {
    let names_of = |builder: lyocell::Builder| {
        let pool = builder.workers(3).caller(Caller::Sleeps).build().unwrap();
        let mut names = on_each_worker(&pool, |w| {
            let name = thread::current().name().unwrap_or_default().to_owned();
            (w.index(), name)
        });
        names.sort();
        names
    };
    let named = |name: fn(usize) -> String| (0..3).map(|i| (i, name(i))).collect::<Vec<_>>();
    assert_eq!(names_of(Pool::builder()), named(|i| format!("lyocell-{i}")));
    let mine = Pool::builder().thread_names(|i| format!("mine {i}\0hidden"));
    assert_eq!(names_of(mine), named(|i| format!("mine {i}")));
}

#[test]
fn start_and_exit_hooks() {
    for (workers, caller, expected) in [
        (1, Caller::Works, vec![0]),
        (1, Caller::Sleeps, vec![0]),
        (3, Caller::Works, vec![1, 2]),
        (3, Caller::Sleeps, vec![0, 1, 2]),
    ] {
        thread_local!(static STARTED: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) });
        let started = Arc::new(Mutex::new(Vec::new()));
        let ended = Arc::new(Mutex::new(Vec::new()));
        let (start, end) = (Arc::clone(&started), Arc::clone(&ended));
        let pool = Pool::builder()
            .workers(workers)
            .caller(caller)
            .on_start(move |worker| {
                STARTED.set(Some(worker));
                start.lock().unwrap().push(worker);
            })
            .on_exit(move |worker| {
                assert_eq!(STARTED.get(), Some(worker));
                end.lock().unwrap().push(worker);
            })
            .build()
            .unwrap();
        // The hook comes before the first task of its thread.
        let (send, receive) = mpsc::channel();
        pool.spawn_detached(move |w| send.send((w.index(), STARTED.get())).unwrap());
        let (index, start) = receive.recv().unwrap();
        assert_eq!(start, Some(index));
        assert!(ended.lock().unwrap().is_empty());
        drop(pool);
        for seen in [started, ended] {
            let mut seen =
                Arc::into_inner(seen).expect("the hooks are dropped").into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, expected);
        }
    }
}

#[test]
fn panic_hook() {
    let (send, receive) = mpsc::channel();
    let pool = Pool::builder()
        .workers(1)
        .on_panic(move |panic| send.send(text_of(&*panic)).unwrap())
        .build()
        .unwrap();
    pool.spawn_detached(|_| panic!("heard"));
    assert_eq!(receive.recv().unwrap(), "heard");
    // Panics that somebody waits for do not go there.
    assert_eq!(crate::common::panic_of(|| pool.run(|_| panic!("seen"))), "seen");
    drop(pool);
    assert_eq!(receive.iter().count(), 0);
}

#[test]
fn deque_capacity() {
    // In a deque with room for one, that of the join outside, whose task waits for this one, nothing can be
    // stolen from the join inside; with room for more, it is.
    let stolen = |capacity: usize, rounds: usize| {
        let pool = Pool::builder().workers(2).deque_capacity(capacity).build().unwrap();
        let mut elsewhere = 0;
        let inside = &mut elsewhere;
        pool.run(|w| {
            w.join(
                |w| {
                    for _ in 0..rounds {
                        let here = w.index();
                        let ((), there) = w.join(|_| thread::yield_now(), |w| w.index());
                        *inside += usize::from(there != here);
                    }
                },
                |_| (),
            )
        });
        elsewhere
    };
    let mut rounds = many(1000, 20);
    while stolen(64, rounds) == 0 {
        rounds *= 2;
    }
    assert_eq!(stolen(1, rounds), 0);
}

#[test]
fn search_time() {
    let pool_with =
        |time| Pool::builder().workers(2).search_time(time).probe::<Counters>().build().unwrap();
    let parks = |pool: &Pool<Split, Counters>| -> usize {
        pool.probes().map(|probe| probe.counts().of(Event::Park)).sum()
    };
    let (never, at_once) = (pool_with(Duration::MAX), pool_with(Duration::ZERO));
    let default = Pool::builder().workers(2).probe::<Counters>().build().unwrap();
    while parks(&at_once) == 0 || parks(&default) == 0 {
        thread::yield_now();
    }
    // It steals joins of nothing too, which are not worth it.
    let steals = || never.probes().map(|probe| probe.counts().of(Event::Steal)).sum::<usize>();
    while steals() < 500 {
        never.run(|w| {
            for _ in 0..100 {
                w.join(|_| thread::yield_now(), |_| ());
            }
        });
    }
    assert_eq!(parks(&never), 0);
}

#[test]
fn wait_policy() {
    // What the awaited task spawns is for the one who waits, if the policy lets it.
    let helps = |wait: Wait, rounds: usize| {
        let pool = Pool::builder().workers(2).wait(wait).build().unwrap();
        let helped = pool.run(|w| {
            let owner = w.index();
            let rest = move |w: &Worker| {
                let helped = AtomicUsize::new(0);
                for _ in 0..rounds {
                    w.join(
                        |_| thread::yield_now(),
                        |w| {
                            helped.fetch_add(usize::from(w.index() == owner), Ordering::Relaxed);
                        },
                    );
                }
                helped.into_inner()
            };
            join_stolen(w, |_| (), rest).1
        });
        helped > 0
    };
    let mut rounds = many(1000, 20);
    for wait in [Wait::LeapRandom, Wait::Leap, Wait::Transitive, Wait::Random] {
        while !helps(wait, rounds) {
            rounds *= 2;
        }
    }
    assert!(!helps(Wait::None, rounds));
    assert_eq!(Wait::default(), Wait::LeapRandom);
}

#[test]
fn interrupt() {
    let built = Pool::builder().workers(2).interrupt(Duration::from_millis(1)).build();
    if cfg!(all(target_os = "linux", not(miri))) {
        assert_eq!(built.expect("signals").run(|w| fib(w, 10)), 55);
    } else {
        let error = built.expect_err("there are no signals");
        let unavailable = BuildError::Interrupt { source: InterruptError::Unavailable };
        assert_eq!(error.to_string(), unavailable.to_string());
        assert!(error.source().is_some());
    }
}

#[test]
fn deque_and_options() {
    use lyocell::ChaseLev;
    let pool = Pool::builder().workers(2).deque::<ChaseLev>().build().unwrap();
    assert_eq!(format!("{pool:?}"), "Pool { deque: \"chase-lev\", workers: 2 }");
    assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    assert!(format!("{:?}", Pool::builder().workers(5)).contains("workers: Some(5)"));
}

#[cfg(all(target_os = "linux", not(miri)))]
mod on_linux {
    use super::*;
    use lyocell::Pinning;
    use std::mem::{MaybeUninit, size_of};

    /// The size of the calling thread's stack.
    fn stack_bytes() -> usize {
        let mut attributes = MaybeUninit::uninit();
        let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
        // SAFETY: the attributes are initialised by the first call and destroyed once.
        unsafe {
            assert_eq!(libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()), 0);
            assert_eq!(libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size), 0);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
        size
    }

    #[test]
    fn stack_size() {
        let stack_of = |builder: lyocell::Builder| {
            builder.workers(1).caller(Caller::Sleeps).build().unwrap().run(|_| stack_bytes())
        };
        let within = |asked: usize, got: usize| (asked..asked + (64 << 10)).contains(&got);
        assert!(within(64 << 20, stack_of(Pool::builder())));
        assert!(within(3 << 20, stack_of(Pool::builder().stack_size(3 << 20))));
        assert!(stack_of(Pool::builder().stack_size(0)) > 0);
    }

    /// The processors the calling thread may use.
    fn allowed() -> Vec<usize> {
        // SAFETY: all zero is the empty set, and the set is as large as said.
        unsafe {
            let mut set: libc::cpu_set_t = MaybeUninit::zeroed().assume_init();
            assert_eq!(libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set), 0);
            (0..libc::CPU_SETSIZE as usize).filter(|cpu| libc::CPU_ISSET(*cpu, &set)).collect()
        }
    }

    #[test]
    fn pinning() {
        let mine = allowed();
        let workers = mine.len() + 1;
        let builder = Pool::builder().workers(workers).caller(Caller::Sleeps);
        let pool = builder.pinning(Pinning::Compact).build().unwrap();
        for (index, there) in on_each_worker(&pool, |w| (w.index(), allowed())) {
            assert_eq!(there, [mine[index % mine.len()]]);
        }
        for pinning in [Pinning::Node, Pinning::NearFirst] {
            let builder = Pool::builder().workers(workers).caller(Caller::Sleeps);
            let pool = builder.pinning(pinning).build().unwrap();
            // Of a node, of which there may be one.
            for there in on_each_worker(&pool, |_| allowed()) {
                assert!(!there.is_empty() && there.iter().all(|one| mine.contains(one)));
            }
        }
        // By default a worker may use more than one, if there are more.
        let pool = Pool::builder().workers(2).caller(Caller::Sleeps).build().unwrap();
        assert!(mine.len() == 1 || pool.run(|_| allowed().len()) >= mine.len() - 1);
        assert!(mine.len() < 3 || pool.run(|_| allowed().len()) > 1);
    }
}

#[test]
fn errors_say_what_was_wrong_and_what_to_do() {
    let text = |error: BuildError| {
        let wrapped: Box<dyn Error> = Box::new(error);
        wrapped.to_string()
    };
    for asked in [0, 1024, usize::MAX] {
        let error = text(Pool::builder().workers(asked).build().unwrap_err());
        assert_eq!(error, format!("a pool cannot have {asked} workers: ask for 1 to 1023"));
    }
    let most = Split::MAX_CAPACITY;
    for asked in [0, most + 1] {
        let error = Pool::builder().workers(1).deque_capacity(asked).build().unwrap_err();
        assert!(error.source().is_none());
        let expected =
            format!("a deque cannot hold {asked} tasks: ask for a capacity from 1 to {most}");
        assert_eq!(text(error), expected);
    }
    let error = BuildError::Thread { worker: 3, source: std::io::Error::other("no more of them") };
    assert_eq!(error.source().unwrap().to_string(), "no more of them");
    assert_eq!(
        text(error),
        "cannot start the thread of worker 3: no more of them; ask for fewer workers or a smaller stack"
    );
    let error = text(BuildError::Memory { workers: 9, deque_capacity: 77 });
    assert!(error.contains("9 deques of 77 tasks") && error.contains("fewer workers"), "{error}");
}

#[test]
fn a_pool_after_a_failed_one() {
    assert!(Pool::builder().workers(0).build().is_err());
    let n = many(15, 5) as u64;
    assert_eq!(pool(2).run(|w| fib(w, n)), [5, 610][usize::from(!cfg!(miri))]);
}
