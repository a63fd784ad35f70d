//! What the profile itself costs, measured once in a process, and what a steal costs on this machine.
//!
//! A recursion with nothing but forks is run without a probe, with one that samples the clock and with one that reads it at
//! each event. The differences are put down to the forks and to the readings. All in ticks.

use crate::clock::{Exact, Sampled, passed, ticks};
use crate::per_process::PerProcess;
use crate::profile::Profile;
use lyocell::probe::AttachError;
use lyocell::{NoProbe, Pool, Probe, Split, Worker};
use std::cell::Cell;
use std::hint::{black_box, spin_loop};
use std::sync::{Mutex, OnceLock, PoisonError};
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

static KNOWN: PerProcess<Known> = PerProcess::new();

/// What has been measured in this process.
#[derive(Debug, Default)]
struct Known {
    costs: OnceLock<Costs>,
    /// The same, measured later, if it could be.
    again: OnceLock<Option<Costs>>,
    /// One thread at a time measures, or they would slow each other.
    measures: Mutex<()>,
}

impl Known {
    /// What is known in a process whose parent knows so much.
    fn after(parent: Option<&Known>) -> Known {
        let costs = parent.and_then(|parent| parent.costs.get().copied());
        Known { costs: costs.map_or_else(OnceLock::new, OnceLock::from), ..Known::default() }
    }
}

/// The costs on this machine; nothing while they are being measured.
///
/// # Errors
/// They cannot be measured, because a thread or a pool cannot be started. It is tried again when they are asked for again.
pub(crate) fn costs() -> Result<Costs, AttachError> {
    if MEASURING.get() {
        return Ok(Costs::default());
    }
    let known = KNOWN.get(Known::after);
    if let Some(costs) = known.costs.get() {
        return Ok(*costs);
    }
    let _measures = known.measures.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(costs) = known.costs.get() {
        return Ok(*costs);
    }
    let costs = measure_on_a_thread(measure)
        .map_err(|error| format!("what the profile itself costs cannot be measured: {error}"))?;
    Ok(*known.costs.get_or_init(|| costs))
}

/// The costs of forks and readings, measured a second time: how sure they are.
pub(crate) fn costs_again() -> Option<Costs> {
    if MEASURING.get() {
        return None;
    }
    let known = KNOWN.get(Known::after);
    let _measures = known.measures.lock().unwrap_or_else(PoisonError::into_inner);
    *known
        .again
        .get_or_init(|| measure_on_a_thread(|| Ok(Costs { job: job()?, ..measure_forks()? })).ok())
}

/// On a thread of its own, because this one may be a worker, which would run other things meanwhile.
fn measure_on_a_thread(measure: fn() -> Result<Costs, AttachError>) -> Result<Costs, AttachError> {
    let thread = thread::Builder::new().name("lyocell-costs".to_owned()).spawn(move || {
        MEASURING.set(true);
        measure()
    })?;
    thread.join().unwrap_or_else(|_| Err("a panic".into()))
}

/// A recursion, and how many forks it has.
#[derive(Clone, Copy)]
struct Recursion {
    n: u64,
    forks: f64,
}

/// So long, 0.2 ms without a probe, that its branches are predicted no better than those of a real one.
const LONG: Recursion = Recursion { n: 24, forks: 75_024.0 };
/// The same where every event is timed.
const SHORT: Recursion = Recursion { n: 13, forks: 376.0 };
const ROUNDS: usize = 16;
/// Where somebody else has the processors, measuring ends when it has taken so long, with what there is.
const ENOUGH: Duration = Duration::from_millis(60);

fn measure() -> Result<Costs, AttachError> {
    let forks = measure_forks()?;
    Ok(Costs { job: job()?, steal: steal(), ..forks })
}

/// The costs of forks, from the shortest runs. All are taken in turn: what others do on the same core slows each of them
/// for milliseconds, and a difference of runs of which only one was slowed would say nothing.
fn measure_forks() -> Result<Costs, AttachError> {
    // What a fork costs depends on where its code lies in memory, so there are several copies.
    let copies =
        [Copied::new::<0>()?, Copied::new::<1>()?, Copied::new::<2>()?, Copied::new::<3>()?];
    let mut shortest = [Times::default(); 4];
    let since = Instant::now();
    for round in 0..ROUNDS {
        if round >= 2 && since.elapsed() > ENOUGH {
            break;
        }
        for (copy, shortest) in copies.iter().zip(&mut shortest) {
            shortest.shorten(copy.times());
        }
    }
    let mean =
        |part: fn(&Times) -> f64| shortest.iter().map(part).sum::<f64>() / shortest.len() as f64;
    Ok(Costs {
        task_256ths: (mean(Times::of_a_task) * 256.0) as u64,
        reading: mean(Times::of_a_reading) as u64,
        fork_256ths: (mean(Times::of_a_fork) * 256.0) as u64,
        ..Costs::default()
    })
}

/// What some runs took, in ticks a task.
#[derive(Clone, Copy, Debug)]
struct Times {
    call: f64,
    fork: f64,
    sampled: f64,
    /// How many readings there were to a task when the clock was sampled.
    sampled_readings: f64,
    exact: f64,
    /// The same when it was read at each event.
    exact_readings: f64,
}

impl Default for Times {
    fn default() -> Times {
        let never = f64::INFINITY;
        Times {
            call: never,
            fork: never,
            sampled: never,
            sampled_readings: 0.0,
            exact: never,
            exact_readings: 0.0,
        }
    }
}

impl Times {
    fn shorten(&mut self, new: Times) {
        self.call = self.call.min(new.call);
        self.fork = self.fork.min(new.fork);
        if new.sampled < self.sampled {
            (self.sampled, self.sampled_readings) = (new.sampled, new.sampled_readings);
        }
        if new.exact < self.exact {
            (self.exact, self.exact_readings) = (new.exact, new.exact_readings);
        }
    }

    fn of_a_fork(&self) -> f64 {
        (self.fork - self.call).max(0.0)
    }

    fn of_a_reading(&self) -> f64 {
        (self.exact - self.fork).max(0.0) / self.exact_readings
    }

    fn of_a_task(&self) -> f64 {
        (self.sampled - self.fork - self.sampled_readings * self.of_a_reading()).max(0.0)
    }
}

/// A copy of the recursion with its pools.
struct Copied {
    plain: Pool<Split, NoProbe>,
    sampled: Pool<Split, Profile<Sampled>>,
    exact: Pool<Split, Profile<Exact>>,
    forks: fn(&Worker<Split, NoProbe>, u64) -> u64,
    sampled_forks: fn(&Worker<Split, Profile<Sampled>>, u64) -> u64,
    exact_forks: fn(&Worker<Split, Profile<Exact>>, u64) -> u64,
}

impl Copied {
    fn new<const COPY: u8>() -> Result<Copied, AttachError> {
        Ok(Copied {
            plain: pool()?,
            sampled: pool()?,
            exact: pool()?,
            forks: forks::<NoProbe, COPY>,
            sampled_forks: forks::<Profile<Sampled>, COPY>,
            exact_forks: forks::<Profile<Exact>, COPY>,
        })
    }

    /// A run of each.
    fn times(&self) -> Times {
        let (call, _) = time(LONG, || 0, calls);
        let (fork, _) = time(LONG, || 0, |n| self.plain.run(|w| (self.forks)(w, n)));
        let read = || readings_of(&self.sampled);
        let (sampled, sampled_readings) =
            time(LONG, read, |n| self.sampled.run(|w| (self.sampled_forks)(w, n)));
        let read = || readings_of(&self.exact);
        let (exact, exact_readings) =
            time(SHORT, read, |n| self.exact.run(|w| (self.exact_forks)(w, n)));
        Times { call, fork, sampled, sampled_readings, exact, exact_readings }
    }
}

fn readings_of<C: crate::Clock>(pool: &Pool<Split, Profile<C>>) -> u64 {
    pool.probes().map(Profile::readings).sum()
}

/// Ticks and readings to each fork of the recursion.
fn time(
    recursion: Recursion,
    readings: impl Fn() -> u64,
    run: impl FnOnce(u64) -> u64,
) -> (f64, f64) {
    let (before, begin) = (readings(), ticks());
    black_box(run(black_box(recursion.n)));
    let time = passed(begin, ticks());
    (time as f64 / recursion.forks, (readings() - before) as f64 / recursion.forks)
}

/// Of an empty task of a scope.
fn job() -> Result<u64, AttachError> {
    const JOBS: u64 = 500;
    let pool = pool::<NoProbe>()?;
    let spawn_all = || pool.scope(|s| (0..JOBS).for_each(|_| s.spawn(|_| ())));
    Ok(fastest(spawn_all) / JOBS)
}

/// The shortest of some runs.
fn fastest(mut run: impl FnMut()) -> u64 {
    let one = |_| {
        let begin = ticks();
        run();
        passed(begin, ticks())
    };
    (0..ROUNDS).map(one).min().unwrap_or_default()
}

/// A pool of one worker, which is this thread; the room that others need for deep recursions is not taken.
fn pool<P: Probe>() -> Result<Pool<Split, P>, AttachError> {
    let small = Pool::builder().workers(1).deque_capacity(1 << 10).stack_size(256 << 10);
    Ok(small.probe::<P>().build()?)
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
            let extra = passed(begin, ticks()).saturating_sub(BRANCH);
            (by != w.index()).then_some(extra)
        };
        let since = Instant::now();
        let joins = (0..200).take_while(|_| since.elapsed() < ENOUGH / 3).map(join);
        joins.collect::<Vec<_>>()
    });
    let mut stolen: Vec<u64> = joins.into_iter().flatten().collect();
    stolen.sort_unstable();
    // A few may have come about by chance, on a machine that has other things to do.
    (stolen.len() >= 20).then(|| stolen[stolen.len() / 2])
}

fn spin(ticks_to_spin: u64) {
    let begin = ticks();
    // A clock that steps back ends it.
    while ticks().wrapping_sub(begin) < ticks_to_spin {
        spin_loop();
    }
}
