//! Boards by value, for engines that carry them in bags, also to other machines.

use super::{BOUNDS, Board, COLUMNS, Queens};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A board with queens on some rows, none of which attacks another.
#[derive(Clone, Copy)]
pub struct QueensBoard(Board);

impl fmt::Debug for QueensBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.columns.iter().take(self.0.rows as usize);
        f.debug_tuple("QueensBoard").field(&columns.collect::<Vec<_>>()).finish()
    }
}

impl Queens {
    /// `n` queens, if `n` is 1 to 15.
    pub fn with(n: u32) -> Option<Queens> {
        BOUNDS.contains(&n).then_some(Queens { n })
    }

    /// The board without queens.
    pub fn board(&self) -> QueensBoard {
        QueensBoard(Board::EMPTY)
    }

    /// Places a queen on the next row in each way that is safe, and hands these boards out. Returns whether the board is full, and
    /// so a solution.
    #[inline]
    pub fn place(&self, board: &QueensBoard, mut child: impl FnMut(QueensBoard)) -> bool {
        if board.0.rows == self.n {
            return true;
        }
        for &column in board.0.safe_columns(self.n).columns() {
            child(QueensBoard(board.0.place(column)));
        }
        false
    }
}

impl Serialize for Queens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.n.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Queens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Queens, D::Error> {
        let n = u32::deserialize(deserializer)?;
        Queens::with(n)
            .ok_or_else(|| D::Error::custom(format!("{n} queens, where there are 1 to 15")))
    }
}

impl Serialize for QueensBoard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0.rows as u8, self.0.columns).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for QueensBoard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<QueensBoard, D::Error> {
        let (rows, columns): (u8, [u8; COLUMNS]) = Deserialize::deserialize(deserializer)?;
        if usize::from(rows) > COLUMNS {
            return Err(D::Error::custom(format!(
                "a board with queens on {rows} rows of {COLUMNS}"
            )));
        }
        Ok(QueensBoard(Board { columns, rows: u32::from(rows) }))
    }
}
