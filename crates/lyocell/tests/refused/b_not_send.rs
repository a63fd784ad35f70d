//! What `b` owns crosses threads.
use std::rc::Rc;

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| {
        let here = Rc::new(1);
        w.join(|_| (), move |_| drop(here));
    });
}
