//! Pseudo-DFS: which nodes of a graph can be reached from the first, in whatever order the workers come upon them.
//!
//! Acar, Charguéraud and Rainey (2013), section 5 and Figure 6 (b): outside of fork-join, with coalesced tasks and
//! steal-half. A task is a bag of nodes of one worker, who visits up to [`AT_A_TIME`] of them, and then gives half of the
//! bag to whoever asks. On lyocell that is [`Worker::coalesce`](::lyocell::Worker::coalesce), whatever the deque. rayon has no
//! such thing: there a task gives half of its bag away as a task of its own each time it looks, which is as near as its
//! scopes come. The graphs are those of the Problem Based Benchmark Suite; there of 40 million nodes.
//!
//! A node is marked by whoever comes first, with an exchange; the serial program marks with plain stores.
//!
//! The answer is checked against the components of the graph, found by merging sets along its edges.

mod lyocell;
mod rayon;
mod serial;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::made::Made;
use crate::pbbs::graph::{Edge, Neighbours, Recipe};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload};

/// Where the search begins.
const SOURCE: u32 = 0;

/// Nodes that are visited between two looks whether somebody asks: some microseconds. The paper's S is not told.
const AT_A_TIME: usize = 128;

pub(crate) static PROGRAM: Program<Dfs> = Program {
    workload: Workload {
        name: "dfs",
        summary: "nodes of a graph that can be reached from the first; coalesced tasks, steal-half",
        source: "Acar, Charguéraud and Rainey 2013, section 5, Figure 6 (b)",
        parameters: || Recipe::PARAMETERS.to_owned(),
        default_parameter: "grid,1000000",
    },
    small: || Dfs::parse("rmat,1024"),
    parse: Dfs::parse,
};

/// The nodes that can be reached from one.
#[derive(Clone, Debug)]
pub struct Dfs {
    recipe: Recipe,
    /// Made by the first use.
    search: Made<Search>,
}

/// A graph, and which of its nodes were reached in this run.
#[derive(Debug)]
struct Search {
    neighbours: Neighbours,
    reached: Vec<AtomicBool>,
    /// Which must be.
    expected: Vec<bool>,
}

impl Search {
    fn new(recipe: Recipe) -> Search {
        let edges = recipe.edges();
        let neighbours = Neighbours::new(recipe.nodes(), &edges);
        let reached = (0..recipe.nodes()).map(|_| AtomicBool::new(false)).collect();
        Search { neighbours, reached, expected: component(recipe.nodes(), &edges, SOURCE) }
    }

    /// Whether nobody was at `node` before.
    #[inline]
    fn visit(&self, node: u32) -> bool {
        let reached = &self.reached[node as usize];
        // Ordering: Relaxed; only the mark itself counts, and who came first is decided by the exchange.
        !reached.load(Ordering::Relaxed) && !reached.swap(true, Ordering::Relaxed)
    }

    /// The same where nobody else visits.
    #[inline]
    fn visit_alone(&self, node: u32) -> bool {
        let reached = &self.reached[node as usize];
        // Ordering: Relaxed; nobody else is there.
        let first = !reached.load(Ordering::Relaxed);
        if first {
            reached.store(true, Ordering::Relaxed);
        }
        first
    }

    /// The neighbours of `node` where nobody was before.
    #[inline]
    fn new_neighbours(&self, node: u32) -> impl Iterator<Item = u32> {
        self.neighbours.of(node).iter().copied().filter(|&node| self.visit(node))
    }
}

/// Which nodes are connected with `source`.
fn component(nodes: u32, edges: &[Edge], source: u32) -> Vec<bool> {
    // Sets as trees; each node knows one nearer to the root of its own.
    let mut parents: Vec<u32> = (0..nodes).collect();
    let root = |mut node: u32, parents: &mut Vec<u32>| {
        while parents[node as usize] != node {
            let next = parents[parents[node as usize] as usize];
            parents[node as usize] = next;
            node = next;
        }
        node
    };
    for &(u, v) in edges {
        let (u, v) = (root(u, &mut parents), root(v, &mut parents));
        parents[u.max(v) as usize] = u.min(v);
    }
    let of_source = root(source, &mut parents);
    (0..nodes).map(|node| root(node, &mut parents) == of_source).collect()
}

impl Dfs {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Dfs, UnknownParameter> {
        Ok(Dfs { recipe: Recipe::parse(parameter)?, search: Made::default() })
    }

    fn search(&mut self) -> Arc<Search> {
        self.search.get(|| Arc::new(Search::new(self.recipe)))
    }
}

impl Problem for Dfs {
    /// The answer is in the problem.
    type Answer = ();

    fn parameter(&self) -> String {
        self.recipe.to_string()
    }

    /// They depend on who asks when.
    fn tasks(&self) -> Option<u64> {
        None
    }

    /// Forgets what was reached.
    fn reset(&mut self) {
        let search = self.search();
        // Ordering: Relaxed; the run begins after this on whatever thread.
        search.reached.iter().for_each(|reached| reached.store(false, Ordering::Relaxed));
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let search = self.search();
        // Ordering: Relaxed; the run is over.
        let got = || search.reached.iter().map(|reached| reached.load(Ordering::Relaxed));
        let mut pairs = got().zip(&search.expected);
        match pairs.position(|(got, &expected)| got != expected) {
            None => Ok(format!("{} nodes", got().filter(|&reached| reached).count())),
            Some(node) => {
                let word = |reached: bool| if reached { "reached" } else { "not reached" };
                let expected = search.expected[node];
                Err(WrongAnswer {
                    expected: format!("node {node} {}", word(expected)),
                    got: word(!expected).to_owned(),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};

    #[test]
    fn what_is_connected_is_reached_and_nothing_else() {
        for parameter in ["grid,8", "grid,1000", "local,500", "rmat,4096"] {
            let mut dfs = Dfs::parse(parameter).unwrap();
            dfs.reset();
            assert!(dfs.judge(&()).is_err(), "nothing was reached");
            On::<Serial>::run(&mut dfs, ());
            assert!(dfs.judge(&()).is_ok(), "{parameter}: {:?}", dfs.judge(&()));
        }
    }

    #[test]
    fn a_node_too_many_or_too_few_is_refused() {
        let mut dfs = Dfs::parse("rmat,4096").unwrap();
        dfs.reset();
        On::<Serial>::run(&mut dfs, ());
        let search = dfs.search();
        for reached in [true, false] {
            let node = search.expected.iter().position(|&expected| expected == reached).unwrap();
            search.reached[node].store(!reached, Ordering::Relaxed);
            assert!(dfs.judge(&()).is_err());
            search.reached[node].store(reached, Ordering::Relaxed);
            assert!(dfs.judge(&()).is_ok());
        }
    }

    #[test]
    fn components_are_those_that_one_sees() {
        let edges = [(0, 1), (2, 3), (4, 1), (5, 5)];
        assert_eq!(component(6, &edges, 0), [true, true, false, false, true, false]);
        assert_eq!(component(6, &edges, 3), [false, false, true, true, false, false]);
    }
}
