//! Where a report goes: the standard output or a file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::mem::take;
use std::path::{Path, PathBuf};

use clap::Args;

use super::CliError;
use crate::files::{named, write_whole};
use crate::report::{Format, Screen};
use lyocell_workloads::Refused;

/// The form of a report, and where it goes.
#[derive(Args)]
pub(super) struct ReportArguments {
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,

    /// Write the report to this file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ReportArguments {
    /// Opens the file, or the standard output if there is none.
    ///
    /// # Errors
    /// As [`Output::open_file`].
    pub(super) fn open(&self) -> Result<Output, CliError> {
        let file = self.out.clone().map(|path| Output::open_file("--out", path));
        file.unwrap_or(Ok(Output::Stdout))
    }
}

pub(super) enum Output {
    Stdout,
    File(Opened),
}

/// A file that a report is to go to.
pub(super) struct Opened {
    path: PathBuf,
    /// It was not there before, and nothing has been written to it: an empty one is not left behind.
    is_to_go: bool,
    /// Something is beside it that is to be taken away when it is whole.
    has_part: bool,
}

impl Opened {
    /// Where it is until it is whole.
    fn part(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".part");
        name.into()
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if self.is_to_go {
            let _ = fs::remove_file(&self.path);
        }
        if self.has_part {
            anstream::eprintln!("what was written of it is in {}", self.part().display());
        }
    }
}

impl Output {
    /// Opens `path`, given by `option`. What the file holds is kept until [`Output::write`].
    ///
    /// # Errors
    /// The file cannot be written: better said before a long run than after.
    pub(super) fn open_file(option: &str, path: PathBuf) -> Result<Output, CliError> {
        let was_there = path.exists();
        match OpenOptions::new().write(true).create(true).truncate(false).open(&path) {
            Ok(_) => Ok(Output::File(Opened { path, is_to_go: !was_there, has_part: false })),
            Err(error) => {
                let path = path.display();
                Err(Refused(format!("cannot write {option} {path}: {error}")).into())
            }
        }
    }

    /// The same, in a folder that may not be there yet.
    ///
    /// # Errors
    /// As [`Output::open_file`], which also says why the folder cannot be made.
    pub(super) fn open_file_in_new_folder(option: &str, path: PathBuf) -> Result<Output, CliError> {
        let _ = path.parent().map(fs::create_dir_all);
        Output::open_file(option, path)
    }

    pub(super) fn screen(&self) -> Screen {
        match self {
            Output::Stdout => Screen::of_stdout(),
            Output::File(_) => Screen::FILE,
        }
    }

    /// Where this is a file: writes what there is of the report beside it, until the whole of it is written.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write_so_far(&mut self, report: &str) -> Result<(), CliError> {
        if let Output::File(file) = self {
            write_whole(&file.part(), report)?;
            file.has_part = true;
        }
        Ok(())
    }

    /// Writes the whole of the report.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(self, report: &str) -> Result<(), CliError> {
        match self {
            Output::Stdout => print(report),
            Output::File(mut file) => {
                write_whole(&file.path, report)?;
                file.is_to_go = false;
                if take(&mut file.has_part) {
                    let _ = fs::remove_file(file.part());
                }
                anstream::eprintln!("wrote {}", file.path.display());
                Ok(())
            }
        }
    }
}

/// Writes to the standard output.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| named(Path::new("the standard output"), &error).into())
}

/// Says on the standard error what is left out.
pub(super) fn print_notes<'a>(notes: impl IntoIterator<Item = &'a String>) {
    for note in notes {
        anstream::eprintln!("note: {note}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_stays_beside_the_file_until_that_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, part) = (folder.path().join("a.csv"), folder.path().join("a.csv.part"));
        let begun = |text| {
            let mut output = Output::open_file("--keep", whole.clone()).unwrap();
            output.write_so_far(text).unwrap();
            output
        };
        drop(begun("half"));
        assert!(!whole.exists());
        assert_eq!(fs::read_to_string(&part).unwrap(), "half");
        begun("half").write("all").unwrap();
        assert_eq!(fs::read_to_string(&whole).unwrap(), "all");
        assert!(!part.exists());
        fs::write(&part, "of somebody else").unwrap();
        Output::open_file("--keep", whole.clone()).unwrap().write("again").unwrap();
        assert!(part.exists());
    }
}
