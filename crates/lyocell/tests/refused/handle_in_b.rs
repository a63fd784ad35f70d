//! `b` may run on another worker: it uses the handle it gets there, not the one of here.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| w.join(|_| (), |_| w.join(|_| (), |_| ())));
}
