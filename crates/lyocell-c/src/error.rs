//! Error codes, and the message of the last one on this thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};

/// The codes of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Code {
    Layout = 1,
    Argument = 2,
    System = 3,
    Closed = 4,
    Seat = 5,
}

/// What was wrong.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Error {
        Error { code, message: message.into() }
    }

    /// A pointer that must not be null is.
    pub(crate) fn null(what: &str) -> Error {
        Error::new(Code::Argument, format!("{what} is null: pass a pointer"))
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// The code of an outcome, whose message is kept.
pub(crate) fn code_of(outcome: Result<(), Error>) -> c_int {
    let Err(error) = outcome else { return 0 };
    let message = error.message.replace('\0', " ");
    // A thread on its way out keeps no message.
    let _ = LAST.try_with(|last| last.replace(CString::new(message).unwrap_or_default()));
    error.code as c_int
}

/// The message of the last error on this thread: empty if there was none. It is there until the next.
#[unsafe(no_mangle)]
pub extern "C" fn lyo_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
