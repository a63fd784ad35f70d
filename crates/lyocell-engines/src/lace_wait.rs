//! The thread that waits for Lace.
//!
//! A thread that hands Lace a task from outside wakes every 100 us to see whether it is done. With as
//! many workers as CPUs that takes 7 to 10 % of the workers' time (measured here: T_1/T_2 of fib:40 is
//! 1.80 to 1.89 with it, 2.00 without). Lace shall show its best; so, where the system allows it, we
//! let the thread's timers be late. The end of the task still wakes it at once.

/// Runs `wait` on this thread with lax timers. Threads started meanwhile would inherit them.
#[cfg(target_os = "linux")]
pub(super) fn with_lax_timers<T>(wait: impl FnOnce() -> T) -> T {
    use nix::sys::prctl::{get_timerslack, set_timerslack};

    /// About four seconds, in nanoseconds: what fits everywhere.
    const LAX_NS: u64 = 4_000_000_000;

    // Where this fails, timers are as they were: Lace is somewhat slower, nothing is wrong.
    let before = get_timerslack().ok().and_then(|slack| u64::try_from(slack).ok());
    let _ = set_timerslack(LAX_NS);
    let result = wait();
    if let Some(before) = before {
        let _ = set_timerslack(before);
    }
    result
}

/// Runs `wait`.
#[cfg(not(target_os = "linux"))]
pub(super) fn with_lax_timers<T>(wait: impl FnOnce() -> T) -> T {
    wait()
}
