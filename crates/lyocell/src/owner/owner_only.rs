//! What only the occupant of a worker touches, in a struct that thieves see too.

use std::ops::Deref;

/// What only the occupant of a worker touches, or what never changes.
#[repr(transparent)]
pub(crate) struct OwnerOnly<T>(pub(crate) T);

// SAFETY: worker-1.
unsafe impl<T> Sync for OwnerOnly<T> {}

impl<T> Deref for OwnerOnly<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
