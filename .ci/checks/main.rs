//! Holds the sources against what is written about them, and tells file, line and what to do where they differ:
//!
//! - rooms: a room of the runtime (a folder or a file at the top of its `src`) says in its module docs what it
//!   `May import:` and what `Never enters:` it; no code of it but its tests goes by `crate::` or `super::` elsewhere, and no rooms
//!   import each other in a circle;
//! - the seam: the runtime and the queues take what threads share and what comes from outside from `lyocell-sync`;
//! - the code map: every source file stands in ARCHITECTURE.md, and what stands there exists;
//! - invariants: each is defined once as `//! - NAME-N. …` in the module NAME, numbered without a gap, cited
//!   somewhere else, and counted in ARCHITECTURE.md's index; each cited one is defined;
//! - links: where the pages link to, there is a file and its heading; an experiment has its runs beside it;
//! - prose: a number that a page says in a sentence stands in a table of the same section;
//! - departures: the deques, options and modules that DEPARTURES.md names are there;
//! - mutations: the files, functions and models that MUTATIONS.md names are there;
//! - untuned: the constants of the runtime that nobody has tuned are those of ARCHITECTURE.md's table.
//!
//! A program without dependencies, built and run by `.ci/structure`. It takes rustfmt's layout for granted where
//! that makes it shorter, and reads no macros.

mod departures;
mod invariants;
mod links;
mod map;
mod mutations;
mod page;
mod prose;
mod rooms;
mod seam;
mod source;
mod tokens;
mod untuned;

use page::Page;
use std::path::PathBuf;
use std::process::ExitCode;

/// Crates whose modules are rooms.
const ROOMED: [&str; 1] = ["lyocell"];

fn main() -> ExitCode {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let sources = source::sources(&root);
    let map = Page::read(&root.join("ARCHITECTURE.md"));
    let mut faults = Vec::new();
    for name in ROOMED {
        let of_crate: Vec<_> = sources.iter().filter(|source| source.krate == name).collect();
        rooms::check(&of_crate, &mut faults);
    }
    seam::check(&root, &sources, &mut faults);
    map::check(&root, &sources, &map, &mut faults);
    invariants::check(&sources, &map, &mut faults);
    links::check(&root, &mut faults);
    untuned::check(&sources, &map, &mut faults);
    departures::check(&root, &mut faults);
    prose::check(&root, &mut faults);
    mutations::check(&sources, &Page::read(&root.join("results/MUTATIONS.md")), &mut faults);
    faults.sort();
    faults.iter().for_each(|fault| println!("{fault}"));
    println!("structure: {} sources, {} faults", sources.len(), faults.len());
    ExitCode::from(u8::from(!faults.is_empty()))
}
