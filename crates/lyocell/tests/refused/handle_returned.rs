//! A handle cannot leave its task as the result, not even that of `a`, which need not be `Send`.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| drop(w.join(|w| w, |_| ())));
}
