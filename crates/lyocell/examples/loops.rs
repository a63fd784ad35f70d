//! Loops: over a slice to change it, over a slice to look at it, over a range. No grain size to choose; a loop
//! is split when somebody has nothing to do.
//!
//! `cargo run --release --example loops -p lyocell`

use lyocell::Pool;
use std::error::Error;

const LENGTH: usize = 4_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let pool = Pool::new()?;
    let mut values: Vec<u64> = (0..LENGTH as u64).collect();

    // Each item is somebody's alone while the body has it.
    pool.run(|w| w.for_each(&mut values, |value| *value = *value * *value % 1000));
    assert!(values.iter().enumerate().all(|(i, value)| *value == (i * i % 1000) as u64));

    // Every part begins with the identity; parts are put together in order.
    let sum = pool.run(|w| w.map_reduce(&values, |value| *value, || 0, |a, b| a + b));
    assert_eq!(sum, values.iter().sum::<u64>());

    // Without a handle the same runs on the pool of the whole program.
    let last = lyocell::par::map_reduce(
        0..values.len(),
        |i| (values[i] == 1).then_some(i),
        || None,
        |a, b| b.or(a),
    );
    assert_eq!(last, values.iter().rposition(|value| *value == 1));

    println!("{LENGTH} values, sum {sum}, the last 1 at {last:?}, on {} worker(s)", pool.workers());
    Ok(())
}
