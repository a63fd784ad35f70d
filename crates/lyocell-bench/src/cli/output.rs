//! Where a report goes: the standard output or a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use super::CliError;
use crate::report::Emphasis;

pub(super) enum Output {
    Stdout,
    File { path: PathBuf, file: File },
}

impl Output {
    /// Opens `path`, given by `--out`, or the standard output if there is none.
    ///
    /// # Errors
    /// As [`Output::open_file`].
    pub(super) fn open(path: Option<PathBuf>) -> Result<Output, CliError> {
        path.map_or(Ok(Output::Stdout), |path| Output::open_file("--out", path))
    }

    /// Opens `path`, given by `option`. What the file holds is kept until [`Output::write`].
    ///
    /// # Errors
    /// The file cannot be written: better said before a long run than after.
    pub(super) fn open_file(option: &str, path: PathBuf) -> Result<Output, CliError> {
        match OpenOptions::new().write(true).create(true).truncate(false).open(&path) {
            Ok(file) => Ok(Output::File { path, file }),
            Err(error) => {
                let path = path.display();
                Err(CliError::Usage(format!("cannot write {option} {path}: {error}")))
            }
        }
    }

    pub(super) fn emphasis(&self) -> Emphasis {
        match self {
            Output::Stdout => Emphasis::of_stdout(),
            Output::File { .. } => Emphasis::Mark,
        }
    }

    pub(super) fn write(self, report: &str) -> Result<(), CliError> {
        match self {
            Output::Stdout => print(report),
            Output::File { path, mut file } => {
                file.set_len(0)?;
                file.write_all(report.as_bytes())?;
                anstream::eprintln!("wrote {}", path.display());
                Ok(())
            }
        }
    }
}

/// Writes to the standard output.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}
