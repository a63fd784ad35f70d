//! A program with its parameters, and the check of its answers.

use std::fmt;

/// A program with its parameters, ready to run.
///
/// The answer of every run is judged; the time of a run includes neither [`Problem::reset`] nor
/// [`Problem::judge`].
pub trait Problem: Send {
    /// What a run computes.
    type Answer: Send;

    /// The parameters, as its [`Instance`](crate::Instance) is asked for.
    fn parameter(&self) -> String;

    /// The number of tasks that a run spawns, whatever the engine makes of them; `None` if it differs from run to run.
    fn tasks(&self) -> Option<u64>;

    /// The branching depth: how many forks there are at most on one path through a run (Acar, Charguéraud and Rainey
    /// 2013, appendix A); `None` where nobody has counted it, or where it differs from run to run.
    fn branching_depth(&self) -> Option<u64> {
        None
    }

    /// Makes ready for the next run. Not timed.
    fn reset(&mut self) {}

    /// The answer as text, or what is wrong with it. Not timed.
    ///
    /// # Errors
    /// The answer is wrong.
    fn judge(&mut self, answer: &Self::Answer) -> Result<String, WrongAnswer>;
}

/// How a program, or a part of one, forks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forks {
    /// How often.
    pub joins: u64,
    /// How many there are at most on one path.
    pub depth: u64,
}

impl Forks {
    /// This, and after it that.
    #[must_use]
    pub fn then(self, next: Forks) -> Forks {
        Forks { joins: self.joins + next.joins, depth: self.depth + next.depth }
    }

    /// A fork into these two.
    #[must_use]
    pub fn of_join(first: Forks, second: Forks) -> Forks {
        let (joins, depth) = (first.joins + second.joins, first.depth.max(second.depth));
        Forks { joins: joins + 1, depth: depth + 1 }
    }
}

/// An answer that differs from the known one.
#[derive(Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The known answer.
    pub expected: String,
    /// The answer of the run.
    pub got: String,
}

impl std::error::Error for WrongAnswer {}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wrong answer: {}, expected {}", self.got, self.expected)
    }
}

/// The answer as text if it is the expected one.
pub(crate) fn judge_equal<A: PartialEq + fmt::Display>(
    got: &A,
    expected: &A,
) -> Result<String, WrongAnswer> {
    if got == expected {
        Ok(got.to_string())
    } else {
        Err(WrongAnswer { expected: expected.to_string(), got: got.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_the_forks_of_its_parts_and_of_the_deeper_branch() {
        let leaf = Forks::default();
        let fork = Forks::of_join(leaf, leaf);
        let loop_of_three = fork.then(fork).then(fork);
        assert_eq!(loop_of_three, Forks { joins: 3, depth: 3 });
        assert_eq!(Forks::of_join(loop_of_three, fork), Forks { joins: 5, depth: 4 });
    }

    #[test]
    fn a_wrong_answer_names_both_values() {
        assert_eq!(judge_equal(&7, &7), Ok("7".to_owned()));
        let wrong = judge_equal(&7, &8).unwrap_err();
        assert_eq!(wrong.to_string(), "wrong answer: 7, expected 8");
    }
}
