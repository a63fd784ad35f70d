//! `lyocell profile`.

use std::fs;

use crate::common::{assert_refused, lyocell, stderr, stdout};

#[test]
fn a_profile_has_a_verdict_and_says_what_it_cost() {
    let output = lyocell(&["profile", "fib:16", "queens:6", "--workers", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for word in
        ["fib:16:", "queens:6:", "times)", "parallelism", "\nall: ", "the profile itself took"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    // F(17) - 1 tasks.
    assert!(text.contains("1,596"), "{text}");
    let exact = lyocell(&["profile", "fib:16", "--workers", "1", "--clock", "exact"]);
    assert!(stdout(&exact).contains("1,596"), "{}", stdout(&exact));
}

#[test]
fn reports_and_traces_are_written_as_their_names_end() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    for (report, trace) in [("a.html", "t.html"), ("a.json", "t.json"), ("a.txt", "t.perfetto")] {
        let output =
            lyocell(&["profile", "fib:16", "--out", &path(report), "--trace", &path(trace)]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert!(read("a.html").contains("<!DOCTYPE html>") && read("t.html").contains("<svg"));
    let report: serde_json::Value = serde_json::from_str(&read("a.json")).unwrap();
    assert_eq!(report["all"]["tasks"], 1_596);
    for trace in ["t.json", "t.perfetto"] {
        let trace: serde_json::Value = serde_json::from_str(&read(trace)).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        assert!(events.iter().any(|event| event["name"] == "call"), "{trace}");
    }
    assert!(read("a.txt").contains("all: "));
}

#[test]
fn what_cannot_be_profiled_is_refused() {
    assert_refused(&["profile", "fob"], &["fob", "fib"]);
    assert_refused(
        &["profile", "fib:10", "queens:5", "--trace", "x"],
        &["--trace", "one workload"],
    );
    assert_refused(
        &["profile", "fib:10", "--out", "/nonexistent/x"],
        &["cannot write --out /nonexistent/x"],
    );
    assert_refused(&["profile", "fib:10", "--workers", "0"], &["number of workers"]);
}
