//! Marking what can be reached in a heap: an idempotent case with some work in a node, and the one that
//! idempotent queues were made for (Michael, Vechev, Saraswat 2009: garbage collection).
//!
//! ```text
//! words:  | object 0: the roots | object 1 | object 2 | …        even: data   odd: reference to object word/2
//! ```
//! A node is an object. Its visit looks at every word of it: data go into a checksum, the objects of references are
//! marked and pushed, unless they are marked already. Marks are looked at and then stored without an atomic
//! step, as collectors do: two workers may both push an object, and visiting it twice changes nothing.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bytemuck::{Pod, Zeroable};
use lyocell_workloads::WrongAnswer;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::SEED;
use crate::node::{Case, Idempotent, Node};

/// Sizes of objects, in words of four bytes: most are small, a few are arrays.
const SMALLEST: u32 = 4;
const LARGEST_SMALL: u32 = 64;
const LARGEST: u32 = 4096;

/// One object in so many is large.
const ONE_IS_LARGE_OF: u32 = 100;

/// References in an object, at most; on average so many that a good part of the heap can be reached, not all.
const MOST_REFERENCES: u32 = 3;

/// References in the roots.
const ROOTS: u32 = 64;

/// The heap and its marks.
#[derive(Debug)]
pub(super) struct Marking {
    /// Where each object begins, and where the last one ends.
    starts: Vec<usize>,
    words: Vec<u32>,
    marks: Vec<AtomicBool>,
    /// Of the data of each object visited.
    checksums: Vec<AtomicU32>,
    /// The checksum of each object that can be reached.
    expected: Vec<Option<u32>>,
}

/// One visit of an object.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Object(u32);

const ROOT: Object = Object(0);

impl Marking {
    /// A heap of `objects` objects.
    pub(super) fn new(objects: u32) -> Marking {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let (mut starts, mut words) = (vec![0], Vec::new());
        for object in 0..objects {
            let (size, references) = match object {
                0 => (ROOTS, ROOTS),
                _ => (size(&mut random), random.random_range(0..=MOST_REFERENCES)),
            };
            let start = words.len();
            // Even words are data.
            words.extend((0..size).map(|_| random.random::<u32>() & !1));
            for _ in 0..references {
                let place = start + random.random_range(0..size) as usize;
                words[place] = random.random_range(0..objects) << 1 | 1;
            }
            starts.push(words.len());
        }
        let mut case = Marking {
            marks: (0..objects).map(|_| AtomicBool::new(false)).collect(),
            checksums: (0..objects).map(|_| AtomicU32::new(0)).collect(),
            expected: Vec::new(),
            starts,
            words,
        };
        case.reset();
        case.run_serially();
        case.expected = case.marked();
        case
    }

    /// The checksum of each marked object.
    fn marked(&mut self) -> Vec<Option<u32>> {
        let marks = self.marks.iter_mut().map(|mark| *mark.get_mut());
        let checksums = self.checksums.iter_mut().map(|checksum| *checksum.get_mut());
        marks.zip(checksums).map(|(marked, checksum)| marked.then_some(checksum)).collect()
    }

    fn words(&self, object: Object) -> &[u32] {
        let object = object.0 as usize;
        &self.words[self.starts[object]..self.starts[object + 1]]
    }
}

fn size(random: &mut Xoshiro256PlusPlus) -> u32 {
    match random.random_range(0..ONE_IS_LARGE_OF) {
        0 => random.random_range(LARGEST_SMALL..=LARGEST),
        _ => random.random_range(SMALLEST..=LARGEST_SMALL),
    }
}

/// A step of the checksum of data.
fn mix(checksum: u32, word: u32) -> u32 {
    // The prime of the FNV hash.
    (checksum ^ word).wrapping_mul(16_777_619)
}

impl Node for Object {
    type Case = Marking;

    #[inline]
    fn visit(self, case: &Marking, push: &mut impl FnMut(Object)) {
        let mut checksum = 0;
        for &word in case.words(self) {
            if word & 1 == 0 {
                checksum = mix(checksum, word);
                continue;
            }
            let object = word >> 1;
            let mark = &case.marks[object as usize];
            // Ordering: Relaxed, both; marks only ever get set, and who misses one marks again. They are read
            // after the run.
            if !mark.load(Ordering::Relaxed) {
                mark.store(true, Ordering::Relaxed);
                push(Object(object));
            }
        }
        // Ordering: Relaxed; read after the run.
        case.checksums[self.0 as usize].store(checksum, Ordering::Relaxed);
    }
}

impl Case for Marking {
    type Node = Object;

    fn reset(&mut self) {
        self.marks.iter_mut().for_each(|mark| *mark.get_mut() = false);
        self.checksums.iter_mut().for_each(|checksum| *checksum.get_mut() = 0);
        *self.marks[ROOT.0 as usize].get_mut() = true;
    }

    fn root(&self) -> Object {
        ROOT
    }

    fn run_serially(&self) {
        let mut stack = vec![ROOT];
        while let Some(object) = stack.pop() {
            object.visit(self, &mut |next| stack.push(next));
        }
    }

    fn nodes(&self) -> u64 {
        self.expected.iter().flatten().count() as u64
    }

    fn most_queued(&self) -> usize {
        self.marks.len()
    }

    fn judge(&mut self) -> Result<String, WrongAnswer> {
        let answer = |marked: &[Option<u32>]| {
            let objects = marked.iter().flatten().count();
            let checksum = marked.iter().flatten().fold(0, |sum, &checksum| mix(sum, checksum));
            format!("{objects} objects marked, checksum {checksum:08x}")
        };
        let (expected, marked) = (answer(&self.expected), self.marked());
        if marked == self.expected {
            Ok(expected)
        } else {
            Err(WrongAnswer { expected, got: answer(&marked) })
        }
    }
}

impl Idempotent for Marking {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_part_of_the_heap_is_reached_and_not_all() {
        let case = Marking::new(10_000);
        assert!((5_000..9_500).contains(&case.nodes()), "{}", case.nodes());
    }

    #[test]
    fn a_missed_mark_or_object_is_a_wrong_answer() {
        let mut case = Marking::new(1000);
        let reached = case.expected.iter().rposition(Option::is_some).unwrap();
        case.judge().unwrap();
        *case.marks[reached].get_mut() = false;
        assert!(case.judge().is_err());
        *case.marks[reached].get_mut() = true;
        *case.checksums[reached].get_mut() ^= 1;
        assert!(case.judge().is_err());
    }

    #[test]
    fn visiting_again_changes_nothing() {
        let mut case = Marking::new(1000);
        let before = case.judge().unwrap();
        for object in 0..1000 {
            if case.expected[object as usize].is_some() {
                Object(object).visit(&case, &mut |_| panic!("everything is marked"));
            }
        }
        assert_eq!(case.judge().unwrap(), before);
    }
}
