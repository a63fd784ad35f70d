//! Background work: one pool serves requests, and makes an index meanwhile with all workers that have nothing else to do.
//!
//! `cargo run --release --example background -p lyocell`

use lyocell::{BuildError, Pool, Worker};
use std::time::{Duration, Instant};

const DOCUMENTS: u64 = 200_000;

/// What stands for reading a document: some microseconds.
fn digest(document: u64) -> u64 {
    (0..2_000).fold(document, |digest, step| (digest ^ step).wrapping_mul(0x100_0000_01b3))
}

/// A request: a recursion that forks down to leaves of some microseconds.
fn serve(w: &Worker, first: u64, count: u64) -> u64 {
    if count == 1 {
        return digest(first);
    }
    let half = count / 2;
    let (a, b) =
        w.join(move |w| serve(w, first, half), move |w| serve(w, first + half, count - half));
    a ^ b
}

/// The longest of a hundred requests.
fn longest(pool: &Pool) -> Duration {
    let requests = (0..100).map(|request| {
        std::thread::sleep(Duration::from_millis(1));
        let start = Instant::now();
        let answer = pool.run(|w| serve(w, request * 16, 16));
        assert_eq!(answer, (request * 16..request * 16 + 16).map(digest).fold(0, |a, b| a ^ b));
        start.elapsed()
    });
    requests.max().unwrap_or_default()
}

fn main() -> Result<(), BuildError> {
    let pool = Pool::new()?;
    println!("{} workers", pool.workers());
    println!("alone, the longest of 100 requests takes {:?}", longest(&pool));
    let index = pool.spawn_background_with_handle(|w| {
        let start = Instant::now();
        let index = w.map(0..DOCUMENTS, digest);
        (index, start.elapsed())
    });
    let mut rounds = 0;
    while !index.is_finished() {
        println!("beside the index, {:?}", longest(&pool));
        rounds += 1;
    }
    // On this thread, which is no worker.
    let (index, took) = index.join();
    assert_eq!(index[7], digest(7));
    println!(
        "the index of {} documents took {took:?}, beside {} requests",
        index.len(),
        100 * rounds
    );
    Ok(())
}
