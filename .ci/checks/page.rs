//! Pages of Markdown, and the tables in them.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders with pages, from the root of the repository.
const FOLDERS: [&str; 3] = ["", "results", "sim"];

/// Folders whose folders have pages.
const NESTED: [&str; 2] = ["crates", "compat"];

/// Every page of the repository, in the order of their names.
pub(crate) fn pages(root: &Path) -> Vec<PathBuf> {
    let nested = NESTED.map(|folder| entries(&root.join(folder)));
    let folders = FOLDERS.map(|folder| root.join(folder)).into_iter().chain(nested.concat());
    let mut pages: Vec<PathBuf> = folders.flat_map(|folder| entries(&folder)).collect();
    pages.retain(|path| path.extension().is_some_and(|kind| kind == "md"));
    pages.sort();
    pages
}

/// What is in a folder; nothing, if it is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// A page of Markdown.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
}

impl Page {
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        Self { name, lines: text.lines().map(str::to_owned).collect() }
    }

    /// The rows of the tables of a section (a heading of the second order), with their lines and what stands in backticks
    /// in the heading of the third order above them.
    pub(crate) fn rows<'a>(
        &'a self,
        section: &'a str,
    ) -> impl Iterator<Item = (usize, &'a str, Vec<&'a str>)> {
        let (mut inside, mut base) = (false, "");
        self.lines.iter().enumerate().filter_map(move |(at, line)| {
            if let Some(heading) = line.strip_prefix("## ") {
                inside = heading == section;
            } else if let Some(heading) = line.strip_prefix("### ") {
                base = quoted(heading).first().copied().unwrap_or_default();
            }
            let cells = line.strip_prefix("| ")?.trim_end_matches('|').split(" | ").collect();
            inside.then_some((at + 1, base, cells))
        })
    }
}

/// What stands in backticks.
pub(crate) fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}
