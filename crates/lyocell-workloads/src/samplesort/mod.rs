//! Samplesort: rows of the input are sorted, and what falls between two of some samples is gathered from all rows and
//! sorted once more.
//!
//! The `sample-sort` of Acar, Charguéraud and Rainey (2013), section 4, from the Problem Based Benchmark Suite: "a
//! low-depth, cache-efficient version of the classic sample sort" (Blelloch, Gibbons and Simhadri, 2010). The doubles
//! are the suite's, random or exponentially distributed; there 240 million of them. With n numbers there are about
//! √n/2 rows and as many buckets. Of two equal samples, the bucket between them has the numbers that equal them, and need not
//! be sorted. The program is written once for all engines ([`fork`](crate::fork)); its loops are trees of joins, a row or a bucket a
//! leaf.
//!
//! The answer is in order, and has the checksum that the input had.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::fork::{AnyFork, Fork, Solve, each_chunk_of_two, each_piece};
use crate::made::Made;
use crate::pbbs::hash;
use crate::pbbs::sequences::{Distribution, checksum, judge};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload, parse_number};

/// The paper's and somewhat more: four gigabytes and the input.
const COUNTS: RangeInclusive<u32> = 1..=250_000_000;

/// Fewer numbers are sorted serially; the suite's is 100,000.
const SERIAL: usize = 10_000;

/// Numbers of a row, as a multiple of the square root of all.
const ROW: usize = 2;

/// Samples for each bucket.
const OVERSAMPLING: usize = 8;

pub(crate) static PROGRAM: Program<Samplesort> = Program {
    workload: Workload {
        name: "samplesort",
        summary: "sample sort of doubles: rows, and then buckets",
        source: "Acar, Charguéraud and Rainey 2013, section 4; PBBS, Shun et al. 2012",
        parameters: || {
            format!(
                "KIND,N, KIND {}, N from {} to {} (the paper's is 240000000)",
                Distribution::PARAMETERS,
                COUNTS.start(),
                COUNTS.end()
            )
        },
        default_parameter: "random,4000000",
    },
    small: || Samplesort::parse("exponential,12000"),
    parse: Samplesort::parse,
};

/// Doubles to be sorted.
#[derive(Clone, Debug)]
pub struct Samplesort {
    kind: Distribution,
    count: u32,
    /// Made by the first use.
    input: Made<Input>,
    numbers: Vec<f64>,
    /// As much room again.
    room: Vec<f64>,
}

#[derive(Debug)]
struct Input {
    numbers: Vec<f64>,
    checksum: u64,
}

/// How many rows and buckets there are.
#[derive(Clone, Copy)]
struct Shape {
    /// Of all but the last row.
    row: usize,
    rows: usize,
    buckets: usize,
}

impl Shape {
    /// For so many numbers, if they are not sorted serially.
    fn of(count: usize) -> Option<Shape> {
        if count < SERIAL {
            return None;
        }
        let root = count.isqrt();
        let row = ROW * root;
        Some(Shape { row, rows: count.div_ceil(row), buckets: (root / ROW).max(1) })
    }
}

impl Samplesort {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Samplesort, UnknownParameter> {
        let (kind, count) = parameter.split_once(',').ok_or(UnknownParameter)?;
        let kind = Distribution::parse(kind).ok_or(UnknownParameter)?;
        let count = parse_number(count, COUNTS)?;
        Ok(Samplesort {
            kind,
            count,
            input: Made::default(),
            numbers: Vec::new(),
            room: Vec::new(),
        })
    }

    fn input(&mut self) -> Arc<Input> {
        let make = || {
            let numbers = self.kind.doubles(self.count);
            let checksum = checksum(numbers.iter().map(|number| number.to_bits()));
            Arc::new(Input { numbers, checksum })
        };
        self.input.get(make)
    }
}

/// The leaf work of a row and of a bucket.
fn sort_serially(numbers: &mut [f64]) {
    numbers.sort_unstable_by(f64::total_cmp);
}

/// The numbers between which the buckets lie, one fewer than there are.
fn pivots(numbers: &[f64], buckets: usize) -> Vec<f64> {
    let sample = |index: usize| numbers[hash(index as u32) as usize % numbers.len()];
    let mut samples: Vec<f64> = (0..buckets * OVERSAMPLING).map(sample).collect();
    sort_serially(&mut samples);
    (1..buckets).map(|bucket| samples[bucket * OVERSAMPLING]).collect()
}

/// Where the buckets of a sorted row end: before the next pivot, but behind it if it is the last one again.
fn mark_ends(row: &[f64], pivots: &[f64], ends: &mut [u32]) {
    let (mut from, mut last) = (0, None);
    for (end, pivot) in ends.iter_mut().zip(pivots) {
        let again = last == Some(pivot);
        from += row[from..].partition_point(|number| number < pivot || (again && number == pivot));
        *end = from as u32;
        last = Some(pivot);
    }
    if let Some(end) = ends.last_mut() {
        *end = row.len() as u32;
    }
}

fn sort(fork: &mut dyn AnyFork, numbers: &mut [f64], room: &mut [f64]) {
    let Some(Shape { row, rows, buckets }) = Shape::of(numbers.len()) else {
        return sort_serially(numbers);
    };
    let pivots = pivots(numbers, buckets);
    let mut ends = vec![0_u32; rows * buckets];
    each_chunk_of_two(fork, (&mut *numbers, row), (&mut ends, buckets), &|_, _, row, ends| {
        sort_serially(row);
        mark_ends(row, &pivots, ends);
    });
    let part = |row_number: usize, bucket: usize| {
        let ends = &ends[row_number * buckets..][..buckets];
        let start = if bucket == 0 { 0 } else { ends[bucket - 1] };
        let base = row_number * row;
        base + start as usize..base + ends[bucket] as usize
    };
    let bucket_ends: Vec<usize> = (0..buckets)
        .scan(0, |end, bucket| {
            *end += (0..rows).map(|row| part(row, bucket).len()).sum::<usize>();
            Some(*end)
        })
        .collect();
    let sorted_rows = &*numbers;
    each_piece(fork, room, &bucket_ends, &|_, bucket, to| {
        let mut filled = 0;
        for row in 0..rows {
            let from = &sorted_rows[part(row, bucket)];
            to[filled..][..from.len()].copy_from_slice(from);
            filled += from.len();
        }
        let inner = bucket > 0 && bucket < pivots.len();
        let all_equal = inner && pivots[bucket - 1] == pivots[bucket];
        if !all_equal {
            sort_serially(to);
        }
    });
}

impl Solve for Samplesort {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        sort(fork, &mut self.numbers, &mut self.room);
        if Shape::of(self.numbers.len()).is_some() {
            std::mem::swap(&mut self.numbers, &mut self.room);
        }
    }
}

impl Problem for Samplesort {
    /// The answer is in the problem.
    type Answer = ();

    fn parameter(&self) -> String {
        format!("{},{}", self.kind.name(), self.count)
    }

    fn tasks(&self) -> Option<u64> {
        let shape = Shape::of(self.count as usize);
        Some(shape.map_or(0, |shape| (shape.rows + shape.buckets - 2) as u64))
    }

    /// Two loops, one after the other, each a tree.
    fn branching_depth(&self) -> Option<u64> {
        let levels = |leaves: usize| u64::from(leaves.next_power_of_two().ilog2());
        let shape = Shape::of(self.count as usize);
        Some(shape.map_or(0, |shape| levels(shape.rows) + levels(shape.buckets)))
    }

    /// Has the input again.
    fn reset(&mut self) {
        let input = self.input();
        self.numbers.clone_from(&input.numbers);
        self.room.clear();
        self.room.resize(self.numbers.len(), f64::NAN);
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let expected = self.input().checksum;
        judge(&self.numbers, f64::to_bits, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::count_forks;

    fn solved(parameter: &str) -> Samplesort {
        let mut samplesort = Samplesort::parse(parameter).unwrap();
        samplesort.reset();
        On::<Serial>::run(&mut samplesort, ());
        samplesort
    }

    #[test]
    fn numbers_are_sorted_as_the_standard_library_sorts_them() {
        for kind in ["random", "exponential"] {
            for count in [1, 9_999, 10_000, 10_001, 30_011] {
                let parameter = format!("{kind},{count}");
                let mut samplesort = solved(&parameter);
                assert!(samplesort.judge(&()).is_ok(), "{parameter}");
                let mut expected = samplesort.input().numbers.clone();
                expected.sort_by(f64::total_cmp);
                assert_eq!(samplesort.numbers, expected, "{parameter}");
                let forks = count_forks(&samplesort);
                assert_eq!(samplesort.tasks(), Some(forks.joins), "{parameter}");
                assert_eq!(samplesort.branching_depth(), Some(forks.depth), "{parameter}");
                assert_eq!(samplesort.parameter(), parameter);
            }
        }
    }

    #[test]
    fn a_bucket_between_equal_samples_has_what_equals_them() {
        let row = [0.0, 1.0, 2.0, 2.0, 2.0, 3.0, 4.0];
        let mut ends = [0; 5];
        mark_ends(&row, &[1.0, 2.0, 2.0, 2.0], &mut ends);
        assert_eq!(ends, [1, 2, 5, 5, 7]);
        mark_ends(&row, &[1.0, 1.5, 2.0, 4.0], &mut ends);
        assert_eq!(ends, [1, 2, 2, 6, 7]);
    }

    #[test]
    fn numbers_out_of_order_or_changed_are_refused() {
        let mut samplesort = solved("random,20000");
        let last = samplesort.numbers[19_999];
        samplesort.numbers[19_999] = last.next_up();
        assert!(samplesort.judge(&()).is_err());
        samplesort.numbers[19_999] = last;
        assert!(samplesort.judge(&()).is_ok());
        samplesort.numbers.swap(1, 2);
        assert!(samplesort.judge(&()).is_err());
        samplesort.reset();
        assert!(samplesort.judge(&()).is_err(), "nothing was sorted");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "random", "normal,10", "random,0", "random,10,3", "random,250000001"] {
            assert!(Samplesort::parse(text).is_err(), "{text:?}");
        }
    }
}
