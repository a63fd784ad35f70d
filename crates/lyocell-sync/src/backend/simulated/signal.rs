//! The machine's signal, which nobody else uses.

use crate::signal::Refused;
use std::io;

/// The signal, with our handler.
#[derive(Clone, Copy, Debug)]
pub struct Signal(());

impl Signal {
    /// Installs the handler.
    ///
    /// # Errors
    /// None here.
    ///
    /// # Safety
    /// As on Linux.
    pub unsafe fn install(handler: fn()) -> Result<Signal, Refused> {
        lyocell_virtual::signal::install(handler);
        Ok(Signal(()))
    }
}

/// A thread that may be sent the signal.
#[derive(Debug)]
pub struct Thread(usize);

impl Thread {
    /// The calling thread.
    pub fn open(_signal: Signal) -> Thread {
        Thread(lyocell_virtual::signal::running())
    }

    /// Nothing is to be done.
    pub fn close(&self, _signal: Signal) {}

    /// Sends it the signal.
    ///
    /// # Errors
    /// None here.
    ///
    /// # Safety
    /// As on Linux.
    pub unsafe fn interrupt(&self, _signal: Signal) -> io::Result<()> {
        lyocell_virtual::signal::interrupt(self.0);
        Ok(())
    }
}

/// The machine's clock is sharp.
pub fn sharpen_timer() {}
