//! Conjunction, and what can be counted in a diagram.

use std::collections::HashMap;

use super::results::Results;
use super::unique::{FALSE, Id, Node, TRUE, Unique};
use crate::fork::Fork;

/// Decision diagrams that share their nodes.
#[derive(Debug)]
pub(super) struct Diagrams {
    nodes: Unique,
    results: Results,
}

impl Diagrams {
    /// With room for those of `n` queens.
    pub(super) fn new(n: u32) -> Diagrams {
        // A run makes 68,847 nodes for 8 queens, 311,604 for 9, and so on: twice as many places at least.
        let bits = (2 * n + 2).max(12);
        Diagrams { nodes: Unique::new(bits), results: Results::new(bits) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.results.clear();
    }

    /// "If `variable` is true then `high`, else `low`."
    #[inline]
    pub(super) fn node(&self, variable: u32, low: Id, high: Id) -> Id {
        if low == high { low } else { self.nodes.find_or_add(Node { variable, low, high }) }
    }

    /// The conjunction if it needs no look at a node.
    #[inline]
    fn and_of_ends(a: Id, b: Id) -> Option<Id> {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => Some(FALSE),
            (TRUE, other) | (other, TRUE) => Some(other),
            _ => (a == b).then_some(a),
        }
    }

    /// "Both."
    pub(super) fn and<F: Fork>(&self, fork: &mut F, a: Id, b: Id) -> Id {
        if let Some(result) = Diagrams::and_of_ends(a, b) {
            return result;
        }
        // One order for both, so that it is computed once.
        let (a, b) = (a.min(b), a.max(b));
        if let Some(result) = self.results.get(a, b) {
            return result;
        }
        let (variable, low, high) = self.cofactors(a, b);
        let (low, high) =
            match (Diagrams::and_of_ends(low.0, low.1), Diagrams::and_of_ends(high.0, high.1)) {
                (Some(low), Some(high)) => (low, high),
                (Some(low), None) => (low, fork.call(|fork| self.and(fork, high.0, high.1))),
                (None, Some(high)) => (fork.call(|fork| self.and(fork, low.0, low.1)), high),
                (None, None) => fork.join(
                    |fork| self.and(fork, low.0, low.1),
                    |fork| self.and(fork, high.0, high.1),
                ),
            };
        let result = self.node(variable, low, high);
        self.results.put(a, b, result);
        result
    }

    /// The first variable of both, and both where it is false and where it is true.
    #[inline]
    fn cofactors(&self, a: Id, b: Id) -> (u32, (Id, Id), (Id, Id)) {
        let (node_a, node_b) = (self.nodes.node(a), self.nodes.node(b));
        let variable = node_a.variable.min(node_b.variable);
        let sides = |id: Id, node: Node| {
            if node.variable == variable { (node.low, node.high) } else { (id, id) }
        };
        let ((low_a, high_a), (low_b, high_b)) = (sides(a, node_a), sides(b, node_b));
        (variable, (low_a, low_b), (high_a, high_b))
    }

    /// The nodes of a diagram, but the ends.
    pub(super) fn nodes_of(&self, diagram: Id) -> u64 {
        let (mut seen, mut stack) = (HashMap::new(), vec![diagram]);
        while let Some(id) = stack.pop() {
            if id > TRUE && seen.insert(id, ()).is_none() {
                let Node { low, high, .. } = self.nodes.node(id);
                stack.extend([low, high]);
            }
        }
        seen.len() as u64
    }

    /// In how many ways `variables` variables make a diagram true.
    pub(super) fn solutions(&self, diagram: Id, variables: u32) -> u64 {
        let (first, count) = self.solutions_from(diagram, variables, &mut HashMap::new());
        count << first
    }

    /// The first variable of a diagram, and the ways for it and those behind it.
    fn solutions_from(
        &self,
        diagram: Id,
        variables: u32,
        known: &mut HashMap<Id, (u32, u64)>,
    ) -> (u32, u64) {
        if diagram <= TRUE {
            return (variables, u64::from(diagram));
        }
        if let Some(&count) = known.get(&diagram) {
            return count;
        }
        let Node { variable, low, high } = self.nodes.node(diagram);
        let mut side = |side: Id| {
            let (first, count) = self.solutions_from(side, variables, known);
            // Each variable between the two may be either.
            count.wrapping_shl(first - variable - 1)
        };
        let count = (variable, side(low) + side(high));
        known.insert(diagram, count);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fork::Alone;

    #[test]
    fn a_conjunction_is_true_where_both_are() {
        let diagrams = Diagrams::new(1);
        let variable = |variable| diagrams.node(variable, FALSE, TRUE);
        let not = |variable| diagrams.node(variable, TRUE, FALSE);
        let and = |a, b| diagrams.and(&mut Alone, a, b);
        let both = and(variable(0), variable(2));
        assert_eq!(both, diagrams.node(0, FALSE, variable(2)));
        assert_eq!(both, and(variable(2), variable(0)));
        assert_eq!(and(both, not(2)), FALSE);
        assert_eq!((diagrams.nodes_of(both), diagrams.solutions(both, 4)), (2, 4));
        assert_eq!((diagrams.nodes_of(TRUE), diagrams.solutions(TRUE, 4)), (0, 16));
        assert_eq!(diagrams.solutions(FALSE, 4), 0);
    }
}
