//! A scope: tasks that spawn tasks, as many as turn out to be needed, and that borrow from outside. Here they
//! visit all pages that can be reached from the first one.
//!
//! `cargo run --release --example scope -p lyocell`

use lyocell::{Pool, Scope};
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const PAGES: usize = 100_000;

struct Site {
    links: Vec<Vec<usize>>,
    visited: Vec<AtomicBool>,
    found: AtomicUsize,
}

impl Site {
    /// Every page links to some others; those whose number is divisible by seven are linked by their like only.
    fn new(pages: usize) -> Site {
        let links = |page: usize| {
            let targets =
                [page * 2 + 1, page * 3 + 2, page + pages / 3].map(|target| target % pages);
            targets.into_iter().filter(|target| page % 7 == 0 || target % 7 != 0).collect()
        };
        Site {
            links: (0..pages).map(links).collect(),
            visited: (0..pages).map(|_| AtomicBool::new(false)).collect(),
            found: AtomicUsize::new(0),
        }
    }

    /// Visits a page, and has its links visited by tasks of their own.
    fn visit<'scope>(&'scope self, page: usize, scope: &'scope Scope<'scope, '_>) {
        // Whoever sets the mark first visits the page.
        if self.visited[page].swap(true, Ordering::Relaxed) {
            return;
        }
        self.found.fetch_add(1, Ordering::Relaxed);
        for &link in &self.links[page] {
            scope.spawn(move |_| self.visit(link, scope));
        }
    }

    fn reachable(&self, first: usize) -> usize {
        let mut seen = vec![false; self.links.len()];
        let (mut found, mut open) = (0, vec![first]);
        while let Some(page) = open.pop() {
            if !std::mem::replace(&mut seen[page], true) {
                found += 1;
                open.extend(&self.links[page]);
            }
        }
        found
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let pool = Pool::new()?;
    let site = Site::new(PAGES);
    // When `scope` returns, all tasks are over, those that tasks spawned included.
    pool.scope(|s| site.visit(1, s));
    let found = site.found.load(Ordering::Relaxed);
    assert_eq!(found, site.reachable(1));
    println!("{found} of {PAGES} pages can be reached, on {} worker(s)", pool.workers());
    Ok(())
}
