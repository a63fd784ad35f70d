//! Calls of [`ThreadPool::install`](crate::ThreadPool::install) that are isolated, where the user asks for it.
//!
//! A program that holds a lock around `install`, or makes a value by it that others ask for, hangs when the thread that waits in there runs
//! a task which wants the same. With `LYOCELL_ISOLATED_INSTALLS=1` in the environment the thread that is in `install`, and whoever
//! runs a task of its, runs nothing else until it is over.

use std::{env, io};

const VARIABLE: &str = "LYOCELL_ISOLATED_INSTALLS";

/// Whether the pools of this process isolate what is installed.
pub(crate) fn is_asked_for() -> io::Result<bool> {
    match env::var_os(VARIABLE) {
        None => Ok(false),
        Some(value) if value.is_empty() => Ok(false),
        Some(value) if value == "1" => Ok(true),
        Some(value) => {
            let what =
                format!("{VARIABLE} is {value:?}, which is not `1`: set it to that, or unset it");
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
    }
}

/// Calls `op` on a worker that is isolated meanwhile. Out of line: where nobody asks for it, it is not in the way.
#[cold]
#[inline(never)]
pub(crate) fn call<R>(worker: &lyocell::Worker, op: impl FnOnce() -> R) -> R {
    worker.isolated(|_| op())
}
