//! Raw queue operations: a tree of nodes that do nothing but push their children (Alkærsig et al. 2014, section 4.1).
//!
//! ```text
//! nodes:  root | its children | the last child's children | that one's last child's | …
//! ```
//! A node is an index into one array, in about the order in which one worker visits them, so that memory
//! costs little beside the queue's operations.
//!
//! Departure from the paper: a node also marks that it was visited, a plain store into the line it has
//! just read; without it, nothing could be checked.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::{Pod, Zeroable};
use lyocell_workloads::WrongAnswer;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::SEED;
use crate::node::{Case, Idempotent, Node};

/// The most children a node has; an inner node has at least one. The paper says "an arbitrary number".
const MOST_CHILDREN: u32 = 7;

/// A node of the tree.
#[derive(Debug)]
struct TreeNode {
    first_child: u32,
    children: u16,
    visited: AtomicBool,
}

/// The case.
#[derive(Debug)]
pub(super) struct Raw {
    tree: Vec<TreeNode>,
    depth: usize,
}

/// One visit of a node.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Visit(u32);

impl Raw {
    /// A tree of `nodes` nodes.
    pub(super) fn new(nodes: u32) -> Raw {
        let (children, depth) = children_by_level(nodes);
        Raw { tree: in_visiting_order(&children), depth }
    }
}

/// The children of each node, level by level, until there are `nodes`; and the number of levels.
fn children_by_level(nodes: u32) -> (Vec<Range<u32>>, usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut children: Vec<Range<u32>> = Vec::with_capacity(nodes as usize);
    let (mut made, mut depth, mut level_end) = (1, 1, 1);
    while children.len() < nodes as usize {
        if children.len() as u32 == level_end {
            (depth, level_end) = (depth + 1, made);
        }
        let wanted = random.random_range(1..=MOST_CHILDREN);
        let next = made + wanted.min(nodes - made);
        children.push(made..next);
        made = next;
    }
    (children, depth)
}

/// The same tree with the siblings side by side and each node's descendants after its later siblings'.
fn in_visiting_order(children: &[Range<u32>]) -> Vec<TreeNode> {
    let mut tree = Vec::with_capacity(children.len());
    let leaf = || TreeNode { first_child: 0, children: 0, visited: AtomicBool::new(false) };
    tree.push(leaf());
    let mut stack = vec![(0, 0)];
    while let Some((node, place)) = stack.pop() {
        let first_child = tree.len() as u32;
        for child in children[node].clone() {
            stack.push((child as usize, tree.len()));
            tree.push(leaf());
        }
        tree[place].first_child = first_child;
        tree[place].children = children[node].len() as u16;
    }
    tree
}

impl Node for Visit {
    type Case = Raw;

    #[inline(always)]
    fn visit(self, case: &Raw, push: &mut impl FnMut(Visit)) {
        let node = &case.tree[self.0 as usize];
        // Ordering: Relaxed; read after the run, and that all visits are seen then is the pool's promise.
        node.visited.store(true, Ordering::Relaxed);
        for child in 0..u32::from(node.children) {
            push(Visit(node.first_child + child));
        }
    }
}

impl Case for Raw {
    type Node = Visit;

    fn reset(&mut self) {
        for node in &mut self.tree {
            *node.visited.get_mut() = false;
        }
    }

    fn root(&self) -> Visit {
        Visit(0)
    }

    fn run_serially(&self) {
        let mut stack = vec![self.root()];
        while let Some(visit) = stack.pop() {
            visit.visit(self, &mut |child| stack.push(child));
        }
    }

    fn nodes(&self) -> u64 {
        self.tree.len() as u64
    }

    /// A stack that goes down the tree holds one family a level; stealing leaves it with fewer.
    fn most_queued(&self) -> usize {
        self.depth * MOST_CHILDREN as usize
    }

    fn judge(&mut self) -> Result<String, WrongAnswer> {
        let visited: usize =
            self.tree.iter_mut().map(|node| usize::from(*node.visited.get_mut())).sum();
        let answer = |nodes: usize| format!("{nodes} nodes visited");
        if visited == self.tree.len() {
            Ok(answer(visited))
        } else {
            Err(WrongAnswer { expected: answer(self.tree.len()), got: answer(visited) })
        }
    }
}

impl Idempotent for Raw {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_but_the_root_is_the_child_of_one() {
        for nodes in [1, 2, 9, 10_000] {
            let raw = Raw::new(nodes);
            let mut parents = vec![0; nodes as usize];
            for node in &raw.tree {
                for child in 0..u32::from(node.children) {
                    parents[(node.first_child + child) as usize] += 1;
                }
            }
            assert_eq!(parents[0], 0);
            assert!(parents[1..].iter().all(|&parents| parents == 1), "{nodes}");
        }
    }

    #[test]
    fn a_missed_node_is_a_wrong_answer() {
        let mut raw = Raw::new(100);
        raw.run_serially();
        assert_eq!(raw.judge().unwrap(), "100 nodes visited");
        *raw.tree[17].visited.get_mut() = false;
        let wrong = raw.judge().unwrap_err();
        assert_eq!(wrong.to_string(), "wrong answer: 99 nodes visited, expected 100 nodes visited");
        raw.reset();
        assert!(raw.judge().is_err());
    }
}
