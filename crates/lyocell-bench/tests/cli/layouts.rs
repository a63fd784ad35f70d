//! `--layouts`: the program beside itself.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{assert_refused, stderr, stdout};

/// A folder with the program and its first layouts, which are the same program here: where code lies changes no answer.
fn linked(layouts: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let link = |name: &str| {
        let (this, path) = (env!("CARGO_BIN_EXE_lyocell"), folder.path().join(name));
        fs::hard_link(this, &path).or_else(|_| fs::copy(this, &path).map(drop)).unwrap();
    };
    let suffix = std::env::consts::EXE_SUFFIX;
    (0..layouts).for_each(|layout| link(&format!("lyocell-layout-{layout}{suffix}")));
    // Last, so that its link is no older than those.
    link(&format!("lyocell{suffix}"));
    let newer = fs::File::open(folder.path().join(format!("lyocell{suffix}"))).unwrap();
    let time = newer.metadata().unwrap().modified().unwrap();
    for layout in 0..layouts {
        let path = folder.path().join(format!("lyocell-layout-{layout}{suffix}"));
        assert!(fs::metadata(path).unwrap().modified().unwrap() >= time);
    }
    folder
}

fn lyocell(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(folder.join(format!("lyocell{}", std::env::consts::EXE_SUFFIX)));
    command.env("LYOCELL_WORKERS", "2").current_dir(folder).args(words).output().unwrap()
}

#[test]
fn every_layout_runs_what_is_asked_for() {
    let folder = linked(2);
    let run =
        ["run", "fib:12", "queens:5", "--engine", "serial,lyocell", "--deque", "split,sender"];
    let run =
        [&run[..], &["--delta", "1ms", "--workers", "1", "--reps", "2", "--layouts", "2"]].concat();
    let output = lyocell(folder.path(), &[&run[..], &["--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let rows: Vec<Vec<&str>> =
        stdout(&output).lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][7..], ["answer", "layout"]);
    // Two workloads, three engines, two repetitions, two layouts.
    assert_eq!(rows.len(), 1 + 2 * 3 * 2 * 2);
    for layout in ["0", "1"] {
        let of_layout = |row: &&Vec<&str>| row[2] == "lyocell:sender+1ms" && row[8] == layout;
        assert_eq!(rows.iter().filter(of_layout).count(), 4, "{layout}");
    }
    let output = lyocell(folder.path(), &run);
    assert!(output.status.success(), "{}", stderr(&output));
    for words in ["Over layouts", " to ", "232 tasks", "lyocell:sender+1ms"] {
        assert!(stdout(&output).contains(words), "{words}: {}", stdout(&output));
    }
}

#[test]
fn results_have_the_layout_of_what_depends_on_it() {
    let folder = linked(2);
    let results =
        ["results", "--quick", "--suite", "latency,deques", "--layouts", "2", "--out", "a.csv"];
    let output = lyocell(folder.path(), &results);
    assert!(output.status.success(), "{}", stderr(&output));
    let runs = fs::read_to_string(folder.path().join("a.csv")).unwrap();
    let ends = |words: &str| runs.lines().filter(|line| line.ends_with(words)).count();
    assert!(runs.contains(",tasks,layout\n"), "{runs}");
    assert_eq!((ends(",10945,0"), ends(",10945,1")), (8, 8), "{runs}");
    assert!(
        runs.lines().any(|line| line.starts_with("latency,") && line.ends_with(",,")),
        "{runs}"
    );
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.filter(|name| name.to_string_lossy().ends_with(".csv")).count(), 1);
    let tables = lyocell(folder.path(), &["readme", "a.csv"]);
    assert!(stdout(&tables).contains("median (range) over 2 layouts"), "{}", stdout(&tables));
}

#[test]
fn layouts_that_are_not_there_and_what_does_not_go_with_them_are_refused() {
    let folder = linked(2);
    let output = lyocell(folder.path(), &["run", "fib:5", "--layouts", "3"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for words in ["lyocell-layout-2", "is not there", ".ci/layouts 3"] {
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
    }
    let output = lyocell(folder.path(), &["run", "fib:5", "--layouts", "2", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for number in ["0", "1", "17", "many"] {
        assert_refused(&["run", "fib:5", "--layouts", number], &["--layouts"]);
        assert_refused(&["results", "--layouts", number], &["--layouts"]);
    }
    assert_refused(&["run", "fib:5", "--layouts", "2", "--stats"], &["--layouts", "--stats"]);
    assert_refused(&["run", "fib:99", "--layouts", "2"], &["fib:99"]);
}
