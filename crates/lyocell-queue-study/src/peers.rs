//! The peers: `crossbeam-deque` and `st3`, as the pool needs them.
//!
//! Both tell nothing of their arrays. From both one node is stolen at a time, as from ours: `st3` is made for
//! batches, and its thieves need a queue of their own to put the rest of a batch into; ours stays empty.

use crossbeam_deque as crossbeam;
use lyocell_queues::{Footprint, Steal};

use super::queue::{PoolQueue, PoolThief};

/// `crossbeam-deque`, last in, first out for the owner.
pub(super) struct Crossbeam<T>(crossbeam::Worker<T>);

pub(super) struct CrossbeamThief<T>(crossbeam::Stealer<T>);

impl<T: Send> PoolQueue for Crossbeam<T> {
    type Item = T;
    type Thief = CrossbeamThief<T>;

    /// It grows from a size of its own.
    fn team(workers: usize, _capacity: usize) -> Vec<Self> {
        (0..workers).map(|_| Crossbeam(crossbeam::Worker::new_lifo())).collect()
    }

    fn thief(&self) -> CrossbeamThief<T> {
        CrossbeamThief(self.0.stealer())
    }

    #[inline(always)]
    fn push(&self, item: T) -> Result<(), T> {
        self.0.push(item);
        Ok(())
    }

    #[inline(always)]
    fn take(&self) -> Option<T> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn footprint(&self) -> Option<Footprint> {
        None
    }
}

impl<T: Send> PoolThief for CrossbeamThief<T> {
    type Item = T;

    #[inline(always)]
    fn steal(&self) -> Steal<T> {
        match self.0.steal() {
            crossbeam::Steal::Success(item) => Steal::Taken(item),
            crossbeam::Steal::Empty => Steal::Empty,
            crossbeam::Steal::Retry => Steal::Busy,
        }
    }
}

/// `st3`, last in, first out for the owner; bounded.
pub(super) struct St3<T>(st3::lifo::Worker<T>);

pub(super) struct St3Thief<T> {
    stealer: st3::lifo::Stealer<T>,
    /// Where the rest of a batch would go.
    rest: st3::lifo::Worker<T>,
}

impl<T: Send> PoolQueue for St3<T> {
    type Item = T;
    type Thief = St3Thief<T>;

    fn team(workers: usize, capacity: usize) -> Vec<Self> {
        (0..workers).map(|_| St3(st3::lifo::Worker::new(capacity))).collect()
    }

    fn thief(&self) -> St3Thief<T> {
        const SMALLEST: usize = 1;
        St3Thief { stealer: self.0.stealer(), rest: st3::lifo::Worker::new(SMALLEST) }
    }

    #[inline(always)]
    fn push(&self, item: T) -> Result<(), T> {
        self.0.push(item)
    }

    #[inline(always)]
    fn take(&self) -> Option<T> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.capacity() - self.0.spare_capacity()
    }

    fn footprint(&self) -> Option<Footprint> {
        None
    }
}

impl<T: Send> PoolThief for St3Thief<T> {
    type Item = T;

    #[inline(always)]
    fn steal(&self) -> Steal<T> {
        match self.stealer.steal_and_pop(&self.rest, |_| 1) {
            Ok((item, _)) => Steal::Taken(item),
            Err(st3::StealError::Empty) => Steal::Empty,
            Err(st3::StealError::Busy) => Steal::Busy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Owner at the young end, thief at the old, one at a time.
    fn behaves<Q: PoolQueue<Item = u32>>() {
        let team = Q::team(2, 8);
        assert_eq!(team.len(), 2);
        let (queue, thief) = (&team[0], team[0].thief());
        (1..=4).for_each(|item| queue.push(item).unwrap());
        assert_eq!(queue.len(), 4);
        assert_eq!(thief.steal(), Steal::Taken(1));
        assert_eq!(queue.take(), Some(4));
        assert_eq!(thief.steal(), Steal::Taken(2));
        assert_eq!(queue.take(), Some(3));
        assert_eq!((queue.take(), thief.steal()), (None, Steal::Empty));
        assert_eq!(team[1].len(), 0);
    }

    #[test]
    fn crossbeam_behaves() {
        behaves::<Crossbeam<u32>>();
    }

    #[test]
    fn st3_behaves_and_gives_back_what_does_not_fit() {
        behaves::<St3<u32>>();
        let queue = St3::team(1, 2).remove(0);
        assert_eq!((queue.push(1), queue.push(2), queue.push(3)), (Ok(()), Ok(()), Err(3)));
    }
}
