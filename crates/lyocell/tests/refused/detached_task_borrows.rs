//! Nobody waits for a detached task, so it borrows nothing.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let text = String::from("short-lived");
    pool.spawn(|_| println!("{text}"));
    lyocell::spawn(|| println!("{text}"));
}
