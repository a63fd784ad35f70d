//! Programs of the benchmark as bags: what the program `lyocell-ranks` runs, and two examples of bags.

mod queens;
mod uts;

pub use queens::Boards;
pub use uts::{Found, Nodes};

use lyocell_workloads::{Queens, Uts};
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
