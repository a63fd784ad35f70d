//! Partial results of a loop cross threads.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| drop(w.map_reduce(0..9, Rc::new, || Rc::new(0), |a, _| a)));
}
