//! A lock that is held across a loop. As one writes it first, a worker that waits in the inner loop begins another item of the outer one,
//! which wants the same lock, and waits for itself: here such items are counted, and the pool tells the place on the standard error.
//! Then the same, isolated.
//!
//! `cargo run --release --example isolated -p lyocell`

use lyocell::{BuildError, Pool, Worker};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const ITEMS: usize = 500;

thread_local!(static HOLDS_IT: Cell<bool> = const { Cell::new(false) });

/// How many items came to a lock that their own thread held.
fn under_a_lock(pool: &Pool, loops: impl Fn(&Worker) -> u64 + Sync) -> usize {
    let (total, hopeless) = (Mutex::new(0), AtomicUsize::new(0));
    pool.run(|w| {
        w.for_each_with(0..ITEMS, |w, _| {
            if HOLDS_IT.get() {
                // `total.lock()` would not return.
                hopeless.fetch_add(1, Ordering::Relaxed);
                return;
            }
            let mut total = total.lock().unwrap();
            let _held = lyocell::held();
            HOLDS_IT.set(true);
            *total += loops(w);
            HOLDS_IT.set(false);
        });
    });
    hopeless.into_inner()
}

fn main() -> Result<(), BuildError> {
    let pool = Pool::builder().workers(4).check_locks(true).build()?;
    let sum = |w: &Worker| w.sum(0..20_000_u64, |i| i % 7);
    println!("as one writes it: {} of {ITEMS} items would hang", under_a_lock(&pool, sum));
    let hopeless = under_a_lock(&pool, |w| w.isolated(sum));
    println!("isolated: {hopeless} of {ITEMS}");
    assert_eq!(hopeless, 0);
    Ok(())
}
