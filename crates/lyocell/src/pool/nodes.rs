//! Where workers stay: on which node of the machine's memory, if they are to.
//!
//! ```text
//!   processors, in the order of nodes   0 1 2 3 | 4 5 6 7
//!   6 workers, one each                 0 1 2 3 | 4 5
//!   12 workers, in proportion           0 1 2 3 4 5 | 6 7 8 9 10 11
//! ```
//! So those of a node are beside each other in the pool's numbers, and few workers are on few nodes.

use super::Builder;
use super::config::Pinning;
use crate::deque::Deque;
use crate::probe::Probe;
use lyocell_sync::affinity;
use std::ops::Range;

/// The nodes of a machine with the workers of a pool.
#[derive(Debug)]
pub(crate) struct Nodes(Vec<Node>);

#[derive(Debug, PartialEq, Eq)]
struct Node {
    workers: Range<usize>,
    processors: Vec<usize>,
}

impl Nodes {
    /// Those of this machine, with so many workers.
    pub(super) fn of_system(workers: usize) -> Nodes {
        Nodes::deal(affinity::nodes(), workers)
    }

    fn deal(nodes: Vec<Vec<usize>>, workers: usize) -> Nodes {
        let all: usize = nodes.iter().map(Vec::len).sum();
        let workers_on = |processors: usize| match workers <= all {
            true => processors.min(workers),
            false => processors * workers / all,
        };
        let mut before = 0;
        let dealt = nodes.into_iter().map(|processors| {
            let first = before;
            before += processors.len();
            Node { workers: workers_on(first)..workers_on(before), processors }
        });
        Nodes(dealt.filter(|node| !node.workers.is_empty()).collect())
    }

    /// Two, with as many processors as there are workers.
    #[cfg(all(test, not(loom)))]
    pub(super) fn two(workers: usize) -> Nodes {
        let half = workers / 2;
        Nodes::deal(vec![(0..half).collect(), (half..workers).collect()], workers)
    }

    /// The processors of a worker's node. None of a worker that has been dealt none: a spare one is where the system places it.
    pub(super) fn processors_of(&self, worker: usize) -> Option<&[usize]> {
        let node = self.0.iter().find(|node| node.workers.contains(&worker));
        node.map(|node| &*node.processors)
    }

    /// The workers of each node, if there are several nodes.
    pub(super) fn workers(&self) -> Vec<Range<usize>> {
        let nodes = if self.0.len() > 1 { &*self.0 } else { &[] };
        nodes.iter().map(|node| node.workers.clone()).collect()
    }
}

impl<D: Deque, P: Probe> Builder<D, P> {
    /// Sets whether each worker stays on one processor, or near one part of the memory. By default workers do not.
    ///
    /// # Examples
    /// ```
    /// use lyocell::Pinning;
    ///
    /// let pool = lyocell::Pool::builder().pinning(Pinning::Node).build()?;
    /// assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    #[must_use]
    pub fn pinning(mut self, pinning: Pinning) -> Self {
        let by_node = matches!(pinning, Pinning::Node | Pinning::NearFirst);
        self.config.pinning = pinning;
        self.config.find_nodes = by_node.then_some(Nodes::of_system as _);
        self
    }

    /// As if the machine had two nodes, with half of the workers each.
    #[cfg(all(test, not(loom)))]
    pub(crate) fn near_first_on_two_nodes(self) -> Self {
        let mut builder = self.pinning(Pinning::NearFirst);
        builder.config.find_nodes = Some(Nodes::two);
        builder
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::pool::{Caller, Pool};

    fn workers(nodes: &[&[usize]], workers: usize) -> Vec<Range<usize>> {
        let nodes = nodes.iter().map(|processors| processors.to_vec()).collect();
        Nodes::deal(nodes, workers).0.into_iter().map(|node| node.workers).collect()
    }

    #[test]
    fn few_workers_are_on_few_nodes_and_many_on_all_in_proportion() {
        let nodes: &[&[usize]] = &[&[0, 2, 4, 6], &[1, 3], &[5, 7]];
        assert_eq!((workers(nodes, 1).pop(), workers(nodes, 4).pop()), (Some(0..1), Some(0..4)));
        assert_eq!(workers(nodes, 5), [0..4, 4..5]);
        assert_eq!(workers(nodes, 8), [0..4, 4..6, 6..8]);
        assert_eq!(workers(nodes, 9), [0..4, 4..6, 6..9]);
        assert_eq!(workers(nodes, 800), [0..400, 400..600, 600..800]);
        assert_eq!(workers(&[], 8), []);
    }

    #[test]
    fn each_worker_has_the_processors_of_its_node_and_a_spare_one_none() {
        let nodes = Nodes::deal(vec![vec![0, 2], vec![1, 3]], 3);
        assert_eq!(nodes.processors_of(1), Some(&[0, 2][..]));
        assert_eq!(nodes.processors_of(2), Some(&[1, 3][..]));
        assert_eq!(nodes.processors_of(3), None);
        assert_eq!(nodes.workers(), [0..2, 2..3]);
        assert!(Nodes::deal(vec![vec![0, 2], vec![1, 3]], 2).workers().is_empty());
    }

    #[test]
    fn each_thread_stays_on_the_processors_of_its_node() {
        let processors = affinity::nodes().concat().len();
        if processors == 0 {
            // The system does not tell.
            return;
        }
        let mut builder = Pool::builder().workers(processors).caller(Caller::Sleeps);
        builder = builder.pinning(Pinning::Node);
        // As if each processor were a node.
        builder.config.find_nodes = Some(|workers| {
            Nodes::deal(
                affinity::nodes().concat().into_iter().map(|one| vec![one]).collect(),
                workers,
            )
        });
        let pool = builder.build().unwrap();
        assert_eq!(pool.broadcast(|_| affinity::processors()), vec![1; processors]);
    }
}
