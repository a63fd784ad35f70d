//! Programs of the benchmark as bags: what the program `lyocell-ranks` runs, and two examples of bags.

mod queens;
mod uts;

pub use queens::Boards;
pub use uts::{Found, Nodes};

use crate::{Bag, Total};
use lyocell_workloads::{Problem, Queens, Uts, WrongAnswer};
use std::fmt;
use std::str::FromStr;

/// A program with its parameter.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// The unbalanced tree search.
    Uts(Uts),
    /// Placing queens.
    Queens(Queens),
}

/// A program that is run as bags.
pub trait Ranked: Problem + Copy + Send + Sync {
    /// Its items.
    type Bag: Bag<Total = Self::Sum>;

    /// What all items come to.
    type Sum: Total;

    /// What it is called on a command line, with its parameter: ranks that run another do not agree.
    fn name(self) -> String;

    /// The bag that all others come of.
    fn first(self) -> Self::Bag;

    /// The answer as text, or what is wrong with it.
    ///
    /// # Errors
    /// The answer is wrong.
    fn judge_sum(self, sum: Self::Sum) -> Result<String, WrongAnswer>;

    /// How many items there are, the first among them; 1 if nobody has counted them.
    fn items(self) -> u64 {
        self.tasks().unwrap_or(0) + 1
    }
}

impl Ranked for Uts {
    type Bag = Nodes;
    type Sum = Found;

    fn name(self) -> String {
        format!("uts:{}", self.parameter())
    }

    fn first(self) -> Nodes {
        Nodes::root(self.tree())
    }

    fn judge_sum(mut self, sum: Found) -> Result<String, WrongAnswer> {
        self.judge(&sum.0)
    }
}

impl Ranked for Queens {
    type Bag = Boards;
    type Sum = u64;

    fn name(self) -> String {
        format!("queens:{}", self.parameter())
    }

    fn first(self) -> Boards {
        Boards::empty(self)
    }

    fn judge_sum(mut self, sum: u64) -> Result<String, WrongAnswer> {
        self.judge(&sum)
    }
}

/// A program that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProgram(String);

impl fmt::Display for UnknownProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trees = Uts::names().collect::<Vec<_>>().join(", ");
        write!(
            f,
            "unknown program {:?}: there are uts:TREE (one of {trees}) and queens:N (N from 1 to 15)",
            self.0
        )
    }
}

impl std::error::Error for UnknownProgram {}

impl FromStr for Program {
    type Err = UnknownProgram;

    fn from_str(text: &str) -> Result<Program, UnknownProgram> {
        let program = match text.split_once(':') {
            Some(("uts", tree)) => Uts::named_for_bags(tree).map(Program::Uts),
            Some(("queens", n)) => n.parse().ok().and_then(Queens::with).map(Program::Queens),
            _ => None,
        };
        program.ok_or_else(|| UnknownProgram(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_program_is_told_what_there_is() {
        for text in ["", "uts", "uts:T9", "queens:16", "queens:0", "queens:-1", "fib:30"] {
            let error = text.parse::<Program>().unwrap_err().to_string();
            assert!(error.contains(&format!("{text:?}")) && error.contains("T1XL"), "{error}");
        }
        assert!("uts:T1XL".parse::<Program>().is_ok() && "queens:15".parse::<Program>().is_ok());
    }
}
