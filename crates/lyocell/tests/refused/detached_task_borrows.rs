//! Nobody waits for a detached task, so it borrows nothing.
fn main() {
    let pool = lyocell::Pool::new().unwrap();
    let text = String::from("short-lived");
    pool.spawn_detached(|_| println!("{text}"));
    lyocell::spawn_detached(|| println!("{text}"));
}
