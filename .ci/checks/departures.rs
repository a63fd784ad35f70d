//! The table of departures: each deque, option and module that DEPARTURES.md names is there.

use crate::page::{Page, quoted};
use std::fs;
use std::path::Path;

/// Where the command line's deques and options are.
const TABLES: &str = "crates/lyocell-engines/src/runtime";
/// Where modules are.
const SOURCES: [&str; 5] = [
    "crates/lyocell/src",
    "crates/lyocell-sync/src",
    "crates/lyocell-engines/src",
    "crates/lyocell-queue-study/src",
    "crates/lyocell-bench/src",
];

pub(crate) fn check(root: &Path, faults: &mut Vec<String>) {
    let page = Page::read(&root.join("DEPARTURES.md"));
    let table = |file: &str| fs::read_to_string(root.join(TABLES).join(file)).unwrap_or_default();
    let (deques, options) = (table("deques.rs"), table("options.rs"));
    for (at, line) in page.lines.iter().enumerate().filter(|(_, line)| line.starts_with('|')) {
        for span in quoted(line) {
            if let Some(fault) = fault(root, span, &deques, &options) {
                faults.push(format!("{}:{}: {fault}; mend the row", page.name, at + 1));
            }
        }
    }
}

/// What is wrong with a word between back quotes.
fn fault(root: &Path, span: &str, deques: &str, options: &str) -> Option<String> {
    let entry = |name: &str| format!("name: \"{name}\"");
    if let Some(option) = span.strip_prefix("--") {
        let (option, value) = option.split_once(' ').unwrap_or((option, ""));
        let (what, table, name) = match option {
            "deque" => ("deque", deques, value),
            _ => ("option", options, option),
        };
        return (!table.contains(&entry(name))).then(|| format!("there is no {what} `{name}`"));
    }
    let is_path =
        span.contains('/') && span.bytes().all(|b| b"_/".contains(&b) || b.is_ascii_lowercase());
    let found = || {
        let places = SOURCES.iter().map(|source| root.join(source).join(span));
        places.into_iter().any(|place| place.is_dir() || place.with_extension("rs").exists())
    };
    (is_path && !found()).then(|| format!("there is no module `{span}`"))
}
