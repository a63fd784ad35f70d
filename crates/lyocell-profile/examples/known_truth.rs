//! What the profile says of programs whose truth is known: `known_truth [RUNS]`.
//!
//! Binary trees of joins whose leaves all work for so long, from ten nanoseconds to a millisecond, on one worker. For each size: the
//! work by the profile beside the shortest time of the same run without it, with the smallest and the largest; and the median size of
//! the tasks, half of which are a leaf, beside that of a leaf: from 1 to 2, or what a reading of the clock costs. Medians over runs
//! taken in turn.

use lyocell::{Pool, Probe, Split, Worker};
use lyocell_profile::{Exact, Profile, Profiled, Sampled};
use std::hint::black_box;
use std::time::Instant;

/// A run without the profile takes some milliseconds.
const TOGETHER_NS: f64 = 3e6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs: usize = std::env::args().nth(1).map_or(Ok(9), |text| text.parse())?.max(1);
    let rounds_per_ns = rounds_per_ns();
    println!("leaf, ns; clock; work by the profile / time without; median size / leaf; verdicts");
    for leaf_ns in [10.0, 30.0, 100.0, 1e3, 1e4, 1e5, 1e6] {
        let rounds = (leaf_ns * rounds_per_ns) as u64;
        let depth = (TOGETHER_NS / leaf_ns).log2().max(3.0) as u32;
        let plain = Pool::builder().workers(1).build()?;
        let mut alone_s = f64::INFINITY;
        let [mut sampled, mut exact] = [const { Runs::new() }; 2];
        for _ in 0..runs {
            alone_s = time_s(|| plain.run(|w| tree(w, depth, rounds))).min(alone_s);
            sampled.add(&profiled::<Sampled>(depth, rounds)?);
            exact.add(&profiled::<Exact>(depth, rounds)?);
        }
        // By the runs themselves: the processor's speed changes.
        let true_ns = alone_s * 1e9 / f64::from(1 << depth);
        sampled.print(alone_s, true_ns, "sampled");
        exact.print(alone_s, true_ns, "exact");
    }
    Ok(())
}

fn profiled<C: lyocell_profile::Clock>(
    depth: u32,
    rounds: u64,
) -> Result<Profiled, lyocell::BuildError> {
    let pool = Pool::builder().workers(1).probe::<Profile<C>>().build()?;
    pool.run(|w| tree(w, depth, rounds));
    Ok(Profile::of(&pool))
}

#[derive(Default)]
struct Runs {
    works: Vec<f64>,
    sizes: Vec<f64>,
    verdicts: Vec<String>,
}

impl Runs {
    const fn new() -> Runs {
        Runs { works: Vec::new(), sizes: Vec::new(), verdicts: Vec::new() }
    }

    fn add(&mut self, profiled: &Profiled) {
        self.works.push(profiled.all.work_s);
        self.sizes.push(profiled.all.task_p50_ns.unwrap_or(f64::NAN));
        self.verdicts.push(profiled.all.cause.to_string());
    }

    fn print(mut self, alone_s: f64, leaf_ns: f64, clock: &str) {
        for ratios in [&mut self.works, &mut self.sizes] {
            ratios.sort_by(f64::total_cmp);
        }
        self.verdicts.sort();
        self.verdicts.dedup();
        let (works, middle) = (&self.works, self.works.len() / 2);
        println!(
            "{leaf_ns:.0}; {clock}; {:.2} ({:.2} to {:.2}); {:.2}; {}",
            works[middle] / alone_s,
            works[0] / alone_s,
            works[works.len() - 1] / alone_s,
            self.sizes[middle] / leaf_ns,
            self.verdicts.join(", ")
        );
    }
}

fn tree<P: Probe>(w: &Worker<Split, P>, depth: u32, rounds: u64) -> u64 {
    if depth == 0 {
        return leaf(rounds);
    }
    let (a, b) = w.join(|w| tree(w, depth - 1, rounds), |w| tree(w, depth - 1, rounds));
    a ^ b
}

#[inline(never)]
fn leaf(rounds: u64) -> u64 {
    (0..rounds).fold(1, |x, i| black_box(x ^ i).rotate_left(3))
}

/// The fastest of some runs.
fn rounds_per_ns() -> f64 {
    const ROUNDS: u64 = 1_000_000;
    let fastest = (0..9).map(|_| time_s(|| leaf(ROUNDS))).fold(f64::INFINITY, f64::min);
    ROUNDS as f64 / (fastest * 1e9)
}

fn time_s<R>(run: impl FnOnce() -> R) -> f64 {
    let begin = Instant::now();
    black_box(run());
    begin.elapsed().as_secs_f64()
}
