//! The body of a loop may run on any worker.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| w.for_each(0..9, |_| drop(w.index())));
}
