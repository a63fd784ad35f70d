//! Private deques beside the split deque, in one run: `private_deques [WORKERS [FIB [REPETITIONS]]]`.
//!
//! Times Fibonacci numbers, all fork and join, and a binomial tree as in UTS (Olivier et al. 2006), where a
//! thief never knows what it gets. The deques take turns, so that a machine whose speed drifts is fair to
//! all; each line has a deque's median and its ratio to the first's.

use lyocell::deque::{Acquire, Amount, HandOver, Receiver, ReceiverOptions, Sender, SenderOptions};
use lyocell::{Caller, Deque, Pool, Split, Worker};
use std::time::{Duration, Instant};

type Error = Box<dyn std::error::Error>;

fn fib<D: Deque>(w: &Worker<D>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

/// A node of the tree: a number that decides over all below it.
#[derive(Clone, Copy)]
struct Node(u64);

/// The root has this many children.
const ROOTS: usize = 2000;
/// A node has this many children, or none.
const CHILDREN: usize = 5;
/// With this chance it has children: nearly one child a node, so subtrees differ wildly.
const CHANCE: f64 = 0.1998;

impl Node {
    fn child(self, index: usize) -> Node {
        // SplitMix64, some rounds: about as long as a hash of the original takes.
        let mut x = self.0 ^ (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for _ in 0..16 {
            x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^= x >> 31;
        }
        Node(x)
    }

    fn children(self) -> usize {
        if (self.0 as f64) < CHANCE * u64::MAX as f64 { CHILDREN } else { 0 }
    }
}

fn count<D: Deque>(w: &Worker<D>, node: Node, children: usize) -> u64 {
    let subtree = |w: &Worker<D>, index| {
        let child = node.child(index);
        count(w, child, child.children())
    };
    w.join_range(0..children, 1, subtree, |a, b| a + b)
}

/// A pool of whatever deque.
trait Subject {
    fn fib(&self, n: u64) -> u64;
    fn tree(&self) -> u64;
}

impl<D: Deque> Subject for Pool<D> {
    fn fib(&self, n: u64) -> u64 {
        self.run(|w| fib(w, n))
    }

    fn tree(&self) -> u64 {
        self.run(|w| count(w, Node(0), ROOTS))
    }
}

fn pool<D: Deque>(workers: usize, options: D::Options) -> Result<Box<dyn Subject>, Error> {
    let builder = Pool::builder().workers(workers).deque::<D>().deque_options(options);
    Ok(Box::new(builder.caller(Caller::Sleeps).build()?))
}

/// All deques, by name.
fn subjects(workers: usize) -> Result<Vec<(&'static str, Box<dyn Subject>)>, Error> {
    let half = ReceiverOptions { amount: Amount::Half, ..Default::default() };
    let block = ReceiverOptions { acquire: Acquire::Block, ..Default::default() };
    let one = SenderOptions { amount: Amount::One, ..Default::default() };
    let two_steps = SenderOptions { hand_over: HandOver::TwoStep, ..Default::default() };
    Ok(vec![
        ("split", pool::<Split>(workers, ())?),
        ("receiver", pool::<Receiver>(workers, ReceiverOptions::default())?),
        ("receiver, block", pool::<Receiver>(workers, block)?),
        ("receiver, half", pool::<Receiver>(workers, half)?),
        ("sender", pool::<Sender>(workers, SenderOptions::default())?),
        ("sender, two steps", pool::<Sender>(workers, two_steps)?),
        ("sender, one", pool::<Sender>(workers, one)?),
    ])
}

/// Medians of all subjects' times, in their order. The answers must agree.
fn medians(
    subjects: &[(&str, Box<dyn Subject>)],
    repetitions: usize,
    run: impl Fn(&dyn Subject) -> u64,
) -> Vec<Duration> {
    let expected = run(&*subjects[0].1);
    let mut times = vec![Vec::new(); subjects.len()];
    for _ in 0..repetitions {
        for ((name, subject), times) in subjects.iter().zip(&mut times) {
            let start = Instant::now();
            let answer = run(&**subject);
            times.push(start.elapsed());
            assert_eq!(answer, expected, "{name}");
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2]
    };
    times.iter_mut().map(median).collect()
}

fn report(title: &str, subjects: &[(&str, Box<dyn Subject>)], medians: &[Duration]) {
    println!("{title}");
    for ((name, _), median) in subjects.iter().zip(medians) {
        let ratio = median.as_secs_f64() / medians[0].as_secs_f64();
        println!("  {name:20} {median:>10.1?} {ratio:>6.2}");
    }
}

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (workers, n, repetitions) = (argument(2)?, argument(35)?, argument(7)?);
    let subjects = subjects(workers)?;
    let fibs = medians(&subjects, repetitions, |subject| subject.fib(n as u64));
    report(&format!("fib({n}), {workers} workers"), &subjects, &fibs);
    let trees = medians(&subjects, repetitions, |subject| subject.tree());
    report(&format!("tree, {workers} workers"), &subjects, &trees);
    Ok(())
}
