//! Marks become slices of time.

use super::ring::{Mark, Ring};
use crate::clock::{ticks, ticks_per_ns};
use crate::tally::Name;
use lyocell::probe::Phase;
use std::time::Duration;

/// What the workers of a pool did when: made by [`Trace::of`](crate::Trace::of).
///
/// Tasks, searches and sleeps shorter than a [threshold](Traced::with_threshold) are left out, a microsecond if nothing else is
/// said. Regions are all there.
#[derive(Clone, Debug)]
pub struct Traced {
    pub(super) slices: Vec<Slice>,
    pub(super) woken: Vec<(usize, f64)>,
    pub(super) workers: usize,
    dropped: u64,
    threshold: Duration,
}

/// A stretch of time of a worker; in microseconds since the first mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slice {
    pub(super) worker: usize,
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) what: What,
    /// How many slices it is within.
    pub(super) depth: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Call,
    Detached,
    Spawned,
    Stolen { victim: usize },
    Region(Name),
    Searching,
    Leaping,
    Asleep,
}

impl What {
    pub(super) fn name(&self) -> String {
        match self {
            What::Call => "call".to_owned(),
            What::Detached => "detached task".to_owned(),
            What::Spawned => "task of a scope".to_owned(),
            What::Stolen { victim } => format!("stolen from {victim}"),
            What::Region(name) => name.to_string(),
            What::Searching => "searching".to_owned(),
            What::Leaping => "waiting, searching".to_owned(),
            What::Asleep => "asleep".to_owned(),
        }
    }

    /// Its kind, for a filter and a colour.
    pub(super) fn category(&self) -> &'static str {
        match self {
            What::Call | What::Detached | What::Spawned => "task",
            What::Stolen { .. } => "stolen",
            What::Region(_) => "region",
            What::Searching | What::Leaping => "search",
            What::Asleep => "sleep",
        }
    }

    fn waits(phase: Phase) -> Option<What> {
        match phase {
            Phase::Stealing => Some(What::Searching),
            Phase::Leaping => Some(What::Leaping),
            Phase::Idle => Some(What::Asleep),
            _ => None,
        }
    }

    fn begun(mark: &Mark) -> Option<What> {
        Some(match mark {
            Mark::Stolen { victim } => What::Stolen { victim: *victim },
            Mark::Call => What::Call,
            Mark::Detached => What::Detached,
            Mark::Spawned => What::Spawned,
            Mark::Region(name) => What::Region(name.clone()),
            Mark::Enters(_) | Mark::End | Mark::Woken => return None,
        })
    }
}

impl Traced {
    /// How many tasks each worker stole from each other: by thief, then by victim. Of the marks that were kept.
    pub fn steals(&self) -> Vec<Vec<u64>> {
        let mut steals = vec![vec![0; self.workers]; self.workers];
        for slice in &self.slices {
            if let What::Stolen { victim } = slice.what {
                steals[slice.worker][victim] += 1;
            }
        }
        steals
    }

    pub(super) fn new(rings: Vec<Ring>) -> Traced {
        let now = ticks();
        let first = rings.iter().filter_map(|ring| ring.marks.front()).map(|(at, _)| *at).min();
        let first = first.unwrap_or(now);
        let per_us = ticks_per_ns() * 1e3;
        let us = |at: u64| at.saturating_sub(first) as f64 / per_us;
        let mut traced = Traced {
            slices: Vec::new(),
            woken: Vec::new(),
            workers: rings.len(),
            dropped: rings.iter().map(|ring| ring.dropped).sum(),
            threshold: Duration::from_micros(1),
        };
        for (worker, ring) in rings.iter().enumerate() {
            traced.add(worker, ring, us, us(now));
        }
        traced
    }

    /// Adds the slices of a worker. What began before the first mark that was kept, and what is not over, is cut off.
    fn add(&mut self, worker: usize, ring: &Ring, us: impl Fn(u64) -> f64, now: f64) {
        let mut open: Vec<(f64, What)> = Vec::new();
        let mut waits: Option<(f64, What)> = None;
        let mut slices = Vec::new();
        let mut close = |begin: f64, end: f64, what: What, depth: usize| {
            // The clock may have stepped back.
            slices.push(Slice { worker, begin, end: end.max(begin), what, depth });
        };
        for (at, mark) in &ring.marks {
            let at = us(*at);
            if let Some(what) = What::begun(mark) {
                open.push((at, what));
                continue;
            }
            match mark {
                Mark::End => {
                    if let Some((begin, what)) = open.pop() {
                        close(begin, at, what, open.len());
                    }
                }
                Mark::Woken => self.woken.push((worker, at)),
                Mark::Enters(phase) => {
                    if let Some((begin, what)) = waits.take() {
                        close(begin, at, what, open.len());
                    }
                    waits = What::waits(*phase).map(|what| (at, what));
                }
                _ => {}
            }
        }
        waits.into_iter().for_each(|(begin, what)| close(begin, now, what, open.len()));
        while let Some((begin, what)) = open.pop() {
            close(begin, now, what, open.len());
        }
        slices.sort_by(|a, b| a.begin.total_cmp(&b.begin).then(a.depth.cmp(&b.depth)));
        self.slices.extend(slices);
    }

    /// Leaves out tasks, searches and sleeps that are shorter.
    #[must_use]
    pub fn with_threshold(mut self, threshold: Duration) -> Self {
        self.threshold = threshold;
        self
    }

    /// How many marks had no room: the beginning of the trace lacks them.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The slices that are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Slice> {
        let threshold = self.threshold.as_secs_f64() * 1e6;
        let is_shown = move |slice: &&Slice| {
            matches!(slice.what, What::Region(_) | What::Call)
                || slice.end - slice.begin >= threshold
        };
        self.slices.iter().filter(is_shown)
    }

    /// When the last slice ends, in microseconds.
    pub(super) fn length(&self) -> f64 {
        self.slices.iter().map(|slice| slice.end).fold(0.0, f64::max)
    }

    /// How many workers are in tasks, whenever that changes.
    pub(super) fn active(&self) -> Vec<(f64, i64)> {
        let mut changes: Vec<(f64, i64)> = Vec::new();
        for slice in &self.slices {
            match slice.what {
                // What is within another task counts with that one; a wait within a task takes it away.
                What::Searching | What::Leaping | What::Asleep if slice.depth > 0 => {
                    changes.extend([(slice.begin, -1), (slice.end, 1)]);
                }
                What::Region(_) | What::Searching | What::Leaping | What::Asleep => {}
                _ if slice.depth == 0 => changes.extend([(slice.begin, 1), (slice.end, -1)]),
                // A task that was begun within a wait of this worker.
                _ => {}
            }
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut active = 0;
        changes
            .into_iter()
            .map(|(at, change)| {
                active += change;
                (at, active)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(marks: Vec<(u64, Mark)>) -> Vec<(String, f64, f64, usize)> {
        let mut traced = Traced::new(Vec::new());
        traced.add(0, &Ring { marks: marks.into(), dropped: 0 }, |at| at as f64, 100.0);
        traced
            .slices
            .into_iter()
            .map(|slice| (slice.what.name(), slice.begin, slice.end, slice.depth))
            .collect()
    }

    #[test]
    fn slices_are_nested_and_what_is_open_is_cut_off() {
        let found = slices(vec![
            (1, Mark::End),
            (2, Mark::Enters(Phase::Application)),
            (3, Mark::Call),
            (5, Mark::Enters(Phase::Leaping)),
            (7, Mark::Enters(Phase::LeapApplication)),
            (8, Mark::Stolen { victim: 1 }),
            (20, Mark::End),
            (21, Mark::Enters(Phase::Idle)),
        ]);
        let expected = [
            ("call", 3.0, 100.0, 0),
            ("waiting, searching", 5.0, 7.0, 1),
            ("stolen from 1", 8.0, 20.0, 1),
            ("asleep", 21.0, 100.0, 1),
        ];
        assert_eq!(
            found,
            expected.map(|(name, begin, end, depth)| (name.to_owned(), begin, end, depth))
        );
    }
}
