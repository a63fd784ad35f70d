//! What a line takes from one processor to another, against the number of the machine file, at each distance of each machine.

use lyocell_simulate::machines::{machine, names};
use lyocell_virtual::{
    AtomicU64, Machine, Options, Ordering, Placement, fence, now_ps, prefetch_to_write, run,
    thread, work,
};
use std::sync::Arc;

/// A line of its own.
#[repr(align(128))]
#[derive(Default)]
struct Line(AtomicU64);

const TRIPS: u64 = 500;

/// What is off by less agrees.
const TOLERANCE: f64 = 0.02;

/// Picoseconds of a minute.
const LONG: u64 = 60_000_000_000_000;

/// Runs the two on two threads, on the first processor and on the next one that is so far away.
fn at_distance<T: Send + 'static>(
    machine: &Machine,
    level: usize,
    one: impl FnOnce(&Line) -> T + 'static,
    other: impl FnOnce(&Line) + Send + 'static,
) -> T {
    let nearer = if level == 0 { 1 } else { machine.distance[level - 1].processors };
    let options = Options { placement: Placement::Compact, ..Options::new(machine.clone()) };
    let report = run(&options, move || {
        let start = |life: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(life).unwrap();
        // They hold the processors in between, and touch nothing.
        let between: Vec<_> = (1..nearer).map(|_| start(Box::new(|| work(LONG)))).collect();
        let line = Arc::new(Line::default());
        let there = Arc::clone(&line);
        let partner = start(Box::new(move || other(&there)));
        let value = one(&line);
        partner.join().unwrap();
        between.into_iter().for_each(|thread| thread.join().unwrap());
        value
    });
    let report = report.unwrap();
    let transfers = report.counts.transfers;
    let elsewhere = transfers.iter().enumerate().any(|(at, count)| at != level && *count > 0);
    assert!(transfers[level] > 0 && !elsewhere, "{}: {transfers:?}", machine.title);
    report.value
}

fn pass(line: &Line, from: u64, to: u64) {
    while line.0.compare_exchange(from, to, Ordering::SeqCst, Ordering::Relaxed).is_err() {}
}

/// As programs measure it: half of the time between two successes of one thread, in nanoseconds.
fn half_round_trip(machine: &Machine, level: usize) -> f64 {
    let one = |line: &Line| {
        // The other one runs when the second time is over.
        (0..2).for_each(|_| pass(line, 0, 1));
        let begin = now_ps();
        (0..TRIPS).for_each(|_| pass(line, 0, 1));
        (now_ps() - begin) as f64 / 1000.0 / (2 * TRIPS) as f64
    };
    at_distance(machine, level, one, |line| (0..TRIPS + 2).for_each(|_| pass(line, 1, 0)))
}

/// What `access` takes, in nanoseconds, of a line that the other one has just written.
fn first_access(machine: &Machine, level: usize, access: fn(&AtomicU64)) -> f64 {
    let one = move |line: &Line| {
        // Long after the other one's start.
        work(1_000_000_000);
        let begin = now_ps();
        access(&line.0);
        (now_ps() - begin) as f64 / 1000.0
    };
    at_distance(machine, level, one, |line| line.0.store(1, Ordering::SeqCst))
}

#[test]
fn a_line_takes_as_long_as_the_machine_file_says() {
    for name in names() {
        let machine = machine(name).unwrap();
        let cost = |name: &str| machine.cost[name].ns;
        for (level, distance) in machine.distance.iter().enumerate() {
            let half = distance.half_round_trip.ns;
            let transfer = half - cost("rmw");
            let is = |what: &str, took: f64, expected: f64| {
                let off = took / expected - 1.0;
                assert!(off.abs() <= TOLERANCE, "{name}, {}, {what}: {took} ns", distance.name);
            };
            is("half a round trip", half_round_trip(&machine, level), half);
            let load = first_access(&machine, level, |word| _ = word.load(Ordering::Relaxed));
            is("a load", load, transfer + cost("hit"));
            let rmw = first_access(&machine, level, |word| _ = word.swap(2, Ordering::Relaxed));
            is("a read-modify-write", rmw, half);
            let store = first_access(&machine, level, |word| word.store(2, Ordering::Relaxed));
            is("a store", store, cost("store"));
            let ordered = first_access(&machine, level, |word| {
                word.store(2, Ordering::Relaxed);
                fence(Ordering::SeqCst);
            });
            is("a store and a fence", ordered, transfer.max(cost("store")) + cost("fence"));
            let begun = first_access(&machine, level, prefetch_to_write);
            is("a prefetch", begun, cost("hit"));
            let early = first_access(&machine, level, |word| {
                prefetch_to_write(word);
                word.load(Ordering::Relaxed);
            });
            is("a prefetch and a load at once", early, transfer + cost("hit"));
            let late = first_access(&machine, level, |word| {
                prefetch_to_write(word);
                work(1_000_000);
                word.swap(2, Ordering::Relaxed);
            });
            is("a read-modify-write after a prefetch", late - 1000.0, cost("hit") + cost("rmw"));
        }
    }
}

#[test]
fn two_threads_are_as_far_apart_as_the_machine_file_says() {
    let machine = machine("opteron-8").unwrap();
    assert_eq!(machine.placement, Placement::Spread);
    for (placement, level) in [(Placement::Spread, 1), (Placement::Compact, 0)] {
        let options = Options::new(Machine { placement, ..machine.clone() });
        let report = run(&options, || {
            let line = Arc::new(Line::default());
            let there = Arc::clone(&line);
            let partner = thread::Builder::new().spawn(move || pass(&there, 0, 1)).unwrap();
            pass(&line, 1, 0);
            partner.join().unwrap();
        });
        let transfers = report.unwrap().counts.transfers;
        let elsewhere = transfers.iter().enumerate().any(|(at, count)| at != level && *count > 0);
        assert!(transfers[level] > 0 && !elsewhere, "{placement:?}: {transfers:?}");
    }
}
