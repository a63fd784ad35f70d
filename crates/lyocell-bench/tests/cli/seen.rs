//! What is seen on narrow terminals and on full disks.

use std::fs;

use unicode_width::UnicodeWidthStr;

use crate::common::{command, stderr, stdout};

/// Commands that show every table there is.
const TABLES: [&[&str]; 14] = [
    &["profile", "fib:18"],
    &[
        "run",
        "fib:12",
        "queens:6",
        "--reps",
        "2",
        "--engine",
        "serial,lyocell,rayon,chili",
        "--workers",
        "1,2",
    ],
    &["run", "fib:12", "--deque", "all", "--workers", "1", "--reps", "1"],
    &["run", "fib:12", "--workers", "2", "--reps", "1", "--stats", "--times"],
    &["queues", "--case", "raw:2000", "--threads", "1,2", "--reps", "2"],
    &["queues", "--case", "raw:2000", "--threads", "2", "--reps", "2", "--stats"],
    &["experiment", "lace-fig5", "--workload", "fib:12", "--reps", "1"],
    &["experiment", "lace-fig7", "--workload", "fib:12", "--reps", "1"],
    &["experiment", "lace-fig8", "--workload", "fib:12", "--reps", "1"],
    &["experiment", "wool-table1", "--workload", "mm:4x2,ssf:2x2", "--reps", "1"],
    &["experiment", "wool-table3", "--workload", "fib:12,stress:1x10x20", "--reps", "1"],
    &["experiment", "acar-fig4", "--workload", "fib:12", "--reps", "1"],
    &["experiment", "acar-fig5", "--workload", "fib:12", "--reps", "1"],
    &["experiment", "queues-raw", "--workload", "raw:500", "--reps", "1"],
];

#[test]
fn every_table_fits_or_folds() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in TABLES {
        for columns in [60, 80] {
            let mut command = command();
            command.env("COLUMNS", columns.to_string()).current_dir(folder.path());
            let output = command.args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
            let text = stdout(&output);
            assert!(text.contains('┌'), "{arguments:?} has no table: {text}");
            for line in text.lines() {
                assert!(
                    line.width() <= columns,
                    "{arguments:?}: {} of {columns}: {line}",
                    line.width()
                );
            }
        }
    }
}

#[test]
fn lists_and_help_fold() {
    for arguments in [&["list"][..], &["--help"], &["run", "--help"], &["drop-in", "-h"]] {
        let output = command().env("COLUMNS", "80").args(arguments).output().unwrap();
        for line in stdout(&output).lines() {
            // What has no space to be broken at, such as a path, is as long as it is.
            let is_one_word = line.split_whitespace().any(|word| word.width() > 50);
            assert!(line.width() <= 80 || is_one_word, "{arguments:?}: {line}");
        }
    }
}

#[test]
fn without_a_width_a_table_is_as_wide_as_it_is() {
    let output = command().env_remove("COLUMNS").args(TABLES[2]).output().unwrap();
    let tables = stdout(&output).lines().filter(|line| line.starts_with('┌')).count();
    assert_eq!(tables, 1, "{}", stdout(&output));
}

/// A shell starts the program where no file may be larger than some kilobytes: the disk is full, as far as it can tell.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_the_file_and_leaves_none_behind() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let program = env!("CARGO_BIN_EXE_lyocell");
        let script = format!("trap '' XFSZ; ulimit -f 4; exec {program} {words}");
        std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let words = "experiment wool-table2 --workload fib:10 --reps 60 --out runs.csv";
    let output = run(words);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write runs.csv: "), "{}", stderr(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");

    // What was there is still there, all of it.
    fs::write(folder.path().join("runs.csv"), "as before").unwrap();
    assert_eq!(run(words).status.code(), Some(1));
    assert_eq!(fs::read_to_string(folder.path().join("runs.csv")).unwrap(), "as before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_told() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command().arg("list").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write the standard output: "), "{}", stderr(&output));
}
