//! A bag of nodes a worker, halved when somebody asks.

use lyocell::{Deque, Probe, Worker};

use super::{AT_A_TIME, Dfs, SOURCE};
use crate::engine::{Lyocell, On};

impl<D: Deque, P: Probe> On<Lyocell<D, P>> for Dfs {
    fn run(&mut self, worker: &Worker<D, P>) {
        let search = self.search();
        search.visit(SOURCE);
        worker
            .coalesce([SOURCE], AT_A_TIME, |_, node, bag| bag.extend(search.new_neighbours(node)));
    }
}
