//! A handle cannot be sent to another thread.
fn on_another_thread(task: impl FnOnce() + Send) {
    std::thread::scope(|s| drop(s.spawn(task)));
}

fn main() {
    let pool = lyocell::Pool::new().unwrap();
    pool.run(|w| on_another_thread(|| drop(w.index())));
}
