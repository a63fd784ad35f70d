//! A value that is made under a lock by a loop, while others ask for it. As one writes it first, the worker that makes it runs some of
//! those others while it waits for the last parts of its loop; they want the same lock, and the thread waits for itself: here such
//! tasks are counted, and the pool tells the place on the standard error. Then the same, isolated.
//!
//! `cargo run --release --example isolated -p lyocell`

use lyocell::{BuildError, Pool, Worker};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

const OTHERS: usize = 500;

thread_local!(static HOLDS_IT: Cell<bool> = const { Cell::new(false) });

/// How many of those who ask come to a lock that their own thread holds.
fn hopeless(pool: &Pool, make: impl Fn(&Worker) + Sync) -> usize {
    let (made, hopeless) = (Mutex::new(0), AtomicUsize::new(0));
    let ask = || match HOLDS_IT.get() {
        // `made.lock()` would not return.
        true => _ = hopeless.fetch_add(1, Ordering::Relaxed),
        // Another thread would wait for this one, which is well; but it is to help with the loop here.
        false => drop(made.try_lock()),
    };
    pool.run(|w| {
        w.scope(|s| {
            (0..OTHERS).for_each(|_| s.spawn(|_| ask()));
            let mut made = made.lock().unwrap();
            let _held = lyocell::held();
            HOLDS_IT.set(true);
            make(w);
            *made += 1;
            HOLDS_IT.set(false);
        });
    });
    hopeless.into_inner()
}

fn main() -> Result<(), BuildError> {
    let pool = Pool::builder().workers(2).check_locks(true).build()?;
    let make = |w: &Worker| w.for_each(0..9, |_| sleep(Duration::from_millis(1)));
    println!("as one writes it: {} of {OTHERS} would hang", hopeless(&pool, make));
    let isolated = hopeless(&pool, |w| w.isolated(make));
    println!("isolated: {isolated} of {OTHERS}");
    assert_eq!(isolated, 0);
    Ok(())
}
