//! How the tests start `lyocell`, and what they read.

use std::process::{Command, Output};

/// `lyocell`, with nothing said by the environment.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lyocell"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("LYOCELL_WORKERS");
    command
}

pub(crate) fn lyocell(arguments: &[&str]) -> Output {
    command().args(arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Asserts that `arguments` are refused with exit code 2, no output, and each of `words` said.
pub(crate) fn assert_refused(arguments: &[&str], words: &[&str]) {
    let output = lyocell(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{arguments:?}");
    for word in words {
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
}

/// The header and the rows of the CSV that `arguments` make.
pub(crate) fn csv_of(arguments: &[&str]) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let output = lyocell(&[arguments, &["--format", "csv"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    let header = reader.headers().unwrap().clone();
    (header, reader.records().map(Result::unwrap).collect())
}
