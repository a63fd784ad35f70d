//! Engines with a program of their own, by stand-ins in a folder that the environment names.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use tempfile::TempDir;

use crate::common::{command, stderr, stdout};

/// A folder where `openmp` and `libfork` are a program that says `ready`, and then what `answers` makes of each `$job`.
fn stand_in(answers: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "#!/bin/sh\n[ $# = 0 ] && {{ echo 'a stand-in, -O9'; exit; }}\necho ready\n\
         while read -r job; do {answers}; done\n"
    );
    for name in ["openmp", "libfork"] {
        let program = folder.path().join(format!("lyocell-rival-{name}"));
        fs::write(&program, &script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn with(folder: &TempDir, arguments: &[&str]) -> Output {
    command().env("LYOCELL_RIVALS", folder.path()).args(arguments).output().unwrap()
}

const FIB: [&str; 9] = [
    "run",
    "fib:10",
    "--engines",
    "serial,openmp",
    "--workers",
    "2",
    "--reps",
    "1",
    "--format=csv",
];

#[test]
fn an_engine_that_is_named_and_absent_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["openmp", "openmp-clang", "tbb", "wool", "libfork", "forte"] {
        let output = with(&folder, &["run", "fib:5", "--engine", &format!("serial,{name}")]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{name}");
        for word in [name, "not built", "cargo build --release -p lyocell-rivals"] {
            assert!(stderr(&output).contains(word), "{name}: {}", stderr(&output));
        }
    }
}

#[test]
fn an_engine_whose_program_could_not_be_built_says_why() {
    let folder = stand_in("true");
    let program = folder.path().join("lyocell-rival-openmp");
    fs::write(&program, "#!/bin/sh\necho 'it needs a compiler' >&2; exit 2\n").unwrap();
    let output = with(&folder, &FIB);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("openmp: it needs a compiler"), "{}", stderr(&output));
    let list = with(&folder, &["list"]);
    assert!(stdout(&list).contains("not available: it needs a compiler"), "{}", stdout(&list));
}

#[test]
fn what_its_program_says_of_time_and_answer_stands_in_the_report() {
    let folder =
        stand_in("case $job in fib:24) echo done 1 46368;; fib:10) echo done 2000000 55;; esac");
    let output = with(&folder, &FIB);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(rows[0], "workload,param,engine,workers,rep,seconds,tasks,answer");
    assert!(rows[1].starts_with("fib,10,serial,1,1,"), "{rows:?}");
    assert_eq!(rows[2], "fib,10,openmp,2,1,0.002,88,55");
    assert!(stdout(&with(&folder, &["list"])).contains("a stand-in, -O9"));
}

#[test]
fn a_wrong_answer_of_its_program_exits_with_one() {
    for (answers, word) in [
        ("echo done 1 46367", "wrong answer: 46367, expected 46368"),
        (r"printf 'wrong 46368\t7\n'", "wrong answer: 7, expected 46368"),
        ("echo done soon 46368", "none (its program said \"done soon 46368\")"),
        ("exit 3", "none (its program ended, exit status: 3)"),
    ] {
        let output = with(&stand_in(answers), &FIB);
        assert_eq!(output.status.code(), Some(1), "{answers}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{answers}");
        for word in ["fib:24 on openmp x2", word] {
            assert!(stderr(&output).contains(word), "{answers}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_program_that_does_not_start_exits_with_one() {
    let folder = stand_in("true");
    let program = folder.path().join("lyocell-rival-openmp");
    fs::write(&program, "#!/bin/sh\n[ $# = 0 ] || exit 4\n").unwrap();
    let output = with(&folder, &FIB);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("openmp cannot be started with 2 workers"), "{said}");
}

#[test]
fn rivals_run_only_when_named_and_only_what_they_can() {
    let folder = stand_in("exit 3");
    let all = with(&folder, &["run", "fib:5", "--workers", "1", "--reps", "1", "--format", "csv"]);
    assert!(all.status.success(), "{}", stderr(&all));
    assert!(!stdout(&all).contains("openmp"), "{}", stdout(&all));
    let none = with(&folder, &["run", "skynet", "--engine", "openmp"]);
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
    assert!(stderr(&none).contains("openmp does not run skynet"), "{}", stderr(&none));
}

#[test]
fn a_rival_without_a_join_runs_the_programs_that_it_brings() {
    let folder = stand_in("echo done 1 55");
    for (workload, program) in [("cilksort", "cilksort"), ("fib:20,5", "fib")] {
        let none = with(&folder, &["run", workload, "--engine", "libfork"]);
        assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
        for words in [&format!("libfork does not run {program}"), "without a join"] {
            assert!(stderr(&none).contains(words), "{}", stderr(&none));
        }
    }
}
