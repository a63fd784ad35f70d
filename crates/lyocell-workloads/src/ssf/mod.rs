//! Substring finder: for each place in a string, from which other place the longest substring starts that both share.
//!
//! The `ssf` of Faxén, "Efficient Work Stealing for Fine Grained Parallelism" (Wool, 2010), section IV-A, after an
//! example of Intel's TBB. The string is the Nth Fibonacci string: s₀ = a, s₁ = b, sₙ = sₙ₋₁sₙ₋₂. A task is one place,
//! for which every other one is tried. A run does all that again and again, as in the paper: the rows of Table I, which calls
//! them 12 to 16, are 11x16384, 12x8192, 13x4096, 14x2048 and 15x1024, as the paper's own times of a run and of a task tell. The loop is a tree of joins, as in Wool, written once for all engines
//! ([`fork`](crate::fork)).
//!
//! The answer is checked against one that is found in another way: the lengths for all pairs of places, from the ends
//! of the string backwards, each of them one more than that of the next pair or nothing.

use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::fork::{AnyFork, Fork, Solve, each_chunk};
use crate::made::Made;
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, Repeated, UnknownParameter, Workload};

/// 10,946 letters, whose pairs are 120 million.
const BOUNDS: RangeInclusive<u32> = 0..=20;

pub(crate) static PROGRAM: Program<Ssf> = Program {
    workload: Workload {
        name: "ssf",
        summary: "longest common substrings of all places in the Nth Fibonacci string, a task a place",
        source: "Faxén 2010, section IV-A; Intel TBB",
        parameters: || Repeated::parameters("N", &BOUNDS),
        default_parameter: "12x2048",
    },
    small: || Ssf::parse("6x3"),
    parse: Ssf::parse,
};

/// The longest substring that starts in a place and somewhere else too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Longest {
    /// The first of the other places, 0 if there is no such substring.
    place: u32,
    length: u32,
}

/// The longest common substrings of a Fibonacci string, found some times.
#[derive(Clone, Debug)]
pub struct Ssf {
    size: Repeated,
    text: Arc<[u8]>,
    longest: Vec<Longest>,
    /// What `longest` must be; made by the first use.
    reference: Made<[Longest]>,
}

impl Ssf {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Ssf, UnknownParameter> {
        let size = Repeated::parse(parameter, BOUNDS)?;
        let text = fibonacci_string(size.n).into();
        Ok(Ssf { size, text, longest: Vec::new(), reference: Made::default() })
    }

    fn reference(&mut self) -> Arc<[Longest]> {
        let reference = || backwards(&self.text).into();
        self.reference.get(reference)
    }
}

fn fibonacci_string(n: u32) -> Vec<u8> {
    let (mut this, mut next) = (b"a".to_vec(), b"b".to_vec());
    for _ in 0..n {
        let after = [&next[..], &this].concat();
        this = std::mem::replace(&mut next, after);
    }
    this
}

/// The leaf work of a task.
fn longest(text: &[u8], place: usize) -> Longest {
    let mut longest = Longest::default();
    for other in (0..text.len()).filter(|&other| other != place) {
        let pairs = text[place..].iter().zip(&text[other..]);
        let length = pairs.take_while(|(a, b)| a == b).count() as u32;
        if length > longest.length {
            longest = Longest { place: other as u32, length };
        }
    }
    longest
}

/// The same for all places.
fn backwards(text: &[u8]) -> Vec<Longest> {
    // The lengths for the place after and each other place, of which the last is behind the text.
    let mut after = vec![0; text.len() + 1];
    let mut all = vec![Longest::default(); text.len()];
    for place in (0..text.len()).rev() {
        let length =
            |other: usize| if text[place] == text[other] { after[other + 1] + 1 } else { 0 };
        let lengths: Vec<u32> = (0..text.len()).map(length).chain([0]).collect();
        for (other, &length) in lengths.iter().enumerate() {
            if other != place && length > all[place].length {
                all[place] = Longest { place: other as u32, length };
            }
        }
        after = lengths;
    }
    all
}

impl Solve for Ssf {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        find(self, fork);
    }
}

fn find(ssf: &mut Ssf, fork: &mut dyn AnyFork) {
    for _ in 0..ssf.size.times {
        let text = black_box(&ssf.text);
        each_chunk(fork, &mut ssf.longest, 1, &|_, place, found| found[0] = longest(text, place));
    }
}

impl Problem for Ssf {
    /// The answer is in the problem.
    type Answer = ();

    fn parameter(&self) -> String {
        self.size.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some((self.text.len() as u64 - 1) * self.size.times)
    }

    /// Forgets the last answer, so that a run that leaves something out is found.
    fn reset(&mut self) {
        self.longest = vec![Longest { place: u32::MAX, length: u32::MAX }; self.text.len()];
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let reference = self.reference();
        let all = self.longest.iter().zip(&*reference);
        match all.clone().enumerate().find(|(_, (got, expected))| got != expected) {
            None => {
                let longest = all.map(|(got, _)| got.length).max().unwrap_or_default();
                Ok(format!("the longest has {longest} letters"))
            }
            Some((place, (got, expected))) => Err(WrongAnswer {
                expected: format!("{expected:?} for place {place}"),
                got: format!("{got:?}"),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::count_joins;

    #[test]
    fn the_first_strings_are_the_papers() {
        let texts = ["a", "b", "ba", "bab", "babba", "babbabab"];
        for (n, text) in (0..).zip(texts) {
            assert_eq!(fibonacci_string(n), text.as_bytes());
        }
        assert_eq!(fibonacci_string(16).len(), 1597);
    }

    #[test]
    fn places_are_found_and_tasks_are_counted() {
        for parameter in ["0x2", "1x1", "2x1", "5x3", "12x1"] {
            let mut ssf = Ssf::parse(parameter).unwrap();
            ssf.reset();
            On::<Serial>::run(&mut ssf, ());
            assert!(ssf.judge(&()).is_ok(), "{parameter}: {:?}", ssf.judge(&()));
            assert_eq!(ssf.tasks(), Some(count_joins(&ssf)), "{parameter}");
        }
    }

    #[test]
    fn the_longest_are_as_one_reads_them() {
        // babba: "ba" at 0 is at 3 too; "a" at 1 at 4; "b" at 2 at 0.
        let place = |place, length| Longest { place, length };
        let expected = [place(3, 2), place(4, 1), place(0, 1), place(0, 2), place(1, 1)];
        assert_eq!((0..5).map(|index| longest(b"babba", index)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_place_left_out_or_off_is_refused() {
        let mut ssf = Ssf::parse("8x1").unwrap();
        ssf.reset();
        assert!(ssf.judge(&()).is_err());
        On::<Serial>::run(&mut ssf, ());
        ssf.longest[3].length -= 1;
        assert!(ssf.judge(&()).is_err());
    }
}
