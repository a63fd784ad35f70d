//! A handle does not live long enough to be kept for the thread, beyond its task.
use std::cell::Cell;

thread_local!(static KEPT: Cell<Option<&'static lyocell::Worker>> = const { Cell::new(None) });

fn main() {
    lyocell::Pool::new().unwrap().run(|w| KEPT.set(Some(w)));
}
