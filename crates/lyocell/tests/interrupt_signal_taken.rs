//! A program that uses the signal itself. Alone in its process, for the library never gives the signal back.
#![cfg(all(target_os = "linux", not(miri)))]

use lyocell::{BuildError, InterruptError, Pool};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static SEEN: AtomicUsize = AtomicUsize::new(0);

extern "C" fn count(_signal: libc::c_int) {
    SEEN.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_handler_of_the_program_is_respected() {
    let signal = libc::SIGRTMIN() + 7;
    // SAFETY: the handler only touches an atomic; the action is valid all zero but for it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = count as extern "C" fn(libc::c_int) as libc::sighandler_t;
        assert_eq!(libc::sigaction(signal, &action, std::ptr::null_mut()), 0);
    }
    let error = Pool::builder().workers(2).interrupt(Duration::from_millis(1)).build().unwrap_err();
    match &error {
        BuildError::Interrupt { source: InterruptError::SignalTaken { signal: named } } => {
            assert_eq!(*named, signal);
        }
        other => panic!("{other:?}"),
    }
    assert!(error.to_string().contains(&signal.to_string()), "{error}");
    // SAFETY: no preconditions.
    assert_eq!(unsafe { libc::raise(signal) }, 0);
    assert_eq!(SEEN.load(Ordering::Relaxed), 1, "the program's handler is gone");
}
