//! What `b` returns crosses threads.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| drop(w.join(|_| (), |_| Rc::new(1))));
}
