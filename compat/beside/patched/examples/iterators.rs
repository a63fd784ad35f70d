//! rayon's own iterators and sorts on Lyocell's threads, and the native handle inside one of their tasks.
//!
//! Nothing of the first half knows of Lyocell: the entry in this package's `Cargo.toml` is all.

use lyocell::Worker;
use rayon::prelude::*;

/// A recursion as fine as this wants the handle: a join through it looks nothing up.
fn fib(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

fn main() {
    let mut values: Vec<u64> = (0..200_000).map(|i| i * 2_654_435_761 % 1_000_003).collect();
    let sum: u64 = values.iter().sum();

    values.par_sort();
    assert!(values.is_sorted());
    values.par_chunks_mut(1_000).for_each(|chunk| chunk.iter_mut().for_each(|value| *value += 1));
    assert_eq!(values.par_iter().sum::<u64>(), sum + 200_000);
    let words = "rayon's iterators run on the threads of lyocell";
    let longest = words.split(' ').par_bridge().max_by_key(|word| word.len());
    assert_eq!(longest, Some("iterators"));

    let numbers: Vec<u64> = [10, 20, 25]
        .into_par_iter()
        .map(|n| lyocell::with_current(|w| fib(w.expect("a task of rayon's is on a worker"), n)))
        .collect();
    assert_eq!(numbers, [55, 6_765, 75_025]);
    println!("sorted {} values; fib(25) = {}", values.len(), numbers[2]);
}
