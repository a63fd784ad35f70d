//! The baseline: a double-ended queue under a lock, one for each worker or one for all.
//!
//! The owner pushes and takes at the young end; thieves take the oldest item.
//!
//! Source: Alkærsig et al. 2014, section 2.3.

use crate::batch::{at_least_one, half, hand_over};
use crate::queue::{
    DEFAULT_CAPACITY, End, ExactlyOnce, Footprint, Full, Owner, Promise, StealHalf, Thief,
};
use crate::steal::Steal;
use lyocell_sync::{Arc, Mutex};
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;

/// The items, and how often their buffer grew.
struct Items<T> {
    deque: VecDeque<T>,
    growths: usize,
}

/// A handle of a locked queue; its owners and its thieves differ only in type.
struct Handle<T>(Arc<Mutex<Items<T>>>);

impl<T> Handle<T> {
    fn new(capacity: usize) -> Self {
        let deque = VecDeque::with_capacity(capacity);
        Self(Arc::new(Mutex::new(Items { deque, growths: 0 })))
    }

    fn with<R>(&self, f: impl FnOnce(&mut Items<T>) -> R) -> R {
        // No code of the user's runs under the lock, so a poisoned one guards whole items.
        f(&mut self.0.lock())
    }

    fn add(&self, add: impl FnOnce(&mut VecDeque<T>)) {
        self.with(|items| {
            let before = items.deque.capacity();
            add(&mut items.deque);
            items.growths += usize::from(items.deque.capacity() != before);
        });
    }

    fn push(&self, item: T) {
        self.add(|deque| deque.push_back(item));
    }

    fn put_back(&self, item: T) {
        self.add(|deque| deque.push_front(item));
    }

    fn footprint(&self) -> Footprint {
        self.with(|items| Footprint {
            bytes: items.deque.capacity() * size_of::<T>(),
            growths: items.growths,
            shrinks: 0,
        })
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// A queue under a lock, one for each owner: exactly once, unbounded.
///
/// Every operation takes the lock, and waits for it. This is the baseline that the other queues are measured by.
///
/// ```
/// use lyocell_queues::{Locked, Owner, Steal, Thief};
///
/// let queue = Locked::with_capacity(16);
/// queue.push(1).unwrap();
/// queue.push(2).unwrap();
/// assert_eq!(queue.thief().steal(), Steal::Taken(1));
/// assert_eq!(queue.take(), Some(2));
/// ```
pub struct Locked<T: Send> {
    handle: Handle<T>,
    not_sync: PhantomData<Cell<()>>,
}

/// One queue under a lock for a whole team: exactly once, unbounded.
///
/// All workers push to it and take from it: the central queue of Alkærsig et al. (2014), section 2.3.
/// [`Owner::team`] makes the handles.
///
/// ```
/// use lyocell_queues::{CentralLocked, Owner};
///
/// let team = CentralLocked::team(2, 16);
/// team[0].push("for anybody").unwrap();
/// assert_eq!(team[1].take(), Some("for anybody"));
/// ```
pub struct CentralLocked<T: Send> {
    handle: Handle<T>,
    not_sync: PhantomData<Cell<()>>,
}

/// A thief's handle of a [`Locked`] or [`CentralLocked`]. Stealing waits for the lock and is never
/// [`Steal::Busy`].
pub struct LockedThief<T: Send> {
    handle: Handle<T>,
}

macro_rules! locked_owner {
    ($name:ident { $($team:item)? }) => {
        impl<T: Send> $name<T> {
            /// An empty queue with room for 64 items, which grows.
            #[must_use]
            pub fn new() -> Self {
                Self::with_capacity(DEFAULT_CAPACITY)
            }

            fn of(handle: Handle<T>) -> Self {
                Self { handle, not_sync: PhantomData }
            }
        }

        impl<T: Send> Default for $name<T> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<T: Send> Owner for $name<T> {
            type Item = T;
            type Thief = LockedThief<T>;
            const PROMISE: Promise = Promise::ExactlyOnce;
            const TAKES: End = End::Young;

            fn with_capacity(capacity: usize) -> Self {
                Self::of(Handle::new(capacity))
            }

            $($team)?

            fn thief(&self) -> LockedThief<T> {
                LockedThief { handle: self.handle.clone() }
            }

            /// Never [`Full`].
            fn push(&self, item: T) -> Result<(), Full<T>> {
                self.handle.push(item);
                Ok(())
            }

            fn take(&self) -> Option<T> {
                self.handle.with(|items| items.deque.pop_back())
            }

            fn len(&self) -> usize {
                self.handle.with(|items| items.deque.len())
            }

            fn capacity(&self) -> usize {
                self.handle.with(|items| items.deque.capacity())
            }

            fn footprint(&self) -> Footprint {
                self.handle.footprint()
            }
        }

        impl<T: Send> ExactlyOnce for $name<T> {}

        impl<T: Send> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

locked_owner!(Locked {});
locked_owner!(CentralLocked {
    /// Handles of one queue with room for `workers` times `capacity` items.
    fn team(workers: usize, capacity: usize) -> Vec<Self> {
        let handle = Handle::new(workers.saturating_mul(capacity));
        (0..workers).map(|_| Self::of(handle.clone())).collect()
    }
});

impl<T: Send> Thief for LockedThief<T> {
    type Item = T;
    const STEALS: End = End::Old;
    const OWNER_TAKES: End = End::Young;

    fn steal(&self) -> Steal<T> {
        self.handle.with(|items| items.deque.pop_front()).map_or(Steal::Empty, Steal::Taken)
    }

    /// Takes the lock.
    fn len(&self) -> usize {
        self.handle.with(|items| items.deque.len())
    }
}

impl<T: Send> StealHalf for LockedThief<T> {
    fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        at_least_one(most);
        let batch: Vec<T> = self.handle.with(|items| {
            let batch = half(items.deque.len(), most);
            items.deque.drain(..batch).collect()
        });
        let stolen = batch.len();
        // The sink is the user's code, so it runs after the lock is given back. What it leaves when it panics is the
        // oldest again.
        hand_over(batch, sink, |rest| rest.rev().for_each(|item| self.handle.put_back(item)));
        if stolen == 0 { Steal::Empty } else { Steal::Taken(stolen) }
    }
}

impl<T: Send> Clone for LockedThief<T> {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone() }
    }
}

impl<T: Send> fmt::Debug for LockedThief<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockedThief").field("len", &self.len()).finish_non_exhaustive()
    }
}
