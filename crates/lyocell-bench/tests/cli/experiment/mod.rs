//! `lyocell experiment` from outside: each experiment on tiny workloads, its report, its file, and what it refuses.

mod acar;
mod kept;
mod lace;
mod queues;
mod wool;

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{command, stderr, stdout};

const NAMES: [&str; 23] = [
    "lace-fig5",
    "lace-fig6",
    "lace-fig7",
    "lace-fig8",
    "lace-half",
    "lace-share",
    "lace-larger",
    "wool-fig1",
    "wool-table1",
    "wool-table2",
    "wool-fig4",
    "wool-table3",
    "wool-fig5",
    "wool-table4",
    "wool-fig6",
    "acar-fig4",
    "acar-fig5",
    "acar-fig6a",
    "acar-fig6b",
    "queues-raw",
    "queues-quicksort",
    "queues-spanning-tree",
    "queues-xml",
];

/// Runs in `folder`, where files without a path go.
fn experiment(folder: &Path, arguments: &[&str]) -> Output {
    command().current_dir(folder).arg("experiment").args(arguments).output().unwrap()
}

/// The rows of a file with runs, by column.
fn rows(path: &Path) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        header
            .iter()
            .zip(&record)
            .map(|(title, cell)| (title.to_owned(), cell.to_owned()))
            .collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn cell<'a>(row: &'a [(String, String)], title: &str) -> &'a str {
    &row.iter().find(|(name, _)| name == title).unwrap().1
}

/// Runs `name` with `arguments`, checks what every report and file have in common, and returns both.
fn run(name: &str, arguments: &[&str]) -> (String, Vec<Vec<(String, String)>>) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&[name, "--reps", "2"], arguments].concat();
    let output = experiment(folder.path(), &arguments);
    assert!(output.status.success(), "{name}: {}", stderr(&output));
    let report = stdout(&output).to_owned();
    for words in ["paper: ", "here:  lyocell ", "\nThat ", "this machine"] {
        let one_processor = words == "this machine" && report.contains("one processor only");
        assert!(report.contains(words) || one_processor, "{name}: {words}: {report}");
    }
    // What is found in so short a run is chance; that it is said is not.
    const VERDICTS: [&str; 4] =
        [" holds here; ", " holds here in part; ", " does not hold here; ", " is left open here; "];
    assert!(VERDICTS.iter().any(|verdict| report.contains(verdict)), "{name}: {report}");
    let file = format!("lyocell-{name}.csv");
    assert!(stderr(&output).contains(&file), "{name}: {}", stderr(&output));
    let rows = rows(&folder.path().join(file));
    assert!(!rows.is_empty(), "{name}");
    for row in &rows {
        assert_eq!(cell(row, "experiment"), name);
        assert!(cell(row, "seconds").parse::<f64>().unwrap() > 0.0, "{row:?}");
        assert!(cell(row, "gigahertz").parse::<f64>().unwrap() > 0.0, "{row:?}");
        assert!(!cell(row, "answer").is_empty(), "{row:?}");
        assert!(["1", "2"].contains(&cell(row, "rep")), "{row:?}");
    }
    (report, rows)
}

/// The contenders with a number of workers, in the order of their first turns.
fn contenders(rows: &[Vec<(String, String)>]) -> Vec<(String, String)> {
    let mut contenders = Vec::new();
    for row in rows {
        let contender = (cell(row, "contender").to_owned(), cell(row, "workers").to_owned());
        if !contenders.contains(&contender) {
            contenders.push(contender);
        }
    }
    contenders
}

#[test]
fn without_a_name_the_experiments_are_listed_with_their_papers() {
    let folder = tempfile::tempdir().unwrap();
    let output = experiment(folder.path(), &[]);
    assert!(output.status.success());
    for word in
        NAMES.into_iter().chain(["van Dijk", "Faxén", "Acar", "Figures 5 and 8", "Table III"])
    {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn what_there_is_not_is_refused_before_the_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 15] = [
        (&["lace-fig9"], "lace-fig5, lace-fig6"),
        (&["wool-table4", "--workers", "1,2"], "about 2, 4, 8"),
        (&["wool-table4", "--workload", "fib:3"], "not fib:3"),
        (&["lace-fig5", "--workload", "fob:1"], "`fob`"),
        (&["lace-fig5", "--workers", "0"], "1 to 256"),
        (&["lace-fig5", "--workload", "fib:3", "--full"], "--full"),
        (&["wool-table2", "--workers", "2"], "one worker"),
        (&["wool-table3", "--workers", "2,3"], "not 3"),
        (&["wool-table3", "--workload", "queens:8"], "queens:8"),
        (&["acar-fig6a", "--workload", "fib:3"], "fib:3"),
        (&["acar-fig6b", "--workload", "fib:3"], "dfs:GRAPH,NODES, not fib:3"),
        (&["acar-fig4", "--workload", "raw:3"], "not raw:3, a case of the queues"),
        (&["queues-raw", "--workload", "fib:3"], "queues-raw runs raw or raw:PARAMETER, not fib:3"),
        (&["queues-raw", "--workload", "xml:3"], "not xml:3"),
        (&["queues-raw", "--workload", "raw:0"], "raw:0"),
    ];
    for (arguments, word) in cases {
        let output = experiment(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
    // Whether there is a simulator or not, which is known when the files are open.
    let output = experiment(folder.path(), &["lace-fig6", "--machine", "banana"]);
    assert!(!output.status.success() && stdout(&output).is_empty(), "{}", stderr(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn what_the_paper_plots_is_drawn_and_a_table_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let workload = ["--workload", "stress:3x8x20,stress:5x8x10", "--workers", "2,3"];
    let plot = ["wool-fig4", "--reps", "1", "--plot", "fig4.svg"];
    let output = experiment(folder.path(), &[&plot[..], &workload].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let svg = fs::read_to_string(folder.path().join("fig4.svg")).unwrap();
    for word in ["2 workers", "3 workers", "3x8x20", "5x8x10", "base", "peek", "trylock", "nolock"]
    {
        assert!(svg.contains(word), "{word}");
    }
    let empty = tempfile::tempdir().unwrap();
    let output = experiment(empty.path(), &["lace-fig7", "--plot", "fig7.svg"]);
    assert_eq!(output.status.code(), Some(2));
    for word in
        ["--plot", "wool-fig1", "wool-fig4", "wool-fig5", "lace-fig6", "acar-fig5", "acar-fig6a"]
    {
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "no file is left behind");
}
