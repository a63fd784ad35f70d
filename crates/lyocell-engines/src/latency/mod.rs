//! What a pool does when there is little to do: how long it takes to enter, how fast it wakes, what
//! sleeping workers cost the one that works, what a pool costs that is left alone, how soon coarse
//! work finds an idle worker after fine work, and what calls and background work cost each other.
//!
//! One file a measure; each is taken on one [`Subject`] after the other, and no other pool exists
//! meanwhile.

use serde::Serialize;

use lyocell_workloads::{Failure, Watcher};

mod alone;
mod background;
mod callers;
mod coarse;
mod enter;
mod fork;
mod host;
mod resident;
mod stream;
mod subject;
mod unpark;
mod usage;
mod wake;

pub use host::Host;
use host::Watch;
use subject::Subject;
pub use subject::{Entry, SUBJECTS};

/// One number about one engine.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Which measure.
    pub measure: &'static str,
    /// Of which pool.
    pub engine: &'static str,
    /// How many it had.
    pub workers: usize,
    /// What of the measure it is.
    pub statistic: String,
    /// The number.
    pub value: f64,
    /// Of what.
    pub unit: Unit,
    /// The smallest and the largest sample, where `value` is the median of a few.
    pub low: Option<f64>,
    /// The largest of them.
    pub high: Option<f64>,
    /// What the host did while it was measured.
    pub host: Host,
}

/// What a number is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A time.
    Seconds,
    /// How often.
    Count,
    /// How many times as much.
    Ratio,
    /// Memory.
    Bytes,
}

impl Unit {
    /// All.
    pub const ALL: [Unit; 4] = [Unit::Seconds, Unit::Count, Unit::Ratio, Unit::Bytes];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Seconds => "seconds",
            Unit::Count => "count",
            Unit::Ratio => "ratio",
            Unit::Bytes => "bytes",
        }
    }
}

/// What a measure found, for the [`Figure`]s it becomes.
struct Finding {
    statistic: String,
    value: f64,
    unit: Unit,
    /// Of the samples.
    range: Option<(f64, f64)>,
    /// What the host did; if `None`, what it did while the whole measure was taken.
    host: Option<Host>,
}

impl Finding {
    fn new(statistic: impl Into<String>, value: f64, unit: Unit) -> Finding {
        Finding { statistic: statistic.into(), value, unit, range: None, host: None }
    }
}

/// An entry of the registry of measures.
pub struct Measure {
    /// As the command line has it.
    pub name: &'static str,
    /// One line on what is measured and how.
    pub summary: &'static str,
    /// Measures the engine `Entry` with as many workers as the user asked for.
    take: fn(&Entry, usize) -> Result<Vec<Finding>, Failure>,
}

/// Every measure, in the order they are taken and shown.
pub static MEASURES: [Measure; 8] = [
    enter::MEASURE,
    wake::MEASURE,
    stream::MEASURE,
    alone::MEASURE,
    resident::MEASURE,
    callers::MEASURE,
    coarse::MEASURE,
    background::MEASURE,
];

/// The figures of every pool, one measure after the other.
///
/// # Errors
/// A pool cannot be started, or an answer is wrong.
pub fn take(
    measures: &[&Measure],
    workers: usize,
    progress: &dyn Watcher,
) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for measure in measures {
        for subject in &SUBJECTS {
            progress.announce(format!("{} of {}", measure.name, subject.name));
            figures.extend(measure.figures(subject, workers)?);
            progress.advance();
        }
    }
    Ok(figures)
}

impl Measure {
    /// The figures of `subject` on `workers` workers.
    ///
    /// # Errors
    /// The pool cannot be started, or an answer is wrong.
    fn figures(&self, subject: &Entry, workers: usize) -> Result<Vec<Figure>, Failure> {
        let watch = Watch::start(workers);
        let findings = (self.take)(subject, workers)?;
        let meanwhile = watch.host();
        let figure = |Finding { statistic, value, unit, range, host }| Figure {
            measure: self.name,
            engine: subject.name,
            workers,
            statistic,
            value,
            unit,
            low: range.map(|(low, _)| low),
            high: range.map(|(_, high)| high),
            host: host.unwrap_or(meanwhile),
        };
        Ok(findings.into_iter().map(figure).collect())
    }
}

/// The value that `share` of the sorted `samples` do not exceed; there is at least one.
fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let rank = (share * samples.len() as f64).ceil() as usize;
    samples[rank.clamp(1, samples.len()) - 1]
}

fn median(samples: &mut [f64]) -> f64 {
    percentile(samples, 0.5)
}

fn p50_and_p99(samples: &mut [f64]) -> [Finding; 2] {
    [("p50", 0.5), ("p99", 0.99)].map(|(statistic, share)| {
        Finding::new(statistic, percentile(samples, share), Unit::Seconds)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_by_rank() {
        let mut samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&mut samples, 0.5), 50.0);
        assert_eq!(percentile(&mut samples, 0.99), 99.0);
        assert_eq!(percentile(&mut samples, 1.0), 100.0);
        assert_eq!(median(&mut [3.0]), 3.0);
    }

    #[test]
    fn a_unit_is_written_as_it_is_named() {
        for unit in Unit::ALL {
            assert_eq!(serde_json::to_value(unit).unwrap(), unit.name());
        }
    }

    #[test]
    fn measures_have_names_of_their_own() {
        let mut names: Vec<_> = MEASURES.iter().map(|measure| measure.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), MEASURES.len());
    }
}
