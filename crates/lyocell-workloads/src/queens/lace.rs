//! The program in `lace.c`, and the work of its tasks.

use super::{Board, Queens, Safe};
use crate::engine::On;
use crate::lace::{Lace, Running};

unsafe extern "C" {
    /// Lace must be running.
    fn lyocell_lace_queens(n: u32) -> u64;
}

/// [`Board::place`] for C.
#[unsafe(no_mangle)]
extern "C" fn lyocell_queens_place(board: &Board, column: u8, child: &mut Board) {
    *child = board.place(column);
}

/// [`Board::safe_columns`] for C.
#[unsafe(no_mangle)]
extern "C" fn lyocell_queens_safe_columns(board: &Board, n: u32, safe: &mut Safe) {
    *safe = board.safe_columns(n);
}

impl On<Lace> for Queens {
    fn run(&mut self, _running: &Running) -> u64 {
        // SAFETY: lace-1.
        unsafe { lyocell_lace_queens(self.n) }
    }
}
