//! What became of an attempt to steal, by crossbeam's names.

use lyocell_queues as queues;
use std::fmt;

/// What became of an attempt to steal.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Steal<T> {
    /// There was nothing to steal.
    Empty,
    /// This was stolen.
    Success(T),
    /// Another was at work at the same moment and won.
    Retry,
}

impl<T> Steal<T> {
    pub(crate) fn of(outcome: queues::Steal<T>) -> Self {
        match outcome {
            queues::Steal::Empty => Self::Empty,
            queues::Steal::Taken(item) => Self::Success(item),
            queues::Steal::Busy => Self::Retry,
        }
    }

    fn ours(self) -> queues::Steal<T> {
        match self {
            Self::Empty => queues::Steal::Empty,
            Self::Success(item) => queues::Steal::Taken(item),
            Self::Retry => queues::Steal::Busy,
        }
    }

    /// Whether there was nothing to steal.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// Whether something was stolen.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Success(_))
    }

    /// Whether another try may help.
    pub fn is_retry(&self) -> bool {
        matches!(self, Self::Retry)
    }

    /// What was stolen.
    pub fn success(self) -> Option<T> {
        self.ours().success()
    }

    /// Tries elsewhere if nothing was stolen here.
    pub fn or_else<F>(self, f: F) -> Steal<T>
    where
        F: FnOnce() -> Steal<T>,
    {
        Self::of(self.ours().or_else(|| f().ours()))
    }
}

impl<T> fmt::Debug for Steal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.pad("Empty"),
            Self::Success(_) => f.pad("Success(..)"),
            Self::Retry => f.pad("Retry"),
        }
    }
}

impl<T> FromIterator<Steal<T>> for Steal<T> {
    fn from_iter<I: IntoIterator<Item = Steal<T>>>(iter: I) -> Self {
        Self::of(iter.into_iter().map(Self::ours).collect())
    }
}
