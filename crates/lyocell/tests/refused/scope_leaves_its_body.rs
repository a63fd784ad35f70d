//! A scope cannot be kept to spawn in when it is over.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let mut kept = None;
    pool.scope(|s| kept = Some(s));
    kept.unwrap().spawn(|_| ());
}
