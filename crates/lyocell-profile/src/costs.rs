//! What the profile itself costs, measured once in a process, and what a steal costs on this machine.
//!
//! A recursion with nothing but forks is run without a probe, with one that samples the clock and with one that reads it at
//! each event. The differences are put down to the forks and to the readings. All in ticks.

use crate::clock::{Exact, Sampled, ticks};
use crate::profile::Profile;
use lyocell::{NoProbe, Pool, Probe, Split, Worker};
use std::cell::Cell;
use std::hint::{black_box, spin_loop};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// What is subtracted, and the burden.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    /// Of a task that is not timed, in 256ths of a tick.
    pub(crate) task_256ths: u64,
    /// Of an event that is.
    pub(crate) reading: u64,
    /// What a fork costs more than a call, without a probe, in 256ths of a tick.
    pub(crate) fork_256ths: u64,
    /// What a task of a scope costs more than a call.
    pub(crate) job: u64,
    /// What a join takes longer whose second branch is stolen: none where that cannot be measured.
    pub(crate) steal: Option<u64>,
}

thread_local! {
    static MEASURING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread builds pools only to measure the costs.
pub(crate) fn is_measuring() -> bool {
    MEASURING.get()
}

/// The costs on this machine; nothing while they are being measured.
pub(crate) fn costs() -> Costs {
    static COSTS: OnceLock<Costs> = OnceLock::new();
    if MEASURING.get() {
        return Costs::default();
    }
    let measure = || {
        MEASURING.set(true);
        measure()
    };
    // On a thread of its own, because this one may be a worker, which would run other things meanwhile.
    *COSTS.get_or_init(|| thread::spawn(measure).join().unwrap_or_default())
}

/// About thirty microseconds without a probe.
const RECURSION: u64 = 20;
const TASKS: u64 = 10_945;
/// So many that a processor has come up to its speed meanwhile.
const REPETITIONS: u64 = 60;

fn measure() -> Costs {
    let calls = fastest(|| {
        black_box(calls(black_box(RECURSION)));
    });
    let copies = [one_copy::<0>(), one_copy::<1>(), one_copy::<2>(), one_copy::<3>()];
    let mean =
        |part: fn(&Copied) -> u64| copies.iter().map(part).sum::<u64>() / copies.len() as u64;
    let (forks, of_tasks) = (mean(|copy| copy.forks), mean(|copy| copy.of_tasks));
    let reading = mean(|copy| copy.reading);
    Costs {
        task_256ths: of_tasks * 256 / TASKS,
        reading,
        fork_256ths: forks.saturating_sub(calls) * 256 / TASKS,
        job: job(),
        steal: steal(),
    }
}

/// What was measured of one copy of the recursion. What a fork costs depends on where its code lies in memory, so there are
/// several.
struct Copied {
    forks: u64,
    of_tasks: u64,
    reading: u64,
}

fn one_copy<const COPY: u8>() -> Copied {
    let forks = on_one_worker::<NoProbe, COPY>();
    let (sampled, readings) = with_readings::<Sampled, COPY>();
    let (exact, exact_readings) = with_readings::<Exact, COPY>();
    let reading = exact.saturating_sub(forks) / exact_readings.max(1);
    let of_tasks = sampled.saturating_sub(forks).saturating_sub(readings * reading);
    Copied { forks, of_tasks, reading }
}

/// Of an empty task of a scope.
fn job() -> u64 {
    const JOBS: u64 = 500;
    let Some(pool) = pool::<NoProbe>() else { return 0 };
    let spawn_all = || pool.scope(|s| (0..JOBS).for_each(|_| s.spawn(|_| ())));
    fastest(spawn_all) / JOBS
}

/// Where somebody else has the processors, measuring ends when it has taken so long, with what there is.
const ENOUGH: Duration = Duration::from_millis(20);

/// The shortest of some runs, two at least; and how many there were.
fn fastest_of(mut run: impl FnMut()) -> (u64, u64) {
    let (since, mut shortest, mut runs) = (Instant::now(), u64::MAX, 0);
    while runs < 2 || runs < REPETITIONS && since.elapsed() < ENOUGH {
        let begin = ticks();
        run();
        shortest = shortest.min(ticks().wrapping_sub(begin));
        runs += 1;
    }
    (shortest, runs)
}

fn fastest(run: impl FnMut()) -> u64 {
    fastest_of(run).0
}

fn pool<P: Probe>() -> Option<Pool<Split, P>> {
    Pool::builder().probe::<P>().workers(1).build().ok()
}

fn on_one_worker<P: Probe, const COPY: u8>() -> u64 {
    let Some(pool) = pool::<P>() else { return 0 };
    fastest(|| {
        pool.run(|w| black_box(forks::<P, COPY>(w, black_box(RECURSION))));
    })
}

/// The time, and how many events were timed in it.
fn with_readings<C: crate::Clock, const COPY: u8>() -> (u64, u64) {
    let Some(pool) = pool::<Profile<C>>() else { return (0, 1) };
    let readings = || pool.probes().map(Profile::readings).sum::<u64>();
    let before = readings();
    let (time, runs) = fastest_of(|| {
        pool.run(|w| black_box(forks::<Profile<C>, COPY>(w, black_box(RECURSION))));
    });
    (time, (readings() - before) / runs)
}

fn calls(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    calls(n - 1) + calls(n - 2)
}

fn forks<P: Probe, const COPY: u8>(w: &Worker<Split, P>, n: u64) -> u64 {
    if n < 2 {
        return n ^ u64::from(black_box(COPY) > 3);
    }
    let (a, b) = w.join(|w| forks::<P, COPY>(w, n - 1), |w| forks::<P, COPY>(w, n - 2));
    a + b
}

/// How long each branch is, for [`steal`].
const BRANCH: u64 = 40_000;

/// The median of what a join of two equal branches takes longer than one of them, if the other was stolen.
fn steal() -> Option<u64> {
    if thread::available_parallelism().map_or(1, usize::from) < 2 {
        return None;
    }
    let pool = Pool::builder().workers(2).build().ok()?;
    let joins = pool.run(|w| {
        let join = |_| {
            let begin = ticks();
            let ((), by) = w.join(
                |_| spin(BRANCH),
                |w| {
                    spin(BRANCH);
                    w.index()
                },
            );
            let extra = ticks().wrapping_sub(begin).saturating_sub(BRANCH);
            (by != w.index()).then_some(extra)
        };
        let since = Instant::now();
        let joins = (0..200).take_while(|_| since.elapsed() < ENOUGH).map(join);
        joins.collect::<Vec<_>>()
    });
    let mut stolen: Vec<u64> = joins.into_iter().flatten().collect();
    stolen.sort_unstable();
    // A few may have come about by chance, on a machine that has other things to do.
    (stolen.len() >= 20).then(|| stolen[stolen.len() / 2])
}

fn spin(ticks_to_spin: u64) {
    let begin = ticks();
    while ticks().wrapping_sub(begin) < ticks_to_spin {
        spin_loop();
    }
}
