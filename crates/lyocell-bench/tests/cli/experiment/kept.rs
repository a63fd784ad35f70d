//! Where runs are kept, and what is made of kept ones.

use std::fs;
use std::path::Path;

use super::{experiment, rows};
use crate::common::{stderr, stdout};

/// A file of runs as `--keep` writes it: eight rounds of each of these, whose times differ by these shares. What stands above
/// them is of a run of today.
fn kept(folder: &Path, name: &str, runs: &[(&str, &str, usize, f64)], noise: [f64; 8]) {
    let place = tempfile::tempdir().unwrap();
    let jobs: Vec<&str> = runs.iter().map(|run| run.0).collect();
    let (first, last) = (jobs[0], jobs[jobs.len() - 1]);
    let workload = format!("{first},{last}");
    let arguments = [name, "--workload", &workload, "--workers", "2", "--reps", "1", "--keep", "."];
    let output = experiment(place.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let own = fs::read_to_string(place.path().join(name).with_extension("csv")).unwrap();
    let notes = own.lines().filter(|line| line.starts_with("# ") && !line.starts_with("# machine"));
    let notes = notes.fold(String::new(), |text, line| text + line + "\n");
    let mut text = format!(
        "# machine: lyocell 0.1.0 on 2 x Some Processor, linux, x86_64\n{notes}\
         experiment,workload,param,contender,workers,rep,seconds,gigahertz,tasks,answer\n",
    );
    for (rep, share) in noise.into_iter().enumerate() {
        for &(job, contender, workers, seconds) in runs {
            let (workload, param) = job.split_once(':').unwrap();
            let (rep, seconds) =
                (rep + 1, if contender == "direct-base" { seconds * share } else { seconds });
            text += &format!(
                "{name},{workload},{param},{contender},{workers},{rep},{seconds},2.0,1000,1\n"
            );
        }
    }
    fs::write(folder.join(name).with_extension("csv"), text).unwrap();
}

/// The regions of `wool-fig4`, with base as many times as slow as the others on the smallest and on the largest.
fn regions(small: f64, large: f64) -> Vec<(&'static str, &'static str, usize, f64)> {
    let mut runs = Vec::new();
    for (job, base) in [("stress:8x256x9", small), ("stress:12x256x9", large)] {
        runs.push((job, "direct", 1, 2.0));
        let variants = ["direct-base", "direct-peek", "direct-trylock", "direct"];
        runs.extend(
            variants.map(|name| (job, name, 2, if name == "direct-base" { base } else { 1.0 })),
        );
    }
    runs
}

#[test]
fn kept_runs_are_reported_again_and_the_verdict_follows_from_them() {
    let folder = tempfile::tempdir().unwrap();
    let verdict = |small, large, noise| {
        kept(folder.path(), "wool-fig4", &regions(small, large), noise);
        let output = experiment(folder.path(), &["wool-fig4", "--read", "."]);
        assert!(output.status.success(), "{}", stderr(&output));
        let report = stdout(&output).to_owned();
        assert!(report.contains("here:  lyocell 0.1.0 on 2 x Some Processor"), "{report}");
        let said = [
            " holds here; ",
            " holds here in part; ",
            " does not hold here; ",
            " is left open here; ",
        ];
        said.into_iter().find(|said| report.contains(said)).unwrap().trim().to_owned()
    };
    let quiet = [1.0; 8];
    assert_eq!(verdict(1.3, 1.1, quiet), "holds here;");
    assert_eq!(verdict(1.2, 1.3, quiet), "holds here in part;");
    assert_eq!(verdict(0.9, 1.1, quiet), "does not hold here;");
    // 1.04 on the smallest against 1.02 on the largest, where rounds differ by more.
    assert_eq!(
        verdict(1.04, 1.02, [0.95, 0.98, 1.0, 1.02, 1.05, 0.96, 1.0, 1.04]),
        "is left open here;"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was run or written");
}

#[test]
fn a_document_is_made_of_kept_runs_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    kept(folder.path(), "wool-fig4", &regions(1.3, 1.1), [1.0; 8]);
    let page = "# Page\n<!-- results: experiments -->\n<!-- end -->\n<!-- results: wool-fig4 --><!-- end -->\n";
    fs::write(folder.path().join("page.md"), page).unwrap();
    let run = |arguments: &[&str]| {
        experiment(folder.path(), &[&["all", "--read", "gone,."], arguments].concat())
    };
    assert_eq!(run(&["--check", "page.md"]).status.code(), Some(1), "it is empty");
    assert!(run(&["--write", "page.md"]).status.success());
    let written = fs::read_to_string(folder.path().join("page.md")).unwrap();
    for words in [
        "| [wool-fig4](#wool-fig4) | stealing is faster",
        "| holds |",
        "Note: Speedup:",
        "(./wool-fig4.csv)",
    ] {
        assert!(written.contains(words), "{words}: {written}");
    }
    assert!(run(&["--check", "page.md"]).status.success());
    kept(folder.path(), "wool-fig4", &regions(0.9, 1.1), [1.0; 8]);
    let output = run(&["--check", "page.md"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("+| [wool-fig4]"), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lace-fig5.csv"), "nonsense\n").unwrap();
    let cases: [(&[&str], &str); 4] = [
        (&["lace-fig5", "--read", "."], "# machine"),
        (&["lace-fig7", "--read", "."], "there is no lace-fig7.csv"),
        (&["lace-fig5", "--read", ".", "--reps", "3"], "--reps"),
        (&["lace-fig5", "--write", "page.md"], "--read"),
    ];
    for (arguments, word) in cases {
        let output = experiment(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn the_file_goes_where_it_is_sent_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["wool-table2", "--workload", "fib:10", "--reps", "1", "--out", "runs.csv"];
    let output = experiment(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(files.collect::<Vec<_>>(), ["runs.csv"]);
    assert_eq!(rows(&folder.path().join("runs.csv")).len(), 8);
}

#[test]
fn the_runs_of_each_experiment_are_kept_in_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let kept = "results/machine/experiments";
    let arguments = ["wool-table2", "--workload", "fib:10", "--reps", "1", "--keep", kept];
    let output = experiment(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(files.collect::<Vec<_>>(), ["results"], "no other file");
    let runs = fs::read_to_string(folder.path().join(kept).join("wool-table2.csv")).unwrap();
    for words in [
        "# machine: lyocell ",
        "# date: 20",
        "# rust: rustc ",
        "# commit: ",
        "# asked: fib:10\n",
        "# workers: 1\n",
        "# programs: fib ",
        "# plan: ",
        "\nexperiment,workload,",
    ] {
        assert!(runs.contains(words), "{words}: {runs}");
    }
    assert_eq!(runs.lines().filter(|line| line.starts_with("wool-table2,fib,10,")).count(), 8);
    // Read again it is one round, by which nothing is decided; of another program it is not read.
    let read = || experiment(folder.path(), &["wool-table2", "--read", kept]);
    assert!(stdout(&read()).contains("is left open here"), "{}", stdout(&read()));
    let file = folder.path().join(kept).join("wool-table2.csv");
    let program = runs.lines().find_map(|line| line.strip_prefix("# programs: ")).unwrap();
    fs::write(&file, runs.replace(program, "fib 0123456789abcdef")).unwrap();
    let refused = read();
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("another program `fib`"), "{}", stderr(&refused));
    let both = experiment(folder.path(), &[&arguments[..], &["--out", "x.csv"]].concat());
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
    fs::write(folder.path().join("file"), "").unwrap();
    let output = experiment(folder.path(), &["wool-table2", "--keep", "file/inside"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("--keep file/inside/wool-table2.csv"), "{}", stderr(&output));
}
