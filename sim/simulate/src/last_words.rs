//! What is told by a program that ends by a signal: which run that was. A task that runs twice reads what is gone by then, and then no
//! answer is wrong, for there is none.
//!
//! # Invariants
//! - last_words-1. `WORDS` is null, or so many bytes at it are a text that is there until it is null again. [`during`] alone writes it, on
//!   the thread that the signal comes to.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

static WORDS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// Runs `f`. If it ends by a signal, and [`listen`] has been called, these words are told.
pub(crate) fn during<R>(words: &str, f: impl FnOnce() -> R) -> R {
    // Ordering: Relaxed, here and below; one thread.
    BYTES.store(words.len(), Relaxed);
    WORDS.store(words.as_ptr().cast_mut(), Relaxed);
    let returned = f();
    WORDS.store(std::ptr::null_mut(), Relaxed);
    returned
}

/// From now on a signal that would end the program is told on the standard error, if it comes in a run, and the program ends with 1.
#[cfg(target_os = "linux")]
pub fn listen() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGABRT] {
        // SAFETY: plain data, of which zero is a value: no flag, an empty mask.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        let tell: extern "C" fn(libc::c_int) = tell;
        action.sa_sigaction = tell as libc::sighandler_t;
        // On the stack for signals that the standard library has set up for this thread: where it runs may be no stack any more.
        action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
        // SAFETY: `tell` calls only what a handler may call.
        unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) };
    }
}

/// There are no signals here, or none that are known to be the same.
#[cfg(not(target_os = "linux"))]
pub fn listen() {}

#[cfg(target_os = "linux")]
extern "C" fn tell(signal: libc::c_int) {
    let write = |bytes: *const u8, many: usize| {
        // SAFETY: a handler may call it, and these bytes are there: of text in the program, or last_words-1.
        unsafe { libc::write(libc::STDERR_FILENO, bytes.cast(), many) };
    };
    let words = WORDS.load(Relaxed);
    if words.is_null() {
        // The next one ends the program: it comes at once where this returns to, or by `abort`.
        return;
    }
    write(b"error: ".as_ptr(), 7);
    write(words, BYTES.load(Relaxed));
    let name: &[u8] = match signal {
        libc::SIGSEGV => b": it reads what is gone (SIGSEGV)\n",
        libc::SIGBUS => b": it reads what is gone (SIGBUS)\n",
        libc::SIGILL => b": it runs what is no program (SIGILL)\n",
        _ => b": it aborts\n",
    };
    write(name.as_ptr(), name.len());
    // SAFETY: a handler may call it.
    unsafe { libc::_exit(1) }
}
