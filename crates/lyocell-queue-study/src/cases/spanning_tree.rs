//! A spanning tree of a graph, grown by all workers at once (Bader and Cong; Alkærsig et al. 2014, section 4.1).
//!
//! ```text
//! visit v:   for each neighbour w without a parent:  parent[w] = v, push w
//! ```
//! As in the study there is no stub tree: the first worker is given the root, the others steal from it.
//!
//! - spanning_tree-1. A vertex's parent is set once, by a compare-and-swap, and before the vertex is pushed.
//!
//! So if v is the parent of w, the setting of v's parent happened before that of w's: no cycle, and every
//! vertex that has a parent is pushed once. A second visit finds no neighbour without a parent.
//!
//! Departure from Bader and Cong, who look at a vertex and then store without an atomic step, so that the last
//! of several parents stays. That is a tree only if all processors see the stores in one order: with v pushed under one parent
//! and w under another, worker 1 at v may see w without a parent while worker 2 at w sees v without; each stores and v
//! and w are each other's parents. Such are the outcomes of store buffers, and the queues of this study whose point is to
//! have no fence do not forbid them. One compare-and-swap a tree edge does.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::{Pod, Zeroable};
use lyocell_workloads::WrongAnswer;

use super::SEED;
use super::graph::Graph;
use crate::node::{Case, Idempotent, Node};

/// Neighbours on average. Bader and Cong's random graphs have 3 to 40 (m = 1.5 n to 20 n).
const DEGREE: u32 = 8;

const ROOT: u32 = 0;

/// No vertex.
const NONE: u32 = u32::MAX;

/// The case.
#[derive(Debug)]
pub(super) struct SpanningTree {
    graph: Graph,
    parents: Vec<AtomicU32>,
}

/// One visit of a vertex.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Visit(u32);

impl SpanningTree {
    /// Of a random graph of `vertices`.
    pub(super) fn new(vertices: u32) -> SpanningTree {
        let mut case = SpanningTree {
            graph: Graph::random(vertices, DEGREE, SEED),
            parents: (0..vertices).map(|_| AtomicU32::new(NONE)).collect(),
        };
        case.reset();
        case
    }

    /// How many vertices hang on the root by edges of the graph.
    ///
    /// # Errors
    /// What is wrong with the tree.
    fn spanned(&mut self) -> Result<u32, String> {
        let parents: Vec<u32> = self.parents.iter_mut().map(|parent| *parent.get_mut()).collect();
        let mut hangs = vec![false; parents.len()];
        hangs[ROOT as usize] = true;
        for start in 0..self.graph.vertices() {
            let mut path = Vec::new();
            let mut vertex = start;
            while !hangs[vertex as usize] {
                let parent = parents[vertex as usize];
                if parent == NONE {
                    return Err(format!("vertex {vertex} has no parent"));
                }
                if !self.graph.neighbours(vertex).contains(&parent) {
                    return Err(format!(
                        "there is no edge from vertex {vertex} to its parent {parent}"
                    ));
                }
                if path.len() == parents.len() {
                    return Err(format!("vertex {start} hangs on a cycle"));
                }
                path.push(vertex);
                vertex = parent;
            }
            path.into_iter().for_each(|vertex| hangs[vertex as usize] = true);
        }
        Ok(self.graph.vertices())
    }
}

impl Node for Visit {
    type Case = SpanningTree;

    #[inline]
    fn visit(self, case: &SpanningTree, push: &mut impl FnMut(Visit)) {
        for &neighbour in case.graph.neighbours(self.0) {
            let parent = &case.parents[neighbour as usize];
            // Ordering: Relaxed, both; the queue orders a parent's setting before the child's visit (spanning_tree-1), and nothing
            // but the word itself is read by others during the run.
            if parent.load(Ordering::Relaxed) == NONE
                && parent
                    .compare_exchange(NONE, self.0, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
            {
                push(Visit(neighbour));
            }
        }
    }
}

impl Case for SpanningTree {
    type Node = Visit;

    fn reset(&mut self) {
        for parent in &mut self.parents {
            *parent.get_mut() = NONE;
        }
        // The root is its own parent.
        *self.parents[ROOT as usize].get_mut() = ROOT;
    }

    fn root(&self) -> Visit {
        Visit(ROOT)
    }

    fn run_serially(&self) {
        let mut stack = vec![self.root()];
        while let Some(visit) = stack.pop() {
            visit.visit(self, &mut |next| stack.push(next));
        }
    }

    fn nodes(&self) -> u64 {
        u64::from(self.graph.vertices())
    }

    fn most_queued(&self) -> usize {
        self.graph.vertices() as usize
    }

    /// The trees of two runs differ; that they span all that the serial one does is the answer.
    fn judge(&mut self) -> Result<String, WrongAnswer> {
        let answer = |vertices| format!("a tree of {vertices} vertices");
        match self.spanned() {
            Ok(vertices) => Ok(answer(vertices)),
            Err(got) => Err(WrongAnswer { expected: answer(self.graph.vertices()), got }),
        }
    }
}

impl Idempotent for SpanningTree {}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(case: &mut SpanningTree) -> String {
        case.judge().unwrap_err().got
    }

    #[test]
    fn what_is_no_spanning_tree_is_a_wrong_answer() {
        let mut case = SpanningTree::new(100);
        assert!(wrong(&mut case).contains("has no parent"));
        case.run_serially();
        assert_eq!(case.judge().unwrap(), "a tree of 100 vertices");

        let child = (1..100).find(|&vertex| *case.parents[vertex].get_mut() != ROOT).unwrap();
        let parent = *case.parents[child].get_mut();
        *case.parents[parent as usize].get_mut() = child as u32;
        assert!(wrong(&mut case).contains("cycle"));

        let stranger = (0..100).find(|v| !case.graph.neighbours(child as u32).contains(v)).unwrap();
        *case.parents[child].get_mut() = stranger;
        assert!(wrong(&mut case).contains("no edge"));
    }

    #[test]
    fn a_second_visit_pushes_nothing() {
        let case = SpanningTree::new(50);
        let mut first = 0;
        case.root().visit(&case, &mut |_| first += 1);
        assert!(first > 0);
        case.root().visit(&case, &mut |_| panic!("pushed again"));
    }
}
