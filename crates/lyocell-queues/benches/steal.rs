//! Stealing: nanoseconds an item, ours beside crossbeam-deque.
//!
//! `cargo bench -p lyocell-queues --bench steal`. Shapes of work, each on a queue with 64 items that were just pushed:
//! - `one by one`: a thief of the same thread steals all;
//! - `batches`: a thief moves batches into a queue of its own and takes them from there;
//! - `two threads`: a thief steals what the owner pushes, one by one, until all came out; the owner takes every other item itself.
//!
//! The rounds of all queues are interleaved, so that a slow spell of the machine hits all alike; the median of the rounds is
//! printed, and its ratio to crossbeam-deque's queue of the same order. Each round's sum is checked.

use lyocell_queues as ours;
use lyocell_queues::{Owner, StealHalf, Thief};
use std::hint::{black_box, spin_loop};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const BURST: usize = 64;
const BURSTS: usize = 1 << 11;

/// What a queue is asked to do, whoever made it. `Err` means that another try may help.
trait Lane {
    type Thief: Send + 'static;
    fn make() -> Self;
    fn push(&self, item: usize);
    fn take(&self) -> Option<usize>;
    fn thief(&self) -> Self::Thief;
    fn steal(thief: &Self::Thief) -> Result<Option<usize>, ()>;
    /// Moves a batch into the thief's own queue, and returns one of it.
    fn batch(thief: &Self::Thief, own: &Self) -> Option<usize>;
}

impl<Q: Owner<Item = usize>> Lane for Q
where
    Q::Thief: StealHalf + 'static,
{
    type Thief = Q::Thief;
    fn make() -> Self {
        Q::with_capacity(BURST)
    }
    #[inline(always)]
    fn push(&self, item: usize) {
        Owner::push(self, item).expect("it grows");
    }
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        Owner::take(self)
    }
    fn thief(&self) -> Q::Thief {
        Owner::thief(self)
    }
    #[inline(always)]
    fn steal(thief: &Q::Thief) -> Result<Option<usize>, ()> {
        let stolen = Thief::steal(thief);
        if stolen.is_busy() { Err(()) } else { Ok(stolen.taken()) }
    }
    #[inline(always)]
    fn batch(thief: &Q::Thief, own: &Self) -> Option<usize> {
        thief.steal_batch_and_pop(own).taken()
    }
}

fn of_crossbeam(stolen: crossbeam_deque::Steal<usize>) -> Result<Option<usize>, ()> {
    if stolen.is_retry() { Err(()) } else { Ok(stolen.success()) }
}

struct Crossbeam<const FIFO: bool>(crossbeam_deque::Worker<usize>);

impl<const FIFO: bool> Lane for Crossbeam<FIFO> {
    type Thief = crossbeam_deque::Stealer<usize>;
    fn make() -> Self {
        Self(if FIFO {
            crossbeam_deque::Worker::new_fifo()
        } else {
            crossbeam_deque::Worker::new_lifo()
        })
    }
    #[inline(always)]
    fn push(&self, item: usize) {
        self.0.push(item);
    }
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        self.0.pop()
    }
    fn thief(&self) -> Self::Thief {
        self.0.stealer()
    }
    #[inline(always)]
    fn steal(thief: &Self::Thief) -> Result<Option<usize>, ()> {
        of_crossbeam(thief.steal())
    }
    #[inline(always)]
    fn batch(thief: &Self::Thief, own: &Self) -> Option<usize> {
        thief.steal_batch_and_pop(&own.0).success()
    }
}

/// An injector with a worker's queue beside it, into which batches go.
struct Injected<I, W>(Arc<I>, W);

/// The two injectors, under one pair of names.
trait Inject<W>: Default + Send + Sync + 'static {
    fn own() -> W;
    fn push(&self, item: usize);
    fn steal(&self) -> Result<Option<usize>, ()>;
    fn batch(&self, own: &W) -> Option<usize>;
    fn take(own: &W) -> Option<usize>;
}

impl Inject<ours::Fifo<usize>> for ours::Injector<usize> {
    fn own() -> ours::Fifo<usize> {
        ours::Fifo::new()
    }
    #[inline(always)]
    fn push(&self, item: usize) {
        ours::Injector::push(self, item);
    }
    #[inline(always)]
    fn steal(&self) -> Result<Option<usize>, ()> {
        let stolen = ours::Injector::steal(self);
        if stolen.is_busy() { Err(()) } else { Ok(stolen.taken()) }
    }
    #[inline(always)]
    fn batch(&self, own: &ours::Fifo<usize>) -> Option<usize> {
        self.steal_batch_and_pop(own).taken()
    }
    #[inline(always)]
    fn take(own: &ours::Fifo<usize>) -> Option<usize> {
        Owner::take(own)
    }
}

impl Inject<crossbeam_deque::Worker<usize>> for crossbeam_deque::Injector<usize> {
    fn own() -> crossbeam_deque::Worker<usize> {
        crossbeam_deque::Worker::new_fifo()
    }
    #[inline(always)]
    fn push(&self, item: usize) {
        crossbeam_deque::Injector::push(self, item);
    }
    #[inline(always)]
    fn steal(&self) -> Result<Option<usize>, ()> {
        of_crossbeam(crossbeam_deque::Injector::steal(self))
    }
    #[inline(always)]
    fn batch(&self, own: &crossbeam_deque::Worker<usize>) -> Option<usize> {
        self.steal_batch_and_pop(own).success()
    }
    #[inline(always)]
    fn take(own: &crossbeam_deque::Worker<usize>) -> Option<usize> {
        own.pop()
    }
}

impl<W: 'static, I: Inject<W>> Lane for Injected<I, W> {
    type Thief = Arc<I>;
    fn make() -> Self {
        Self(Arc::default(), I::own())
    }
    #[inline(always)]
    fn push(&self, item: usize) {
        self.0.push(item);
    }
    /// From the worker's queue, then from the injector.
    #[inline(always)]
    fn take(&self) -> Option<usize> {
        I::take(&self.1).or_else(|| self.0.steal().unwrap_or(None))
    }
    fn thief(&self) -> Arc<I> {
        Arc::clone(&self.0)
    }
    #[inline(always)]
    fn steal(thief: &Arc<I>) -> Result<Option<usize>, ()> {
        thief.steal()
    }
    #[inline(always)]
    fn batch(thief: &Arc<I>, own: &Self) -> Option<usize> {
        thief.batch(&own.1)
    }
}

#[derive(Clone, Copy)]
enum Shape {
    OneByOne,
    Batches,
    TwoThreads,
}

impl Shape {
    const ALL: [(Self, &'static str); 3] = [
        (Self::OneByOne, "one by one"),
        (Self::Batches, "batches"),
        (Self::TwoThreads, "two threads"),
    ];
}

#[inline(never)]
fn one_by_one<L: Lane>() -> usize {
    let queue = L::make();
    let thief = queue.thief();
    let mut sum = 0;
    for first in (0..BURSTS * BURST).step_by(BURST) {
        (first..first + BURST).for_each(|item| queue.push(black_box(item)));
        while let Ok(Some(item)) = L::steal(&thief) {
            sum += item;
        }
    }
    sum
}

#[inline(never)]
fn batches<L: Lane>() -> usize {
    let (queue, own) = (L::make(), L::make());
    let thief = queue.thief();
    let mut sum = 0;
    for first in (0..BURSTS * BURST).step_by(BURST) {
        (first..first + BURST).for_each(|item| queue.push(black_box(item)));
        while let Some(item) = L::batch(&thief, &own) {
            sum += item;
            while let Some(item) = own.take() {
                sum += item;
            }
        }
    }
    sum
}

#[inline(never)]
fn two_threads<L: Lane>() -> usize {
    let queue = L::make();
    let thief = queue.thief();
    let over = Arc::new(AtomicBool::new(false));
    let stealing = std::thread::spawn({
        let over = Arc::clone(&over);
        move || {
            let mut sum = 0;
            loop {
                let last = over.load(Ordering::Acquire);
                match L::steal(&thief) {
                    Ok(Some(item)) => sum += item,
                    Ok(None) if last => return sum,
                    Ok(None) | Err(()) => spin_loop(),
                }
            }
        }
    });
    let mut sum = 0;
    for item in 0..BURSTS * BURST {
        queue.push(black_box(item));
        if item % 2 == 0 {
            sum += queue.take().unwrap_or(0);
        }
    }
    over.store(true, Ordering::Release);
    sum + stealing.join().expect("the thief ends")
}

fn round<L: Lane>(shape: Shape) -> Duration {
    let start = Instant::now();
    let sum = match shape {
        Shape::OneByOne => one_by_one::<L>(),
        Shape::Batches => batches::<L>(),
        Shape::TwoThreads => two_threads::<L>(),
    };
    let time = start.elapsed();
    let items = BURSTS * BURST;
    assert_eq!(sum, items * (items - 1) / 2, "wrong items");
    time
}

/// A queue, the one of crossbeam's that it is compared with, and how to run a round.
type Entry = (&'static str, usize, fn(Shape) -> Duration);

fn entries() -> [Entry; 8] {
    type Crossbeams = Injected<crossbeam_deque::Injector<usize>, crossbeam_deque::Worker<usize>>;
    [
        ("crossbeam lifo", 0, round::<Crossbeam<false>>),
        ("chase_lev", 0, round::<ours::ChaseLev<usize>>),
        ("chase_lev shrinking", 0, round::<ours::ShrinkingChaseLev<usize>>),
        ("crossbeam fifo", 3, round::<Crossbeam<true>>),
        ("fifo", 3, round::<ours::Fifo<usize>>),
        ("fifo shrinking", 3, round::<ours::ShrinkingFifo<usize>>),
        ("crossbeam injector", 6, round::<Crossbeams>),
        ("injector", 6, round::<Injected<ours::Injector<usize>, ours::Fifo<usize>>>),
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
        let mut times = vec![Vec::new(); entries().len()];
        // The first round warms the caches and is not counted.
        for number in 0..=rounds {
            for ((_, _, run), times) in entries().into_iter().zip(&mut times) {
                let time = run(shape);
                if number > 0 {
                    times.push(time.as_nanos() as f64 / (BURSTS * BURST) as f64);
                }
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        println!("{name:<25} ns/item   x crossbeam   least to most");
        for (((queue, beside, _), ns), times) in entries().into_iter().zip(&medians).zip(&times) {
            let (least, most) = (times[0], times[times.len() - 1]);
            println!(
                "  {queue:<23} {ns:>7.2}   {:>11.2}   {least:.2} to {most:.2}",
                ns / medians[beside]
            );
        }
    }
    ExitCode::SUCCESS
}
