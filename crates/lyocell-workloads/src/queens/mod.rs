//! Queens: in how many ways can N queens stand on an N × N board so that none attacks another?
//!
//! "Each task at depth i spawns up to N new tasks, one for every correct board after placing a queen
//! on row i" (van Dijk and van de Pol, "Lace", 2014, section 4; the program is Cilk's). Every correct
//! board with at least one queen is a task: 171,129,071 of them for N = 15, as in the paper.
//!
//! A departure: Cilk's program checks every pair of queens of a new board, we check the new queen
//! against those before it, since these are known to be at peace. The tasks are the same, each is
//! several times finer, so scheduling shows more.
//!
//! A board is a small array by value, on the stack of its task: nothing is allocated. `serial`,
//! `lyocell` (`join_range`) and `lace` (a loop of SPAWN, a loop of SYNC) spawn the boards of a task
//! as one frame. rayon and chili have no such frame that does not allocate per task: there the boards of a
//! task are halved with their `join` until one is left, one join fewer than boards. The programs in C have
//! the boards in C too (`board.h`).

mod chili;
#[cfg(feature = "forte")]
mod forte;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod rival;
mod serial;
#[cfg(lace)]
mod serial_c;

use std::ops::RangeInclusive;

use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, Workload, parse_number, within};

// bags: begin
mod items;
pub use items::QueensBoard;
// bags: end

/// The number of solutions (OEIS A000170) and of tasks for N = 1, 2, …; the tasks were counted by a
/// program of its own, with boards as bit masks, and for 15 they are the paper's.
const KNOWN: [Counts; 15] = [
    Counts { solutions: 1, tasks: 1 },
    Counts { solutions: 0, tasks: 2 },
    Counts { solutions: 0, tasks: 5 },
    Counts { solutions: 2, tasks: 16 },
    Counts { solutions: 10, tasks: 53 },
    Counts { solutions: 4, tasks: 152 },
    Counts { solutions: 40, tasks: 551 },
    Counts { solutions: 92, tasks: 2_056 },
    Counts { solutions: 352, tasks: 8_393 },
    Counts { solutions: 724, tasks: 35_538 },
    Counts { solutions: 2_680, tasks: 166_925 },
    Counts { solutions: 14_200, tasks: 856_188 },
    Counts { solutions: 73_712, tasks: 4_674_889 },
    Counts { solutions: 365_596, tasks: 27_358_552 },
    Counts { solutions: 2_279_184, tasks: 171_129_071 },
];

const BOUNDS: RangeInclusive<u32> = 1..=15;

/// Columns of a board: a power of two above the largest N, so that copying one is one move.
const COLUMNS: usize = 16;

struct Counts {
    solutions: u64,
    tasks: u64,
}

pub(crate) static PROGRAM: Program<Queens> = Program {
    workload: Workload {
        name: "queens",
        summary: "ways to place N queens; a task for every correct board",
        source: "Cilk; van Dijk and van de Pol 2014, section 4",
        parameters: || format!("N from {} to {}", BOUNDS.start(), BOUNDS.end()),
        default_parameter: "12",
    },
    small: || Ok(Queens::new(6)),
    parse: |parameter| Ok(Queens { n: parse_number(parameter, BOUNDS)? }),
};

/// The ways to place some queens.
#[derive(Clone, Copy, Debug)]
pub struct Queens {
    n: u32,
}

impl Queens {
    /// `n` queens, on n rows and columns.
    ///
    /// # Panics
    /// If `n` is not 1 to 15.
    pub fn new(n: u32) -> Queens {
        Queens { n: within(n, BOUNDS) }
    }

    fn counts(&self) -> &'static Counts {
        &KNOWN[self.n as usize - 1]
    }
}

impl Problem for Queens {
    type Answer = u64;

    fn parameter(&self) -> String {
        self.n.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.counts().tasks)
    }

    fn judge(&mut self, answer: &u64) -> Result<String, WrongAnswer> {
        judge_equal(answer, &self.counts().solutions)
    }
}

/// A board with queens on its first `rows` rows; `columns[row]` is the column of the queen on `row`.
#[derive(Clone, Copy)]
struct Board {
    columns: [u8; COLUMNS],
    rows: u32,
}

/// The columns on which the next queen is not attacked.
struct Safe {
    columns: [u8; COLUMNS],
    count: u32,
}

impl Safe {
    #[inline]
    fn columns(&self) -> &[u8] {
        &self.columns[..self.count as usize]
    }
}

impl Board {
    const EMPTY: Board = Board { columns: [0; COLUMNS], rows: 0 };

    #[inline]
    fn place(&self, column: u8) -> Board {
        let mut child = *self;
        child.columns[self.rows as usize] = column;
        child.rows += 1;
        child
    }

    /// The leaf work of a task. Never inlined, so that it is the same code for every engine in Rust.
    #[inline(never)]
    fn safe_columns(&self, n: u32) -> Safe {
        let mut safe = Safe { columns: [0; COLUMNS], count: 0 };
        for column in 0..n as u8 {
            if self.is_safe(column) {
                safe.columns[safe.count as usize] = column;
                safe.count += 1;
            }
        }
        safe
    }

    /// Whether no queen attacks `column` of the next row.
    fn is_safe(&self, column: u8) -> bool {
        let placed = &self.columns[..self.rows as usize];
        placed.iter().rev().zip(1_u8..).all(|(&other, distance)| {
            other != column && other != column + distance && other + distance != column
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    /// The number of correct boards with at least one queen more than `board`.
    fn boards_after(n: u32, board: &Board) -> u64 {
        if board.rows == n {
            return 0;
        }
        let safe = board.safe_columns(n);
        safe.columns().iter().map(|&column| 1 + boards_after(n, &board.place(column))).sum()
    }

    #[test]
    fn solutions_and_tasks_are_the_known_ones() {
        for (n, known) in (1..=10).zip(&KNOWN) {
            let solutions = On::<Serial>::run(&mut Queens::new(n), ());
            assert_eq!(solutions, known.solutions, "solutions for {n}");
            assert_eq!(boards_after(n, &Board::EMPTY), known.tasks, "tasks for {n}");
        }
    }

    #[test]
    fn a_queen_attacks_its_column_and_both_diagonals() {
        let board = Board::EMPTY.place(3).place(5);
        assert_eq!(board.safe_columns(8).columns(), [0, 2, 7]);
    }

    #[test]
    fn a_wrong_count_is_refused() {
        assert!(Queens::new(8).judge(&92).is_ok());
        assert!(Queens::new(8).judge(&93).is_err());
    }
}
