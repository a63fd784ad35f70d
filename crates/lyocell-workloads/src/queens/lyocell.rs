//! The boards of a task as one frame.

use lyocell::{Deque, Probe, Worker};

use super::{Board, Queens};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Queens {
    fn run(&mut self, worker: &Worker<D, P>) -> u64 {
        queens(worker, self.n, &Board::EMPTY)
    }
}

fn queens<D: Deque, P: Probe>(worker: &Worker<D, P>, n: u32, board: &Board) -> u64 {
    if board.rows == n {
        return 1;
    }
    let safe = board.safe_columns(n);
    worker.join_range(
        0..safe.count as usize,
        0,
        |worker, index| queens(worker, n, &board.place(safe.columns[index])),
        |a, b| a + b,
    )
}
