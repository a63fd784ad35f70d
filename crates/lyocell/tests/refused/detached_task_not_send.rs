//! Detached tasks cross threads.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let here = Rc::new(1);
    pool.spawn_detached(move |_| drop(here));
}
