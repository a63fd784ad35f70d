//! Push and take with no thief: nanoseconds a pair, ours beside crossbeam-deque and st3.
//!
//! `cargo bench -p lyocell-queues`. Three shapes of work:
//! - `one`: push one, take one, on an empty queue (every take is of the last item);
//! - `burst`: push 64, take 64;
//! - `tree`: the depth-first walk of a tree, push two children a node, take one.
//!
//! The rounds of all queues are interleaved, so that a slow spell of the machine hits all alike; the
//! median of the rounds is printed, and its ratio to crossbeam-deque and to our Chase-Lev. Each
//! round's sum is checked: a queue that gives wrong items fails the run.

use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, Duplicating, Fifo, IdempotentDoubleEnded, IdempotentFifo,
    IdempotentLifo, Locked, Owner, ShrinkingChaseLev,
};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const CAPACITY: usize = 1024;
const BURST: usize = 64;
const TREE_DEPTH: usize = 16;

/// The least a benchmark needs of a queue.
trait Lane {
    fn push(&self, item: usize);
    fn take(&self) -> Option<usize>;
}

impl<Q: Owner<Item = usize>> Lane for Q {
    #[inline(always)]
    fn push(&self, item: usize) {
        Owner::push(self, item).expect("room");
    }
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        Owner::take(self)
    }
}

struct Crossbeam(crossbeam_deque::Worker<usize>);

impl Lane for Crossbeam {
    #[inline(always)]
    fn push(&self, item: usize) {
        self.0.push(item);
    }
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        self.0.pop()
    }
}

struct St3(st3::lifo::Worker<usize>);

impl Lane for St3 {
    #[inline(always)]
    fn push(&self, item: usize) {
        self.0.push(item).expect("room");
    }
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        self.0.pop()
    }
}

/// A shape of work: its pairs, and what the taken items sum to.
#[derive(Clone, Copy)]
enum Shape {
    One,
    Burst,
    Tree,
}

impl Shape {
    const ALL: [(Self, &'static str); 3] =
        [(Self::One, "one"), (Self::Burst, "burst"), (Self::Tree, "tree")];

    fn pairs(self) -> usize {
        match self {
            Self::One => 1 << 17,
            Self::Burst => (1 << 11) * BURST,
            Self::Tree => (1 << (TREE_DEPTH + 1)) - 1,
        }
    }

    fn sum(self) -> usize {
        match self {
            Self::One | Self::Burst => self.pairs() * (self.pairs() - 1) / 2,
            // A node is its height; there are 2^d nodes of height TREE_DEPTH - d.
            Self::Tree => (0..=TREE_DEPTH).map(|depth| (TREE_DEPTH - depth) << depth).sum(),
        }
    }
}

#[inline(never)]
fn one(queue: &impl Lane, pairs: usize) -> usize {
    (0..pairs)
        .map(|item| {
            queue.push(black_box(item));
            queue.take().unwrap_or(0)
        })
        .sum()
}

#[inline(never)]
fn burst(queue: &impl Lane, pairs: usize) -> usize {
    let mut sum = 0;
    for first in (0..pairs).step_by(BURST) {
        for item in first..first + BURST {
            queue.push(black_box(item));
        }
        for _ in 0..BURST {
            sum += queue.take().unwrap_or(0);
        }
    }
    sum
}

#[inline(never)]
fn tree(queue: &impl Lane, root: usize) -> usize {
    let mut sum = 0;
    queue.push(root);
    while let Some(height) = queue.take() {
        sum += height;
        if height > 0 {
            queue.push(height - 1);
            queue.push(height - 1);
        }
    }
    sum
}

/// Runs one round and says how long it took.
fn round(shape: Shape, queue: &impl Lane) -> Duration {
    let start = Instant::now();
    let sum = match shape {
        Shape::One => one(queue, shape.pairs()),
        Shape::Burst => burst(queue, shape.pairs()),
        Shape::Tree => tree(queue, black_box(TREE_DEPTH)),
    };
    let time = start.elapsed();
    assert_eq!(sum, shape.sum(), "wrong items");
    time
}

/// A queue under test: its name and how to run one round on it.
type Entry = (&'static str, Box<dyn Fn(Shape) -> Duration>);

fn entry(name: &'static str, queue: impl Lane + 'static) -> Entry {
    (name, Box::new(move |shape| round(shape, &queue)))
}

fn ours<Q: Owner<Item = usize> + 'static>(name: &'static str) -> Entry {
    entry(name, Q::with_capacity(CAPACITY))
}

fn entries() -> Vec<Entry> {
    vec![
        entry("crossbeam-deque", Crossbeam(crossbeam_deque::Worker::new_lifo())),
        ours::<ChaseLev<usize>>("chase_lev"),
        ours::<ShrinkingChaseLev<usize>>("chase_lev shrinking"),
        ours::<Fifo<usize>>("fifo"),
        ours::<Abp<usize>>("abp"),
        ours::<Duplicating<usize>>("duplicating"),
        ours::<IdempotentLifo<usize>>("idempotent lifo"),
        ours::<IdempotentFifo<usize>>("idempotent fifo"),
        ours::<IdempotentDoubleEnded<usize>>("idempotent double-ended"),
        ours::<Locked<usize>>("locked"),
        ours::<CentralLocked<usize>>("locked, central"),
        entry("st3", St3(st3::lifo::Worker::new(CAPACITY))),
    ]
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> ExitCode {
    // `cargo test --benches` asks for a short run that checks the answers.
    let rounds = if std::env::args().any(|arg| arg == "--bench") { ROUNDS } else { 1 };
    for (shape, name) in Shape::ALL {
        let entries = entries();
        let mut times = vec![Vec::new(); entries.len()];
        // The first round warms the caches and is not counted.
        for number in 0..=rounds {
            for ((_, run), times) in entries.iter().zip(&mut times) {
                let time = run(shape);
                if number > 0 {
                    times.push(time.as_nanos() as f64 / shape.pairs() as f64);
                }
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        println!("{name:<25} ns/pair   x crossbeam   x chase_lev");
        for ((queue, _), ns) in entries.iter().zip(&medians) {
            println!(
                "  {queue:<23} {ns:>7.2}   {:>11.2}   {:>11.2}",
                ns / medians[0],
                ns / medians[1]
            );
        }
    }
    ExitCode::SUCCESS
}
