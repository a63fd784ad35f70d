//! Both closures may run at once.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let mut values = vec![1];
    pool.run(|w| w.join(|_| values.push(2), |_| values.push(3)));
}
