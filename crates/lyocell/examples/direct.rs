//! Wool's Table II and Figure 4 on this machine: what a task costs on each variant of the direct task stack,
//! beside the split deque.
//!
//! `direct [fib N] [tree SEED] [workers P] [repetitions R]`, in any order. The deques take turns, so that a
//! machine whose speed drifts is fair to all; medians are printed.

use lyocell::deque::direct::{self, Visitor};
use lyocell::{Deque, NoProbe, Pool, Split, Worker};
use std::time::{Duration, Instant};

fn fib<D: Deque>(w: &Worker<D>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

fn serial_fib(n: u64) -> u64 {
    if n < 2 { n } else { serial_fib(n - 1) + serial_fib(n - 2) }
}

/// How many children a node of the irregular tree may have.
const MOST_CHILDREN: u64 = 8;
/// A node has children with so many chances in 10,000: just below what keeps the tree growing for ever.
const FERTILE: u64 = 1249;
/// The root's children, each the root of a tree of very uneven size, of 1,250 nodes on average.
const TREES: usize = 20_000;

/// A small mixer of bits (SplitMix64): a node's seed tells its children's.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn children(seed: u64) -> usize {
    if mix(seed) % 10_000 < FERTILE { MOST_CHILDREN as usize } else { 0 }
}

/// Counts the nodes below a seed, as the binomial trees of the UTS benchmark do.
fn count<D: Deque>(w: &Worker<D>, seed: u64) -> u64 {
    let child = |w: &Worker<D>, index: usize| count(w, mix(seed ^ (index as u64 + 1)));
    w.join_range(0..children(seed), 1, child, |a, b| a + b)
}

fn count_all<D: Deque>(w: &Worker<D>, seed: u64) -> u64 {
    w.join_range(0..TREES, 0, |w, index| count(w, mix(seed + index as u64)), |a, b| a + b)
}

fn serial_count(seed: u64) -> u64 {
    (0..children(seed)).map(|index| serial_count(mix(seed ^ (index as u64 + 1)))).sum::<u64>() + 1
}

#[derive(Clone, Copy)]
enum Task {
    Fib(u64),
    Tree(u64),
}

impl Task {
    fn answer(self) -> u64 {
        match self {
            Task::Fib(n) => serial_fib(n),
            Task::Tree(seed) => (0..TREES).map(|tree| serial_count(mix(seed + tree as u64))).sum(),
        }
    }

    fn forks(self, answer: u64) -> u64 {
        match self {
            // As many forks as calls that are no leaves, and those are one less than the leaves.
            Task::Fib(n) => serial_fib(n + 1) - 1,
            Task::Tree(_) => answer,
        }
    }
}

/// One deque and its pool, for as long as the comparison lasts.
type Run = Box<dyn Fn(Task) -> u64>;

struct Build {
    workers: usize,
}

impl Visitor for Build {
    type Output = Result<Run, lyocell::BuildError>;

    fn visit<D: Deque<Options = ()>>(self) -> Self::Output {
        let pool: Pool<D, NoProbe> = Pool::builder().deque::<D>().workers(self.workers).build()?;
        Ok(Box::new(move |task| match task {
            Task::Fib(n) => pool.run(|w| fib(w, n)),
            Task::Tree(seed) => pool.run(|w| count_all(w, seed)),
        }))
    }
}

fn timed(run: impl FnOnce() -> u64, answer: u64) -> Duration {
    let start = Instant::now();
    assert_eq!(run(), answer, "a wrong answer");
    start.elapsed()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut task, mut workers, mut repetitions) = (Task::Fib(32), 1, 7);
    let mut words = std::env::args().skip(1);
    while let (Some(word), Some(number)) = (words.next(), words.next()) {
        let number: u64 = number.parse()?;
        match word.as_str() {
            "fib" => task = Task::Fib(number),
            "tree" => task = Task::Tree(number),
            "workers" => workers = number as usize,
            "repetitions" => repetitions = number as usize,
            _ => return Err(format!("{word:?}: fib, tree, workers or repetitions").into()),
        }
    }
    let answer = task.answer();
    let mut runs = vec![("serial", Box::new(Task::answer) as Run)];
    runs.push((Split::NAME, Build { workers }.visit::<Split>()?));
    for variant in direct::VARIANTS {
        runs.push((variant.name, direct::visit(variant.name, Build { workers }).expect("listed")?));
    }
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..repetitions {
        for ((_, run), times) in runs.iter().zip(&mut times) {
            times.push(timed(|| run(task), answer));
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    };
    let medians: Vec<f64> = times.iter_mut().map(median).collect();
    println!("{:<22} {:>10} {:>10} {:>12}", "deque", "seconds", "× split", "ns per fork");
    for ((name, _), seconds) in runs.iter().zip(&medians) {
        let over_serial = (seconds - medians[0]) * 1e9 / task.forks(answer) as f64;
        println!("{name:<22} {seconds:>10.4} {:>10.3} {over_serial:>12.2}", seconds / medians[1]);
    }
    Ok(())
}
