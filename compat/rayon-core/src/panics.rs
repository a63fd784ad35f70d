//! Panics that nobody waits for.

use std::any::Any;

/// What a program may do about them.
pub(crate) type PanicHandler = dyn Fn(Box<dyn Any + Send>) + Send + Sync;

/// Hands a panic to the handler. Where there is none, or it panics itself, the process is aborted: no panic goes
/// unobserved.
pub(crate) fn handle(handler: Option<&PanicHandler>, panic: Box<dyn Any + Send>) {
    let abort = AbortOnDrop;
    if let Some(handler) = handler {
        handler(panic);
        std::mem::forget(abort);
    }
}

struct AbortOnDrop;

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        eprintln!(
            "rayon-core on Lyocell: a spawned task panicked and no panic handler took it; aborting"
        );
        std::process::abort();
    }
}
