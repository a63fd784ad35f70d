//! The one form in which runs are kept: comments that say what they were measured on, and when; then a line a row.

use std::time::SystemTime;

use lyocell_workloads::{RUST_COMPILER, lace};
use serde::Serialize;
use serde::de::DeserializeOwned;

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
        ("commit", env!("LYOCELL_COMMIT").to_owned()),
        ("lace", lace::BUILT.unwrap_or_else(|reason| reason).to_owned()),
    ];
    notes.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// The notes that `text` begins with.
fn notes_of(text: &str) -> Notes {
    let note = |line: &str| {
        let (name, value) = line.strip_prefix(COMMENT)?.split_once(':')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    let notes = text.lines().map_while(|line| line.starts_with(COMMENT).then(|| note(line)));
    notes.flatten().collect()
}

/// The value of a note that `text` begins with.
///
/// # Errors
/// It does not begin with that.
pub(crate) fn required_note(text: &str, name: &str) -> Result<String, String> {
    let note = notes_of(text).into_iter().find(|(known, _)| known == name);
    note.map(|(_, value)| value)
        .ok_or_else(|| format!("it does not begin with a comment `# {name}: ...`"))
}

/// A file of results: what they were measured on, and a row a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptFile<R> {
    /// Names and values: the machine, the date, the compilers.
    pub(crate) notes: Notes,
    pub(crate) rows: Vec<R>,
}

impl<R: Serialize + DeserializeOwned> KeptFile<R> {
    /// Rows that were measured here, today.
    pub(crate) fn of_today(rows: Vec<R>) -> KeptFile<R> {
        KeptFile::with_notes(Vec::new(), rows)
    }

    /// The same with further notes.
    pub(crate) fn with_notes(further: Notes, rows: Vec<R>) -> KeptFile<R> {
        KeptFile { notes: [notes(), further].concat(), rows }
    }

    /// The same of another machine, such as one that is simulated.
    pub(crate) fn of_machine(mut self, machine: &str) -> KeptFile<R> {
        let notes = self.notes.iter_mut().filter(|(name, _)| name == "machine");
        notes.for_each(|(_, value)| machine.clone_into(value));
        self
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        let comment = |(name, value): &(String, String)| format!("{COMMENT} {name}: {value}\n");
        self.notes.iter().map(comment).collect::<String>() + &crate::report::csv(&self.rows)
    }

    /// What `text` says; `rows` is what they are called.
    ///
    /// # Errors
    /// It is no such file; why, in words.
    pub(crate) fn parse(text: &str, rows: &str) -> Result<KeptFile<R>, String> {
        let notes = notes_of(text);
        let reader =
            csv::ReaderBuilder::new().comment(Some(COMMENT as u8)).from_reader(text.as_bytes());
        match reader.into_deserialize().collect::<Result<Vec<R>, csv::Error>>() {
            Ok(found) if found.is_empty() => Err(format!("there are no {rows} in it")),
            Ok(rows) => Ok(KeptFile { notes, rows }),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The value of a note.
    pub(crate) fn note(&self, name: &str) -> Option<&str> {
        let note = self.notes.iter().find(|(known, _)| known == name);
        note.map(|(_, value)| value.as_str())
    }
}
