//! Small programs, one for each thing that keeps a program from being faster, and what the profile says of each.
//!
//! Where time is declared nothing depends on the machine. The two that need real time sleep, or look at who ran what.

use lyocell::deque::direct::DirectAllPrivate;
use lyocell::{Deque, Pool, Split, Worker};
use lyocell_profile::{Cause, Declared, Profile, RegionReport, advance, region};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

const WORKERS: usize = 2;

type Handle = Worker<Split, Profile<Declared>>;

/// The verdict on a program in which time is declared.
fn declared(program: impl FnOnce(&Handle) + Send) -> RegionReport {
    let pool = Pool::builder().probe::<Profile<Declared>>().workers(WORKERS).build().unwrap();
    pool.run(|w| region(w, "program", program));
    Profile::of(&pool).region("program").unwrap().clone()
}

/// The verdict must be this one, and give this number.
fn expect(report: &RegionReport, cause: Cause, number: &str) {
    assert_eq!(report.cause, cause, "{report:#?}");
    assert!(report.verdict.contains(number), "{}", report.verdict);
}

fn leaves(w: &Handle, count: usize, ticks: impl Fn(usize) -> u64 + Sync) {
    w.join_range(0..count, (), |w, i| advance(w, ticks(i)), |(), ()| ());
}

#[test]
fn a_good_program() {
    let report = declared(|w| leaves(w, 100, |_| 1_000_000));
    expect(&report, Cause::Nothing, "for 2 workers");
    assert!(report.parallelism > 99.0);
}

#[test]
fn nothing_is_forked() {
    expect(&declared(|w| advance(w, 1_000_000)), Cause::NothingForked, "one worker");
}

#[test]
fn a_serial_part() {
    let report = declared(|w| {
        advance(w, 900_000);
        leaves(w, 100, |_| 1_000);
    });
    expect(&report, Cause::SerialPart, "100 % of the span");
    assert!((1.0..1.2).contains(&report.parallelism), "{}", report.parallelism);
}

#[test]
fn one_long_task() {
    let report = declared(|w| leaves(w, 100, |i| if i == 37 { 1_000_000 } else { 2_000 }));
    expect(&report, Cause::LongTask, "100 % of the span");
}

#[test]
fn a_chain_of_tasks() {
    fn chain(w: &Handle, links: u32) {
        if links > 0 {
            advance(w, 20_000);
            w.join(|w| chain(w, links - 1), |w| advance(w, 10_000));
        }
    }
    expect(&declared(|w| w.join(|w| chain(w, 50), |_| ()).0), Cause::Chain, "at most 1.49");
}

#[test]
fn forks_too_small_for_a_steal() {
    let report = declared(|w| {
        for _ in 0..1_000 {
            leaves(w, 16, |_| 20);
        }
    });
    expect(&report, Cause::SmallForks, "parallelism is 16.0");
}

#[test]
fn forks_that_cost_more_than_the_tasks() {
    // So many that a steal is nothing beside them, whatever it costs on a machine that has other things to do.
    let report = declared(|w| w.scope(|s| (0..20_000).for_each(|_| s.spawn(|w| advance(w, 20)))));
    expect(&report, Cause::ForkCost, "% of the time");
}

/// The verdict on a program on the clock on the wall.
fn real<D: Deque>(program: impl FnOnce(&Worker<D, Profile>) + Send) -> RegionReport {
    let pool = Pool::builder().deque::<D>().probe::<Profile>().workers(WORKERS).build().unwrap();
    pool.run(|w| region(w, "program", program));
    Profile::of(&pool).region("program").unwrap().clone()
}

#[test]
fn a_lock_held_for_long() {
    let lock = Mutex::new(());
    let report = real::<Split>(|w| {
        let hold = |_: &Worker<Split, Profile>, _| {
            let _held = lock.lock().unwrap();
            sleep(Duration::from_millis(3));
        };
        w.join_range(0..16, (), hold, |(), ()| ());
    });
    if cfg!(unix) {
        expect(&report, Cause::Waiting, "locks or I/O");
    }
}

#[test]
fn tasks_that_nobody_may_take() {
    // As much in each, whatever the time.
    let work = || (0..400_000_u64).fold(1, |x, i| std::hint::black_box(x ^ i).rotate_left(3));
    let report = real::<DirectAllPrivate>(|w| {
        w.join_range(0..32, 0, |_, _| work(), |a, b| a ^ b);
    });
    assert_eq!(report.steals, 0);
    assert!(report.busy.unwrap() < 1.1, "{report:#?}");
    // On a machine that has other things to do, that may be what matters.
    if report.crowded_share + report.blocked_share < 0.02 {
        expect(&report, Cause::LoadBalance, "of 2 workers were busy");
    }
}
