//! A task may not borrow from the task that spawns it: it may outlive that one.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.scope(|s| {
        s.spawn(move |_| {
            let inside = vec![1];
            s.spawn(|_| println!("{inside:?}"));
        });
    });
}
