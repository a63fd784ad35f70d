//! What `b` owns crosses threads, also in the join that looks its worker up.
use std::rc::Rc;

fn main() {
    let here = Rc::new(1);
    lyocell::join(|| (), move || drop(here));
}
