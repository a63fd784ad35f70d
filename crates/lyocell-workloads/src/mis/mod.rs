//! MIS: a maximal set of nodes of a graph no two of which are neighbours.
//!
//! The `MIS` of Acar, Charguéraud and Rainey (2013), Figure 4, from the Problem Based Benchmark Suite: a node belongs to
//! the set if none of its neighbours with a smaller number does. That greedy loop is run in rounds
//! ([deterministic reservations](crate::pbbs::speculate)), so its answer is the serial one. The graphs are the suite's;
//! there of 40 million nodes. Their nodes are numbered [at random](crate::pbbs::graph::Recipe::edges_at_random), so that few
//! of them wait for another. The program is written once for all engines ([`fork`](crate::fork)).
//!
//! The answer is checked from both sides: no two nodes of the set are neighbours, and every other node has one in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::fork::{Fork, KnownForks, Solve};
use crate::made::Made;
use crate::pbbs::graph::{Neighbours, Recipe};
use crate::pbbs::speculate::{Steps, speculate};
use crate::problem::{Problem, WrongAnswer};
use crate::workload::{Program, UnknownParameter, Workload};

pub(crate) static PROGRAM: Program<Mis> = Program {
    workload: Workload {
        name: "mis",
        summary: "maximal independent set of a graph, greedy, in rounds of reservations",
        source: "Acar, Charguéraud and Rainey 2013, Figure 4; PBBS, Shun et al. 2012",
        parameters: || Recipe::PARAMETERS.to_owned(),
        default_parameter: "grid,1000000",
    },
    small: || Mis::parse("rmat,1024"),
    parse: Mis::parse,
};

/// A maximal independent set.
#[derive(Clone, Debug)]
pub struct Mis {
    recipe: Recipe,
    /// Made by the first use.
    graph: Made<Neighbours>,
    /// Of each node, one of those below.
    marks: Vec<Mark>,
    forks: KnownForks,
}

/// What is known of a node.
#[derive(Debug, Default)]
struct Mark(AtomicU8);

const OPEN: u8 = 0;
const IN: u8 = 1;
const OUT: u8 = 2;

impl Mark {
    // Ordering: Relaxed; a node is marked in one part of a round and looked at in another, between which all joins end.
    fn get(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }

    // Ordering: as above.
    fn set(&self, mark: u8) {
        self.0.store(mark, Ordering::Relaxed);
    }
}

impl Clone for Mark {
    fn clone(&self) -> Mark {
        Mark(AtomicU8::new(self.get()))
    }
}

impl Mis {
    /// The problem that `parameter` says.
    ///
    /// # Errors
    /// It is none of the parameters there are.
    pub fn parse(parameter: &str) -> Result<Mis, UnknownParameter> {
        let recipe = Recipe::parse(parameter)?;
        Ok(Mis { recipe, graph: Made::default(), marks: Vec::new(), forks: KnownForks::default() })
    }

    fn graph(&mut self) -> Arc<Neighbours> {
        let make =
            || Arc::new(Neighbours::new(self.recipe.nodes(), &self.recipe.edges_at_random()));
        self.graph.get(make)
    }
}

struct Greedy<'a> {
    graph: &'a Neighbours,
    marks: &'a [Mark],
}

impl Steps for Greedy<'_> {
    type State = u8;

    fn reserve(&self, node: u32) -> Option<u8> {
        let earlier = self.graph.of(node).iter().take_while(|&&other| other < node);
        let mut mark = IN;
        for &other in earlier {
            match self.marks[other as usize].get() {
                IN => return Some(OUT),
                OPEN => mark = OPEN,
                _ => {}
            }
        }
        Some(mark)
    }

    fn commit(&self, node: u32, mark: u8) -> bool {
        self.marks[node as usize].set(mark);
        mark != OPEN
    }
}

impl Solve for Mis {
    fn solve<F: Fork>(&mut self, fork: &mut F) {
        let (graph, marks) = (self.graph(), &self.marks);
        speculate(fork, marks.len() as u32, &Greedy { graph: &graph, marks });
    }
}

impl Problem for Mis {
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
        self.graph();
        self.marks = vec![Mark::default(); self.recipe.nodes() as usize];
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let graph = self.graph();
        let is_in = |node: u32| self.marks[node as usize].get() == IN;
        let wrong =
            |expected: &str, got: String| WrongAnswer { expected: expected.to_owned(), got };
        let mut size = 0;
        for node in 0..self.recipe.nodes() {
            let neighbour = graph.of(node).iter().copied().find(|&other| is_in(other));
            match (is_in(node), neighbour) {
                (true, None) => size += 1,
                (true, Some(other)) => {
                    return Err(wrong(
                        "an independent set",
                        format!("the neighbours {node} and {other} in it"),
                    ));
                }
                (false, Some(_)) => {}
                (false, None) => {
                    return Err(wrong(
                        "a maximal set",
                        format!("node {node} and all its neighbours out of it"),
                    ));
                }
            }
        }
        Ok(format!("{size} nodes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{On, Serial};
    use crate::fork::Alone;

    fn solved(parameter: &str) -> Mis {
        let mut mis = Mis::parse(parameter).unwrap();
        mis.reset();
        On::<Serial>::run(&mut mis, ());
        mis
    }

    #[test]
    fn sets_are_those_of_the_greedy_loop() {
        for parameter in ["grid,8", "grid,8000", "local,5000", "rmat,4096"] {
            let mut mis = solved(parameter);
            assert!(mis.judge(&()).is_ok(), "{parameter}: {:?}", mis.judge(&()));
            let (graph, mut chosen) = (mis.graph(), Vec::new());
            for node in 0..mis.recipe.nodes() {
                let free =
                    !graph.of(node).iter().any(|&other| other < node && chosen[other as usize]);
                chosen.push(free);
            }
            assert!(mis.marks.iter().map(|mark| mark.get() == IN).eq(chosen), "{parameter}");
        }
    }

    #[test]
    fn a_node_seldom_waits_for_another() {
        for parameter in ["grid,8000", "grid,125000", "local,10000", "local,160000", "rmat,131072"]
        {
            let mut mis = Mis::parse(parameter).unwrap();
            mis.reset();
            let graph = mis.graph();
            let greedy = Greedy { graph: &graph, marks: &mis.marks };
            let effort = speculate(&mut Alone, mis.marks.len() as u32, &greedy);
            assert!(effort.is_linear(mis.marks.len()), "{parameter}: {effort:?}");
        }
    }

    #[test]
    fn a_node_too_many_or_too_few_is_refused() {
        let mut mis = solved("grid,1000");
        let node = mis.marks.iter().position(|mark| mark.get() == IN).unwrap();
        mis.marks[node].set(OUT);
        assert!(mis.judge(&()).is_err());
        mis.marks[node].set(IN);
        assert!(mis.judge(&()).is_ok());
        let neighbour = mis.graph().of(node as u32)[0] as usize;
        mis.marks[neighbour].set(IN);
        assert!(mis.judge(&()).is_err());
    }
}
