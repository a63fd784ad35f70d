//! Pages of Markdown, and the tables in them.

use std::fs;
use std::path::Path;

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
