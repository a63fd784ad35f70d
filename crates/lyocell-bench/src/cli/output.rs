//! Where a report goes: the standard output or a file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
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
}

impl Drop for Opened {
    fn drop(&mut self) {
        if self.is_to_go {
            let _ = fs::remove_file(&self.path);
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
            Ok(_) => Ok(Output::File(Opened { path, is_to_go: !was_there })),
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

    pub(super) fn write(self, report: &str) -> Result<(), CliError> {
        match self {
            Output::Stdout => print(report),
            Output::File(mut file) => {
                write_whole(&file.path, report)?;
                file.is_to_go = false;
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
