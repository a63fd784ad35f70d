//! A search that ends in three ways: whoever finds something stops the others, a deadline stops all, or there is nothing to find.
//!
//! `cargo run --release --example search -p lyocell`

use lyocell::{Cancel, Pool, TryScope, Worker};
use std::error::Error;
use std::time::Duration;

/// Looks for some of the numbers that add up to `sum`, and fails with them, which ends the search.
fn search(
    w: &Worker,
    found: TryScope<'_, '_, Vec<u64>>,
    numbers: &[u64],
    chosen: &[u64],
    sum: u64,
) {
    match numbers {
        _ if sum == 0 => found.fail(chosen.to_vec()),
        [] => {}
        [first, rest @ ..] => {
            let with_it = |w: &Worker| {
                if *first <= sum {
                    let chosen = [chosen, &[*first]].concat();
                    search(w, found, rest, &chosen, sum - first);
                }
            };
            w.join(with_it, |w| search(w, found, rest, chosen, sum));
        }
    }
}

/// What came of it, in words.
fn outcome(pool: &Pool, numbers: &[u64], sum: u64, patience: Duration) -> String {
    let searched = pool.run(|w| {
        w.cancellable(&Cancel::after(patience), |w| {
            w.try_scope(|found| {
                search(w, found, numbers, &[], sum);
                Ok(())
            })
        })
    });
    match searched {
        Ok(Err(chosen)) => format!("{sum} is the sum of {chosen:?}"),
        Ok(Ok(())) => format!("{sum} is no sum of these numbers"),
        Err(cancelled) => format!("{sum}: {cancelled} after {patience:?}"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let pool = Pool::new()?;
    let even: Vec<u64> = (1..=40).map(|i| 2 * (i * i % 101)).collect();
    println!("{}", outcome(&pool, &even, 502, Duration::from_secs(10)));
    println!("{}", outcome(&pool, &even[..16], 501, Duration::from_secs(10)));
    println!("{}", outcome(&pool, &even, 501, Duration::from_millis(50)));
    Ok(())
}
