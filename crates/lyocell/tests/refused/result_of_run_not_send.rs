//! What the task of `run` returns comes back from another thread.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    drop(pool.run(|_| Rc::new(1)));
}
