//! What must hold under faults, and what is told where it does not.

use lyocell::Wait;
use lyocell_simulate::check::{check, programs};
use lyocell_simulate::machines::machine;
use lyocell_simulate::pools::{DEQUES, Setup};
use lyocell_simulate::row::{Job, measure};
use lyocell_virtual::{
    AtomicBool, Failure, Memory, Mutex, Options, Ordering, Parker, heavy_barrier, light_barrier,
    run, thread, work,
};
use std::sync::Arc;
use std::time::Duration;

fn options() -> Options {
    Options::new(machine("opteron-48").unwrap())
}

#[test]
fn programs_on_every_deque_keep_their_promises() {
    for memory in [Memory::Sequential, Memory::Tso] {
        let (machine, mut told) = (machine("opteron-48").unwrap(), 0);
        let jobs = programs(&[], &machine).unwrap();
        let checked = check(&machine, memory, &jobs, 0..24, &mut |seeds| {
            told = seeds;
            true
        });
        assert_eq!((checked, told), (Ok(24 * 7), 24));
    }
}

#[test]
fn the_programs_that_are_named_are_checked() {
    let machine = machine("opteron-48").unwrap();
    let named = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&words| words.to_owned()).collect();
        programs(&words, &machine)
    };
    let jobs = named(&["fib:9", "scopes:2"]).unwrap();
    assert_eq!(jobs.iter().map(Job::words).collect::<Vec<_>>(), ["fib:9", "scopes:2"]);
    assert_eq!(check(&machine, Memory::Sequential, &jobs, 0..3, &mut |_| true), Ok(3 * 7));
    assert!(named(&["fib:9", "banana:3"]).is_err_and(|why| why.contains("banana:3")));
}

#[test]
fn a_thread_that_cannot_be_had_costs_a_pool_and_no_task() {
    const WORKERS: usize = 4;
    let setup = Setup { looks_after: true, ..Setup::new(WORKERS, Wait::LeapRandom) };
    for words in ["fib:10", "scopes:2", "broadcasts:2", "detached:7", "callers:4:2", "blocking:9"] {
        for deque in DEQUES {
            for thread in 1..=2 * WORKERS as u64 {
                let mut options = options();
                options.faults.fail_thread = Some(thread);
                let job = Job::parse(words, &options.machine).unwrap();
                let (_, report) = measure(&options, &job, deque, setup).unwrap();
                // Worker 0 is whoever calls.
                let is_of_pool = thread < WORKERS as u64;
                assert_eq!(report.value.refused, is_of_pool, "{words}, thread {thread}");
                assert_eq!(report.value.stirred, Some(0), "{words}, thread {thread}");
            }
        }
    }
}

#[test]
fn who_waits_for_what_is_told_when_nobody_can_run() {
    let stuck = run(&options(), || {
        let lock = Arc::new(Mutex::new(()));
        let held = Arc::clone(&lock);
        let _held = lock.lock();
        let waits = thread::Builder::new()
            .name("waits".to_owned())
            .spawn(move || drop(held.lock()))
            .unwrap();
        waits.join().unwrap();
    });
    let Err(Failure::Stuck(waiting)) = stuck else { panic!("{stuck:?}") };
    assert!(waiting[0].contains("waits for the end of thread 1 (waits)"), "{waiting:?}");
    assert!(waiting[1].contains("waits for a lock"), "{waiting:?}");
    let lost = run(&options(), || Parker::new().park());
    assert!(
        matches!(lost, Err(Failure::Stuck(waiting)) if waiting[0].contains("until it is unparked"))
    );
}

#[test]
fn what_does_not_end_is_told() {
    let mut short = options();
    short.limit = Duration::from_millis(1);
    let endless = run(&short, || {
        loop {
            lyocell_virtual::spin_loop();
        }
    });
    assert!(matches!(endless, Err(Failure::Endless(_))));
}

#[test]
fn a_panic_is_told_in_its_words() {
    let panicked = run(&options(), || assert_eq!(1 + 1, 3, "arithmetic"));
    assert!(matches!(panicked, Err(Failure::Panicked(message)) if message.contains("arithmetic")));
}

#[test]
fn threads_take_turns_where_there_are_more_than_processors() {
    let mut two = options();
    two.machine.processors = 2;
    two.machine.distance.truncate(1);
    two.machine.distance[0].processors = 2;
    let report = run(&two, || {
        let each = |_| thread::Builder::new().spawn(|| work(10_000_000_000)).unwrap();
        (0..4).map(each).collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
    });
    // Forty milliseconds of work on two processors, and some switches.
    let took = report.unwrap().end_ps as f64 / 1e9;
    assert!((20.0..21.0).contains(&took), "{took} ms");
}

/// Whether two threads miss each other's stores with this seed: one passes a light barrier, if any, after its store, the other the heavy one.
fn miss_each_other(seed: u64, light: fn()) -> bool {
    let mut buffered = options();
    (buffered.seed, buffered.memory) = (seed, Memory::Tso);
    // For long stores. Nobody comes late.
    buffered.faults.longest_delay_ns = 50_000;
    let report = run(&buffered, move || {
        let words = Arc::new((AtomicBool::new(false), AtomicBool::new(false)));
        let others = Arc::clone(&words);
        let other = move || {
            work(seed * 100_000);
            others.0.store(true, Ordering::Relaxed);
            light();
            let seen = others.1.load(Ordering::Relaxed);
            // At its end its stores would leave.
            work(100_000_000);
            seen
        };
        let other = thread::Builder::new().spawn(other).unwrap();
        work(20_000_000);
        words.1.store(true, Ordering::Relaxed);
        assert!(heavy_barrier());
        let seen = words.0.load(Ordering::Relaxed);
        !seen && !other.join().unwrap()
    });
    report.unwrap().value
}

#[test]
fn the_heavy_barrier_needs_the_light_one() {
    assert!(!(0..400).any(|seed| miss_each_other(seed, light_barrier)));
    assert!((0..400).any(|seed| miss_each_other(seed, || {})));
}

#[test]
fn each_leaf_of_a_ragged_tree_runs_once() {
    for deque in DEQUES {
        let job = Job::parse("ragged:3:30000:20", &options().machine).unwrap();
        let (_, report) =
            measure(&options(), &job, deque, Setup::new(6, Wait::LeapRandom)).unwrap();
        assert_eq!(report.value.answer, 20 << 3, "{}", deque.0);
    }
}
