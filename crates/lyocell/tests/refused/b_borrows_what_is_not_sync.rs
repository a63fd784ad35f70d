//! What both closures use is shared by threads.
use std::cell::Cell;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| {
        let counter = Cell::new(0);
        w.join(|_| counter.set(1), |_| counter.set(2));
    });
}
