//! (f) How long threads wait for a pool that many of them call at once.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use super::host::Watch;
use super::{Entry, Failure, Finding, Measure, Subject, Unit, percentile};

pub(super) const MEASURE: Measure = Measure {
    name: "callers",
    summary: "(f) an empty closure run from each of 32 threads of the program at once",
    take,
};

const THREADS: usize = 32;

/// Of each thread.
const RUNS: usize = 1_000;

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let subject = (entry.start)(workers)?;
    let watch = Watch::start(THREADS);
    let mut times = run_from_threads(&*subject);
    let host = Some(watch.host());
    let statistics = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)];
    let finding = |(statistic, share)| Finding {
        host,
        ..Finding::new(statistic, percentile(&mut times, share), Unit::Seconds)
    };
    Ok(statistics.map(finding).into())
}

/// How long each run took, in seconds.
fn run_from_threads(subject: &dyn Subject) -> Vec<f64> {
    let barrier = Barrier::new(THREADS);
    let runs = || {
        barrier.wait();
        let run = |_| {
            let start = Instant::now();
            subject.run_empty();
            start.elapsed().as_secs_f64()
        };
        (0..RUNS).map(run).collect::<Vec<f64>>()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(runs)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("runs do not panic")).collect()
    })
}
