//! A program with its parameters, and how an engine comes by the type of one that it is given as an
//! [`Instance`].

use std::fmt;

use crate::engine::{Engine, On};
use crate::list::Instance;

/// A program with its parameters, ready to run.
///
/// The answer of every run is judged; the time of a run includes neither [`Problem::reset`] nor
/// [`Problem::judge`].
pub trait Problem: Send {
    /// What a run computes.
    type Answer: Send;

    /// The parameters, as [`Workload::parse`](crate::Workload::parse) takes them.
    fn parameter(&self) -> String;

    /// The number of tasks that a run spawns, whatever the engine makes of them; `None` if it differs from run to run.
    fn tasks(&self) -> Option<u64>;

    /// Makes ready for the next run. Not timed.
    fn reset(&mut self) {}

    /// The answer as text, or what is wrong with it. Not timed.
    ///
    /// # Errors
    /// The answer is wrong.
    fn judge(&mut self, answer: &Self::Answer) -> Result<String, WrongAnswer>;
}

/// Something to do with a problem that the engine `E` runs.
pub trait Visitor<E: Engine> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<P: On<E>>(self, problem: &mut P) -> Self::Output;
}

/// Some of the programs, as a type.
pub trait Roster {
    /// Which programs these are, to be said where another is asked for.
    const LIMITS: &'static str;

    /// Whether the program of `instance` is one of them.
    fn holds(instance: &Instance) -> bool;
}

/// A roster of programs all of which the engine `E` runs.
pub trait Reach<E: Engine>: Roster {
    /// Hands the problem in `instance` to `visitor`; `None` if it is not on the roster.
    fn visit<V: Visitor<E>>(instance: &mut Instance, visitor: V) -> Option<V::Output>;
}

/// An answer that differs from the known one.
#[derive(Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The known answer.
    pub expected: String,
    /// The answer of the run.
    pub got: String,
}

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
    fn a_wrong_answer_names_both_values() {
        assert_eq!(judge_equal(&7, &7), Ok("7".to_owned()));
        let wrong = judge_equal(&7, &8).unwrap_err();
        assert_eq!(wrong.to_string(), "wrong answer: 7, expected 8");
    }
}
