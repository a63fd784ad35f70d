//! Pseudo-DFS (Acar, Charguéraud and Rainey 2013, section 5): the nodes of a cube that can be reached from the first, by coalesced tasks.
//! Its marks are no words of the machine's: a node's declared time has what they take.

use lyocell::{Deque, Probe, Worker};
use lyocell_virtual::work;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::programs::Known;

/// Nodes between two looks whether somebody asks, as in the program that is measured.
const AT_A_TIME: usize = 128;

/// A cube of nodes, each with six neighbours; the last in a row is next to the first. It has so many in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid(u32);

impl Grid {
    /// Of `grid,NODES`.
    pub(crate) fn parse(words: &str) -> Option<Grid> {
        let nodes: u32 = words.strip_prefix("grid,")?.parse().ok()?;
        let side = f64::from(nodes).cbrt().round() as u32;
        ((2..=200).contains(&side) && side.pow(3) == nodes).then_some(Grid(side))
    }

    fn nodes(self) -> u32 {
        self.0.pow(3)
    }

    fn neighbours(self, node: u32) -> impl Iterator<Item = u32> {
        let side = self.0;
        [1, side, side * side].into_iter().flat_map(move |step| {
            // Its place along the axis of this step.
            let (place, rest) = (node / step % side, node - node / step % side * step);
            [(place + 1) % side, (place + side - 1) % side].map(|next| rest + next * step)
        })
    }

    /// Visits all; how many there were, each counted whenever it is visited.
    pub(crate) fn search<D: Deque, P: Probe>(self, worker: &Worker<D, P>, node_ps: u64) -> u64 {
        let reached: Vec<AtomicBool> = (0..self.nodes()).map(|_| AtomicBool::new(false)).collect();
        let visits = AtomicU64::new(0);
        let is_first = |node: u32| !reached[node as usize].swap(true, Ordering::Relaxed);
        is_first(0);
        worker.coalesce([0], AT_A_TIME, |_, node, bag| {
            work(node_ps);
            visits.fetch_add(1, Ordering::Relaxed);
            bag.extend(self.neighbours(node).filter(|&next| is_first(next)));
        });
        visits.into_inner()
    }

    /// Its longest way is at least to the farthest node.
    pub(crate) fn known(self, node_ps: u64) -> Known {
        let (nodes, farthest) = (u64::from(self.nodes()), 3 * u64::from(self.0 / 2));
        Known { answer: nodes, work: nodes * node_ps, span: (farthest + 1) * node_ps, depth: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_those_of_the_program_that_is_measured() {
        let grid = Grid::parse("grid,125").unwrap();
        let mut of_first: Vec<u32> = grid.neighbours(0).collect();
        of_first.sort_unstable();
        assert_eq!(of_first, [1, 4, 5, 20, 25, 100]);
        let all = || 0..grid.nodes();
        assert!(all().all(|node| {
            grid.neighbours(node).all(|to| grid.neighbours(to).any(|back| back == node))
        }));
        assert_eq!(Grid::parse("grid,126"), None);
        assert_eq!(grid.known(2), Known { answer: 125, work: 250, span: 14, depth: 0 });
    }
}
