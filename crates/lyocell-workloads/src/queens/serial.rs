//! Plain recursion.

use super::{Board, Queens};
use crate::engine::{On, Serial};

impl On<Serial> for Queens {
    fn run(&mut self, (): ()) -> u64 {
        queens(self.n, &Board::EMPTY)
    }
}

fn queens(n: u32, board: &Board) -> u64 {
    if board.rows == n {
        return 1;
    }
    let safe = board.safe_columns(n);
    safe.columns().iter().map(|&column| queens(n, &board.place(column))).sum()
}
