//! What a pool does when there is little to do: how long it takes to enter, how fast it wakes, what
//! sleeping workers cost the one that works, and what a pool costs that is left alone.
//!
//! One file a measure; each is taken on one [`Subject`] after the other, and no other pool exists
//! meanwhile.

use serde::Serialize;

use crate::engine::StartError;

mod alone;
mod enter;
mod resident;
mod stream;
mod subject;
mod usage;
mod wake;

pub(crate) use subject::SUBJECTS;
use subject::{Entry, Subject};

/// One number about one engine.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) measure: &'static str,
    pub(crate) engine: &'static str,
    pub(crate) workers: usize,
    pub(crate) statistic: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Seconds,
    Count,
    Ratio,
    Bytes,
}

/// What a measure found, for the [`Figure`]s it becomes.
struct Finding {
    statistic: &'static str,
    value: f64,
    unit: Unit,
}

/// An entry of the registry of measures.
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    /// One line on what is measured and how.
    pub(crate) summary: &'static str,
    /// Measures the engine `Entry` with as many workers as the user asked for.
    take: fn(&Entry, usize) -> Result<Vec<Finding>, StartError>,
}

/// Every measure, in the order they are taken and shown.
pub(crate) static MEASURES: [Measure; 5] =
    [enter::MEASURE, wake::MEASURE, stream::MEASURE, alone::MEASURE, resident::MEASURE];

impl Measure {
    /// The figures of `subject` on `workers` workers.
    ///
    /// # Errors
    /// The pool cannot be started.
    pub(crate) fn figures(
        &self,
        subject: &Entry,
        workers: usize,
    ) -> Result<Vec<Figure>, StartError> {
        let findings = (self.take)(subject, workers)?;
        let figure = |Finding { statistic, value, unit }| Figure {
            measure: self.name,
            engine: subject.name,
            workers,
            statistic,
            value,
            unit,
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
    [("p50", 0.5), ("p99", 0.99)].map(|(statistic, share)| Finding {
        statistic,
        value: percentile(samples, share),
        unit: Unit::Seconds,
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
    fn measures_have_names_of_their_own() {
        let mut names: Vec<_> = MEASURES.iter().map(|measure| measure.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), MEASURES.len());
    }
}
