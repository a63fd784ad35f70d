//! Queens: a task for each correct board, as in the program that is measured; the boards as bit masks.

use crate::programs::Known;
use lyocell::{Deque, Probe, Worker};
use lyocell_virtual::work;

/// A board of so many rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queens(u32);

/// What the queens of a board attack on its next row: a bit for each column.
#[derive(Clone, Copy, Default)]
struct Attacked {
    straight: u32,
    left: u32,
    right: u32,
}

impl Attacked {
    fn all(self) -> u32 {
        self.straight | self.left | self.right
    }

    /// With a queen on this column, as the row after sees it.
    fn with(self, column: u32) -> Attacked {
        Attacked {
            straight: self.straight | column,
            left: (self.left | column) << 1,
            right: (self.right | column) >> 1,
        }
    }
}

impl Queens {
    /// So many that a walk over all boards takes less than a second.
    pub(crate) fn new(rows: u64) -> Option<Queens> {
        (1..=13).contains(&rows).then_some(Queens(rows as u32))
    }

    /// The columns of the next row that are safe, the first one first.
    fn safe(self, attacked: Attacked) -> impl Iterator<Item = u32> + Clone {
        (0..self.0).map(|column| 1 << column).filter(move |column| attacked.all() & column == 0)
    }

    /// In how many ways they stand; each board takes so long.
    pub(crate) fn count<D: Deque, P: Probe>(self, w: &Worker<D, P>, task: u64) -> u64 {
        self.below(w, (0, Attacked::default()), task)
    }

    fn below<D: Deque, P: Probe>(
        self,
        w: &Worker<D, P>,
        (row, attacked): (u32, Attacked),
        task: u64,
    ) -> u64 {
        work(task);
        if row == self.0 {
            return 1;
        }
        let safe = self.safe(attacked);
        let place = |w: &Worker<D, P>, index: usize| {
            let column = safe.clone().nth(index).expect("it is one of those that were counted");
            self.below(w, (row + 1, attacked.with(column)), task)
        };
        w.join_range(0..safe.clone().count(), 0, place, |a, b| a + b)
    }

    /// What is known of them: by a walk.
    pub(crate) fn known(self, task: u64) -> Known {
        let (answer, boards) = self.walk(0, Attacked::default());
        let rows = u64::from(self.0);
        Known { answer, work: boards * task, span: (rows + 1) * task, depth: rows }
    }

    /// The solutions and the boards from this one on.
    fn walk(self, row: u32, attacked: Attacked) -> (u64, u64) {
        if row == self.0 {
            return (1, 1);
        }
        let below = self.safe(attacked).map(|column| self.walk(row + 1, attacked.with(column)));
        below.fold((0, 1), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many boards as the programs that are measured have tasks, and the empty one.
    #[test]
    fn there_are_as_many_boards_as_is_known() {
        for (rows, solutions, tasks) in [(8, 92, 2_056), (10, 724, 35_538)] {
            let known = Queens(rows).known(2);
            assert_eq!((known.answer, known.work), (solutions, 2 * (tasks + 1)));
        }
        assert!(Queens::new(0).is_none() && Queens::new(14).is_none());
    }
}
