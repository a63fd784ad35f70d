//! A loop runs over a reference to a vector, and says so.
fn main() {
    let values = vec![1, 2, 3];
    lyocell::par::for_each(values, |value| println!("{value}"));
}
