//! Runs plans: one warm-up of each contender, then rounds in turn, the processor's clock measured before each run.

use super::clock;
use super::plan::Plan;
use super::record::Record;
use crate::measure::{Failure, Progress, take_turns};

/// How many runs [`measure`] makes of `plan`.
pub(crate) fn turns(plan: &Plan, reps: usize) -> usize {
    plan.contenders.len() * (reps + 1)
}

/// The runs of `plan`, `reps` of each contender.
///
/// # Errors
/// An engine cannot be started, or an answer is wrong, be it a warm-up's.
pub(crate) fn measure(
    experiment: &'static str,
    plan: &mut Plan,
    reps: usize,
    progress: &Progress,
) -> Result<Vec<Record>, Failure> {
    let Plan { job, contenders } = plan;
    take_turns(job, contenders, reps, progress, |job, contender, rep, run| {
        let gigahertz = clock::hertz() / 1e9;
        let sample = run(job)?;
        let record = Record::of(job, contender, sample);
        Ok(Record { experiment, rep, gigahertz, ..record })
    })
}
