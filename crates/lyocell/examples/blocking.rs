//! Tasks that wait, for a disk or a network say, beside tasks that compute: while one waits, a spare worker computes in its place.
//!
//! Run it with `cargo run --release -p lyocell --example blocking`.

use lyocell::Pool;
use std::thread;
use std::time::Duration;

/// What stands for a request, which takes its time, and nobody's processor.
fn fetch(page: u64) -> Vec<u64> {
    thread::sleep(Duration::from_millis(5));
    (0..1_000).map(|word| page * 1_000 + word).collect()
}

fn main() -> Result<(), lyocell::BuildError> {
    let pool = Pool::builder().workers(2).spare_workers(6).build()?;
    let words = pool.run(|w| {
        w.map_reduce_with(
            0..16,
            |w, page| {
                let words = w.blocking(|| fetch(page));
                w.map_reduce(&words, |word| word % 7, || 0, |a, b| a + b)
            },
            || 0,
            |a, b| a + b,
        )
    });
    assert_eq!(words, (0..16_000).map(|word| word % 7).sum::<u64>());
    println!("{words}, of 16 pages, by at most 8 threads");
    Ok(())
}
