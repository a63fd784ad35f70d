//! Queens as bags of boards.

use crate::{Bag, every_second};
use lyocell_workloads::{Queens, QueensBoard};
use serde::{Deserialize, Serialize};

/// Boards with some queens on them, in whose other rows queens are yet to be placed, the oldest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct Boards {
    problem: Queens,
    boards: Vec<QueensBoard>,
}

impl Boards {
    /// The empty board.
    pub fn empty(problem: Queens) -> Boards {
        Boards { problem, boards: vec![problem.board()] }
    }
}

impl Bag for Boards {
    /// The number of solutions.
    type Total = u64;

    fn work(&mut self, at_most: usize, solutions: &mut u64) -> usize {
        for worked in 0..at_most {
            let Some(board) = self.boards.pop() else { return worked };
            *solutions += u64::from(self.problem.place(&board, |child| self.boards.push(child)));
        }
        at_most
    }

    fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    fn split(&mut self) -> Option<Boards> {
        let boards = every_second(&mut self.boards)?;
        Some(Boards { problem: self.problem, boards })
    }

    fn merge(&mut self, other: Boards) {
        self.boards.splice(..0, other.boards);
    }
}
