//! Tasks that nobody waits for.

use crate::global::global_from_outside;

/// Spawns a task on the pool of the current thread, else on the global one. Nobody waits for it.
///
/// A panic of the task goes to the pool's panic handler. Without one, it aborts the process.
pub fn spawn<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    global_from_outside();
    lyocell::spawn_detached(func);
}

/// As [`spawn`], but a thread takes up the tasks that it spawned so in the order of the spawns.
pub fn spawn_fifo<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    global_from_outside();
    lyocell::spawn_detached_fifo(func);
}
