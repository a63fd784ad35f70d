//! The body of a loop is shared by threads.
use std::cell::Cell;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| {
        let sum = Cell::new(0);
        w.for_each(0..9, |i| sum.set(sum.get() + i));
    });
}
