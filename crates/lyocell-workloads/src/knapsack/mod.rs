//! Knapsack: the most value that fits into a sack, by branch and bound. A task for each item that may be taken or left.
//!
//! Cilk's `knapsack` (Frigo, Leiserson and Randall, 1998). Items are in the order of value for weight. A branch is cut
//! off when what is still to come could not beat the best sack found so far, were items divisible. All workers share
//! that best value, without a lock: so the number of tasks depends on who finds what first, and differs from run to
//! run. As in Cilk, the branch without the item comes first.
//!
//! Weights are random, and values differ from them by a tenth of the largest at most, which makes the bound weak. The
//! answer is checked against one that is found by dynamic programming over all capacities.

#[cfg(lace)]
mod c;
mod chili;
#[cfg(lace)]
mod lace;
mod lyocell;
mod rayon;
mod serial;
#[cfg(lace)]
mod serial_c;

use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::problem::{Problem, WrongAnswer, judge_equal};
use crate::workload::{Program, Workload, parse_number, within};

const BOUNDS: RangeInclusive<u32> = 1..=64;

const SEED: u64 = 1998;

const WEIGHTS: RangeInclusive<u32> = 101..=1000;

/// By how much the value of an item differs from its weight, and this.
const SPREAD: u32 = 100;

pub(crate) static PROGRAM: Program<Knapsack> = Program {
    workload: Workload {
        name: "knapsack",
        summary: "most value of N items that fits into a sack, by branch and bound; tasks differ from run to run",
        source: "Cilk, Frigo, Leiserson and Randall 1998",
        parameters: || format!("N from {} to {}", BOUNDS.start(), BOUNDS.end()),
        default_parameter: "56",
    },
    small: || Ok(Knapsack::new(14)),
    parse: |parameter| Ok(Knapsack::new(parse_number(parameter, BOUNDS)?)),
};

/// The most value that fits into a sack.
#[derive(Clone, Debug)]
pub struct Knapsack {
    n: u32,
    choice: Arc<Choice>,
    /// Made by the first use.
    reference: Option<u32>,
}

/// Something that may be taken. Layout shared with `choice.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Item {
    value: u32,
    weight: u32,
}

/// What there is to choose from.
#[derive(Debug)]
struct Choice {
    items: Vec<Item>,
    capacity: i32,
    /// The most value found so far in this run.
    best: AtomicU32,
}

/// A sack in which the items before `next` are or are not.
#[derive(Clone, Copy, Debug)]
struct Sack {
    next: u32,
    /// For more weight; less than nothing if there is too much in it.
    room: i32,
    value: u32,
}

/// A sack that has been looked at.
enum Seen {
    /// The most value that can come of it, nothing if it need not be gone into.
    Done(u32),
    Open {
        without: Sack,
        with: Sack,
    },
}

impl Choice {
    fn new(n: u32) -> Choice {
        let mut rng = StdRng::seed_from_u64(SEED);
        let item = |_| {
            let weight = rng.random_range(WEIGHTS);
            let value = weight - SPREAD + rng.random_range(0..=2 * SPREAD);
            Item { value, weight }
        };
        let mut items: Vec<Item> = (0..n).map(item).collect();
        // By value for weight; whole numbers, so that all compilers sort alike.
        items.sort_by_key(|item| Reverse((u64::from(item.value) << 32) / u64::from(item.weight)));
        let weight: u32 = items.iter().map(|item| item.weight).sum();
        let capacity = i32::try_from(weight / 2).expect("few items");
        Choice { items, capacity, best: AtomicU32::new(0) }
    }

    fn empty_sack(&self) -> Sack {
        Sack { next: 0, room: self.capacity, value: 0 }
    }

    /// The leaf work of a task.
    #[inline]
    fn look(&self, sack: Sack) -> Seen {
        let Sack { next, room, value } = sack;
        if room < 0 {
            return Seen::Done(0);
        }
        let Some(item) = self.items.get(next as usize).filter(|_| room > 0) else {
            return Seen::Done(value);
        };
        let divisible = u64::from(room as u32) * u64::from(item.value) / u64::from(item.weight);
        // Ordering: Relaxed; an old value only cuts off less.
        if u64::from(value) + divisible < u64::from(self.best.load(Ordering::Relaxed)) {
            return Seen::Done(0);
        }
        let without = Sack { next: next + 1, ..sack };
        let with =
            Sack { next: next + 1, room: room - item.weight as i32, value: value + item.value };
        Seen::Open { without, with }
    }

    /// The better of two sacks, of which others are told.
    #[inline]
    fn better(&self, a: u32, b: u32) -> u32 {
        let better = a.max(b);
        // Ordering: Relaxed, as above.
        if better > self.best.load(Ordering::Relaxed) {
            self.best.fetch_max(better, Ordering::Relaxed);
        }
        better
    }

    /// The most value, by the best for every room that a sack may have.
    fn by_rooms(&self) -> u32 {
        let mut best = vec![0; self.capacity as usize + 1];
        for item in &self.items {
            let weight = item.weight as usize;
            for room in (weight..best.len()).rev() {
                best[room] = best[room].max(best[room - weight] + item.value);
            }
        }
        best[best.len() - 1]
    }
}

impl Knapsack {
    /// Of `n` items.
    ///
    /// # Panics
    /// If `n` is not 1 to 64.
    pub fn new(n: u32) -> Knapsack {
        Knapsack { n: within(n, BOUNDS), choice: Arc::new(Choice::new(n)), reference: None }
    }
}

impl Problem for Knapsack {
    type Answer = u32;

    fn parameter(&self) -> String {
        self.n.to_string()
    }

    /// They differ from run to run.
    fn tasks(&self) -> Option<u64> {
        None
    }

    /// Forgets the best sack.
    fn reset(&mut self) {
        // Ordering: Relaxed; the run begins after this on whatever thread.
        self.choice.best.store(0, Ordering::Relaxed);
    }

    fn judge(&mut self, answer: &u32) -> Result<String, WrongAnswer> {
        let expected = self.reference.get_or_insert_with(|| self.choice.by_rooms());
        judge_equal(answer, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn sacks_are_the_best_there_are() {
        for n in 1..=24 {
            let mut knapsack = Knapsack::new(n);
            let answer = On::<Serial>::run(&mut knapsack, ());
            assert!(knapsack.judge(&answer).is_ok(), "{n}: {:?}", knapsack.judge(&answer));
            assert!(knapsack.judge(&(answer + 1)).is_err());
        }
    }

    #[test]
    fn all_ways_to_fill_a_small_sack_agree_with_the_reference() {
        let choice = Choice::new(12);
        let value = |taken: u32| {
            let items =
                choice.items.iter().enumerate().filter(|(index, _)| taken >> index & 1 == 1);
            let (weight, value) = items.fold((0, 0), |(weight, value), (_, item)| {
                (weight + item.weight, value + item.value)
            });
            (weight as i32 <= choice.capacity).then_some(value)
        };
        assert_eq!((0..1 << 12).filter_map(value).max(), Some(choice.by_rooms()));
    }

    #[test]
    fn items_are_in_the_order_of_value_for_weight() {
        let items = Choice::new(40).items;
        let ratio = |item: &Item| f64::from(item.value) / f64::from(item.weight);
        assert!(items.windows(2).all(|pair| ratio(&pair[0]) >= ratio(&pair[1])), "{items:?}");
    }
}
