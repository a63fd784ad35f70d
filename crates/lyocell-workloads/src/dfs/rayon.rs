//! A bag of nodes a task, of which half becomes a task whenever it looks.

use super::{AT_A_TIME, Dfs, SOURCE, Search};
use crate::engine::{On, Rayon};

impl On<Rayon> for Dfs {
    fn run(&mut self, (): ()) {
        let search = self.search();
        search.visit(SOURCE);
        rayon::scope(|scope| visit_all(scope, &search, vec![SOURCE]));
    }
}

fn visit_all<'s>(scope: &rayon::Scope<'s>, search: &'s Search, mut bag: Vec<u32>) {
    while !bag.is_empty() {
        for _ in 0..AT_A_TIME {
            let Some(node) = bag.pop() else { return };
            bag.extend(search.new_neighbours(node));
        }
        // Smaller bags are not worth a task.
        if bag.len() > AT_A_TIME {
            let newer = bag.split_off(bag.len() / 2);
            let older = std::mem::replace(&mut bag, newer);
            scope.spawn(move |scope| visit_all(scope, search, older));
        }
    }
}
