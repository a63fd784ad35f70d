//! An injector as one of the queues.

use lyocell_queues::{End, ExactlyOnce, Footprint, Full, Injector, Owner, Promise, Steal};
use std::sync::Arc;

/// An injector, whose owner is one of the thieves.
pub(crate) struct Injected<T: Send>(Arc<Injector<T>>);

impl<T: Send> Owner for Injected<T> {
    type Item = T;
    type Thief = Arc<Injector<T>>;
    const PROMISE: Promise = Promise::ExactlyOnce;
    const TAKES: End = End::Old;

    fn with_capacity(_: usize) -> Self {
        Self(Arc::default())
    }

    fn thief(&self) -> Self::Thief {
        Arc::clone(&self.0)
    }

    fn push(&self, item: T) -> Result<(), Full<T>> {
        self.0.push(item);
        Ok(())
    }

    fn take(&self) -> Option<T> {
        loop {
            match self.0.steal() {
                Steal::Taken(item) => break Some(item),
                Steal::Empty => break None,
                Steal::Busy => std::hint::spin_loop(),
            }
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn capacity(&self) -> usize {
        usize::MAX
    }

    /// What it takes is not told.
    fn footprint(&self) -> Footprint {
        Footprint { bytes: usize::MAX, ..Footprint::default() }
    }
}

impl<T: Send> ExactlyOnce for Injected<T> {}
