//! Sorts of the library beside rayon's and the serial ones of the standard library.
//!
//! `cargo run --release -p lyocell-engines --example sorts [WORKERS]`. Prints the median of milliseconds, a row an input. The last of
//! ours is called without a handle, in a pool whose type the call does not know.

use lyocell::{Direct, Pool, par};
use rayon::slice::ParallelSliceMut;
use std::time::Instant;

const REPETITIONS: usize = 9;

/// A slice to be sorted by each of them.
trait Item: Ord + Clone + Send + Sync + 'static {}

impl<T: Ord + Clone + Send + Sync + 'static> Item for T {}

type Sort<'a, T> = &'a dyn Fn(&mut [T]);

fn main() {
    let workers =
        std::env::args().nth(1).map_or(2, |text| text.parse().expect("a number of workers"));
    println!(
        "| {workers} workers, ms | std | handle | without | rayon | std unstable | handle | without | rayon |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let random: Vec<u64> = (0..2_000_000).map(scramble).collect();
    row("2,000,000 numbers at random", workers, &random);
    let nearly = (0..2_000_000).map(|i| if i % 100 == 0 { scramble(i) % 2_000_000 } else { i });
    row("the same, one in a hundred out of order", workers, &nearly.collect::<Vec<u64>>());
    row("few values", workers, &random.iter().map(|n| n % 50).collect::<Vec<u64>>());
    let words: Vec<String> = (0..200_000).map(|i| format!("{:x}", scramble(i))).collect();
    row("200,000 words", workers, &words);
}

fn row<T: Item>(what: &str, workers: usize, items: &[T]) {
    let pool = Pool::with_workers(workers).unwrap();
    let other = Pool::builder().deque::<Direct>().workers(workers).build().unwrap();
    let rayon = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
    let sorts: [Sort<'_, T>; 8] = [
        &|items| items.sort(),
        &|items| pool.run(|w| w.sort(items)),
        &|items| other.run(|_| par::sort(items)),
        &|items| rayon.install(|| items.par_sort()),
        &|items| items.sort_unstable(),
        &|items| pool.run(|w| w.sort_unstable(items)),
        &|items| other.run(|_| par::sort_unstable(items)),
        &|items| rayon.install(|| items.par_sort_unstable()),
    ];
    let mut times = vec![Vec::new(); sorts.len()];
    for _ in 0..REPETITIONS {
        for (sort, times) in sorts.iter().zip(&mut times) {
            let mut items = items.to_vec();
            let begin = Instant::now();
            sort(&mut items);
            times.push(begin.elapsed().as_secs_f64() * 1e3);
            assert!(items.is_sorted(), "{what}");
        }
    }
    let medians = times.iter_mut().map(|times| {
        times.sort_by(f64::total_cmp);
        format!("{:.1}", times[REPETITIONS / 2])
    });
    println!("| {what} | {} |", medians.collect::<Vec<_>>().join(" | "));
}

/// Numbers without order: the finalizer of SplitMix64.
fn scramble(i: u64) -> u64 {
    let z = (i.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
