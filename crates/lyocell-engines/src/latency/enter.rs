//! (a) How long it takes to enter a pool that was entered a moment ago, and to leave it.

use std::time::Instant;

use super::{Entry, Failure, Finding, Measure, p50_and_p99};

pub(super) const MEASURE: Measure = Measure {
    name: "enter",
    summary: "(a) an empty closure run from outside; each sample the mean of 64 in a row",
    take,
};

const SAMPLES: usize = 2_000;

/// Runs a sample: the clock takes about as long as the fastest `run`.
const BATCH: u32 = 64;

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let subject = (entry.start)(workers)?;
    let sample = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            subject.run_empty();
        }
        (start.elapsed() / BATCH).as_secs_f64()
    };
    sample();
    let mut samples: Vec<f64> = (0..SAMPLES).map(|_| sample()).collect();
    Ok(p50_and_p99(&mut samples).into())
}
