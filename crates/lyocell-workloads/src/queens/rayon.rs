//! The boards of a task halved until one is left.

use super::{Board, Queens};
use crate::engine::{On, Rayon};

impl On<Rayon> for Queens {
    fn run(&mut self, (): ()) -> u64 {
        queens(self.n, &Board::EMPTY)
    }
}

fn queens(n: u32, board: &Board) -> u64 {
    if board.rows == n {
        return 1;
    }
    let safe = board.safe_columns(n);
    each(n, board, safe.columns())
}

/// A task for each of `columns`.
fn each(n: u32, board: &Board, columns: &[u8]) -> u64 {
    match columns {
        [] => 0,
        &[column] => queens(n, &board.place(column)),
        _ => {
            let (left, right) = columns.split_at(columns.len() / 2);
            let (a, b) = rayon::join(|| each(n, board, left), || each(n, board, right));
            a + b
        }
    }
}
