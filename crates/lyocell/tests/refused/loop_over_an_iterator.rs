//! A loop cuts what it runs over in two, which an iterator cannot be.
fn main() {
    let values = vec![1, 2, 3];
    lyocell::par::for_each(values.iter(), |value| println!("{value}"));
}
