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
    /// The two shortest that were measured, the shorter first, if it could be done again later.
    again: OnceLock<Option<[Costs; 2]>>,
    /// One thread at a time measures, or they would slow each other.
    measures: Mutex<()>,
}

impl Known {
    /// What is known in a process whose parent knows so much.
    fn after(parent: Option<&Known>) -> Known {
        let costs = parent.and_then(Known::shortest);
        Known { costs: costs.map_or_else(OnceLock::new, OnceLock::from), ..Known::default() }
    }

    /// What was measured, the shorter if it was done again.
    fn shortest(&self) -> Option<Costs> {
        let first = self.costs.get().copied()?;
        Some(self.again.get().copied().flatten().map_or(first, |[shortest, _]| shortest))
    }
}

/// The costs on this machine; nothing while they are being measured. Of what was measured twice, the less: a measurement can be
/// disturbed for all of its time, and then all that it says is too much.
///
/// # Errors
/// They cannot be measured, because a thread or a pool cannot be started. It is tried again when they are asked for again.
pub(crate) fn costs() -> Result<Costs, AttachError> {
    if MEASURING.get() {
        return Ok(Costs::default());
    }
    let known = KNOWN.get(Known::after);
    if let Some(costs) = known.shortest() {
        return Ok(costs);
    }
    let _measures = known.measures.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(costs) = known.costs.get() {
        return Ok(*costs);
    }
    let costs = measure_on_a_thread(measure)
        .map_err(|error| format!("what the profile itself costs cannot be measured: {error}"))?;
    Ok(*known.costs.get_or_init(|| costs))
}

/// The costs of forks and readings, measured a second time: how sure they are. Where the second time says something else, a third
/// one shows which of them was disturbed.
pub(crate) fn costs_again() -> Option<Costs> {
    if MEASURING.get() {
        return None;
    }
    let known = KNOWN.get(Known::after);
    let _measures = known.measures.lock().unwrap_or_else(PoisonError::into_inner);
    let first = *known.costs.get()?;
    let measured = || measure_on_a_thread(measure_forks).ok();
    let again = known.again.get_or_init(|| {
        let second = measured()?;
        let third = if are_alike([first, second]) { second } else { measured()? };
        Some(shortest_two([first, second, third]).map(|forks| first.with_forks(forks)))
    });
    again.map(|[_, second]| second)
}

/// The two in which a fork that is timed costs the least, the least first.
fn shortest_two(mut costs: [Costs; 3]) -> [Costs; 2] {
    costs.sort_by_key(|costs| (costs.reading << 8) + costs.task_256ths);
    [costs[0], costs[1]]
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
/// What a fork costs depends on where its code lies in memory, so there are several copies.
const COPIES: usize = 4;
/// Rounds that are always taken: some fifty milliseconds.
const ROUNDS: usize = 16;
/// Then measuring goes on until the even rounds and the odd ones say the same but for this share. Who has the other half of the
/// core makes forks and readings up to twice as dear for tens of milliseconds.
const SAME: f64 = 0.1;
/// Where somebody else has the processors, measuring ends when it has taken so long, with what there is.
const ENOUGH: Duration = Duration::from_millis(500);

fn measure() -> Result<Costs, AttachError> {
    let forks = measure_forks()?;
    Ok(Costs { job: job()?, steal: steal(), ..Costs::default() }.with_forks(forks))
}

/// The costs of forks, from the shortest runs. All are taken in turn: what others do on the same core slows each of them
/// for milliseconds, and a difference of runs of which only one was slowed would say nothing.
fn measure_forks() -> Result<Costs, AttachError> {
    let copies: [Copied; COPIES] =
        [Copied::new::<0>()?, Copied::new::<1>()?, Copied::new::<2>()?, Copied::new::<3>()?];
    // What even rounds and odd ones say, each for itself.
    let mut halves = [[Times::default(); COPIES]; 2];
    let since = Instant::now();
    for round in 0.. {
        for (copy, shortest) in copies.iter().zip(&mut halves[round % 2]) {
            shortest.shorten(copy.times());
        }
        let is_settled =
            round + 1 >= ROUNDS && are_alike(halves.map(|half| Costs::of_forks(&half)));
        if is_settled || (round > 2 && since.elapsed() > ENOUGH) {
            break;
        }
    }
    let [mut shortest, odd] = halves;
    shortest.iter_mut().zip(odd).for_each(|(shortest, odd)| shortest.shorten(odd));
    Ok(Costs::of_forks(&shortest))
}

/// Whether two measurements say the same of what is subtracted, and of what a fork costs.
fn are_alike([a, b]: [Costs; 2]) -> bool {
    let alike = |a: u64, b: u64| a.abs_diff(b) as f64 <= SAME * a.max(b) as f64;
    alike(a.reading, b.reading)
        && alike(a.task_256ths, b.task_256ths)
        && alike(a.fork_256ths, b.fork_256ths)
}

impl Costs {
    /// The same with other costs of forks and readings.
    fn with_forks(self, forks: Costs) -> Costs {
        Costs { job: self.job, steal: self.steal, ..forks }
    }

    /// What the shortest runs of the copies say of forks and readings: the mean of the two copies in the middle, as each run of a
    /// copy may have been interrupted.
    fn of_forks(shortest: &[Times; COPIES]) -> Costs {
        let middle = |part: fn(&Times) -> f64| {
            let mut parts = shortest.each_ref().map(part);
            parts.sort_by(f64::total_cmp);
            (parts[COPIES / 2 - 1] + parts[COPIES / 2]) / 2.0
        };
        Costs {
            task_256ths: (middle(Times::of_a_task) * 256.0) as u64,
            reading: middle(Times::of_a_reading) as u64,
            fork_256ths: (middle(Times::of_a_fork) * 256.0) as u64,
            ..Costs::default()
        }
    }
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
        let joins = (0..200).take_while(|_| since.elapsed() < ENOUGH / 25).map(join);
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

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: Times = Times {
        call: 5.0,
        fork: 10.0,
        sampled: 15.0,
        sampled_readings: 0.0,
        exact: 310.0,
        exact_readings: 3.0,
    };

    #[test]
    fn a_copy_all_of_whose_runs_were_interrupted_changes_nothing() {
        let interrupted = Times { sampled: 500.0, exact: 3_000.0, ..TIMES };
        let expected =
            Costs { task_256ths: 5 * 256, reading: 100, fork_256ths: 5 * 256, ..Costs::default() };
        assert_eq!(Costs::of_forks(&[TIMES; COPIES]), expected);
        assert_eq!(Costs::of_forks(&[interrupted, TIMES, TIMES, TIMES]), expected);
    }

    #[test]
    fn the_shortest_run_of_each_kind_is_kept() {
        let mut shortest = Times::default();
        shortest.shorten(Times { fork: 99.0, ..TIMES });
        shortest.shorten(Times { exact: 999.0, exact_readings: 4.0, ..TIMES });
        assert_eq!(Costs::of_forks(&[shortest; COPIES]), Costs::of_forks(&[TIMES; COPIES]));
    }

    #[test]
    fn of_three_measurements_the_one_that_was_disturbed_is_left_out() {
        let [low, middle, high] =
            [100, 104, 190].map(|reading| Costs { reading, ..Costs::of_forks(&[TIMES; COPIES]) });
        assert_eq!(shortest_two([high, low, middle]), [low, middle]);
        assert_eq!(shortest_two([low, high, middle]), [low, middle]);
        assert_eq!(
            shortest_two([low, middle, middle]),
            [low, middle],
            "two alike, the second twice"
        );
    }

    #[test]
    fn two_measurements_are_alike_if_each_cost_is() {
        let costs = Costs::of_forks(&[TIMES; COPIES]);
        assert!(are_alike([costs, Costs { reading: 109, ..costs }]));
        assert!(!are_alike([costs, Costs { reading: 200, ..costs }]));
        assert!(!are_alike([costs, Costs { task_256ths: 9 * 256, ..costs }]));
        assert!(!are_alike([Costs { fork_256ths: 0, ..costs }, costs]));
    }
}
