//! (h) What calls wait for beside background work in the same pool, and what they leave of it.
//!
//! A call is a recursion of joins with 100 us of work in all, made every millisecond. In the background one loop of items of 10 us
//! occupies every worker that is not called. Both are measured alone, and then together: what a call takes beside the background over
//! what it takes alone, and how many items the background comes to beside the calls over how many alone, of the same time. The
//! calls ask for a tenth of one processor, so all of it would be left but that.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lyocell::{Caller, NoProbe, Pool, Split, TaskHandle, Worker};

use super::host::Watch;
use super::{Entry, Failure, Finding, Measure, Unit, percentile};
use lyocell_workloads::{StartError, WrongAnswer};

pub(super) const MEASURE: Measure = Measure {
    name: "background",
    summary: "(h) calls of 100 us of joins, one every ms, beside a loop in the background; a thousand calls",
    take,
};

const CALLS: usize = 1_000;
const EVERY: Duration = Duration::from_millis(1);
/// Of a call, 16 in all.
const LEAF: Duration = Duration::from_nanos(6_250);
const DEPTH: u32 = 4;
/// Of the loop in the background.
const ITEM: Duration = Duration::from_micros(10);

type Subject = Pool<Split, NoProbe>;

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let Some(exposing) = entry.exposing else { return Ok(Vec::new()) };
    let mut findings = Vec::new();
    for (caller, name) in [(Caller::Works, "caller works"), (Caller::Sleeps, "caller sleeps")] {
        let pool = Pool::builder().workers(workers).exposing(exposing).caller(caller).build();
        let pool = pool.map_err(|error| StartError {
            engine: entry.name,
            workers,
            cause: error.to_string(),
        })?;
        let wrong = |wrong| Failure::Wrong {
            job: MEASURE.name.to_owned(),
            contender: format!("{} x{workers}", entry.name),
            wrong,
        };
        findings.extend(beside_each_other(&pool, workers, name, CALLS).map_err(wrong)?);
    }
    Ok(findings)
}

fn beside_each_other(
    pool: &Subject,
    workers: usize,
    name: &str,
    calls: usize,
) -> Result<Vec<Finding>, WrongAnswer> {
    let watch = Watch::start(workers);
    let mut alone = calls_of(pool, calls)?;
    let saturated = Saturated::begin(pool);
    let items_alone = saturated.items_while(|| thread::sleep(EVERY * calls as u32)).0;
    let (items_beside, beside) = saturated.items_while(|| calls_of(pool, calls));
    let mut beside = beside?;
    saturated.end();
    let host = Some(watch.host());
    let mut findings = Vec::new();
    for (statistic, share) in [("p50", 0.5), ("p99", 0.99)] {
        let (alone, beside) = (percentile(&mut alone, share), percentile(&mut beside, share));
        let all = [("alone", alone, Unit::Seconds), ("beside", beside, Unit::Seconds)];
        let ratio = [("beside over alone", beside / alone, Unit::Ratio)];
        findings.extend(all.into_iter().chain(ratio).map(|(what, value, unit)| {
            Finding::new(format!("{name}: call {what}, {statistic}"), value, unit)
        }));
    }
    let kept = format!("{name}: background beside calls over alone");
    findings.push(Finding::new(kept, items_beside / items_alone, Unit::Ratio));
    Ok(findings.into_iter().map(|finding| Finding { host, ..finding }).collect())
}

/// How long each call took, in seconds.
fn calls_of(pool: &Subject, calls: usize) -> Result<Vec<f64>, WrongAnswer> {
    let begin = Instant::now();
    (0..calls)
        .map(|call| {
            let next = EVERY * call as u32;
            thread::sleep(next.saturating_sub(begin.elapsed()));
            let start = Instant::now();
            let leaves = pool.run(|worker| spins(worker, DEPTH));
            let took = start.elapsed().as_secs_f64();
            match leaves == 1 << DEPTH {
                true => Ok(took),
                false => {
                    Err(WrongAnswer { expected: (1 << DEPTH).to_string(), got: leaves.to_string() })
                }
            }
        })
        .collect()
}

fn spins(worker: &Worker, depth: u32) -> u32 {
    if depth == 0 {
        spin(LEAF);
        return 1;
    }
    let (a, b) = worker.join(|w| spins(w, depth - 1), |w| spins(w, depth - 1));
    a + b
}

/// Keeps its processor for so long.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// A pool with a loop in the background.
struct Saturated {
    over: Arc<AtomicBool>,
    items: Arc<AtomicU64>,
    task: TaskHandle<()>,
}

impl Saturated {
    fn begin(pool: &Subject) -> Saturated {
        let (over, items) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (ends, counts) = (Arc::clone(&over), Arc::clone(&items));
        let task = pool.spawn_background_with_handle(move |worker| {
            let item = |_| {
                spin(ITEM);
                // Ordering: Relaxed, here and below; only how many there are counts.
                counts.fetch_add(1, Ordering::Relaxed);
                if ends.load(Ordering::Relaxed) { Err(()) } else { Ok(()) }
            };
            // It ends with an error, by the flag.
            let _ = worker.try_for_each(0..u64::MAX, item);
        });
        Saturated { over, items, task }
    }

    /// How many items were run a second meanwhile.
    fn items_while<R>(&self, body: impl FnOnce() -> R) -> (f64, R) {
        let (before, start) = (self.items.load(Ordering::Relaxed), Instant::now());
        let result = body();
        let items = self.items.load(Ordering::Relaxed) - before;
        (items as f64 / start.elapsed().as_secs_f64(), result)
    }

    fn end(self) {
        self.over.store(true, Ordering::Relaxed);
        self.task.join();
    }
}

#[cfg(test)]
mod tests {
    use super::super::SUBJECTS;
    use super::*;

    #[test]
    fn calls_and_the_background_come_to_an_end_on_every_pool_that_has_one() {
        for entry in &SUBJECTS {
            let Some(exposing) = entry.exposing else { continue };
            for caller in [Caller::Works, Caller::Sleeps] {
                let builder = Pool::builder().workers(2).exposing(exposing).caller(caller);
                let findings =
                    beside_each_other(&builder.build().unwrap(), 2, "a pool", 5).unwrap();
                assert_eq!(findings.len(), 7);
            }
        }
    }
}
