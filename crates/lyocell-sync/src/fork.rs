//! How many forks lie between the start of the program and this process.

use crate::backend::fork as system;

/// How many forks this process comes after: for whoever has threads or locks of its own, which are not there, or not free, in the
/// child of a `fork()`.
///
/// A process made without the C library's `fork` (a bare `clone`) is not noticed.
///
/// # Examples
/// ```
/// use lyocell_sync::Generation;
///
/// let ours = Generation::now();
/// assert!(!ours.is_past());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(usize);

impl Generation {
    /// That of this process; from now on its forks are counted.
    pub fn now() -> Generation {
        system::watch();
        Generation(system::forks())
    }

    /// Whether this process is a child of the one that this generation is from.
    #[inline]
    pub fn is_past(self) -> bool {
        self.0 != system::forks()
    }
}
