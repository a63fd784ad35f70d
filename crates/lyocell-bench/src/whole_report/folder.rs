//! The folder of a report: the report itself, and in `measured/` what each step has found. What is there is of one
//! machine, one program and one size: nothing else is put beside it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use super::found::Found;
use super::step::Size;
use crate::files::write_whole;
use crate::machine::Machine;
use crate::results::notes_of_today;
use lyocell_workloads::Refused;

/// What all in a folder was measured on.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Origin {
    pub(crate) machine: String,
    /// The digest of the program's file: another commit, compiler or flag makes another program.
    pub(crate) program: String,
    pub(crate) size: Size,
    /// The most workers.
    pub(crate) workers: usize,
    /// Names and values: the day it was begun, the compilers.
    pub(crate) notes: Vec<(String, String)>,
}

impl Origin {
    /// Of this program, here and now.
    ///
    /// # Errors
    /// The program's file cannot be read.
    pub(crate) fn here(size: Size, workers: usize) -> io::Result<Origin> {
        let program = fs::read(std::env::current_exe()?)?;
        let digest: String =
            Sha1::digest(&program).iter().map(|byte| format!("{byte:02x}")).collect();
        let machine = Machine::this().to_string();
        let notes = notes_of_today().into_iter().filter(|(name, _)| name != "machine").collect();
        Ok(Origin { machine, program: digest[..12].to_owned(), size, workers, notes })
    }

    /// What differs, in words; the day does not count.
    fn difference(&self, other: &Origin) -> Option<String> {
        let differs = |what: &str, ours: &str, theirs: &str| {
            (ours != theirs).then(|| format!("another {what} ({theirs}, and now {ours})"))
        };
        let workers = |origin: &Origin| origin.workers.to_string();
        differs("machine", &self.machine, &other.machine)
            .or_else(|| differs("program", &self.program, &other.program))
            .or_else(|| differs("size", self.size.name(), other.size.name()))
            .or_else(|| differs("number of workers", &workers(self), &workers(other)))
    }
}

/// What becomes of what is there already and does not belong to this report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    Refuse,
    Remove,
}

/// A folder with what was measured.
pub(crate) struct Folder {
    path: PathBuf,
    origin: Origin,
}

const MEASURED: &str = "measured";
const ORIGIN: &str = "origin.json";

impl Folder {
    /// Opens the folder, or makes it. With [`Others::Remove`] nothing that was measured before is left in it.
    ///
    /// # Errors
    /// It cannot be made, or holds what was measured on something else.
    pub(crate) fn open(path: PathBuf, origin: Origin, others: Others) -> Result<Folder, Refused> {
        let name = path.display().to_string();
        let cannot = |error: io::Error| Refused(format!("cannot use --out {name}: {error}"));
        let measured = path.join(MEASURED);
        if others == Others::Remove && measured.exists() {
            fs::remove_dir_all(&measured).map_err(cannot)?;
        }
        fs::create_dir_all(&measured).map_err(cannot)?;
        let file = measured.join(ORIGIN);
        if !file.exists() {
            write_whole(&file, &text(&origin)).map_err(cannot)?;
            return Ok(Folder { path, origin });
        }
        let kept: Origin = read(&file).map_err(Refused)?;
        match origin.difference(&kept) {
            None => Ok(Folder { path, origin: kept }),
            Some(difference) => Err(Refused(format!(
                "{name} has measurements of {difference}, which are not put beside new ones: use another --out, or --anew \
                 to measure all of it again"
            ))),
        }
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    fn file(&self, step: &str) -> PathBuf {
        let name = step.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        self.path.join(MEASURED).join(name).with_extension("json")
    }

    /// Whether this step was measured.
    pub(super) fn has(&self, step: &str) -> bool {
        self.file(step).exists()
    }

    /// What this step has found, if it was measured.
    ///
    /// # Errors
    /// The file is not what it was.
    pub(super) fn found(&self, step: &str) -> Result<Option<Found>, String> {
        let file = self.file(step);
        if file.exists() { read(&file).map(Some) } else { Ok(None) }
    }

    /// Keeps what a step has found.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn keep(&self, step: &str, found: &Found) -> io::Result<()> {
        write_whole(&self.file(step), &text(found))
    }

    /// Writes a file of the report.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        write_whole(&path, text)?;
        Ok(path)
    }
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("it has text keys only") + "\n"
}

fn read<T: for<'a> Deserialize<'a>>(file: &Path) -> Result<T, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| {
        format!("{name} is not what was kept ({error}): remove it to measure it again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(workers: usize) -> Origin {
        let (machine, program) = ("a machine".to_owned(), "a0b1".to_owned());
        Origin { machine, program, size: Size::Least, workers, notes: Vec::new() }
    }

    #[test]
    fn what_was_measured_is_found_again_and_not_mixed() {
        let place = tempfile::tempdir().unwrap();
        let open =
            |workers, others| Folder::open(place.path().join("new"), origin(workers), others);
        let folder = open(2, Others::Refuse).unwrap();
        assert!(!folder.has("a: b") && folder.found("a: b").unwrap().is_none());
        folder.keep("a: b", &Found::Deques(Vec::new())).unwrap();
        let again = open(2, Others::Refuse).unwrap();
        assert!(matches!(again.found("a: b"), Ok(Some(Found::Deques(runs))) if runs.is_empty()));
        let Err(Refused(why)) = open(3, Others::Refuse) else {
            panic!("it was measured otherwise")
        };
        assert!(why.contains("another number of workers (2, and now 3)"), "{why}");
        assert!(!open(3, Others::Remove).unwrap().has("a: b"));
    }

    #[test]
    fn another_machine_program_or_size_is_told() {
        let here = origin(2);
        let others = [
            (Origin { machine: "another".to_owned(), ..here.clone() }, "another machine"),
            (Origin { program: "ffff".to_owned(), ..here.clone() }, "another program"),
            (Origin { size: Size::Full, ..here.clone() }, "another size (full, and now least)"),
        ];
        for (other, words) in others {
            let difference = here.difference(&other).unwrap();
            assert!(difference.contains(words), "{difference}");
        }
        let later = Origin { notes: vec![("date".to_owned(), "later".to_owned())], ..here.clone() };
        assert_eq!(here.difference(&later), None);
    }

    #[test]
    fn a_damaged_file_is_told_with_what_to_do() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path().to_owned(), origin(2), Others::Refuse).unwrap();
        fs::write(folder.file("a"), "{").unwrap();
        assert!(folder.found("a").unwrap_err().contains("remove it"));
    }
}
