//! Random connected graphs, undirected, as lists of neighbours in one array.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// An undirected graph.
#[derive(Debug)]
pub(super) struct Graph {
    /// Where each vertex's neighbours begin, and where the last one's end.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// A connected graph of `vertices` with `degree` neighbours on average: a random tree and random edges besides.
    ///
    /// The same seed makes the same graph.
    pub(super) fn random(vertices: u32, degree: u32, seed: u64) -> Graph {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for vertex in 1..vertices {
            edges.push((vertex, random.random_range(0..vertex)));
        }
        while (edges.len() as u64) < u64::from(vertices) * u64::from(degree) / 2 {
            edges.push((random.random_range(0..vertices), random.random_range(0..vertices)));
        }
        Graph::of(vertices, &edges)
    }

    fn of(vertices: u32, edges: &[(u32, u32)]) -> Graph {
        let mut starts = vec![0; vertices as usize + 1];
        let ends = || edges.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
        for (from, _) in ends() {
            starts[from as usize + 1] += 1;
        }
        for vertex in 0..vertices as usize {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; edges.len() * 2];
        for (from, to) in ends() {
            neighbours[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Graph { starts, neighbours }
    }

    /// How many vertices there are; they are numbered from 0.
    pub(super) fn vertices(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The places of a vertex's neighbours, for what is kept beside them.
    #[inline]
    pub(super) fn places(&self, vertex: u32) -> std::ops::Range<usize> {
        self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize
    }

    /// The neighbour at one of the places.
    #[inline]
    pub(super) fn neighbour(&self, place: usize) -> u32 {
        self.neighbours[place]
    }

    /// The vertices with an edge to `vertex`.
    #[inline]
    pub(super) fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.neighbours[self.places(vertex)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_both_ways() {
        let graph = Graph::of(3, &[(0, 1), (2, 0)]);
        assert_eq!(graph.vertices(), 3);
        assert_eq!([0, 1, 2].map(|vertex| graph.neighbours(vertex)), [&[1, 2][..], &[0], &[0]]);
    }

    #[test]
    fn random_graphs_are_connected_as_dense_as_asked_and_the_same_each_time() {
        let graph = Graph::random(1000, 6, 1);
        assert_eq!(graph.neighbours.len(), 6000);
        let mut seen = vec![false; 1000];
        let mut stack = vec![0];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut seen[vertex as usize], true) {
                stack.extend(graph.neighbours(vertex));
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        assert_eq!(graph.neighbours, Graph::random(1000, 6, 1).neighbours);
        assert_ne!(graph.neighbours, Graph::random(1000, 6, 2).neighbours);
        assert_eq!(Graph::random(1, 6, 1).neighbours(0), [0; 6]);
    }
}
