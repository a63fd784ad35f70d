//! `lyocell compare`.

use std::fs;

use crate::common::{assert_refused, lyocell, stderr, stdout};

fn file(directory: &tempfile::TempDir, name: &str, seconds: &[f64]) -> String {
    let runs: Vec<String> = seconds
        .iter()
        .map(|seconds| {
            format!(r#"{{"workload":"fib","param":"30","engine":"lyocell","workers":2,"seconds":{seconds}}}"#)
        })
        .collect();
    let path = directory.path().join(name);
    fs::write(&path, format!(r#"{{"results":[{}]}}"#, runs.join(","))).unwrap();
    path.display().to_string()
}

#[test]
fn slower_than_the_threshold_is_exit_code_one() {
    let directory = tempfile::tempdir().unwrap();
    let old = file(&directory, "old.json", &[1.0, 1.01, 1.02]);
    let new = file(&directory, "new.json", &[1.2, 1.21, 1.22]);
    let slower = lyocell(&["compare", &old, &new]);
    assert_eq!(slower.status.code(), Some(1));
    assert!(stdout(&slower).contains("fib:30 on lyocell x2"), "{}", stdout(&slower));
    assert!(stderr(&slower).contains("1 of 1 are slower by more than 5 %"), "{}", stderr(&slower));
    for arguments in [
        &["compare", &old, &new, "--threshold", "30"][..],
        &["compare", &new, &old],
        &["compare", &old, &old],
    ] {
        let output = lyocell(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    }
    assert!(stdout(&lyocell(&["compare", &new, &old])).contains("faster"));
}

#[test]
fn what_lyocell_run_writes_can_be_compared() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("runs.json").display().to_string();
    let run = lyocell(&[
        "run",
        "fib:10",
        "--engine",
        "lyocell",
        "--workers",
        "1",
        "--reps",
        "3",
        "--format",
        "json",
        "--out",
        &path,
    ]);
    assert!(run.status.success(), "{}", stderr(&run));
    let same = lyocell(&["compare", &path, &path]);
    assert!(same.status.success(), "{}", stderr(&same));
    assert!(stdout(&same).contains("fib:10 on lyocell x1"));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let old = file(&directory, "old.json", &[1.0]);
    let empty = file(&directory, "empty.json", &[]);
    assert_refused(&["compare", &old, "/nonexistent.json"], &["cannot read /nonexistent.json"]);
    assert_refused(
        &["compare", &old, &empty],
        &["empty.json", "are empty", "lyocell run --format json"],
    );
    assert_refused(&["compare", &old, &old, "--threshold", "-3"], &["--threshold"]);
    assert_refused(&["compare", &old, &old, "--threshold", "many"], &["0 to 1000 percent"]);
}
