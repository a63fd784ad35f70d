//! What results were measured on, and when: the comments at the beginning of a file.

use std::time::SystemTime;

use lyocell_workloads::{RUST_COMPILER, lace};

use crate::machine::Machine;

/// Names and values.
pub(crate) type Notes = Vec<(String, String)>;

const COMMENT: char = '#';

/// This machine, today.
pub(crate) fn notes() -> Notes {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let date = now.split('T').next().unwrap_or_default();
    let notes = [
        ("machine", Machine::this().to_string()),
        ("date", date.to_owned()),
        ("rust", RUST_COMPILER.to_owned()),
        ("lace", lace::BUILT.unwrap_or_else(|reason| reason).to_owned()),
    ];
    notes.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// The comments for results of this machine, of today.
pub(crate) fn comments_of_today() -> String {
    comments(&notes())
}

/// A line for each note.
pub(super) fn comments(notes: &Notes) -> String {
    notes.iter().map(|(name, value)| format!("{COMMENT} {name}: {value}\n")).collect()
}

/// The notes that `text` begins with, and how to read what follows.
pub(crate) fn parse(text: &str) -> (Notes, csv::Reader<&[u8]>) {
    let note = |line: &str| {
        let (name, value) = line.strip_prefix(COMMENT)?.split_once(':')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    let notes = text.lines().map_while(|line| line.starts_with(COMMENT).then(|| note(line)));
    let reader =
        csv::ReaderBuilder::new().comment(Some(COMMENT as u8)).from_reader(text.as_bytes());
    (notes.flatten().collect(), reader)
}
