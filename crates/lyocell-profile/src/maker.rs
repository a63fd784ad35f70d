//! What was measured of a region becomes what is told of it, and what a verdict is made from.

use crate::costs::Costs;
use crate::report::RegionReport;
use crate::site::{LONG as LONG_TASK, LUMPS};
use crate::tally::{RegionSet, Tally};
use crate::verdict::{Cause, Facts};
use std::time::Duration;

/// Shorter regions are over before all workers are awake.
const LONG: Duration = Duration::from_millis(2);

/// A system gives threads three to six milliseconds at a time, so in less than this one other thread makes much of the time.
const MANY_SLICES: Duration = Duration::from_millis(50);

/// What turns tallies into reports.
pub(crate) struct Maker {
    pub(crate) workers: usize,
    /// What was subtracted.
    pub(crate) costs: Costs,
    /// The same, measured again.
    pub(crate) again: Option<Costs>,
    pub(crate) readings_per_tick: f64,
    /// Below this sizes of tasks are noise: what a reading of the clock costs; 0 if it was never read.
    pub(crate) resolution: u64,
    pub(crate) ticks_per_ns: f64,
}

impl Maker {
    /// What the profile itself has taken in this, in ticks: readings are those of all, by the work.
    fn own(&self, tally: &Tally, costs: &Costs) -> f64 {
        // Where time is declared nothing was subtracted.
        if self.readings_per_tick == 0.0 {
            return 0.0;
        }
        let readings = self.readings_per_tick * tally.work as f64;
        tally.tasks as f64 * (costs.task_256ths as f64 / 256.0) + readings * costs.reading as f64
    }

    /// Whether most tasks are short and were not timed one by one.
    fn is_lumped(&self, tally: &Tally) -> bool {
        let is_timed = tally.sizes.timed() as f64 >= 0.9 * tally.tasks as f64;
        self.readings_per_tick > 0.0 && !is_timed && tally.work / tally.tasks.max(1) < LONG_TASK
    }

    /// What a verdict is made from if these are the costs, whichever were subtracted.
    fn facts(&self, tally: &Tally, costs: &Costs) -> Facts {
        let measured = tally.work as f64;
        let own = self.own(tally, costs);
        let work = (measured + self.own(tally, &self.costs) - own).max(0.0);
        // Spans are made of the same tasks.
        let scale = if measured == 0.0 { 1.0 } else { work / measured };
        let scaled = |ticks: u64| ticks as f64 * scale;
        let [span, _, span_burdened] = tally.spans.0;
        let ns = |ticks: u64| ticks as f64 / self.ticks_per_ns;
        Facts {
            workers: self.workers as f64,
            work,
            span: scaled(span),
            burdened_span: scaled(span_burdened),
            serial: scaled(span.saturating_sub(tally.forked_span)),
            longest: scaled(tally.longest),
            tasks: tally.tasks as f64 + tally.jobs as f64,
            forking: tally.tasks as f64 * costs.fork_256ths as f64 / 256.0
                + tally.jobs as f64 * costs.job as f64,
            own,
            lumps: if self.is_lumped(tally) { LUMPS as f64 } else { 0.0 },
            // Of the work, whatever the two clocks say that it is measured with.
            blocked: tally.blocked.min(tally.work) as f64,
            crowded: tally.crowded as f64,
            busy: (tally.wall > 0).then(|| measured / tally.wall as f64),
            is_long: ns(tally.wall / tally.times.max(1)) > LONG.as_nanos() as f64,
            is_many_slices: ns(tally.wall) > MANY_SLICES.as_nanos() as f64,
        }
    }

    /// What is told of a region.
    pub(crate) fn region(&self, name: &str, tally: &Tally, inner: &RegionSet) -> RegionReport {
        let ns = |ticks: u64| ticks as f64 / self.ticks_per_ns;
        let seconds = |ticks: u64| ns(ticks) / 1e9;
        let [span, span_2k, span_burdened] = tally.spans.0;
        let per = |span: u64| if span == 0 { 0.0 } else { tally.work as f64 / span as f64 };
        let share = |ticks: u64, of: u64| if of == 0 { 0.0 } else { ticks as f64 / of as f64 };
        // Of the work, whatever the two clocks say that it is measured with.
        let blocked = tally.blocked.min(tally.work);
        let all_tasks = tally.tasks.saturating_add(tally.jobs);
        let busy = (tally.wall > 0).then(|| tally.work as f64 / tally.wall as f64);
        let (cause, verdict) = Cause::settled(
            &self.facts(tally, &self.costs),
            self.again.map(|again| self.facts(tally, &again)).as_ref(),
        );
        let granularity = |count: u64| (count > 0).then(|| ns(tally.work) / count as f64);
        RegionReport {
            name: name.to_owned(),
            times: tally.times,
            work_ticks: tally.work,
            span_ticks: span,
            span_2k_ticks: span_2k,
            span_burdened_ticks: span_burdened,
            work_s: seconds(tally.work),
            span_s: seconds(span),
            serial_s: seconds(span.saturating_sub(tally.forked_span)),
            wall_s: seconds(tally.wall),
            parallelism: per(span),
            parallelism_2k: per(span_2k),
            parallelism_burdened: per(span_burdened),
            tasks: tally.tasks,
            jobs: tally.jobs,
            steals: tally.steals,
            task_granularity_ns: granularity(all_tasks),
            steal_granularity_ns: granularity(tally.steals),
            timed_tasks: tally.sizes.timed(),
            task_p50_ns: tally.sizes.quantile_of(tally.tasks, 0.5, self.resolution).map(ns),
            task_p99_ns: tally.sizes.quantile_of(tally.tasks, 0.99, self.resolution).map(ns),
            task_sizes: tally
                .sizes
                .by_powers_of_two(self.resolution)
                .into_iter()
                .map(|(size, tasks)| (ns(size), tasks))
                .collect(),
            longest_task_s: seconds(tally.longest),
            blocked_share: share(blocked, tally.work),
            crowded_share: share(tally.crowded, tally.work.saturating_add(tally.crowded)),
            busy,
            cause,
            verdict,
            regions: inner
                .iter()
                .map(|region| self.region(&region.name, &region.tally, &region.inner))
                .collect(),
        }
    }
}
