//! `lyocell report` from outside: a report is made, goes on where it was, and is mixed with no other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::common::{command, stderr, stdout};

/// The smallest report, with two workers, into `report` in this folder.
fn report(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = command();
    command.env("LYOCELL_WORKERS", "2").current_dir(folder);
    command.args(["report", "--least", "--out", "report"]).args(arguments).output().unwrap()
}

/// What was measured: the text of each file.
fn measured(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder.join("report/measured")).unwrap();
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(|entry| file(entry.unwrap())).collect()
}

fn json(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("report/report.json")).unwrap()).unwrap()
}

#[test]
fn a_report_is_made_and_goes_on_where_it_was() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let output = report(folder, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "report/report.html\n");
    let (first, results) = (measured(folder), json(folder));
    // One of them tells what the others are of.
    let steps = first.len() - 1;
    let said = format!("measured {steps} steps; 0 had been before");
    assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    assert!(stderr(&output).contains(" left\n"), "{}", stderr(&output));

    // As if it had been interrupted before this one.
    let removed = "times-of-queens-6.json";
    fs::remove_file(folder.join("report/measured").join(removed)).unwrap();
    let output = report(folder, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let said = format!("measured 1 steps; {} had been before", steps - 1);
    assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    let second = measured(folder);
    for (name, text) in &first {
        assert_eq!(name != removed, second[name] == *text, "{name}");
    }
    // The times of fib are still those of the first time, as they stand in the report; those of queens are others.
    let runs = |results: &Value, workload: &str| {
        let runs = results["results"].as_array().unwrap().iter();
        runs.filter(|run| run["workload"] == workload).cloned().collect::<Vec<_>>()
    };
    let now = json(folder);
    assert!(!runs(&now, "fib").is_empty());
    assert_eq!(runs(&results, "fib"), runs(&now, "fib"));
    assert_ne!(runs(&results, "queens"), runs(&now, "queens"));
    assert_eq!(results["profiles"], now["profiles"]);

    // Nothing is left to measure; `--anew` measures everything.
    assert!(stderr(&report(folder, &[])).contains("measured 0 steps"));
    assert_eq!(measured(folder), second);
    let output = report(folder, &["--anew"]);
    assert!(stderr(&output).contains(&format!("measured {steps} steps; 0")), "{}", stderr(&output));
    assert_ne!(json(folder)["results"], now["results"]);
}

#[test]
fn the_files_of_a_report_hold_every_run_and_can_be_compared() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    assert!(report(folder, &[]).status.success());
    let page = fs::read_to_string(folder.join("report/report.html")).unwrap();
    for words in ["fib:15", "queens:6", "wool-table2", "What fell short", "<svg role=\"img\""] {
        assert!(page.contains(words), "{words}");
    }
    for reference in ["http:", "https:", "src=", "<link", "@import", "url(", "<script"] {
        assert!(!page.contains(reference), "{reference}");
    }
    let results = json(folder);
    let runs = results["results"].as_array().unwrap();
    let csv = fs::read_to_string(folder.join("report/report.csv")).unwrap();
    assert!(csv.starts_with("# machine: lyocell "), "{csv}");
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(csv.as_bytes());
    let seconds: Vec<f64> =
        reader.records().map(|record| record.unwrap()[5].parse().unwrap()).collect();
    for run in runs {
        // JSON is read to within the last digit.
        let run = run["seconds"].as_f64().unwrap();
        assert!(seconds.iter().any(|one| (one / run - 1.0).abs() < 1e-12), "{run}");
    }
    // Numbers of papers are numbers: the first version of Wool's table takes 18.9 s there.
    let cells = &results["papers"][0]["tables"][0]["groups"][0][0];
    assert_eq!(cells[6]["number"], 18.9, "{cells}");
    assert_eq!(cells[6]["unit"], "s");
    let parts = results["papers"][0]["parts"].as_array().unwrap();
    assert!(!parts.is_empty() && parts.iter().all(|part| part["outcome"].is_string()), "{parts:?}");
    assert_eq!(results["not_run"].as_array().unwrap().len(), 22);
    assert!(page.contains("Not run"));
    // The paper's numbers beside ours, and the numbers of the tables, are on the page.
    for table in results["papers"][0]["tables"].as_array().unwrap() {
        for cell in
            table["groups"].as_array().unwrap().iter().flat_map(|group| group.as_array().unwrap())
        {
            for text in cell.as_array().unwrap() {
                let shown = text.as_str().or_else(|| text["text"].as_str()).unwrap();
                assert!(page.contains(&shown.replace('<', "&lt;")), "{text}");
            }
        }
    }
    let compared = command()
        .current_dir(folder)
        .args(["compare", "report/report.json", "report/report.json"])
        .output()
        .unwrap();
    assert!(compared.status.success(), "{}", stderr(&compared));
    assert!(stdout(&compared).contains("fib:15 on lyocell x2"), "{}", stdout(&compared));
}

#[test]
fn a_folder_of_another_report_is_refused_and_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    assert!(report(folder, &[]).status.success());
    let before = measured(folder);
    let other = command()
        .env("LYOCELL_WORKERS", "1")
        .current_dir(folder)
        .args(["report", "--least", "--out", "report"])
        .output()
        .unwrap();
    assert_eq!(other.status.code(), Some(2), "{}", stderr(&other));
    for words in ["another number of workers (2, and now 1)", "--anew", "--out"] {
        assert!(stderr(&other).contains(words), "{}", stderr(&other));
    }
    assert_eq!(measured(folder), before);

    fs::write(folder.join("report/measured/deques.json"), "{").unwrap();
    let output = report(folder, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("deques.json"), "{}", stderr(&output));

    fs::write(folder.join("file"), "").unwrap();
    let output = command()
        .current_dir(folder)
        .args(["report", "--least", "--out", "file/inside"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
