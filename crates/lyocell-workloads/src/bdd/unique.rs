//! The nodes there are, each once: a hash table with open addressing, in which a node is one word.
//!
//! ```text
//!   | variable, 8 bits | low, 28 bits | high, 28 bits |    0: nothing yet
//! ```
//! The number of a node is its place in the table. Nothing is moved or taken out, so a place that was seen to have a node
//! has it for ever.
//!
//! - unique-1. A word is written once, by the compare-and-swap that turns it from nothing into a node.
//! - unique-2. A node lies in the first place from its hash on that was empty when it came: who looks for it meets it, or an
//!   empty place, before any other place that it could be in. So no two places have the same node.

use std::sync::atomic::{AtomicU64, Ordering};

/// A node, or one of the two ends.
pub(super) type Id = u32;

/// The end where nothing is true.
pub(super) const FALSE: Id = 0;
/// The end where everything is.
pub(super) const TRUE: Id = 1;
/// Numbers of nodes begin behind those of the ends.
const ENDS: u32 = 2;

const ID_BITS: u32 = 28;

/// A node: "if the variable is true then `high`, else `low`".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) variable: u32,
    pub(super) low: Id,
    pub(super) high: Id,
}

impl Node {
    fn word(self) -> u64 {
        let Node { variable, low, high } = self;
        debug_assert!(low != high, "such a node has no word of its own");
        u64::from(variable) << (2 * ID_BITS) | u64::from(low) << ID_BITS | u64::from(high)
    }

    fn of_word(word: u64) -> Node {
        let id = |word: u64| word as u32 & ((1 << ID_BITS) - 1);
        Node { variable: (word >> (2 * ID_BITS)) as u32, low: id(word >> ID_BITS), high: id(word) }
    }
}

/// The nodes.
#[derive(Debug)]
pub(super) struct Unique {
    words: Box<[AtomicU64]>,
}

impl Unique {
    /// For at most about 2^`bits` nodes.
    pub(super) fn new(bits: u32) -> Unique {
        assert!(bits < ID_BITS);
        Unique { words: (0..1_u64 << bits).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// The number of `node`, whose two sides differ.
    ///
    /// # Panics
    /// If there is no room for another node.
    pub(super) fn find_or_add(&self, node: Node) -> Id {
        let (word, mask) = (node.word(), self.words.len() - 1);
        let start = super::results::mix(word) as usize;
        for step in 0..self.words.len() {
            let place = start.wrapping_add(step) & mask;
            // Ordering: Relaxed, here and below; a word tells all of its node (unique-1), and who was given a number was
            // given it by a join or through the table of results, which order it behind the writing.
            let mut found = self.words[place].load(Ordering::Relaxed);
            if found == 0 {
                let added = self.words[place].compare_exchange(
                    0,
                    word,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                );
                found = added.err().unwrap_or(word);
            }
            if found == word {
                // By unique-2 it is nowhere else.
                return place as u32 + ENDS;
            }
        }
        panic!("the table of {} nodes is full", self.words.len());
    }

    /// The node with this number, which is none of the ends.
    #[inline]
    pub(super) fn node(&self, id: Id) -> Node {
        // Ordering: Relaxed, as above.
        Node::of_word(self.words[(id - ENDS) as usize].load(Ordering::Relaxed))
    }

    /// How many nodes there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.words.iter().filter(|word| word.load(Ordering::Relaxed) != 0).count()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_node_is_a_word_and_back() {
        let most = (1 << ID_BITS) - 1;
        for (variable, low, high) in [(0, 0, 1), (255, most, 0), (7, 123, most), (0, 1, 0)] {
            let node = Node { variable, low, high };
            assert_eq!(Node::of_word(node.word()), node);
            assert_ne!(node.word(), 0);
        }
    }

    #[test]
    fn threads_that_add_the_same_nodes_are_given_the_same_numbers() {
        let unique = Unique::new(12);
        let add = |first: u32| -> Vec<Id> {
            let node = |index: u32| Node { variable: index % 7, low: index, high: index + 1 };
            let mut ids = vec![0; 3000];
            for index in (0..3000).map(|index| (index + first) % 3000) {
                ids[index as usize] = unique.find_or_add(node(index));
            }
            ids
        };
        let all: Vec<Vec<Id>> = thread::scope(|scope| {
            let threads: Vec<_> =
                (0..4).map(|index| scope.spawn(move || add(index * 750))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(unique.len(), 3000);
        assert_eq!(unique.node(all[0][5]), Node { variable: 5, low: 5, high: 6 });
    }
}
