//! What a task borrows cannot be changed while the scope lasts.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let mut values = vec![1];
    pool.scope(|s| {
        s.spawn(|_| println!("{values:?}"));
        values.push(2);
    });
}
