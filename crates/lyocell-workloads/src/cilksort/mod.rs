//! Cilksort: a merge sort whose merges are parallel too.
//!
//! Cilk's `cilksort` (Frigo, Leiserson and Randall, 1998) as in Acar, Charguéraud and Rainey (2013), section 4, on the
//! integers of the Problem Based Benchmark Suite, random or exponentially distributed; there 240 million of them. The
//! quarters of an array are sorted, merged in pairs, and the halves merged. A merge cuts the longer part in the middle
//! and the other one where that belongs. Parts and merges of up to CUTOFF numbers are serial: Cilk's is 2,048, and the
//! paper says only that it takes somewhat more. The program is written once for all engines ([`fork`](crate::fork)).
//!
//! The answer is in order, and has the checksum that the input had.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::fork::{Fork, KnownForks, Solve};
use crate::made::Made;
use crate::pbbs::sequences::{Distribution, checksum, judge};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload, parse_number};

/// The paper's and somewhat more: two gigabytes and the input.
const COUNTS: RangeInclusive<u32> = 1..=250_000_000;

const CUTOFFS: RangeInclusive<u32> = 4..=250_000_000;

/// Cilk's.
const CUTOFF: u32 = 2048;

pub(crate) static PROGRAM: Program<Cilksort> = Program {
    workload: Workload {
        name: "cilksort",
        summary: "merge sort of integers, with parallel merges",
        source: "Acar, Charguéraud and Rainey 2013, section 4; Cilk, Frigo, Leiserson and Randall 1998",
        parameters: || {
            format!(
                "KIND,N or KIND,N,CUTOFF, KIND {}, N from {} to {} (the paper's is 240000000), CUTOFF {} to {} ({CUTOFF} if \
                 not given)",
                Distribution::PARAMETERS,
                COUNTS.start(),
                COUNTS.end(),
                CUTOFFS.start(),
                CUTOFFS.end()
            )
        },
        default_parameter: "random,4000000",
    },
    small: || Cilksort::parse("exponential,1000,16"),
    parse: Cilksort::parse,
};

/// Integers to be sorted.
#[derive(Clone, Debug)]
pub struct Cilksort {
    kind: Distribution,
    count: u32,
    cutoff: u32,
    /// Made by the first use.
    input: Made<Input>,
    numbers: Vec<u32>,
    /// As much room again.
    room: Vec<u32>,
    forks: KnownForks,
}

#[derive(Debug)]
struct Input {
    numbers: Vec<u32>,
    checksum: u64,
}

impl Cilksort {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Cilksort, UnknownParameter> {
        let mut words = parameter.split(',');
        let kind = words.next().and_then(Distribution::parse).ok_or(UnknownParameter)?;
        let count = parse_number(words.next().ok_or(UnknownParameter)?, COUNTS)?;
        let cutoff = words.next().map_or(Ok(CUTOFF), |word| parse_number(word, CUTOFFS))?;
        if words.next().is_some() {
            return Err(UnknownParameter);
        }
        let (numbers, room) = (Vec::new(), Vec::new());
        Ok(Cilksort {
            kind,
            count,
            cutoff,
            input: Made::default(),
            numbers,
            room,
            forks: KnownForks::default(),
        })
    }

    fn input(&mut self) -> Arc<Input> {
        let make = || {
            let numbers = self.kind.integers(self.count);
            let checksum = checksum(numbers.iter().map(|&number| number.into()));
            Arc::new(Input { numbers, checksum })
        };
        self.input.get(make)
    }
}

/// Sorts `numbers`; `room` has the same length.
fn sort<F: Fork>(fork: &mut F, numbers: &mut [u32], room: &mut [u32], cutoff: usize) {
    if numbers.len() <= cutoff {
        return numbers.sort_unstable();
    }
    let quarter = numbers.len() / 4;
    let (first, rest) = numbers.split_at_mut(quarter);
    let (second, rest) = rest.split_at_mut(quarter);
    let (third, fourth) = rest.split_at_mut(quarter);
    let (first_room, rest) = room.split_at_mut(quarter);
    let (second_room, rest) = rest.split_at_mut(quarter);
    let (third_room, fourth_room) = rest.split_at_mut(quarter);
    fork.join(
        |fork| {
            fork.join(
                |fork| sort(fork, first, first_room, cutoff),
                |fork| sort(fork, second, second_room, cutoff),
            )
        },
        |fork| {
            fork.join(
                |fork| sort(fork, third, third_room, cutoff),
                |fork| sort(fork, fourth, fourth_room, cutoff),
            )
        },
    );
    let (left_room, right_room) = room.split_at_mut(2 * quarter);
    fork.join(
        |fork| merge(fork, first, second, left_room, cutoff),
        |fork| merge(fork, third, fourth, right_room, cutoff),
    );
    merge(fork, left_room, right_room, numbers, cutoff);
}

/// Merges `a` and `b` into `to`.
fn merge<F: Fork>(fork: &mut F, a: &[u32], b: &[u32], to: &mut [u32], cutoff: usize) {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if to.len() <= cutoff {
        return merge_serially(long, short, to);
    }
    let middle = long.len() / 2;
    let belongs = short.partition_point(|&number| number < long[middle]);
    let (long, short) = (long.split_at(middle), short.split_at(belongs));
    let to = to.split_at_mut(middle + belongs);
    fork.join(
        |fork| merge(fork, long.0, short.0, to.0, cutoff),
        |fork| merge(fork, long.1, short.1, to.1, cutoff),
    );
}

/// The leaf work of a merge, without branches that depend on the numbers.
fn merge_serially(a: &[u32], b: &[u32], to: &mut [u32]) {
    let (mut from_a, mut from_b) = (0, 0);
    while let (Some(&first), Some(&other)) = (a.get(from_a), b.get(from_b)) {
        let smaller = other < first;
        to[from_a + from_b] = if smaller { other } else { first };
        from_a += usize::from(!smaller);
        from_b += usize::from(smaller);
    }
    let (rest_of_a, rest_of_b) = (&a[from_a..], &b[from_b..]);
    let (rest, last) = to[from_a + from_b..].split_at_mut(rest_of_a.len());
    rest.copy_from_slice(rest_of_a);
    last.copy_from_slice(rest_of_b);
}

impl Solve for Cilksort {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        sort(fork, &mut self.numbers, &mut self.room, self.cutoff as usize);
    }
}

impl Problem for Cilksort {
    /// The answer is in the problem.
    type Answer = ();

    fn parameter(&self) -> String {
        let cutoff =
            if self.cutoff == CUTOFF { String::new() } else { format!(",{}", self.cutoff) };
        format!("{},{}{cutoff}", self.kind.name(), self.count)
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.forks.of(self).joins)
    }

    fn branching_depth(&self) -> Option<u64> {
        Some(self.forks.of(self).depth)
    }

    /// Has the input again.
    fn reset(&mut self) {
        let input = self.input();
        self.numbers.clone_from(&input.numbers);
        self.room.resize(self.numbers.len(), 0);
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let expected = self.input().checksum;
        judge(&self.numbers, u64::from, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    fn solved(parameter: &str) -> Cilksort {
        let mut cilksort = Cilksort::parse(parameter).unwrap();
        cilksort.reset();
        On::<Serial>::run(&mut cilksort, ());
        cilksort
    }

    #[test]
    fn numbers_are_sorted_as_the_standard_library_sorts_them() {
        for kind in ["random", "exponential"] {
            for count in [1, 2, 5, 100, 1_000, 10_007] {
                for cutoff in [4, 5, 100] {
                    let parameter = format!("{kind},{count},{cutoff}");
                    let mut cilksort = solved(&parameter);
                    assert!(cilksort.judge(&()).is_ok(), "{parameter}");
                    let mut expected = cilksort.input().numbers.clone();
                    expected.sort();
                    assert_eq!(cilksort.numbers, expected, "{parameter}");
                    assert_eq!(cilksort.parameter(), parameter);
                }
            }
        }
    }

    #[test]
    fn numbers_out_of_order_or_changed_are_refused() {
        let mut cilksort = solved("random,1000");
        let last = cilksort.numbers[999];
        cilksort.numbers[999] += 1;
        assert!(cilksort.judge(&()).is_err());
        cilksort.numbers[999] = last;
        assert!(cilksort.judge(&()).is_ok());
        cilksort.numbers.swap(1, 2);
        assert!(cilksort.judge(&()).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "random",
            "normal,10",
            "random,0",
            "random,10,3",
            "random,10,2048,1",
            "random,250000001",
        ] {
            assert!(Cilksort::parse(text).is_err(), "{text:?}");
        }
    }
}
