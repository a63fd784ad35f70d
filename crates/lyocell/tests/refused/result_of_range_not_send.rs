//! Results of the tasks of a range cross threads.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| drop(w.join_range(0..9, Rc::new(0), |_, i| Rc::new(i), |a, _| a)));
}
