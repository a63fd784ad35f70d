//! A handle cannot leave its task through a variable outside.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| {
        let mut kept = None;
        w.join(|w| kept = Some(w), |_| ());
    });
}
