//! Matching: a maximal set of edges of a graph no two of which have a node in common.
//!
//! The `matching` of Acar, Charguéraud and Rainey (2013), section 4, from the Problem Based Benchmark Suite: an edge
//! belongs to the set if no earlier one of its nodes does. That greedy loop is run in rounds
//! ([deterministic reservations](crate::pbbs::speculate)): both nodes of an edge are reserved by the earliest edge that
//! wants them, and an edge that has both is in. So the answer is the serial one. The graphs are the suite's; there of 40
//! million nodes. Their edges are in [random order](crate::pbbs::graph::Recipe::edges_at_random), in which few edges wait
//! for another. The program is written once for all engines ([`fork`](crate::fork)).
//!
//! The answer is checked from both sides: no node has two edges of the set, and every edge has a node with one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::fork::{Fork, KnownForks, Solve};
use crate::made::Made;
use crate::pbbs::graph::{Edge, Recipe};
use crate::pbbs::speculate::{Steps, speculate};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload};

pub(crate) static PROGRAM: Program<Matching> = Program {
    workload: Workload {
        name: "matching",
        summary: "maximal matching of a graph, greedy, in rounds of reservations",
        source: "Acar, Charguéraud and Rainey 2013, section 4; PBBS, Shun et al. 2012",
        parameters: || Recipe::PARAMETERS.to_owned(),
        default_parameter: "grid,1000000",
    },
    small: || Matching::parse("local,1000"),
    parse: Matching::parse,
};

/// A maximal matching.
#[derive(Clone, Debug)]
pub struct Matching {
    recipe: Recipe,
    /// Made by the first use.
    edges: Made<[Edge]>,
    nodes: Vec<Node>,
    forks: KnownForks,
}

/// What is known of a node.
#[derive(Debug)]
struct Node {
    /// The earliest edge that wants it in this round, or [`NOBODY`].
    reserved: AtomicU32,
    /// The edge of the matching that it has, or [`NOBODY`].
    matched: AtomicU32,
}

const NOBODY: u32 = u32::MAX;

impl Node {
    fn new() -> Node {
        Node { reserved: AtomicU32::new(NOBODY), matched: AtomicU32::new(NOBODY) }
    }

    // Ordering of all: Relaxed; what one part of a round writes another part reads, and all joins end between them.
    // Within the first part the smallest number wins whatever the order.

    fn edge(&self) -> Option<u32> {
        Some(self.matched.load(Ordering::Relaxed)).filter(|&edge| edge != NOBODY)
    }

    fn reserve(&self, edge: u32) {
        // Most edges come too late: they need not write.
        if self.reserved.load(Ordering::Relaxed) > edge {
            self.reserved.fetch_min(edge, Ordering::Relaxed);
        }
    }

    /// Gives the node back if it is reserved for `edge`, and says whether it was.
    fn release(&self, edge: u32) -> bool {
        let mine = self.reserved.load(Ordering::Relaxed) == edge;
        if mine {
            self.reserved.store(NOBODY, Ordering::Relaxed);
        }
        mine
    }
}

impl Clone for Node {
    fn clone(&self) -> Node {
        let copy = |number: &AtomicU32| AtomicU32::new(number.load(Ordering::Relaxed));
        Node { reserved: copy(&self.reserved), matched: copy(&self.matched) }
    }
}

impl Matching {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Matching, UnknownParameter> {
        let recipe = Recipe::parse(parameter)?;
        Ok(Matching {
            recipe,
            edges: Made::default(),
            nodes: Vec::new(),
            forks: KnownForks::default(),
        })
    }

    fn edges(&mut self) -> Arc<[Edge]> {
        let make = || self.recipe.edges_at_random().into();
        self.edges.get(make)
    }
}

struct Greedy<'a> {
    edges: &'a [Edge],
    nodes: &'a [Node],
}

impl Greedy<'_> {
    fn ends(&self, edge: u32) -> (&Node, &Node) {
        let (u, v) = self.edges[edge as usize];
        (&self.nodes[u as usize], &self.nodes[v as usize])
    }
}

impl Steps for Greedy<'_> {
    type State = ();

    fn reserve(&self, edge: u32) -> Option<()> {
        let (u, v) = self.ends(edge);
        if std::ptr::eq(u, v) || u.edge().is_some() || v.edge().is_some() {
            return None;
        }
        u.reserve(edge);
        v.reserve(edge);
        Some(())
    }

    fn commit(&self, edge: u32, (): ()) -> bool {
        let (u, v) = self.ends(edge);
        let (has_u, has_v) = (u.release(edge), v.release(edge));
        let both = has_u && has_v;
        if both {
            u.matched.store(edge, Ordering::Relaxed);
            v.matched.store(edge, Ordering::Relaxed);
        }
        both
    }
}

impl Solve for Matching {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        let edges = self.edges();
        speculate(fork, edges.len() as u32, &Greedy { edges: &edges, nodes: &self.nodes });
    }
}

impl Problem for Matching {
    /// The answer is in the problem.
    type Answer = ();

    fn parameter(&self) -> String {
        self.recipe.to_string()
    }

    fn tasks(&self) -> Option<u64> {
        Some(self.forks.of(self).joins)
    }

    fn branching_depth(&self) -> Option<u64> {
        Some(self.forks.of(self).depth)
    }

    fn reset(&mut self) {
        self.edges();
        self.nodes = vec![Node::new(); self.recipe.nodes() as usize];
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let edges = self.edges();
        let matched = |node: u32| self.nodes[node as usize].edge();
        let wrong =
            |expected: &str, got: String| WrongAnswer { expected: expected.to_owned(), got };
        let mut size = 0;
        for (edge, &(u, v)) in (0..).zip(&*edges) {
            let (of_u, of_v) = (matched(u), matched(v));
            match (of_u == Some(edge), of_v == Some(edge)) {
                (true, true) => size += 1,
                (false, false) if u == v || of_u.is_some() || of_v.is_some() => {}
                (false, false) => {
                    return Err(wrong(
                        "a maximal set",
                        format!("edge {edge} and all at its nodes out of it"),
                    ));
                }
                _ => {
                    return Err(wrong(
                        "no two edges at a node",
                        format!("edge {edge} and another one"),
                    ));
                }
            }
        }
        let nodes = self.nodes.iter().filter(|node| node.edge().is_some()).count();
        if nodes != 2 * size {
            return Err(wrong("two nodes for each edge", format!("{nodes} for {size}")));
        }
        Ok(format!("{size} edges"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::Alone;

    fn solved(parameter: &str) -> Matching {
        let mut matching = Matching::parse(parameter).unwrap();
        matching.reset();
        On::<Serial>::run(&mut matching, ());
        matching
    }

    #[test]
    fn matchings_are_those_of_the_greedy_loop() {
        for parameter in ["grid,8", "grid,8000", "local,5000", "rmat,4096"] {
            let mut matching = solved(parameter);
            assert!(matching.judge(&()).is_ok(), "{parameter}: {:?}", matching.judge(&()));
            let mut edges_of = vec![None; matching.recipe.nodes() as usize];
            for (edge, &(u, v)) in (0..).zip(&*matching.edges()) {
                let free = |node: u32| edges_of[node as usize].is_none();
                if u != v && free(u) && free(v) {
                    edges_of[u as usize] = Some(edge);
                    edges_of[v as usize] = Some(edge);
                }
            }
            assert!(matching.nodes.iter().map(Node::edge).eq(edges_of), "{parameter}");
        }
    }

    #[test]
    fn an_edge_seldom_waits_for_another() {
        for parameter in ["grid,8000", "grid,125000", "local,10000", "local,160000", "rmat,131072"]
        {
            let mut matching = Matching::parse(parameter).unwrap();
            matching.reset();
            let edges = matching.edges();
            let greedy = Greedy { edges: &edges, nodes: &matching.nodes };
            let effort = speculate(&mut Alone, edges.len() as u32, &greedy);
            assert!(effort.is_linear(edges.len()), "{parameter}: {effort:?}");
        }
    }

    #[test]
    fn an_edge_too_many_or_too_few_is_refused() {
        let mut matching = solved("grid,1000");
        let edge = matching.nodes[0].edge().unwrap();
        let (u, v) = matching.edges()[edge as usize];
        let set = |matching: &Matching, edge| {
            for node in [u, v] {
                matching.nodes[node as usize].matched.store(edge, Ordering::Relaxed);
            }
        };
        set(&matching, NOBODY);
        assert!(matching.judge(&()).is_err());
        set(&matching, edge);
        assert!(matching.judge(&()).is_ok());
        set(&matching, 2999);
        assert!(matching.judge(&()).is_err());
    }
}
