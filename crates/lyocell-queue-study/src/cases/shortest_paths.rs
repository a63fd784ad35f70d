//! Shortest paths from every vertex of a weighted graph, by breadth-first relaxation: an idempotent case with much
//! work in a node.
//!
//! ```text
//! [0, n) ──▶ [0, n/2), [n/2, n) ──▶ … ──▶ [s, s + 1): fill row s of the table of distances
//! ```
//! A node is a range of sources. One with several pushes its halves; one with a single source relaxes edges
//! from it until nothing gets shorter (the queue of Bellman and Ford: first improved, first relaxed), and writes a row
//! of the table. Idempotent: who fills a row again writes the same numbers.
//!
//! Why a node is a source and not a vertex of one search: a worker visits its youngest node first, and relaxing
//! the youngest first takes time without bound: on a grid of 512 x 512 vertices in 1,024 blocks we measured
//! 5,200 times as many relaxations as with the oldest first. That would compare orders and not queues.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::{Pod, Zeroable};
use lyocell_workloads::WrongAnswer;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::SEED;
use super::graph::Graph;
use crate::node::{Case, Idempotent, Node};

/// Neighbours on average, about as many as a crossing has roads.
const DEGREE: u32 = 4;

const LONGEST_EDGE: u32 = 9;

/// Not reached, or not yet.
const FAR: u32 = u32::MAX;

/// The case.
#[derive(Debug)]
pub(super) struct ShortestPaths {
    graph: Graph,
    /// Beside the graph's neighbours.
    lengths: Vec<u32>,
    /// A row a source.
    table: Vec<AtomicU32>,
    expected: Vec<u32>,
}

/// The sources from `first` to before `end`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Sources {
    first: u32,
    end: u32,
}

impl ShortestPaths {
    /// Of a random graph of `vertices`.
    pub(super) fn new(vertices: u32) -> ShortestPaths {
        let graph = Graph::random(vertices, DEGREE, SEED);
        let lengths = lengths(&graph);
        let size = vertices as usize * vertices as usize;
        let table = (0..size).map(|_| AtomicU32::new(FAR)).collect();
        let mut case = ShortestPaths { graph, lengths, table, expected: Vec::new() };
        // Not by what is measured, which would then agree with itself.
        case.expected = (0..vertices).flat_map(|source| case.nearest_first(source)).collect();
        case
    }

    /// The distances from `source`, by the algorithm of Dijkstra.
    fn nearest_first(&self, source: u32) -> Vec<u32> {
        let mut distances = vec![FAR; self.graph.vertices() as usize];
        let mut near = BinaryHeap::from([Reverse((0, source))]);
        while let Some(Reverse((here, vertex))) = near.pop() {
            if here >= distances[vertex as usize] {
                continue;
            }
            distances[vertex as usize] = here;
            for place in self.graph.places(vertex) {
                near.push(Reverse((here + self.lengths[place], self.graph.neighbour(place))));
            }
        }
        distances
    }

    /// The distances from `source`.
    fn distances(&self, source: u32) -> Vec<u32> {
        let mut distances = vec![FAR; self.graph.vertices() as usize];
        let mut waits = vec![false; distances.len()];
        distances[source as usize] = 0;
        let mut improved = VecDeque::from([source]);
        while let Some(vertex) = improved.pop_front() {
            waits[vertex as usize] = false;
            let here = distances[vertex as usize];
            for place in self.graph.places(vertex) {
                let next = self.graph.neighbour(place);
                let there = here + self.lengths[place];
                if there < distances[next as usize] {
                    distances[next as usize] = there;
                    if !std::mem::replace(&mut waits[next as usize], true) {
                        improved.push_back(next);
                    }
                }
            }
        }
        distances
    }

    fn fill_row(&self, source: u32) {
        let vertices = self.graph.vertices() as usize;
        let row = &self.table[source as usize * vertices..][..vertices];
        for (cell, distance) in row.iter().zip(self.distances(source)) {
            // Ordering: Relaxed; read after the run.
            cell.store(distance, Ordering::Relaxed);
        }
    }
}

/// Random lengths, the same in both directions.
fn lengths(graph: &Graph) -> Vec<u32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let salt: u64 = random.random();
    let length = |one: u32, other: u32| {
        let edge = u64::from(one.min(other)) << 32 | u64::from(one.max(other));
        Xoshiro256PlusPlus::seed_from_u64(edge ^ salt).random_range(1..=LONGEST_EDGE)
    };
    (0..graph.vertices())
        .flat_map(|vertex| graph.neighbours(vertex).iter().map(move |&next| (vertex, next)))
        .map(|(vertex, next)| length(vertex, next))
        .collect()
}

impl Node for Sources {
    type Case = ShortestPaths;

    fn visit(self, case: &ShortestPaths, push: &mut impl FnMut(Sources)) {
        let Sources { first, end } = self;
        if end - first == 1 {
            return case.fill_row(first);
        }
        let middle = first.midpoint(end);
        push(Sources { first, end: middle });
        push(Sources { first: middle, end });
    }
}

impl Case for ShortestPaths {
    type Node = Sources;

    fn reset(&mut self) {
        self.table.iter_mut().for_each(|distance| *distance.get_mut() = FAR);
    }

    fn root(&self) -> Sources {
        Sources { first: 0, end: self.graph.vertices() }
    }

    fn run_serially(&self) {
        (0..self.graph.vertices()).for_each(|source| self.fill_row(source));
    }

    /// A binary tree with a leaf a source.
    fn nodes(&self) -> u64 {
        2 * u64::from(self.graph.vertices()) - 1
    }

    /// A stack that goes down the tree holds one half a level, and the last one's sibling.
    fn most_queued(&self) -> usize {
        u32::BITS as usize + 1
    }

    fn judge(&mut self) -> Result<String, WrongAnswer> {
        let answer = |distances: &mut dyn Iterator<Item = u32>| {
            let (sum, largest) = distances.fold((0, 0), |(sum, largest), distance| {
                (sum + u64::from(distance), distance.max(largest))
            });
            format!("distances sum={sum} largest={largest}")
        };
        let expected = answer(&mut self.expected.iter().copied());
        let got = self.table.iter_mut().map(|distance| *distance.get_mut());
        if got.eq(self.expected.iter().copied()) {
            return Ok(expected);
        }
        let got = answer(&mut self.table.iter_mut().map(|distance| *distance.get_mut()));
        Err(WrongAnswer { expected, got })
    }
}

impl Idempotent for ShortestPaths {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_floyd_and_warshall() {
        let mut case = ShortestPaths::new(60);
        let n = 60;
        let mut table = vec![u64::MAX / 2; n * n];
        for vertex in 0..n {
            table[vertex * n + vertex] = 0;
            for place in case.graph.places(vertex as u32) {
                let cell = &mut table[vertex * n + case.graph.neighbour(place) as usize];
                *cell = u64::from(case.lengths[place]).min(*cell);
            }
        }
        for over in 0..n {
            for from in 0..n {
                for to in 0..n {
                    let through = table[from * n + over] + table[over * n + to];
                    table[from * n + to] = table[from * n + to].min(through);
                }
            }
        }
        assert!(case.expected.iter().map(|&distance| u64::from(distance)).eq(table));
        assert!(case.judge().is_err(), "nothing was computed");
        case.run_serially();
        case.judge().unwrap();
    }

    #[test]
    fn lengths_are_the_same_in_both_directions() {
        let case = ShortestPaths::new(60);
        let distance = |from: usize, to: usize| case.expected[from * 60 + to];
        assert!((0..60).all(|a| (0..60).all(|b| distance(a, b) == distance(b, a))));
        assert!(case.lengths.iter().all(|length| (1..=LONGEST_EDGE).contains(length)));
    }

    #[test]
    fn a_row_that_was_not_filled_is_a_wrong_answer() {
        let mut case = ShortestPaths::new(20);
        case.reset();
        (1..20).for_each(|source| case.fill_row(source));
        let message = case.judge().unwrap_err().to_string();
        assert!(message.contains("largest=4294967295"), "{message}");
        case.fill_row(0);
        case.fill_row(7);
        case.judge().unwrap();
    }
}
