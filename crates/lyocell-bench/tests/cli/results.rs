//! `lyocell results` and `lyocell readme` from outside: a file is measured, the document made from it agrees with it, and
//! one that does not is told.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{command, stderr, stdout};

fn lyocell(folder: &Path, arguments: &[&str]) -> Output {
    command().env("LYOCELL_WORKERS", "2").current_dir(folder).args(arguments).output().unwrap()
}

/// The places of a document, and words that the tables in them have.
const PLACES: [(&str, &str); 6] = [
    ("join", "| by move, with a handle |"),
    ("machine", "lyocell "),
    ("headline", "| fib:20 |"),
    ("overhead", "ns per task over serial"),
    ("latency", "`run` of an empty closure"),
    ("deques", "| fib:20 | split | direct |"),
];

#[test]
fn a_document_is_made_from_measured_results_and_checked_against_them() {
    let folder = tempfile::tempdir().unwrap();
    // The folder of a machine is made on its first day.
    let output = lyocell(folder.path(), &["results", "--quick", "--out", "machine/day.csv"]);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::rename(folder.path().join("machine/day.csv"), folder.path().join("runs.csv")).unwrap();
    let runs = fs::read_to_string(folder.path().join("runs.csv")).unwrap();
    for words in [
        "# machine: lyocell ",
        "# date: 20",
        "# rust: rustc ",
        "# commit: ",
        "# programs: ",
        "suite,subject,engine,",
    ] {
        assert!(runs.contains(words), "{words}: {runs}");
    }

    let output = lyocell(folder.path(), &["readme", "runs.csv"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for (name, words) in PLACES {
        let shown = stdout(&output);
        assert!(shown.contains(&format!("<!-- results: {name} -->")), "{name}: {shown}");
        assert!(shown.contains(words), "{words}: {shown}");
    }

    // What was measured of another program, or of nobody knows which, is refused.
    for (changed, word) in [("fib ", "`fib` has changed since"), ("# commit: ", "# commit")] {
        let other = runs.replacen(changed, if changed == "fib " { "fib 0" } else { "# no: " }, 1);
        fs::write(folder.path().join("other.csv"), other).unwrap();
        let output = lyocell(folder.path(), &["readme", "other.csv"]);
        assert_eq!(output.status.code(), Some(2), "{changed}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }

    let place = |(name, _)| format!("## {name}\n\n<!-- results: {name} -->\n<!-- end -->\n\n");
    let document = folder.path().join("README.md");
    fs::write(&document, PLACES.map(place).concat()).unwrap();
    let check = || lyocell(folder.path(), &["readme", "runs.csv", "--check", "README.md"]);
    let output = check();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("\n+| workload | serial |"), "{}", stdout(&output));
    assert!(stderr(&output).contains("README.md does not agree with runs.csv"));

    let output = lyocell(folder.path(), &["readme", "runs.csv", "--write", "README.md"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(check().status.success());
    let written = fs::read_to_string(&document).unwrap();
    assert!(PLACES.iter().all(|(_, words)| written.contains(words)), "{written}");

    fs::write(&document, written.replace("| fib:20 | split", "| fib:21 | split")).unwrap();
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    let differences = stdout(&output);
    assert!(differences.contains("-| fib:21 | split") && differences.contains("+| fib:20 | split"));
}

#[test]
fn what_cannot_be_used_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.csv"), "").unwrap();
    fs::write(folder.path().join("other.csv"), "a,b\n1,2\n").unwrap();
    for (arguments, words) in [
        (&["readme"][..], "RESULTS.csv"),
        (&["readme", "missing.csv"], "missing.csv"),
        (&["readme", "empty.csv"], "there are no results in it"),
        (&["readme", "other.csv"], "other.csv"),
        (&["results", "--suite", "speed"], "headline"),
        (&["results", "--quick", "--out", "other.csv/inside.csv"], "other.csv/inside.csv"),
    ] {
        let output = lyocell(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}
