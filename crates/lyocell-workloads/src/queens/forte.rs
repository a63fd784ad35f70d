//! The boards of a task halved until one is left.

use forte::Worker;

use super::{Board, Queens};
use crate::engine::{Forte, On};

impl On<Forte> for Queens {
    fn run(&mut self, worker: &Worker) -> u64 {
        queens(worker, self.n, &Board::EMPTY)
    }
}

fn queens(worker: &Worker, n: u32, board: &Board) -> u64 {
    if board.rows == n {
        return 1;
    }
    let safe = board.safe_columns(n);
    each(worker, n, board, safe.columns())
}

/// A task for each of `columns`.
fn each(worker: &Worker, n: u32, board: &Board, columns: &[u8]) -> u64 {
    match columns {
        [] => 0,
        &[column] => queens(worker, n, &board.place(column)),
        _ => {
            let (left, right) = columns.split_at(columns.len() / 2);
            let (a, b) = worker.join(
                |worker| each(worker, n, board, left),
                |worker| each(worker, n, board, right),
            );
            a + b
        }
    }
}
