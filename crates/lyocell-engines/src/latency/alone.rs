//! (d) What a pool costs that is left alone.

use std::thread;
use std::time::Duration;

use super::usage::Usage;
use super::{Entry, Failure, Finding, Measure, Unit};

pub(super) const MEASURE: Measure = Measure {
    name: "alone",
    summary: "(d) CPU time and context switches of a pool left alone for 5 s, 0.5 s after its last work",
    take,
};

/// For the workers to give up their search.
const SETTLING_TIME: Duration = Duration::from_millis(500);

const TIME_ALONE: Duration = Duration::from_secs(5);

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let subject = (entry.start)(workers)?;
    subject.join_empty(1_000);
    thread::sleep(SETTLING_TIME);
    let before = Usage::of_other_threads();
    thread::sleep(TIME_ALONE);
    let after = Usage::of_other_threads();
    let (Some(before), Some(after)) = (before, after) else { return Ok(Vec::new()) };
    let cpu_time = after.cpu_time.saturating_sub(before.cpu_time);
    let switches = after.context_switches.saturating_sub(before.context_switches);
    Ok(vec![
        Finding::new("CPU time", cpu_time.as_secs_f64(), Unit::Seconds),
        Finding::new("context switches", switches as f64, Unit::Count),
    ])
}
