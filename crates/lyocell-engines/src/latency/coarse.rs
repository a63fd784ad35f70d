//! (g) How long coarse work waits for an idle worker after fine work, in joins and in loops.
//!
//! A worker that found nothing in fine work sleeps, and the owner of fine work keeps its tasks to itself. What is
//! measured is how soon the two meet again when the work turns coarse. With two workers and nothing lost, a join of two
//! leaves takes as long as one leaf.

use std::fmt;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lyocell_workloads::WrongAnswer;

use super::fork::{Fork, ForkPool};
use super::host::Watch;
use super::{Entry, Failure, Finding, Measure, Unit, median};

pub(super) const MEASURE: Measure = Measure {
    name: "coarse-after-fine",
    summary: "(g) joins and loops over long leaves, after tiny ones; median and range of 7",
    take,
};

const SAMPLES: usize = 7;

/// What comes before the join of two leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Prefix {
    /// So many joins of nothing with nothing.
    Joins(u32),
    /// A Fibonacci number, a join for each addition.
    Fib(u64),
    /// A `run` that joins nothing with nothing, of which the pool was left since.
    Run,
}

const PREFIXES: [Prefix; 10] = [
    Prefix::Joins(0),
    Prefix::Joins(1),
    Prefix::Joins(2),
    Prefix::Joins(3),
    Prefix::Joins(10),
    Prefix::Joins(1_000),
    Prefix::Joins(100_000),
    Prefix::Fib(12),
    Prefix::Fib(25),
    Prefix::Run,
];

const LEAVES: [Duration; 3] =
    [Duration::from_millis(1), Duration::from_millis(5), Duration::from_millis(50)];

const FRAMES: u64 = 50;
const FRAME_LEAF: Duration = Duration::from_millis(3);

const LOOPS: [usize; 4] = [2, 3, 4, 8];
const ITEM: Duration = Duration::from_millis(3);

const CHEAP_ITEMS: usize = 1_000_000;
const DEAR_ITEMS: usize = 3_000;
const DEAR_ITEM: Duration = Duration::from_micros(100);

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Prefix::Joins(count) => write!(f, "{count} joins"),
            Prefix::Fib(n) => write!(f, "fib({n})"),
            Prefix::Run => f.write_str("a run"),
        }
    }
}

/// The programs, on one pool. Each tells how long it took, if its answer is right.
pub(super) trait Coarse {
    /// A join of two leaves after `prefix`, which does not count.
    fn join_after(&self, prefix: Prefix, leaf: Duration) -> Result<Duration, WrongAnswer>;

    /// So many times fib(12) and a join of two leaves.
    fn frames(&self, count: u64, leaf: Duration) -> Result<Duration, WrongAnswer>;

    /// A loop over `cheap` items of nothing and then `dear` items of `item`.
    fn for_each(&self, cheap: usize, dear: usize, item: Duration) -> Result<Duration, WrongAnswer>;
}

impl<P: ForkPool> Coarse for P {
    fn join_after(&self, prefix: Prefix, leaf: Duration) -> Result<Duration, WrongAnswer> {
        if let Prefix::Run = prefix {
            self.enter(|fork| join_empty(fork, 1));
        }
        self.enter(|fork| {
            match prefix {
                Prefix::Joins(count) => join_empty(fork, count),
                Prefix::Fib(n) => check(serial_fib(n), fib(fork, n))?,
                Prefix::Run => {}
            }
            let start = Instant::now();
            let spins = join_spins(fork, leaf);
            let time = start.elapsed();
            check(2, spins).map(|()| time)
        })
    }

    fn frames(&self, count: u64, leaf: Duration) -> Result<Duration, WrongAnswer> {
        let start = Instant::now();
        let frame = |fork: &P::Fork| fib(fork, 12) + join_spins(fork, leaf);
        let sum = self.enter(|fork| (0..count).map(|_| frame(fork)).sum());
        let time = start.elapsed();
        check(count * (serial_fib(12) + 2), sum).map(|()| time)
    }

    fn for_each(&self, cheap: usize, dear: usize, item: Duration) -> Result<Duration, WrongAnswer> {
        let spins = AtomicU64::new(0);
        let body = |index| {
            if index < cheap {
                black_box(index);
            } else {
                // Ordering: Relaxed; the loop is over before the sum is read.
                spins.fetch_add(spin(item), Ordering::Relaxed);
            }
        };
        let start = Instant::now();
        self.enter(|fork| fork.for_each(cheap + dear, body));
        let time = start.elapsed();
        check(dear as u64, spins.into_inner()).map(|()| time)
    }
}

fn join_empty(fork: &impl Fork, count: u32) {
    for _ in 0..count {
        fork.join(|_| black_box(()), |_| black_box(()));
    }
}

fn join_spins<F: Fork>(fork: &F, leaf: Duration) -> u64 {
    let (a, b) = fork.join(|_| spin(leaf), |_| spin(leaf));
    a + b
}

fn fib<F: Fork>(fork: &F, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = fork.join(|fork| fib(fork, n - 1), |fork| fib(fork, n - 2));
    a + b
}

fn serial_fib(n: u64) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

/// Keeps its processor for so long; the number of spins, which is one.
fn spin(time: Duration) -> u64 {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
    1
}

fn check(expected: u64, got: u64) -> Result<(), WrongAnswer> {
    if expected == got {
        return Ok(());
    }
    Err(WrongAnswer { expected: expected.to_string(), got: got.to_string() })
}

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let subject = (entry.start)(workers)?;
    let Some(coarse) = subject.coarse() else { return Ok(Vec::new()) };
    let wrong = |wrong| Failure::Wrong {
        job: MEASURE.name.to_owned(),
        contender: format!("{} x{workers}", entry.name),
        wrong,
    };
    let mut findings = joins(coarse, workers).map_err(wrong)?;
    findings.extend(frames_and_loops(coarse, workers).map_err(wrong)?);
    drop(subject);
    let alone = (entry.start)(1)?;
    if let Some(alone) = alone.coarse() {
        findings.extend(beside_one_worker(alone, &findings).map_err(wrong)?);
    }
    Ok(findings)
}

/// The joins after each prefix, and the median over prefixes, for each length of leaf.
fn joins(coarse: &dyn Coarse, workers: usize) -> Result<Vec<Finding>, WrongAnswer> {
    let mut findings = Vec::new();
    for leaf in LEAVES {
        let join = |prefix| {
            let name = format!("join of {} ms after {prefix}", leaf.as_millis());
            sampled(name, workers, || coarse.join_after(prefix, leaf))
        };
        let all: Vec<Finding> = PREFIXES.into_iter().map(join).collect::<Result<_, _>>()?;
        let mut medians: Vec<f64> = all.iter().map(|finding| finding.value).collect();
        let host = all.iter().filter_map(|finding| finding.host).max();
        let name = format!("join of {} ms: median over prefixes", leaf.as_millis());
        findings.extend(all);
        let over_prefixes = Finding::new(name, median(&mut medians), Unit::Seconds);
        findings.push(Finding { host, ..over_prefixes });
    }
    Ok(findings)
}

const CHEAP_THEN_DEAR: &str = "1 M cheap items then 3000 of 100 us";

fn frames_and_loops(coarse: &dyn Coarse, workers: usize) -> Result<Vec<Finding>, WrongAnswer> {
    let frames = "50 x fib(12) and join of 3 ms".to_owned();
    let mut findings = vec![sampled(frames, workers, || coarse.frames(FRAMES, FRAME_LEAF))?];
    for items in LOOPS {
        let name = format!("loop over {items} x 3 ms");
        findings.push(sampled(name, workers, || coarse.for_each(0, items, ITEM))?);
    }
    let name = CHEAP_THEN_DEAR.to_owned();
    findings.push(sampled(name, workers, || cheap_then_dear(coarse))?);
    Ok(findings)
}

fn cheap_then_dear(coarse: &dyn Coarse) -> Result<Duration, WrongAnswer> {
    coarse.for_each(CHEAP_ITEMS, DEAR_ITEMS, DEAR_ITEM)
}

/// The loop over cheap and dear items on one worker, and what it takes on all over that.
fn beside_one_worker(alone: &dyn Coarse, all: &[Finding]) -> Result<Vec<Finding>, WrongAnswer> {
    let alone = sampled(format!("{CHEAP_THEN_DEAR}: one worker"), 1, || cheap_then_dear(alone))?;
    let all = all.iter().find(|finding| finding.statistic == CHEAP_THEN_DEAR);
    let ratio = all.map(|all| Finding {
        host: all.host.max(alone.host),
        ..Finding::new(
            "1 M cheap items then 3000 of 100 us: ratio",
            all.value / alone.value,
            Unit::Ratio,
        )
    });
    Ok([alone].into_iter().chain(ratio).collect())
}

/// The median and the range of [`SAMPLES`] samples, with what the host did meanwhile.
fn sampled(
    statistic: String,
    threads: usize,
    mut sample: impl FnMut() -> Result<Duration, WrongAnswer>,
) -> Result<Finding, WrongAnswer> {
    let watch = Watch::start(threads);
    let samples = (0..SAMPLES).map(|_| sample().map(|time| time.as_secs_f64()));
    let mut samples: Vec<f64> = samples.collect::<Result<_, _>>()?;
    let host = Some(watch.host());
    let value = median(&mut samples);
    let range = Some((samples[0], samples[samples.len() - 1]));
    Ok(Finding { range, host, ..Finding::new(statistic, value, Unit::Seconds) })
}

#[cfg(test)]
mod tests {
    use super::super::SUBJECTS;
    use super::*;

    #[test]
    fn every_program_has_its_answer_on_every_pool_that_runs_it() {
        let leaf = Duration::from_micros(10);
        for entry in &SUBJECTS {
            let subject = (entry.start)(2).unwrap();
            let Some(coarse) = subject.coarse() else { continue };
            for prefix in PREFIXES {
                coarse.join_after(prefix, leaf).unwrap();
            }
            coarse.frames(3, leaf).unwrap();
            for items in LOOPS {
                coarse.for_each(0, items, leaf).unwrap();
            }
            coarse.for_each(1_000, 10, leaf).unwrap();
        }
    }

    #[test]
    fn a_wrong_answer_is_told() {
        let wrong = check(144, 143).unwrap_err();
        assert_eq!((wrong.expected.as_str(), wrong.got.as_str()), ("144", "143"));
        assert_eq!([0, 1, 12, 25].map(serial_fib), [0, 1, 144, 75_025]);
    }
}
