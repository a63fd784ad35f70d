//! The seam: what threads share and what comes from outside, the runtime and the queues take from `lyocell-sync`, and not from
//! beside it. And no crate names loom.

use crate::source::Source;
use crate::tokens::{Token, paths, tokens};
use std::fs;
use std::path::Path;

/// Crates that stand on the seam.
const SEAMED: [&str; 2] = ["lyocell", "lyocell-queues"];

/// What they may name of the standard library's rooms below: an owner and a number, which no backend has otherwise.
const EXCEPTIONS: [&str; 3] = ["sync::Arc", "sync::Weak", "time::Duration"];

/// Rooms of `std`, `core` and `alloc` for which there is a word in `lyocell-sync`.
const ROOMS: [&str; 5] = ["sync", "thread", "time", "env", "hint"];

/// Crates that are behind the seam as a whole, but for what stands beside them.
const CRATES: [(&str, &[&str]); 4] =
    [("libc", &[]), ("loom", &[]), ("crossbeam_utils", &["CachePadded"]), ("parking_lot", &[])];

pub(crate) fn check(root: &Path, sources: &[Source], faults: &mut Vec<String>) {
    for entry in fs::read_dir(root.join("crates")).into_iter().flatten().flatten() {
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap_or_default();
        if manifest.lines().any(|line| line.trim_start().starts_with("loom")) {
            faults.push(format!("crates/{}/Cargo.toml:1: names loom, which every user's lock file would have; what needs it is compiled in `models`", entry.file_name().display()));
        }
    }
    for krate in SEAMED {
        let of_crate = || {
            sources.iter().filter(|source| source.krate == krate && source.path.contains("/src/"))
        };
        let for_tests: Vec<_> = of_crate().flat_map(|source| &source.test_modules).collect();
        for source in of_crate() {
            if !for_tests.iter().any(|module| source.module.starts_with(module)) {
                check_source(source, faults);
            }
        }
    }
}

fn check_source(source: &Source, faults: &mut Vec<String>) {
    let tokens = tokens(&source.code);
    let word = |at: usize| tokens.get(at).map_or("", |token: &Token| token.0.as_str());
    let (mut beside, mut imports_thread_local) = (Vec::new(), false);
    for at in 0..tokens.len() {
        if at > 0 && ["::", "."].contains(&word(at - 1)) {
            continue;
        }
        if word(at) == "thread_local" && word(at + 1) == "!" {
            beside.push(("thread_local!".to_owned(), tokens[at].1));
        }
        if word(at + 1) != "::" && !(at > 0 && word(at - 1) == "use") {
            continue;
        }
        for (path, name, line) in paths(&tokens, &mut { at }, &[]) {
            imports_thread_local |= path[0] == "lyocell_sync" && name == "thread_local";
            if is_beside(&path) {
                beside.push((path.join("::"), line));
            }
        }
    }
    for (what, line) in beside {
        if what != "thread_local!" || !imports_thread_local {
            faults.push(format!(
                "{}:{line}: `{what}` is beside the seam; take it from `lyocell_sync`, or give it a word there",
                source.path
            ));
        }
    }
}

fn is_beside(path: &[String]) -> bool {
    let rest = path[1..].join("::");
    match path[0].as_str() {
        "std" | "core" | "alloc" => {
            let excepted = |one: &&str| rest == **one || rest.starts_with(&format!("{one}::"));
            rest == "thread_local"
                || path.get(1).is_some_and(|room| ROOMS.contains(&room.as_str()))
                    && !EXCEPTIONS.iter().any(|one| excepted(&one))
        }
        krate => CRATES.iter().any(|(name, excepted)| {
            *name == krate && !path.get(1).is_some_and(|item| excepted.contains(&item.as_str()))
        }),
    }
}
