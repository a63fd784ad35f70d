//! A stack of nodes.

use super::{Dfs, SOURCE};
use crate::engine::{On, Serial};

impl On<Serial> for Dfs {
    fn run(&mut self, (): ()) {
        let search = self.search();
        search.visit_alone(SOURCE);
        let mut stack = vec![SOURCE];
        while let Some(node) = stack.pop() {
            let neighbours = search.neighbours.of(node).iter().copied();
            stack.extend(neighbours.filter(|&node| search.visit_alone(node)));
        }
    }
}
