//! The task of a range may run on any worker.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| w.join_range(0..9, 0, |_, _| w.index(), |a, b| a + b));
}
