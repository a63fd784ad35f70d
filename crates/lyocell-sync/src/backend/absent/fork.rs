//! Forks are not noticed.

#[inline]
pub(crate) fn forks() -> usize {
    0
}

pub(crate) fn watch() {}
