//! The deques side by side: Fibonacci numbers, which are all fork and join, and an irregular tree, which
//! is all stealing. Medians of seven rounds, in which the deques take turns. What the direct task stack is measured against
//! has the command line.

use lyocell::deque::direct::DirectPrivate;
use lyocell::deque::{Amount, SplitOptions};
use lyocell::{Abp, Builder, ChaseLev, Deque, DirectLocked, Pool, Receiver, Sender, Split, Worker};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

fn fib<D: Deque>(w: &Worker<D>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

/// A tree in which a node has up to eight children, one less than one on average, so that subtrees differ by
/// orders of magnitude.
fn tree<D: Deque>(w: &Worker<D>, seed: u64) -> u64 {
    let children = if mixed(seed) % 1000 < 124 { 8 } else { 0 };
    let child = |w: &Worker<D>, i| tree(w, mixed(seed.wrapping_mul(8).wrapping_add(i as u64 + 1)));
    1 + w.join_range(0..children, 0, child, |a, b| a + b)
}

/// The finalizer of splitmix.
fn mixed(seed: u64) -> u64 {
    let x = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A deque's pool, by what it computes.
trait Subject {
    fn name(&self) -> &'static str;
    fn fib(&self, n: u64) -> u64;
    fn tree(&self, roots: u64) -> u64;
}

struct Named<D: Deque>(&'static str, Pool<D>);

impl<D: Deque> Subject for Named<D> {
    fn name(&self) -> &'static str {
        self.0
    }

    fn fib(&self, n: u64) -> u64 {
        self.1.run(|w| fib(w, n))
    }

    fn tree(&self, roots: u64) -> u64 {
        let root = |w: &Worker<D>, root| tree(w, mixed(root as u64));
        self.1.run(|w| w.join_range(0..roots as usize, 0, root, |a, b| a + b))
    }
}

fn named<D: Deque>(name: &'static str, builder: Builder<D>, workers: usize) -> Box<dyn Subject> {
    Box::new(Named(name, builder.workers(workers).build().expect("a small pool")))
}

/// A pool on a deque that leaves nothing to choose.
fn plain<D: Deque<Options = ()>>(workers: usize) -> Box<dyn Subject> {
    named(D::NAME, Pool::builder().deque::<D>(), workers)
}

fn subjects(workers: usize) -> Vec<Box<dyn Subject>> {
    let split = || Pool::builder().deque::<Split>();
    let half = SplitOptions::default().amount(Amount::Half);
    vec![
        named("split", split(), workers),
        named("split half", split().deque_options(half), workers),
        plain::<ChaseLev>(workers),
        plain::<Abp>(workers),
        named("receiver", Pool::builder().deque::<Receiver>(), workers),
        named("sender", Pool::builder().deque::<Sender>(), workers),
        plain::<DirectPrivate>(workers),
        plain::<DirectLocked>(workers),
    ]
}

/// The median time of each subject, and the answer all agreed on.
fn compare(
    subjects: &[Box<dyn Subject>],
    run: impl Fn(&dyn Subject) -> u64,
) -> (Vec<Duration>, u64) {
    let mut times = vec![Vec::new(); subjects.len()];
    let answer = run(&*subjects[0]);
    for _ in 0..ROUNDS {
        for (subject, times) in subjects.iter().zip(&mut times) {
            let start = Instant::now();
            let got = run(&**subject);
            times.push(start.elapsed());
            assert_eq!(got, answer, "{}", subject.name());
        }
    }
    let median = |mut times: Vec<Duration>| {
        times.sort();
        times[ROUNDS / 2]
    };
    (times.into_iter().map(median).collect(), answer)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number =
        |at: usize, otherwise| std::env::args().nth(at).map_or(Ok(otherwise), |n| n.parse());
    let (n, roots) = (number(1, 32)?, number(2, 2000)?);
    for workers in [1, 2] {
        let subjects = subjects(workers);
        let (fib_times, answer) = compare(&subjects, |subject| subject.fib(n));
        // One fork a call above the base case.
        let forks = answer as f64 * 1.618_034;
        let (tree_times, nodes) = compare(&subjects, |subject| subject.tree(roots));
        println!("{workers} workers: fib({n}), and a tree of {nodes} nodes");
        for ((subject, fib), tree) in subjects.iter().zip(fib_times).zip(tree_times) {
            let per_fork = fib.as_secs_f64() * 1e9 / forks;
            println!("  {:20} {fib:9.1?} ({per_fork:4.2} ns a fork)  {tree:9.1?}", subject.name());
        }
    }
    Ok(())
}
