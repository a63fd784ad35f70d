//! The forms of a report, and where it goes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{assert_refused, command, lyocell, stderr, stdout};

#[test]
fn csv_has_the_fixed_columns_and_a_line_a_run() {
    let output = lyocell(&[
        "run",
        "fib:15",
        "queens:6",
        "matmul:33",
        "--engine",
        "serial,lyocell,rayon",
        "--workers",
        "1,2",
        "--reps",
        "2",
        "--format",
        "csv",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut lines = stdout(&output).lines();
    let header = lines.next().unwrap();
    assert_eq!(header, "workload,param,engine,workers,rep,seconds,tasks,answer");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // One serial contender, two each of the others; two repetitions of three workloads.
    assert_eq!(rows.len(), 5 * 2 * 3);
    assert!(rows.iter().all(|row| row.len() == 8 && row[5].parse::<f64>().is_ok()));
    let turns: Vec<_> = rows[..10].iter().map(|row| (row[2], row[3], row[4])).collect();
    assert_eq!(turns[..3], [("serial", "1", "1"), ("lyocell", "1", "1"), ("lyocell", "2", "1")]);
    assert_eq!(turns[5], ("serial", "1", "2"));
    let answers: Vec<_> = [0, 10, 20].map(|index| (rows[index][6], rows[index][7])).into();
    assert_eq!(answers[0], ("986", "610"));
    assert_eq!(answers[1], ("152", "4"));
    assert!(answers[2].1.starts_with("sum="));
}

#[test]
fn json_has_the_machine_and_a_result_a_run() {
    let output = lyocell(&[
        "run",
        "fib:15",
        "--engine",
        "rayon",
        "--workers",
        "2",
        "--reps",
        "3",
        "--format",
        "json",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["machine"]["parallelism"].as_u64().unwrap() >= 1);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[2]["engine"], "rayon");
    assert_eq!(results[2]["rep"], 3);
    assert_eq!(results[2]["answer"], "610");
}

#[test]
fn the_table_marks_the_best_and_has_no_colours_in_a_pipe() {
    let output = lyocell(&["run", "fib:15", "--workers", "1,2", "--reps", "1"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for word in ["fib:15", "986 tasks", "T_S", "T_1", "T_2", "T_1/T_2", "overhead", "* "] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
    assert!(!stdout(&output).contains('\x1b'));
}

#[test]
fn out_is_written_and_an_unwritable_one_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("runs.csv");
    let path = file.to_str().unwrap();
    fs::write(&file, "old and longer than what replaces it\n".repeat(100)).unwrap();
    let arguments = ["run", "fib:5", "--engine", "serial", "--format", "csv", "--reps", "1"];
    let output = lyocell(&[&arguments[..], &["--out", path]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.starts_with("workload,param"), "{written}");
    assert_eq!(written.lines().count(), 2);

    let missing = folder.path().join("missing").join("runs.csv");
    let missing = missing.to_str().unwrap();
    assert_refused(&[&arguments[..], &["--out", missing]].concat(), &["--out", missing]);
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    for arguments in [
        &["list"][..],
        &["run", "fib:5", "--reps", "1000", "--engines", "serial,lyocell", "--format", "csv"],
    ] {
        let mut child = command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
        reader.read_line(&mut line).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}
