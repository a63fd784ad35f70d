//! The workloads: one file each, with the serial version, a parallel version per kind of engine, and
//! the known answers.
//!
//! A workload with its parameter is an [`Instance`]. Every engine runs the same [`Problem`]; the code
//! of a leaf (the board check, the child's hash, the base case of the product) is one function that
//! all engines call, the C programs of Lace included, so that engines differ in nothing but what a
//! task costs.
//!
//! The answer of every run is judged; the time of a run includes neither [`Problem::reset`] nor
//! [`Problem::judge`].

use std::fmt;

use lyocell::{Deque, Probe, Worker};

pub(crate) mod chain;
mod fib;
mod matmul;
mod queens;
mod stress;
mod uts;

pub(crate) use fib::Fib;
pub(crate) use matmul::Matmul;
pub(crate) use queens::Queens;
pub(crate) use stress::Stress;
pub(crate) use uts::Uts;

/// A computation that every engine can run.
pub(crate) trait Problem: Send {
    /// What a run computes.
    type Answer: Send;

    /// The number of tasks that a run spawns, whatever the engine makes of them.
    fn tasks(&self) -> u64;

    /// Makes ready for the next run. Not timed.
    fn reset(&mut self) {}

    /// Plain recursion: no handle, no tasks.
    fn serial(&mut self) -> Self::Answer;

    /// With Lyocell, on any deque and any probe.
    fn lyocell<D: Deque, P: Probe>(&mut self, worker: &Worker<D, P>) -> Self::Answer;

    /// With rayon; called on a worker of its pool.
    fn rayon(&mut self) -> Self::Answer;

    /// With Lace; Lace must be running.
    #[cfg(lace)]
    fn lace(&mut self) -> Self::Answer;

    /// The answer as text, or what is wrong with it. Not timed.
    fn judge(&mut self, answer: &Self::Answer) -> Result<String, WrongAnswer>;
}

/// A problem whose only way to fork is a binary join.
pub(crate) trait BinaryProblem: Problem {
    /// With chili.
    fn chili(&mut self, scope: &mut chili::Scope<'_>) -> Self::Answer;
}

/// A workload with its parameter.
pub(crate) enum Instance {
    Fib(Fib),
    Queens(Queens),
    Uts(Uts),
    Matmul(Matmul),
    Stress(Stress),
}

/// Evaluates `$body` with `$problem` bound to the problem in `$instance`, whichever it is.
macro_rules! with_problem {
    ($instance:expr, $problem:ident => $body:expr) => {
        match $instance {
            $crate::workload::Instance::Fib($problem) => $body,
            $crate::workload::Instance::Queens($problem) => $body,
            $crate::workload::Instance::Uts($problem) => $body,
            $crate::workload::Instance::Matmul($problem) => $body,
            $crate::workload::Instance::Stress($problem) => $body,
        }
    };
}
pub(crate) use with_problem;

impl Instance {
    pub(crate) fn tasks(&self) -> u64 {
        with_problem!(self, problem => problem.tasks())
    }
}

/// An entry of the registry.
pub(crate) trait Workload: Sync {
    fn name(&self) -> &'static str;

    /// One line on what it computes.
    fn summary(&self) -> &'static str;

    /// Where the workload is from.
    fn source(&self) -> &'static str;

    /// The parameters there are, in words.
    fn parameters(&self) -> String;

    /// The parameter of a workload that is named without one.
    fn default_parameter(&self) -> &'static str;

    /// The instance with parameter `parameter`. Cheap: large data is made by the first
    /// [`Problem::reset`].
    ///
    /// # Errors
    /// `parameter` is not one of [`Workload::parameters`].
    fn instance(&self, parameter: &str) -> Result<Instance, UnknownParameter>;
}

/// Every workload, in the order they are listed and run.
pub(crate) static WORKLOADS: [&dyn Workload; 5] = [
    &fib::FibWorkload,
    &queens::QueensWorkload,
    &uts::UtsWorkload,
    &matmul::MatmulWorkload,
    &stress::StressWorkload,
];

/// A parameter that a workload does not have.
#[derive(Debug)]
pub(crate) struct UnknownParameter;

/// An answer that differs from the known one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WrongAnswer {
    pub(crate) expected: String,
    pub(crate) got: String,
}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wrong answer: {}, expected {}", self.got, self.expected)
    }
}

/// The answer as text if it is the expected one.
fn judge_equal<A: PartialEq + fmt::Display>(got: &A, expected: &A) -> Result<String, WrongAnswer> {
    if got == expected {
        Ok(got.to_string())
    } else {
        Err(WrongAnswer { expected: expected.to_string(), got: got.to_string() })
    }
}

/// A number within `bounds`, written in digits only.
fn parse_number<N>(
    parameter: &str,
    bounds: std::ops::RangeInclusive<N>,
) -> Result<N, UnknownParameter>
where
    N: std::str::FromStr + PartialOrd,
{
    let digits = !parameter.is_empty() && parameter.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { parameter.parse().ok() } else { None };
    number.filter(|number| bounds.contains(number)).ok_or(UnknownParameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_bounds_and_other_text_are_refused() {
        assert_eq!(parse_number("12", 1..=20).ok(), Some(12));
        for text in ["", "-1", "+1", "0", "21", "1.5", "x", " 3", "99999999999999999999999"] {
            assert!(parse_number(text, 1..=20_u64).is_err(), "{text:?}");
        }
    }

    #[test]
    fn default_parameters_are_parameters() {
        for workload in WORKLOADS {
            assert!(workload.instance(workload.default_parameter()).is_ok(), "{}", workload.name());
        }
    }

    #[test]
    fn a_wrong_answer_names_both_values() {
        assert_eq!(judge_equal(&7, &7), Ok("7".to_owned()));
        let wrong = judge_equal(&7, &8).unwrap_err();
        assert_eq!(wrong.to_string(), "wrong answer: 7, expected 8");
    }
}
