//! The `lyocell` command line.
fn main() {}
