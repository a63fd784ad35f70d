//! Quick sort that copies (Alkærsig et al. 2014, section 4.1).
//!
//! ```text
//!  Split(values) ──▶ branch { less: ?, equal, greater: ? }     one for each pivot
//!                       ▲                ▲
//!             Split(less)              Split(greater)          or sorted in place, if short
//! ```
//! Every node receives a copy of its part; a short part is sorted by insertion and given to the branch
//! it came from. The branch's second half to arrive pushes the branch as a node; that one's visit puts the
//! parts together and gives them to the next branch up. Not idempotent: a half that arrived twice would count as both.
//!
//! Departure from the paper, whose two halves would not get shorter if all elements were equal: elements equal to
//! the pivot stay in the branch.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use lyocell_workloads::WrongAnswer;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::SEED;
use crate::node::{Case, Node};

/// Parts up to this long are sorted by insertion. Untuned; the paper gives no number.
const SHORT: usize = 32;

/// The case.
#[derive(Debug)]
pub(super) struct QuickSort {
    values: Vec<u32>,
    sorted: OnceLock<Vec<u32>>,
    expected: Vec<u32>,
    nodes: u64,
}

/// A part to sort, or a branch whose halves are sorted.
pub(super) enum Part {
    Split { values: Vec<u32>, home: Home },
    Combine(Arc<Branch>),
}

/// Where a sorted part goes.
pub(super) enum Home {
    Root,
    Half(Arc<Branch>, Side),
}

#[derive(Clone, Copy)]
pub(super) enum Side {
    Less,
    Greater,
}

/// The elements equal to a pivot, and the halves around them as they arrive.
pub(super) struct Branch {
    less: OnceLock<Vec<u32>>,
    equal: Vec<u32>,
    greater: OnceLock<Vec<u32>>,
    missing: AtomicUsize,
    home: Home,
}

impl QuickSort {
    /// Sorts `elements` numbers.
    pub(super) fn new(elements: u32) -> QuickSort {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        QuickSort::of((0..elements).map(|_| random.random()).collect())
    }

    fn of(values: Vec<u32>) -> QuickSort {
        let mut nodes = 0;
        sort(&values, &mut nodes);
        // Not by what is measured, which would then agree with itself.
        let mut expected = values.clone();
        expected.sort_unstable();
        QuickSort { values, sorted: OnceLock::new(), expected, nodes }
    }
}

/// Copies of what is less than, equal to and greater than the median of the first, middle and last element.
fn partition(values: &[u32]) -> [Vec<u32>; 3] {
    let (first, middle, last) = (values[0], values[values.len() / 2], values[values.len() - 1]);
    let pivot = first.max(middle).min(first.min(middle).max(last));
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for &value in values {
        parts[(value.cmp(&pivot) as i8 + 1) as usize].push(value);
    }
    parts
}

fn insertion_sort(values: &mut [u32]) {
    for end in 1..values.len() {
        let value = values[end];
        let mut place = end;
        while place > 0 && values[place - 1] > value {
            values[place] = values[place - 1];
            place -= 1;
        }
        values[place] = value;
    }
}

/// The serial program; counts the nodes that the parallel one would visit.
fn sort(values: &[u32], nodes: &mut u64) -> Vec<u32> {
    *nodes += 1;
    if values.len() <= SHORT {
        let mut values = values.to_vec();
        insertion_sort(&mut values);
        return values;
    }
    let [less, equal, greater] = partition(values);
    let mut sorted = sort(&less, nodes);
    sorted.extend(equal);
    sorted.extend(sort(&greater, nodes));
    *nodes += 1;
    sorted
}

impl Branch {
    /// Puts the parts together, if both halves have arrived.
    fn combine(&self) -> Vec<u32> {
        let half = |half: &OnceLock<Vec<u32>>| half.get().expect("both halves are there").clone();
        let mut sorted = half(&self.less);
        sorted.extend_from_slice(&self.equal);
        sorted.extend_from_slice(self.greater.get().expect("both halves are there"));
        sorted
    }
}

impl Home {
    /// Gives it a sorted part; the second half of a branch makes the branch a node.
    fn receive(&self, sorted: Vec<u32>, case: &QuickSort, push: &mut impl FnMut(Part)) {
        match self {
            Home::Root => case.sorted.set(sorted).expect("the root is sorted once"),
            Home::Half(branch, side) => {
                let half = match side {
                    Side::Less => &branch.less,
                    Side::Greater => &branch.greater,
                };
                half.set(sorted).expect("each half is sorted once");
                // Ordering: AcqRel; the second to arrive meets the first, though the halves' own locks would do.
                if branch.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
                    push(Part::Combine(Arc::clone(branch)));
                }
            }
        }
    }
}

impl Node for Part {
    type Case = QuickSort;

    fn visit(self, case: &QuickSort, push: &mut impl FnMut(Part)) {
        match self {
            Part::Split { mut values, home } if values.len() <= SHORT => {
                insertion_sort(&mut values);
                home.receive(values, case, push);
            }
            Part::Split { values, home } => {
                let [less, equal, greater] = partition(&values);
                let branch = Arc::new(Branch {
                    less: OnceLock::new(),
                    equal,
                    greater: OnceLock::new(),
                    missing: AtomicUsize::new(2),
                    home,
                });
                for (values, side) in [(less, Side::Less), (greater, Side::Greater)] {
                    push(Part::Split { values, home: Home::Half(Arc::clone(&branch), side) });
                }
            }
            Part::Combine(branch) => branch.home.receive(branch.combine(), case, push),
        }
    }
}

impl Case for QuickSort {
    type Node = Part;

    fn reset(&mut self) {
        self.sorted = OnceLock::new();
    }

    fn root(&self) -> Part {
        Part::Split { values: self.values.clone(), home: Home::Root }
    }

    fn run_serially(&self) {
        let mut nodes = 0;
        self.sorted.set(sort(&self.values, &mut nodes)).expect("it was reset");
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A queue can come to hold one half of each split; in the worst case, all elements are pivots once.
    fn most_queued(&self) -> usize {
        self.values.len() / SHORT + 2
    }

    fn judge(&mut self) -> Result<String, WrongAnswer> {
        let answer = |sorted: Option<&Vec<u32>>| match sorted {
            Some(sorted) => format!("{} elements sorted", sorted.len()),
            None => "nothing".to_owned(),
        };
        if self.sorted.get() == Some(&self.expected) {
            Ok(answer(Some(&self.expected)))
        } else {
            let got = answer(self.sorted.get()) + ", not in order";
            Err(WrongAnswer { expected: answer(Some(&self.expected)), got })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sorting of `values`, node by node.
    fn sorted_by_nodes(values: Vec<u32>) -> Vec<u32> {
        let mut case = QuickSort::of(values);
        let (mut stack, mut visits) = (vec![case.root()], 0);
        while let Some(node) = stack.pop() {
            visits += 1;
            node.visit(&case, &mut |node| stack.push(node));
        }
        assert_eq!(visits, case.nodes());
        case.judge().unwrap();
        case.sorted.into_inner().unwrap()
    }

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let random = QuickSort::new(10_000).values;
        let inputs = [
            vec![],
            vec![3],
            vec![7; 1000],
            (0..1000).collect(),
            (0..1000).rev().collect(),
            (0..1000).map(|i| i % 10).collect(),
            [u32::MAX, 0, u32::MAX, 0].repeat(100),
            random,
        ];
        for input in inputs {
            let mut expected = input.clone();
            expected.sort_unstable();
            assert_eq!(sorted_by_nodes(input), expected);
        }
    }

    #[test]
    fn the_pivot_is_the_median_of_three() {
        for values in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
            assert_eq!(partition(&values), [[1], [2], [3]]);
        }
    }

    #[test]
    fn an_order_that_is_wrong_is_a_wrong_answer() {
        let mut case = QuickSort::new(100);
        case.run_serially();
        let mut sorted = case.sorted.take().unwrap();
        sorted.swap(10, 90);
        case.sorted.set(sorted).unwrap();
        assert!(case.judge().unwrap_err().to_string().contains("not in order"));
        case.reset();
        assert!(case.judge().unwrap_err().to_string().contains("nothing"));
    }
}
