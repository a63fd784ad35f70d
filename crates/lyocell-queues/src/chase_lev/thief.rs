//! A thief's handle: steals one item, or a batch.

use super::Shared;
use super::order::{TakeOrder, YoungestFirst};
use super::resize::Resize;
use crate::array::{Array, Ring};
use crate::batch::{at_least_one, half, steal_one_by_one};
use crate::board::Seat;
use crate::index::chase_lev::Sight;
use crate::queue::{End, StealHalf, Thief};
use crate::returned::Returned;
use crate::steal::Steal;
use lyocell_sync::Arc;
use std::fmt;
use std::marker::PhantomData;

/// A thief's handle of a [`ChaseLev`](crate::ChaseLev), a [`Fifo`](crate::Fifo) or their shrinking forms.
pub struct ChaseLevThief<T: Send, R: Resize, O: TakeOrder = YoungestFirst> {
    shared: Arc<Shared<T>>,
    home: *const Seat<Array<T>>,
    kind: PhantomData<(R, O)>,
}

// SAFETY: `home` is a notice that `shared` keeps alive, and threads may meet at it (board-3, board-5).
unsafe impl<T: Send, R: Resize, O: TakeOrder> Send for ChaseLevThief<T, R, O> {}
// SAFETY: as above.
unsafe impl<T: Send, R: Resize, O: TakeOrder> Sync for ChaseLevThief<T, R, O> {}

impl<T: Send, R: Resize, O: TakeOrder> ChaseLevThief<T, R, O> {
    pub(super) fn new(shared: &Arc<Shared<T>>) -> Self {
        Self { home: shared.board.seat(), shared: Arc::clone(shared), kind: PhantomData }
    }

    /// Tries to win what was seen, and to read it from the array.
    #[inline]
    fn seize<Read>(
        &self,
        sight: &Sight,
        win: impl FnOnce() -> bool,
        read: impl FnOnce(Ring<T>) -> Read,
    ) -> Option<Read> {
        let array = &*self.shared.array;
        // SAFETY: `home` is of this board.
        let (_posted, found) = unsafe {
            self.shared.board.post(self.home, |notice| R::post(array, notice, sight.index))
        };
        // SAFETY: chase_lev-4; what is posted is withdrawn after the reading, and keeps the owner from writing the slots
        // until then (chase_lev-2).
        R::confirm(array, found).filter(|_| win()).map(|array| read(unsafe { (*array).ring() }))
    }

    /// Tries to win the oldest index seen and to read it.
    #[inline]
    fn claim(&self, sight: &Sight) -> Option<T> {
        // SAFETY: chase_lev-4 for the array, index/chase_lev-3 for the item.
        self.seize(
            sight,
            || self.shared.ends.claim(sight),
            |ring| unsafe { ring.read(sight.index) },
        )
    }

    /// A batch in one step.
    fn steal_at_once(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        let Some(sight) = self.shared.ends.look() else {
            return self.shared.returned.steal_one(sink);
        };
        let count = half(sight.len, most);
        let win = || self.shared.ends.claim_some(&sight, count);
        let stolen = self.seize(&sight, win, |ring| {
            Claimed { ring, first: sight.index, left: count, returned: &self.shared.returned }
                .for_each(sink);
        });
        stolen.map_or(Steal::Busy, |()| Steal::Taken(count))
    }
}

/// Items that a thief has claimed and has not read yet. What is not read when this is dropped comes back (chase_lev-5).
struct Claimed<'a, T> {
    ring: Ring<T>,
    first: usize,
    left: usize,
    returned: &'a Returned<T>,
}

impl<T> Iterator for Claimed<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        let index = self.first;
        self.first = index.wrapping_add(1);
        // SAFETY: chase_lev-4 for the array, index/chase_lev-4 for the item, and each is read once.
        Some(unsafe { self.ring.read(index) })
    }
}

impl<T> Drop for Claimed<'_, T> {
    fn drop(&mut self) {
        if self.left > 0 {
            let rest: Vec<T> = self.collect();
            self.returned.put_back(rest.into_iter());
        }
    }
}

impl<T: Send, R: Resize, O: TakeOrder> Thief for ChaseLevThief<T, R, O> {
    type Item = T;
    const STEALS: End = End::Old;
    const OWNER_TAKES: End = O::TAKES;

    #[inline]
    fn steal(&self) -> Steal<T> {
        match self.shared.ends.look() {
            None => self.shared.returned.take().map_or(Steal::Empty, Steal::Taken),
            Some(sight) => self.claim(&sight).map_or(Steal::Busy, Steal::Taken),
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.shared.len_seen()
    }
}

impl<T: Send, R: Resize, O: TakeOrder> StealHalf for ChaseLevThief<T, R, O> {
    fn steal_up_to(&self, most: usize, sink: impl FnMut(T)) -> Steal<usize> {
        at_least_one(most);
        match O::TAKES {
            End::Young => {
                let look = || self.shared.ends.look().map(|sight| (sight.len, sight));
                steal_one_by_one(look, |sight| self.claim(&sight), most, sink)
            }
            End::Old => self.steal_at_once(most, sink),
        }
    }
}

impl<T: Send, R: Resize, O: TakeOrder> Clone for ChaseLevThief<T, R, O> {
    fn clone(&self) -> Self {
        Self::new(&self.shared)
    }
}

impl<T: Send, R: Resize, O: TakeOrder> Drop for ChaseLevThief<T, R, O> {
    fn drop(&mut self) {
        // SAFETY: board-3; `shared` holds the board, and this handle the notice.
        unsafe { self.shared.board.vacate(self.home) };
    }
}

impl<T: Send, R: Resize, O: TakeOrder> fmt::Debug for ChaseLevThief<T, R, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaseLevThief").field("len", &self.len()).finish_non_exhaustive()
    }
}
