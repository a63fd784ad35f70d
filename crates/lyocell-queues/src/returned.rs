//! What comes back to a queue of its thieves: the rest of a batch whose sink panicked.
//!
//! A batch leaves these queues in one step, before the sink gets any of it, and no thief can put it back where it was. So what
//! the sink did not get lies here, and comes out when the queue itself is empty. It is a list under a lock, of which nobody
//! learns more than that it is empty as long as no sink panics.

use crate::batch::hand_over;
use crate::steal::Steal;
use lyocell_sync::{AtomicUsize, Mutex, Ordering};

/// The rests of batches.
#[derive(Debug)]
pub(crate) struct Returned<T> {
    items: Mutex<Vec<T>>,
    /// How many these are. Changes under the lock.
    count: AtomicUsize,
}

impl<T> Returned<T> {
    pub(crate) fn new() -> Self {
        Self { items: Mutex::new(Vec::new()), count: AtomicUsize::new(0) }
    }

    fn with_lock<R>(&self, f: impl FnOnce(&mut Vec<T>) -> R) -> R {
        // No code of the user's runs under the lock, so a poisoned one guards whole items.
        let mut items = self.items.lock();
        let outcome = f(&mut items);
        // Ordering: Relaxed; who was told of the panic sees it by that, and nothing is read on the strength of it.
        self.count.store(items.len(), Ordering::Relaxed);
        outcome
    }

    /// Hands each item of the batch to the sink. If that panics, the rest comes back.
    pub(crate) fn hand_over(&self, batch: Vec<T>, sink: impl FnMut(T)) {
        // The first is taken first again, from the end of the list.
        hand_over(batch, sink, |rest| self.put_back(rest));
    }

    /// The rest of a batch comes back.
    pub(crate) fn put_back(&self, rest: impl DoubleEndedIterator<Item = T>) {
        self.with_lock(|items| items.extend(rest.rev()));
    }

    /// Takes an item that came back.
    #[inline]
    pub(crate) fn take(&self) -> Option<T> {
        if self.len() == 0 { None } else { self.take_one() }
    }

    /// Hands an item that came back to the sink.
    pub(crate) fn steal_one(&self, mut sink: impl FnMut(T)) -> Steal<usize> {
        match self.take() {
            None => Steal::Empty,
            Some(item) => {
                sink(item);
                Steal::Taken(1)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn take_one(&self) -> Option<T> {
        self.with_lock(Vec::pop)
    }

    /// How many items there seem to be.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        // Ordering: Relaxed; as in `with_lock`.
        self.count.load(Ordering::Relaxed)
    }
}
