//! What only the occupant of a worker touches, in a struct that thieves see too.

use std::ops::Deref;

/// What only the occupant of a worker touches, or what never changes.
#[repr(transparent)]
pub(crate) struct Own<T>(pub(super) T);

// SAFETY: W1.
unsafe impl<T> Sync for Own<T> {}

impl<T> Deref for Own<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
