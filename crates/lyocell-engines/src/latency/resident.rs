//! (e) The memory that many idle workers hold.

use std::thread;
use std::time::Duration;

use super::host::Watch;
use super::usage::resident_bytes;
use super::{Entry, Failure, Finding, Measure, Unit};

pub(super) const MEASURE: Measure = Measure {
    name: "resident",
    summary: "(e) resident memory of 64 idle workers, beyond that of the process without them",
    take,
};

const WORKERS: usize = 64;

const SETTLING_TIME: Duration = Duration::from_millis(200);

fn take(entry: &Entry, _workers: usize) -> Result<Vec<Finding>, Failure> {
    // Not every pool waits for its threads when it is dropped: let those of the last one go.
    thread::sleep(SETTLING_TIME);
    let watch = Watch::start(WORKERS);
    let before = resident_bytes();
    let subject = (entry.start)(WORKERS)?;
    subject.join_empty(1_000);
    thread::sleep(SETTLING_TIME);
    let (Some(before), Some(after)) = (before, resident_bytes()) else { return Ok(Vec::new()) };
    let value = after.saturating_sub(before) as f64;
    let host = Some(watch.host());
    Ok(vec![Finding { host, ..Finding::new("64 workers", value, Unit::Bytes) }])
}
