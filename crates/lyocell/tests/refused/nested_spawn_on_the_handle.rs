// What a task of a scope is given has no `spawn` that the scope would not wait for.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.scope(|s| s.spawn(|s| s.spawn(|_| ())));
}
