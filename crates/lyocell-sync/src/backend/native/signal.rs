//! A real-time signal of Linux.

use super::{Mutex, OnceLock};
use crate::signal::Refused;
use std::io;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// Among the real-time signals; any that is free would do.
const OFFSET: libc::c_int = 7;

/// The signal, with our handler.
#[derive(Clone, Copy, Debug)]
pub struct Signal(libc::c_int);

impl Signal {
    /// Installs the handler, if that has not been done: what it calls is the same for the whole process.
    ///
    /// # Errors
    /// The program uses the signal, or the system does not let it be used.
    ///
    /// # Safety
    /// The handler may be called at any time on any thread that was [opened](Thread::open), in the middle of whatever that does, and
    /// once more for a signal that comes late. It does not unwind.
    pub unsafe fn install(handler: fn()) -> Result<Signal, Refused> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _one = ONE_AT_A_TIME.lock();
        let signal = libc::SIGRTMIN() + OFFSET;
        HANDLER.get_or_init(|| handler);
        match handler_of(signal)? {
            ours if ours == our_handler() => {}
            libc::SIG_DFL => set_handler(signal)?,
            _ => return Err(Refused::InUse { signal }),
        }
        Ok(Signal(signal))
    }

    fn alone(self) -> libc::sigset_t {
        let mut set = MaybeUninit::uninit();
        // SAFETY: the first call makes the set, the second adds a signal that exists.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), self.0);
            set.assume_init()
        }
    }
}

/// What the handler calls: written before the handler is installed, and never again.
static HANDLER: OnceLock<fn()> = OnceLock::new();

fn our_handler() -> libc::sighandler_t {
    on_signal as extern "C" fn(libc::c_int) as libc::sighandler_t
}

fn handler_of(signal: libc::c_int) -> Result<libc::sighandler_t, Refused> {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: no new action; the old one is written if the call succeeds.
    unsafe {
        check(libc::sigaction(signal, null(), action.as_mut_ptr()))?;
        Ok(action.assume_init().sa_sigaction)
    }
}

fn set_handler(signal: libc::c_int) -> Result<(), Refused> {
    // SAFETY: an action is integers and an optional pointer; all zero, its mask is empty.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = our_handler();
    action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
    // SAFETY: the handler may run at any time on any thread, by the word of who installs it; the signal is not used otherwise.
    check(unsafe { libc::sigaction(signal, &action, null_mut()) })
}

fn check(answer: libc::c_int) -> Result<(), Refused> {
    match answer {
        0 => Ok(()),
        _ => Err(Refused::System(io::Error::last_os_error())),
    }
}

extern "C" fn on_signal(_signal: libc::c_int) {
    // SAFETY: the address is this thread's own `errno`, which the interrupted code may be about to read.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        HANDLER.get().inspect(|handler| handler());
        *errno = before;
    }
}

/// A thread that may be sent the signal.
#[derive(Debug)]
pub struct Thread {
    id: libc::pthread_t,
    mask: Mask,
}

// SAFETY: the id of a thread is used by others only while it lives (`interrupt`), and is a number or an address
// that only the C library looks at.
unsafe impl Send for Thread {}

/// How the signal was before the thread was opened to it.
#[derive(Debug)]
enum Mask {
    Open,
    Blocked,
}

impl Thread {
    /// The calling thread, which takes the signal from now on.
    pub fn open(signal: Signal) -> Thread {
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: both sets are in place; the call cannot fail with these arguments, and then the old one
        // is written.
        let was_blocked = unsafe {
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &signal.alone(), before.as_mut_ptr());
            libc::sigismember(before.as_ptr(), signal.0) == 1
        };
        let mask = if was_blocked { Mask::Blocked } else { Mask::Open };
        // SAFETY: no preconditions.
        Thread { id: unsafe { libc::pthread_self() }, mask }
    }

    /// The calling thread takes the signal no more, if it did not before.
    pub fn close(&self, signal: Signal) {
        if let Mask::Blocked = self.mask {
            // SAFETY: the set is in place, and the old one is not asked for.
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &signal.alone(), null_mut()) };
        }
    }

    /// Sends it the signal.
    ///
    /// # Errors
    /// The system has no room for another one on its way.
    ///
    /// # Safety
    /// The thread lives.
    pub unsafe fn interrupt(&self, signal: Signal) -> io::Result<()> {
        // SAFETY: by the caller's word.
        match unsafe { libc::pthread_kill(self.id, signal.0) } {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// Has the system wake the calling thread at the time it asks for. By default it may come 50 us later, which
/// is half a period of 10 kHz.
pub fn sharpen_timer() {
    const SLACK_NS: libc::c_ulong = 1;
    // SAFETY: this option takes a number. If it is refused, ticks come late.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, SLACK_NS) };
}
