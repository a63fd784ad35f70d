//! `lyocell queues`.

use std::fs;

use crate::common::{assert_refused, command, lyocell, stderr, stdout};

#[test]
fn queues_runs_every_case_on_every_queue_that_can() {
    let cases = "raw:500,quicksort:500,spanning-tree:300,xml:50,shortest-paths:20,marking:100";
    let arguments = ["queues", "--case", cases, "--threads", "1,3", "--reps", "2"];
    let output = lyocell(&[&arguments[..], &["--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut lines = stdout(&output).lines();
    let header = "case,param,queue,threads,rep,seconds,visits,duplicates,repeats,answer";
    assert_eq!(lines.next(), Some(header));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.splitn(10, ',').collect()).collect();
    // The serial program; 7 queues, or 11 on the four idempotent cases, with two numbers of threads.
    assert_eq!(rows.len(), 2 * (6 + 2 * (2 * 7 + 4 * 11)));
    for case in ["raw", "quicksort", "spanning-tree", "xml", "shortest-paths", "marking"] {
        let of_case: Vec<_> = rows.iter().filter(|row| row[0] == case).collect();
        assert!(of_case.iter().all(|row| row[9] == of_case[0][9]), "{case}: {of_case:?}");
        let relaxed = of_case.iter().any(|row| row[2] == "idempotent-fifo");
        assert_eq!(relaxed, case != "quicksort" && case != "xml");
        for queue in ["serial", "abp", "chase-lev-shrinking", "crossbeam-deque", "st3"] {
            assert!(of_case.iter().any(|row| row[2] == queue), "{case} on {queue}");
        }
    }
    let exact = rows.iter().filter(|row| row[2] == "abp" || row[2] == "crossbeam-deque");
    assert!(exact.into_iter().all(|row| row[7] == "0"), "no duplicates: {}", stdout(&output));
}

#[test]
fn queues_refuses_what_does_not_go_together_and_what_there_is_not() {
    assert_refused(
        &["queues", "--case", "raw,quicksort", "--queue", "abp,duplicating"],
        &["quicksort:", "duplicating", "must be visited once", "use abp, chase-lev"],
    );
    assert_refused(&["queues", "--case", "xml:9", "--queue", "idempotent-lifo"], &["xml:9"]);
    assert_refused(&["queues", "--case", "sort"], &["`sort`", "raw, quicksort, spanning-tree"]);
    assert_refused(&["queues", "--queue", "fifo"], &["`fifo`", "abp, chase-lev", "st3"]);
    assert_refused(&["queues", "--case", "raw:0"], &["raw:0", "from 1 to"]);
    assert_refused(&["queues", "--case", "xml:no-such-file"], &["no-such-file"]);
    assert_refused(&["queues", "--threads", "0"], &["--threads", "1 to 256"]);
    assert_refused(&["queues", "--reps", "0"], &["--reps", "1..=1000"]);
    assert_refused(&["queues", "--queue", "st3", "--plot", "x.svg"], &["--plot", "abp"]);
    assert_refused(&["queues", "--plot", "no/such/folder.svg"], &["--plot", "no/such/folder.svg"]);
}

#[test]
fn a_relaxed_queue_alone_runs_the_idempotent_cases_only() {
    let arguments = ["queues", "--queue", "duplicating", "--threads", "2", "--reps", "1"];
    let output = lyocell(&[&arguments[..], &["--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let cases = ["raw,", "spanning-tree,", "shortest-paths,", "marking,"];
    for case in cases {
        assert!(stdout(&output).contains(case), "{case}: {}", stdout(&output));
    }
    assert!(!stdout(&output).contains("quicksort") && !stdout(&output).contains("xml"));
}

#[test]
fn the_table_of_queues_is_normalized_and_the_plot_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (plot, table) = (folder.path().join("bars.svg"), folder.path().join("table.txt"));
    let output = command()
        .args(["queues", "--case", "raw:500,xml:feed", "--threads", "1,2", "--reps", "2"])
        .args(["--queue", "abp,locked,crossbeam-deque"])
        .args([std::ffi::OsStr::new("--plot"), plot.as_os_str()])
        .args([std::ffi::OsStr::new("--out"), table.as_os_str()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let table = fs::read_to_string(table).unwrap();
    for word in ["raw", "500 nodes", "feed", "2 threads", "locked", " 1.00", "over crossbeam"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let plot = fs::read_to_string(plot).unwrap();
    for word in ["<svg", "raw:500", "xml:feed", "1 thread", "locked"] {
        assert!(plot.contains(word), "{word}");
    }
}

#[test]
fn stats_count_and_say_what_counting_costs() {
    let arguments = ["queues", "--case", "marking:300", "--threads", "2", "--reps", "2", "--stats"];
    let output = lyocell(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    for word in ["pushes", "steals", "empty", "busy", "peak", "bytes", "The cost of counting"] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
    let output = lyocell(&[&arguments[..], &["--queue", "abp,st3", "--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    for result in results {
        let number = |key: &str| result[key].as_u64().unwrap();
        let out = number("takes") + number("steals") + number("overflows");
        assert_eq!(out, number("counted_visits"), "{result}");
        assert!(number("peak_length") > 0 && result["counted_seconds"].as_f64().unwrap() > 0.0);
        assert_eq!(result["bytes"].is_null(), result["queue"] == "st3");
    }
}
