//! There is no signal to be had.

use crate::signal::Refused;
use std::io;

/// There is none here.
#[derive(Clone, Copy, Debug)]
pub enum Signal {}

impl Signal {
    /// Refused here.
    ///
    /// # Errors
    /// Always.
    ///
    /// # Safety
    /// None here; see the one of Linux.
    pub unsafe fn install(_handler: fn()) -> Result<Signal, Refused> {
        Err(Refused::Unavailable)
    }
}

/// A thread that may be sent the signal: there is none.
#[derive(Debug)]
pub struct Thread;

impl Thread {
    /// Cannot be called.
    pub fn open(signal: Signal) -> Thread {
        match signal {}
    }

    /// Cannot be called.
    pub fn close(&self, signal: Signal) {
        match signal {}
    }

    /// Cannot be called.
    ///
    /// # Safety
    /// None here; see the one of Linux.
    pub unsafe fn interrupt(&self, signal: Signal) -> io::Result<()> {
        match signal {}
    }
}

/// Does nothing here.
pub fn sharpen_timer() {}
