//! (c) What parked workers cost the one that works: a stream of empty joins on a parked pool, against
//! the same on a pool of one worker.

use std::thread;
use std::time::Instant;

use super::usage::Usage;
use super::wake::PARKING_TIME;
use super::{Entry, Failure, Finding, Measure, Subject, Unit, median};

pub(super) const MEASURE: Measure = Measure {
    name: "stream",
    summary: "(c) a million empty joins in one run: a pool parked for 20 ms against one worker",
    take,
};

const SAMPLES: usize = 21;

const JOINS: usize = 1_000_000;

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let (parked, alone) = ((entry.start)(workers)?, (entry.start)(1)?);
    let (mut parked_streams, mut alone_streams) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        parked_streams.push(stream(&*parked));
        alone_streams.push(stream(&*alone));
    }
    let median_of = |streams: &[Stream], number: fn(&Stream) -> Option<f64>| {
        let numbers: Option<Vec<f64>> = streams.iter().map(number).collect();
        Some(median(&mut numbers?))
    };
    let medians =
        |number| median_of(&parked_streams, number).zip(median_of(&alone_streams, number));
    let joins = medians(|stream| Some(stream.seconds_a_join));
    let cpu_times = medians(|stream| stream.cpu_seconds);
    let (parked, alone) = joins.expect("every stream takes its time");
    let mut findings = vec![
        Finding::new("join on the parked pool", parked, Unit::Seconds),
        Finding::new("join on one worker", alone, Unit::Seconds),
        Finding::new("ratio", parked / alone, Unit::Ratio),
    ];
    findings.extend(cpu_times.map(|(parked, alone)| {
        Finding::new("ratio of CPU time of all workers", parked / alone, Unit::Ratio)
    }));
    Ok(findings)
}

/// What a stream of joins took.
struct Stream {
    seconds_a_join: f64,
    /// Of all threads of this process, where the system tells.
    cpu_seconds: Option<f64>,
}

fn stream(subject: &dyn Subject) -> Stream {
    let cpu_time = || Some(Usage::of_process()?.cpu_time.as_secs_f64());
    thread::sleep(PARKING_TIME);
    let before = cpu_time();
    let start = Instant::now();
    subject.join_empty(JOINS);
    let seconds_a_join = start.elapsed().as_secs_f64() / JOINS as f64;
    let cpu_seconds = cpu_time().zip(before).map(|(after, before)| after - before);
    Stream { seconds_a_join, cpu_seconds }
}
