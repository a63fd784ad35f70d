//! What a task borrows outlives the scope: the variables of its body do not.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.scope(|s| {
        let inside = 5;
        s.spawn(|_| println!("{inside}"));
    });
}
