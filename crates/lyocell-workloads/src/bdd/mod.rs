//! BDD: the binary decision diagram of all ways to place N queens, one conjunction after the other, with a table of
//! nodes and one of results that all workers share. This is what Lace was made for: it is the runtime of the package
//! Sylvan (van Dijk and van de Pol, 2015).
//!
//! A variable is a square of the board, row after row. The diagrams of small clauses are conjoined from the first row to
//! the last: "a queen on this square, and so on none that it attacks", for each square, and "a queen in this row". A
//! task is the conjunction of two cofactors; it is about a hundred nanoseconds of hashing and waiting for memory. Which
//! results are still in the table when they are needed again depends on who comes first, so the number of tasks differs
//! from run to run. The program is written once for all engines ([`fork`](crate::fork)), generic over their joins.
//!
//! Reduced ordered diagrams are unique, so the number of nodes of the answer is known, as well as that of solutions.
//!
//! - `unique.rs`: the nodes there are, each once.
//! - `results.rs`: conjunctions that were computed.
//! - `diagram.rs`: conjunction, and what can be counted in a diagram.

mod diagram;
mod results;
mod unique;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::fork::{Fork, Solve};
use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, Workload, parse_number, within};
use diagram::Diagrams;
use unique::{FALSE, Id, TRUE};

/// 11 queens make six million nodes on the way; their tables have 16 million places for nodes and as many for results.
const BOUNDS: RangeInclusive<u32> = 1..=11;

/// Of the diagram for 1, 2, … queens: its nodes but the two ends, as counted by the tests in another way, and the
/// solutions (OEIS A000170).
const KNOWN: [Size; 11] = [
    Size { nodes: 1, solutions: 1 },
    Size { nodes: 0, solutions: 0 },
    Size { nodes: 0, solutions: 0 },
    Size { nodes: 29, solutions: 2 },
    Size { nodes: 167, solutions: 10 },
    Size { nodes: 129, solutions: 4 },
    Size { nodes: 1_099, solutions: 40 },
    Size { nodes: 2_451, solutions: 92 },
    Size { nodes: 9_557, solutions: 352 },
    Size { nodes: 25_945, solutions: 724 },
    Size { nodes: 94_822, solutions: 2_680 },
];

pub(crate) static PROGRAM: Program<Bdd> = Program {
    workload: Workload {
        name: "bdd",
        summary: "decision diagram of N queens, tables shared by all workers; tasks differ from run to run",
        source: "Sylvan, van Dijk and van de Pol 2015; Bryant 1986",
        parameters: || format!("N from {} to {}", BOUNDS.start(), BOUNDS.end()),
        default_parameter: "9",
    },
    small: || Ok(Bdd::new(4)),
    parse: |parameter| Ok(Bdd::new(parse_number(parameter, BOUNDS)?)),
};

/// The decision diagram of the ways to place some queens.
#[derive(Clone, Debug)]
pub struct Bdd {
    n: u32,
    /// Made by the first use, and empty at the beginning of a run.
    diagrams: Option<Arc<Diagrams>>,
    answer: Id,
}

/// What a diagram has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    /// But the two ends.
    nodes: u64,
    solutions: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes={} solutions={}", self.nodes, self.solutions)
    }
}

impl Bdd {
    /// Of `n` queens.
    ///
    /// # Panics
    /// If `n` is not 1 to 11.
    pub fn new(n: u32) -> Bdd {
        Bdd { n: within(n, BOUNDS), diagrams: None, answer: FALSE }
    }

    fn diagrams(&mut self) -> &Arc<Diagrams> {
        self.diagrams.get_or_insert_with(|| Arc::new(Diagrams::new(self.n)))
    }
}

/// "A queen on this square, and so on none of the later ones that it attacks."
fn peace(diagrams: &Diagrams, n: u32, square: u32) -> Id {
    let attacked = |&other: &u32| {
        let rows = (other / n).abs_diff(square / n);
        let columns = (other % n).abs_diff(square % n);
        rows == 0 || columns == 0 || rows == columns
    };
    let later = (square + 1..n * n).rev().filter(attacked);
    let none = later.fold(TRUE, |rest, other| diagrams.node(other, rest, FALSE));
    diagrams.node(square, TRUE, none)
}

/// "A queen in this row."
fn queen(diagrams: &Diagrams, n: u32, row: u32) -> Id {
    let squares = (row * n..(row + 1) * n).rev();
    squares.fold(FALSE, |rest, square| diagrams.node(square, rest, TRUE))
}

impl Solve for Bdd {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        let n = self.n;
        let diagrams = Arc::clone(self.diagrams());
        let mut all = TRUE;
        for row in 0..n {
            all = diagrams.and(fork, all, queen(&diagrams, n, row));
            for square in row * n..(row + 1) * n {
                all = diagrams.and(fork, all, peace(&diagrams, n, square));
            }
        }
        self.answer = all;
    }
}

impl Problem for Bdd {
    /// The answer is in the problem.
    type Answer = ();

    fn parameter(&self) -> String {
        self.n.to_string()
    }

    /// They depend on who finds which result.
    fn tasks(&self) -> Option<u64> {
        None
    }

    /// Forgets all nodes and results.
    fn reset(&mut self) {
        self.answer = FALSE;
        // No run is going on, so nobody else has them.
        match self.diagrams.as_mut().and_then(Arc::get_mut) {
            Some(diagrams) => diagrams.clear(),
            None => self.diagrams = Some(Arc::new(Diagrams::new(self.n))),
        }
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let (n, answer) = (self.n, self.answer);
        let diagrams = self.diagrams();
        let nodes = diagrams.nodes_of(answer);
        let got = Size { nodes, solutions: diagrams.solutions(answer, n * n) };
        judge_equal(&got, &KNOWN[n as usize - 1])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::{On, Serial};

    fn solved(n: u32) -> Bdd {
        let mut bdd = Bdd::new(n);
        bdd.reset();
        On::<Serial>::run(&mut bdd, ());
        bdd
    }

    #[test]
    fn diagrams_have_the_known_sizes() {
        for n in 1..=7 {
            let mut bdd = solved(n);
            assert!(bdd.judge(&()).is_ok(), "{n}: {:?}", bdd.judge(&()));
        }
    }

    /// All ways to place `n` queens, as sets of squares.
    fn placements(n: u32) -> Vec<u128> {
        fn place(n: u32, row: u32, taken: &mut Vec<u32>, all: &mut Vec<u128>) {
            if row == n {
                return all.push(taken.iter().fold(0, |set, square| set | 1 << square));
            }
            for column in 0..n {
                let free = taken.iter().all(|square| {
                    let (rows, columns) = (row - square / n, column.abs_diff(square % n));
                    columns != 0 && columns != rows
                });
                if free {
                    taken.push(row * n + column);
                    place(n, row + 1, taken, all);
                    taken.pop();
                }
            }
        }
        let mut all = Vec::new();
        place(n, 0, &mut Vec::new(), &mut all);
        all
    }

    /// The nodes of the diagram of some sets, by its definition: for each variable, the different functions that are
    /// left when those before it are known, and that depend on it.
    fn nodes_by_definition(sets: &[u128], variables: u32) -> u64 {
        let mut nodes = 0;
        let mut functions: HashSet<Vec<u128>> = HashSet::from([sets.to_vec()]);
        for variable in 0..variables {
            let mut next = HashSet::new();
            for function in functions {
                let with = |bit: u128| -> Vec<u128> {
                    let kept = function.iter().filter(|&set| set >> variable & 1 == bit);
                    let mut kept: Vec<u128> = kept.map(|set| set & !(1 << variable)).collect();
                    kept.sort_unstable();
                    kept
                };
                let (low, high) = (with(0), with(1));
                nodes += u64::from(low != high);
                next.extend([low, high]);
            }
            functions = next;
        }
        nodes
    }

    #[test]
    fn the_known_sizes_are_those_of_the_definition() {
        for n in 1..=11 {
            let sets = placements(n);
            let size =
                Size { nodes: nodes_by_definition(&sets, n * n), solutions: sets.len() as u64 };
            assert_eq!(size, KNOWN[n as usize - 1], "{n}");
        }
    }

    #[test]
    fn a_diagram_with_a_clause_left_out_is_refused() {
        let mut bdd = solved(5);
        let (right, diagrams) = (bdd.answer, Arc::clone(bdd.diagrams()));
        bdd.answer = diagrams.and(&mut crate::fork::Alone, right, diagrams.node(0, TRUE, FALSE));
        assert!(bdd.judge(&()).is_err());
        bdd.answer = right;
        assert!(bdd.judge(&()).is_ok());
    }

    #[test]
    fn joins_that_share_tables_find_the_one_diagram() {
        let pool = lyocell::Pool::builder().workers(4).build().unwrap();
        for _ in 0..20 {
            let mut bdd = Bdd::new(5);
            bdd.reset();
            pool.run(|worker| bdd.solve(&mut crate::fork::OnWorker(worker)));
            assert!(bdd.judge(&()).is_ok(), "{:?}", bdd.judge(&()));
        }
    }
}
