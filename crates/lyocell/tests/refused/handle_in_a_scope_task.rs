//! A task of a scope uses the handle it gets, not the one of where it was spawned.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| w.scope(|s| s.spawn(|_| drop(w.index()))));
}
