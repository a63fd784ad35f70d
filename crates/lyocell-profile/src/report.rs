//! The report: what all workers of a pool have measured, as numbers, as text, and as JSON.

use crate::clock::{Clock, ticks_per_ns};
use crate::costs::{Costs, costs_again};
use crate::maker::Maker;
use crate::profile::{Measured, Profile};
use crate::spans::WOOL_BURDEN;
use crate::tally::Account;
use crate::verdict::{Cause, number};
use lyocell::probe::{Event, Phase};
use lyocell::{Deque, Pool};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// What a pool has done so far: work, span, and what keeps it from being faster. Made by [`Profile::of`].
#[derive(Clone, Debug, Serialize)]
pub struct Profiled {
    /// How many workers the pool has.
    pub workers: usize,
    /// All calls from outside, one after the other.
    pub all: RegionReport,
    /// The detached tasks, if there were any. Nobody waits for them, so their span is only a sum.
    pub detached: Option<RegionReport>,
    /// What happened how often, by the names of the events.
    pub events: Vec<(&'static str, usize)>,
    /// The most tasks that were in one deque at once, as far as it was looked at: with each reading of the clock.
    pub peak_depth: u64,
    /// How long workers did what, all together, in seconds.
    pub phases: Vec<(&'static str, f64)>,
    /// The processor time that was spent looking for tasks, in seconds.
    pub wasted_s: f64,
    /// What the probe has cost, which is subtracted from work and spans, in seconds.
    pub own_cost_s: f64,
    /// The part of it that was not subtracted, because less had passed, in seconds.
    pub own_cost_left_s: f64,
    /// What a task costs that is not timed, in nanoseconds.
    pub own_cost_task_ns: f64,
    /// What an event costs that is, in nanoseconds.
    pub own_cost_reading_ns: f64,
    /// What a stolen branch costs on this machine, in ticks, if it could be measured.
    pub burden_ticks: Option<u64>,
    /// How many ticks of the clock there are in a nanosecond.
    pub ticks_per_ns: f64,
}

/// What was measured of a region.
#[derive(Clone, Debug, Serialize)]
pub struct RegionReport {
    /// Its name.
    pub name: String,
    /// How often it was run.
    pub times: u64,
    /// T_1: the time in it and in all tasks forked in it, in ticks.
    pub work_ticks: u64,
    /// T_∞: the time of the longest chain of strands, in ticks.
    pub span_ticks: u64,
    /// T_∞ with 2,000 cycles for each stolen branch, in ticks (Wool's Table I).
    pub span_2k_ticks: u64,
    /// T_∞ with the burden of this machine, in ticks.
    pub span_burdened_ticks: u64,
    /// T_1, in seconds.
    pub work_s: f64,
    /// T_∞, in seconds.
    pub span_s: f64,
    /// The part of the span outside of all forks, in seconds.
    pub serial_s: f64,
    /// From begin to end on the clock on the wall, in seconds; 0 where time is declared.
    pub wall_s: f64,
    /// T_1 / T_∞.
    pub parallelism: f64,
    /// The same with 2,000 cycles for each stolen branch.
    pub parallelism_2k: f64,
    /// The same with the burden of this machine.
    pub parallelism_burdened: f64,
    /// The tasks of joins, ranges and loops.
    pub tasks: u64,
    /// The tasks of scopes, and parts of coalesced work.
    pub jobs: u64,
    /// How many tasks were stolen.
    pub steals: u64,
    /// G_T: the work of a task on average, in nanoseconds.
    pub task_granularity_ns: Option<f64>,
    /// G_L: the work between two steals on average, in nanoseconds, on this number of workers.
    pub steal_granularity_ns: Option<f64>,
    /// How many tasks were timed, of which sizes are told. Where tasks are short, each stands for some thousand.
    pub timed_tasks: u64,
    /// Half of the tasks took at most so long with all that they forked, in nanoseconds, if enough were timed to tell. Never
    /// less than a reading of the clock costs, below which sizes cannot be told apart.
    pub task_p50_ns: Option<f64>,
    /// All but one in a hundred took at most so long, in nanoseconds, if enough were timed to tell.
    pub task_p99_ns: Option<f64>,
    /// How many timed tasks took at most so many nanoseconds, and more than the size before.
    pub task_sizes: Vec<(f64, u64)>,
    /// The longest strand within a fork, in seconds.
    pub longest_task_s: f64,
    /// The share of the work in which the thread could not run.
    pub blocked_share: f64,
    /// How long others had the processor, as a share of that and the work, of which it is no part.
    pub crowded_share: f64,
    /// How many workers were in the region on average.
    pub busy: Option<f64>,
    /// What keeps it from being faster.
    pub cause: Cause,
    /// The verdict: the number that says so, and what to try.
    pub verdict: String,
    /// The regions in it.
    pub regions: Vec<RegionReport>,
}

impl<C: Clock> Profile<C> {
    /// What the pool has done so far. Calls that are not over are not in it.
    pub fn of<D: Deque>(pool: &Pool<D, Profile<C>>) -> Profiled {
        Profile::of_probes(pool.probes())
    }

    /// As [`Profile::of`], of the probes of all workers of a pool that has others beside them.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Pool;
    /// use lyocell::probe::Counters;
    /// use lyocell_profile::Profile;
    ///
    /// let pool = Pool::builder().probe::<(Profile, Counters)>().build()?;
    /// pool.run(|w| w.join(|_| (), |_| ()));
    /// let profile = Profile::of_probes(pool.probes().map(|both| &both.0));
    /// assert_eq!(profile.all.tasks, 1);
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn of_probes<'a>(probes: impl Iterator<Item = &'a Profile<C>>) -> Profiled {
        let measured: Vec<Measured> = probes.map(Profile::measured).collect();
        Profiled::from_workers(&measured, measured.len())
    }
}

impl Profiled {
    pub(crate) fn from_workers(measured: &[Measured], workers: usize) -> Profiled {
        let mut calls = Account::default();
        let mut detached = Account::default();
        for worker in measured {
            for (sum, part) in [(&mut calls, &worker.calls), (&mut detached, &worker.detached)] {
                sum.tally.add_in_series(&part.tally);
                sum.regions.graft(part.regions.clone());
            }
        }
        let costs = measured.first().map_or_else(Costs::default, |worker| worker.costs);
        let ticks_per_ns = ticks_per_ns();
        let readings = measured.iter().map(|worker| worker.readings).fold(0, u64::saturating_add);
        let resolution = if readings == 0 { 0 } else { costs.reading };
        let left = measured.iter().map(|worker| worker.left).fold(0, u64::saturating_add);
        let work = calls.tally.work as f64 + detached.tally.work as f64;
        let again = if readings == 0 { None } else { costs_again() };
        let readings_per_tick = if work == 0.0 { 0.0 } else { readings as f64 / work };
        let maker = Maker { workers, costs, again, readings_per_tick, resolution, ticks_per_ns };
        let report =
            |name: &str, account: &Account| maker.region(name, &account.tally, &account.regions);
        let count = |event| measured.iter().map(|worker| worker.counts.of(event)).sum();
        let phase = |phase| measured.iter().map(|worker| worker.spent.on(phase)).sum::<Duration>();
        let own_ticks = (calls.tally.tasks as f64 + detached.tally.tasks as f64)
            * (costs.task_256ths as f64 / 256.0)
            + readings as f64 * costs.reading as f64;
        Profiled {
            workers,
            all: report("all", &calls),
            detached: (detached.tally.times > 0).then(|| report("detached tasks", &detached)),
            events: Event::ALL
                .iter()
                .copied()
                .filter(|event| *event != Event::Spawn)
                .map(|event| (event.name(), count(event)))
                .collect(),
            peak_depth: measured.iter().map(|worker| worker.peak_depth).max().unwrap_or(0),
            phases: Phase::ALL
                .iter()
                .copied()
                .map(|at| (at.name(), phase(at).as_secs_f64()))
                .collect(),
            wasted_s: (phase(Phase::Stealing) + phase(Phase::Leaping)).as_secs_f64(),
            own_cost_s: own_ticks / ticks_per_ns / 1e9,
            own_cost_left_s: left as f64 / ticks_per_ns / 1e9,
            own_cost_task_ns: costs.task_256ths as f64 / 256.0 / ticks_per_ns,
            own_cost_reading_ns: costs.reading as f64 / ticks_per_ns,
            burden_ticks: costs.steal,
            ticks_per_ns,
        }
    }

    /// The region of this name, wherever it is, if it was run.
    pub fn region(&self, name: &str) -> Option<&RegionReport> {
        self.all.find(name).or_else(|| self.detached.as_ref()?.find(name))
    }

    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and texts") + "\n"
    }

    /// How often this event happened.
    pub(crate) fn count(&self, event: Event) -> usize {
        let name = event.name();
        self.events.iter().find(|(other, _)| *other == name).map_or(0, |(_, count)| *count)
    }

    /// Each region with how deep it is, outer ones first.
    pub(crate) fn rows(&self) -> Vec<(usize, &RegionReport)> {
        let mut rows = Vec::new();
        self.all.rows(0, &mut rows);
        if let Some(detached) = &self.detached {
            detached.rows(0, &mut rows);
        }
        rows
    }

    /// What could not be subtracted, in words, if it is much.
    pub(crate) fn but_for_what_is_left(&self) -> String {
        if self.own_cost_left_s <= 0.01 * self.own_cost_s {
            return String::new();
        }
        format!(" but for {}", time(self.own_cost_left_s))
    }

    /// The burden of this machine in words.
    pub(crate) fn burden(&self) -> String {
        match self.burden_ticks {
            Some(ticks) => format!("{} cycles", number(ticks as f64)),
            None => format!("not measured, {} cycles", number(WOOL_BURDEN as f64)),
        }
    }
}

impl RegionReport {
    fn find(&self, name: &str) -> Option<&RegionReport> {
        if self.name == name {
            return Some(self);
        }
        self.regions.iter().find_map(|region| region.find(name))
    }

    fn rows<'a>(&'a self, depth: usize, rows: &mut Vec<(usize, &'a RegionReport)>) {
        rows.push((depth, self));
        for region in &self.regions {
            region.rows(depth + 1, rows);
        }
    }
}

/// A time with its unit.
pub(crate) fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "us"),
        s => (s * 1e9, "ns"),
    };
    format!("{} {unit}", number(value))
}

/// The same, of nanoseconds that may be unknown.
pub(crate) fn time_ns(ns: Option<f64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| time(ns / 1e9))
}

/// The columns of the table of regions.
pub(crate) const COLUMNS: [&str; 14] = [
    "region",
    "times",
    "wall",
    "work T1",
    "span",
    "parallelism",
    "at 2k",
    "burdened",
    "tasks",
    "G_T",
    "p50",
    "p99",
    "steals",
    "G_L",
];

/// The size of a task. Below the resolution of the clock it is not known.
fn size(ns: Option<f64>, resolution_ns: f64) -> String {
    let below = ns.is_some_and(|ns| ns <= resolution_ns);
    if below { format!("< {}", time_ns(ns)) } else { time_ns(ns) }
}

pub(crate) fn cells(
    depth: usize,
    row: &RegionReport,
    resolution_ns: f64,
) -> [String; COLUMNS.len()] {
    [
        format!("{}{}", "  ".repeat(depth), row.name),
        number_of(row.times),
        if row.wall_s > 0.0 { time(row.wall_s) } else { "-".to_owned() },
        time(row.work_s),
        time(row.span_s),
        number(row.parallelism),
        number(row.parallelism_2k),
        number(row.parallelism_burdened),
        number_of(row.tasks.saturating_add(row.jobs)),
        time_ns(row.task_granularity_ns),
        size(row.task_p50_ns, resolution_ns),
        size(row.task_p99_ns, resolution_ns),
        number_of(row.steals),
        time_ns(row.steal_granularity_ns),
    ]
}

/// A count.
pub(crate) fn number_of(count: u64) -> String {
    if count < 1_000 { count.to_string() } else { number(count as f64) }
}

impl fmt::Display for Profiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resolution_ns = self.own_cost_reading_ns;
        let rows: Vec<[String; COLUMNS.len()]> =
            self.rows().into_iter().map(|(depth, row)| cells(depth, row, resolution_ns)).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([COLUMNS[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: [usize; COLUMNS.len()] = std::array::from_fn(width);
        let mut line = |cells: &[String]| {
            let mut text = String::new();
            for (column, cell) in cells.iter().enumerate() {
                let width = widths[column];
                text += &if column == 0 {
                    format!("{cell:<width$}")
                } else {
                    format!("  {cell:>width$}")
                };
            }
            writeln!(f, "{}", text.trim_end())
        };
        line(&COLUMNS.map(str::to_owned))?;
        rows.iter().try_for_each(|row| line(row))?;
        writeln!(f)?;
        for (depth, row) in self.rows() {
            writeln!(f, "{}{}: {}", "  ".repeat(depth), row.name, row.verdict)?;
        }
        writeln!(f)?;
        self.totals(f)
    }
}

impl Profiled {
    fn totals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phases: Vec<String> = self
            .phases
            .iter()
            .filter(|(_, s)| *s > 0.0)
            .map(|(name, s)| format!("{name} {}", time(*s)))
            .collect();
        writeln!(f, "{} workers: {}", self.workers, phases.join(", "))?;
        writeln!(
            f,
            "steals {}, leaps {}, failed tries {}, parks {}, most tasks in a deque {}; looking for tasks took {}",
            self.count(Event::Steal),
            self.count(Event::Leap),
            self.count(Event::Failed) + self.count(Event::Busy),
            self.count(Event::Park),
            self.peak_depth,
            time(self.wasted_s),
        )?;
        writeln!(
            f,
            "the profile itself took {}, which is subtracted{}: {} a task, {} a reading of the clock; burden of a steal: {}",
            time(self.own_cost_s),
            self.but_for_what_is_left(),
            time_ns(Some(self.own_cost_task_ns)),
            time_ns(Some(self.own_cost_reading_ns)),
            self.burden(),
        )
    }
}
