//! (c) What parked workers cost the one that works: a stream of empty joins on a parked pool, against
//! the same on a pool of one worker.

use std::thread;
use std::time::Instant;

use super::wake::PARKING_TIME;
use super::{Entry, Finding, Measure, StartError, Subject, Unit, median};

pub(super) const MEASURE: Measure = Measure {
    name: "stream",
    summary: "(c) a million empty joins in one run: a pool parked for 20 ms against one worker",
    take,
};

const SAMPLES: usize = 21;

const JOINS: usize = 1_000_000;

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, StartError> {
    let (parked, alone) = ((entry.start)(workers)?, (entry.start)(1)?);
    let (mut parked_times, mut alone_times) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        parked_times.push(seconds_a_join(&*parked));
        alone_times.push(seconds_a_join(&*alone));
    }
    let (parked, alone) = (median(&mut parked_times), median(&mut alone_times));
    Ok(vec![
        Finding { statistic: "join on the parked pool", value: parked, unit: Unit::Seconds },
        Finding { statistic: "join on one worker", value: alone, unit: Unit::Seconds },
        Finding { statistic: "ratio", value: parked / alone, unit: Unit::Ratio },
    ])
}

fn seconds_a_join(subject: &dyn Subject) -> f64 {
    thread::sleep(PARKING_TIME);
    let start = Instant::now();
    subject.join_empty(JOINS);
    start.elapsed().as_secs_f64() / JOINS as f64
}
