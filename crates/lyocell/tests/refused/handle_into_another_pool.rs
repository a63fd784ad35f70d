//! A handle of one pool cannot be used inside a task of another.
fn main() {
    let (one, two) = (lyocell::Pool::new().unwrap(), lyocell::Pool::new().unwrap());
    one.run(|w| two.run(|_| w.index()));
}
