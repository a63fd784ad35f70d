//! The items of a shared slice are seen by several threads.
fn visit<T: Send>(items: &[T]) {
    lyocell::par::for_each(items, |_| ());
}

fn main() {
    visit(&[1]);
}
