//! Tasks of a scope cross threads.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.scope(|s| {
        let here = Rc::new(1);
        s.spawn(move |_| drop(here));
    });
}
