//! The task of `run` may be handed to a worker on another thread.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let here = Rc::new(1);
    pool.run(|_| drop(Rc::clone(&here)));
}
