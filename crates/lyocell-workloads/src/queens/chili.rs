//! The boards of a task halved until one is left.

use chili::Scope;

use super::{Board, Queens};
use crate::engine::{Chili, On};

impl On<Chili> for Queens {
    fn run(&mut self, scope: &mut Scope<'_>) -> u64 {
        queens(scope, self.n, &Board::EMPTY)
    }
}

fn queens(scope: &mut Scope<'_>, n: u32, board: &Board) -> u64 {
    if board.rows == n {
        return 1;
    }
    let safe = board.safe_columns(n);
    each(scope, n, board, safe.columns())
}

/// A task for each of `columns`.
fn each(scope: &mut Scope<'_>, n: u32, board: &Board, columns: &[u8]) -> u64 {
    match columns {
        [] => 0,
        &[column] => queens(scope, n, &board.place(column)),
        _ => {
            let (left, right) = columns.split_at(columns.len() / 2);
            let (a, b) = scope
                .join(|scope| each(scope, n, board, left), |scope| each(scope, n, board, right));
            a + b
        }
    }
}
