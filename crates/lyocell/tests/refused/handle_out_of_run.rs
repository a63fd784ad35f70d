//! A handle cannot leave `run`, whose caller may be another thread.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    drop(pool.run(|w| w));
}
