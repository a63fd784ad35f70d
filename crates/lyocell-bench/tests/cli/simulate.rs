//! `lyocell simulate`, by a stand-in for the program that simulates.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use tempfile::TempDir;

use crate::common::{command, stderr, stdout};

/// What the stand-in tells of a pool of so many workers.
fn row(deque: &str, workers: u32, seed: u32, took_ns: f64) -> String {
    format!(
        "{{\"row\": {{\"program\": \"fib:20\", \"deque\": \"{deque}\", \"wait\": \"leap\", \"workers\": {workers}, \"seed\": {seed}, \
         \"took_ns\": {took_ns}, \"serial_ns\": 8000.0, \"bounds\": {{\"least_ns\": 4000.0, \"greedy_ns\": 4100.0, \
         \"stealing_ns\": 4200.0, \"latency_ns\": 4300.0, \"dealing_ns\": null}}, \"wools_model_ns\": null, \
         \"events\": [[\"steals\", 7]], \"barriers\": 1, \"transfers\": [5, 6], \"searching_ns\": 1.0, \"idle_ns\": 2.0, \
         \"processor_ns\": 3.0, \"hash\": \"00ff\"}}}}"
    )
}

const BEGIN: &str = r#"{"begin": {"title": "an abacus", "processors": 4, "distances": ["die", "far"], "numbers": ["rmw"]}}"#;

/// A folder with a program that writes down its arguments, and does what the script says.
fn stand_in(script: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("lyocell-simulate");
    let asked = folder.path().join("asked");
    fs::write(&program, format!("#!/bin/sh\necho \"$@\" >>{}\n{script}\n", asked.display()))
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// One that tells these lines.
fn telling(lines: &[String]) -> TempDir {
    let lines: Vec<String> = lines.iter().map(|line| format!("echo '{line}'")).collect();
    stand_in(&lines.join("\n"))
}

fn two_deques() -> TempDir {
    let rows = [("split", 1, 0, 8100.0), ("split", 2, 0, 4400.0), ("split", 2, 1, 4600.0)];
    let rows = rows.into_iter().chain([("abp", 2, 0, 5000.0)]);
    let rows = rows.map(|(deque, workers, seed, took)| row(deque, workers, seed, took));
    telling(&[BEGIN.to_owned()].into_iter().chain(rows).collect::<Vec<_>>())
}

fn with(folder: &TempDir, arguments: &[&str]) -> Output {
    let program = folder.path().join("lyocell-simulate");
    command().env("LYOCELL_SIMULATE", program).arg("simulate").args(arguments).output().unwrap()
}

#[test]
fn what_is_told_is_shown_beside_its_bounds() {
    let folder = two_deques();
    let output =
        with(&folder, &["fib:20", "--deque", "split,abp", "--workers", "1,2", "--seeds", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for word in
        ["an abacus", "T_S/T_P", "4.50 us +-2%", "1.80", "transfers, far", "greedy", "4.30 us"]
    {
        assert!(stdout(&output).contains(word), "no {word} in\n{}", stdout(&output));
    }
    let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
    for word in
        ["fib:20", "--machine opteron-48", "--deque split,abp", "--workers 1,2", "--seeds 2"]
    {
        assert!(asked.contains(word), "no {word} in {asked}");
    }
}

#[test]
fn the_rows_are_csv_json_and_a_plot() {
    let folder = two_deques();
    let plot = folder.path().join("plot.svg");
    let output = with(&folder, &["fib:20", "--format", "csv", "--plot", plot.to_str().unwrap()]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert!(lines[0].starts_with("program,deque,wait,workers,seed,T_P_ns"), "{lines:?}");
    assert_eq!(lines.len(), 5);
    let svg = fs::read_to_string(plot).unwrap();
    assert!(svg.contains("an abacus") && svg.contains("abp, leap"), "{svg}");
    let output = with(&folder, &["fib:20", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(json["rows"][3]["deque"], "abp");
    assert_eq!(json["machine"]["processors"], 4);
}

#[test]
fn rankings_are_tried_on_changed_machines() {
    let folder = two_deques();
    let output = with(&folder, &["fib:20", "--deque", "split,abp", "--factor", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("2 of 2"), "{}", stdout(&output));
    let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
    assert!(asked.contains("--scale rmw=0.5") && asked.contains("--scale rmw=2"), "{asked}");
}

#[test]
fn what_is_found_fails_and_what_is_not_there_is_refused() {
    let folder =
        stand_in("echo '{\"checked\": 1}'; echo 'error: seed 1: nobody can run' >&2; exit 1");
    let output = with(&folder, &["--check", "--seeds", "9"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output), "error: seed 1: nobody can run\n");
    let folder = stand_in("echo 'error: there is no machine abacus' >&2; exit 2");
    let output = with(&folder, &["fib:20", "--machine", "abacus"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no machine abacus"), "{}", stderr(&output));
    let folder = telling(&["{\"rhyme\": 1}".to_owned()]);
    let output = with(&folder, &["fib:20"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("another version"), "{}", stderr(&output));
    let empty = tempfile::tempdir().unwrap();
    let output = with(&empty, &["fib:20"]);
    assert_eq!(output.status.code(), Some(2));
    for word in ["not built", "cargo build --release --manifest-path sim/Cargo.toml"] {
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    for nonsense in [
        &["fib:20", "--factor", "2"][..],
        &["fib:20", "--factor", "1"],
        &[],
        &["--check", "--workers", "2"],
    ] {
        let output = with(&folder, nonsense);
        assert_eq!(output.status.code(), Some(2), "{nonsense:?}: {}", stderr(&output));
    }
}

#[test]
fn what_a_thousand_threads_wait_for_is_read_to_its_end() {
    let folder =
        stand_in("echo 'error: stuck' >&2; yes waits | head -n 50000 >&2; echo last >&2; exit 1");
    let output = with(&folder, &["--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).ends_with("waits\nlast\n"), "{}", stderr(&output).len());
}

#[test]
fn a_check_tells_how_much_was_checked() {
    let folder = telling(&["{\"checked\": 1}".to_owned(), "{\"runs\": 7}".to_owned()]);
    let output = with(&folder, &["--check"]);
    assert_eq!(stdout(&output), "7 runs, nothing found\n");
    let output = with(&folder, &["--check", "fib:20", "scopes:2", "--seeds", "1"]);
    assert_eq!(stdout(&output), "7 runs, nothing found\n");
    let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
    assert!(asked.contains("--check --seeds 1 --part 0/1 fib:20 scopes:2"), "{asked}");
}

#[test]
fn an_experiment_is_simulated_on_the_papers_machine_with_its_own_verdict() {
    let rows = [(1, 8100.0), (48, 400.0)]
        .into_iter()
        .flat_map(|(workers, took)| (0..6).map(move |seed| row("split", workers, seed, took)));
    let folder = telling(&[BEGIN.to_owned()].into_iter().chain(rows).collect::<Vec<_>>());
    let program = folder.path().join("lyocell-simulate");
    let keep = folder.path().join("kept");
    let experiment = |arguments: &[&str]| {
        let mut command = command();
        command.env("LYOCELL_SIMULATE", &program).arg("experiment").args(arguments);
        command.output().unwrap()
    };
    let kept = keep.to_str().unwrap();
    let output = experiment(&[
        "lace-fig8",
        "--machine",
        "paper",
        "--workload",
        "uts:T3,cilksort",
        "--reps",
        "6",
        "--keep",
        kept,
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    for word in [
        "4 x simulated processor: an abacus",
        "Every number of ours is simulated",
        "Left out: cilksort",
        "1.00 to 1.00",
    ] {
        assert!(stdout(&output).contains(word), "no {word} in\n{}", stdout(&output));
    }
    let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
    for word in ["--machine opteron-48", "uts:T3", "--workers 1,48", "--search forever", "--depths"]
    {
        assert!(asked.contains(word), "no {word} in {asked}");
    }
    let output = experiment(&["lace-fig8", "--read", kept]);
    assert!(stdout(&output).contains("simulated processor"), "{}", stderr(&output));
    let output = experiment(&["queues-quicksort", "--machine", "paper"]);
    let reason = "nothing of queues-quicksort can be simulated: quicksort";
    assert!(stderr(&output).contains(reason), "{}", stderr(&output));
}
