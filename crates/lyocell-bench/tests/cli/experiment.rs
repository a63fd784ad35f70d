//! `lyocell experiment` from outside: each experiment on tiny workloads, its report, its file, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{command, stderr, stdout};

const NAMES: [&str; 22] = [
    "lace-fig5",
    "lace-fig6",
    "lace-fig7",
    "lace-fig8",
    "lace-half",
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
        [" holds here: ", " holds here in part: ", " does not hold here: ", " is left open here: "];
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
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn lace_fig5_has_the_papers_three_systems_beside_ours() {
    let (report, rows) = run("lace-fig5", &["--workload", "fib:16,matmul:40", "--workers", "3"]);
    for word in ["fib 50, Lace", "fib 50, Wool", "matmul 4096, Private deque", "144 s", "48 cores"]
    {
        assert!(report.contains(word), "{word}: {report}");
    }
    let contenders = contenders(&rows);
    for deque in ["split", "direct", "receiver-block"] {
        for workers in ["1", "3"] {
            assert!(contenders.contains(&(deque.to_owned(), workers.to_owned())), "{deque}");
        }
    }
    let turns: Vec<_> = rows[..3].iter().map(|row| cell(row, "contender")).collect();
    assert_eq!(turns, ["serial", "split", "direct"], "contenders take turns");
    assert!(rows.iter().any(|row| cell(row, "rep") == "2"));
}

#[test]
fn lace_fig7_counts() {
    let (report, rows) = run("lace-fig7", &["--workload", "fib:16,queens:6", "--workers", "1,2"]);
    for word in ["fib 50", "97,750", "queens 15", "6,618"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    // Two workloads, two numbers of workers, two repetitions.
    assert_eq!(rows.len(), 8);
    for row in rows {
        let count = |title| cell(&row, title).parse::<usize>().unwrap();
        // What one worker has at once: all halves down to the leaf.
        let depth = if cell(&row, "workload") == "fib" { 15 } else { 9 };
        let moved = count("steals") + count("leaps");
        if cell(&row, "workers") == "1" {
            assert_eq!([moved, count("grows"), count("shrinks")], [0; 3], "{row:?}");
            assert_eq!(count("peak_depth"), depth, "{row:?}");
        } else {
            assert!(count("peak_depth") >= depth && moved <= count("tasks"), "{row:?}");
            // What was not shared cannot move, nor be taken back.
            assert!(count("grows") > 0 || (moved == 0 && count("shrinks") == 0), "{row:?}");
        }
    }
}

#[test]
fn lace_fig8_compares_two_ways_to_wait_and_counts_depths() {
    let (report, rows) = run("lace-fig8", &["--workload", "fib:16", "--workers", "2,4"]);
    for word in ["split leap+random", "direct transitive", "1.154 s", "Private leap"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let watched = rows.iter().filter(|row| !cell(row, "peak_depth").is_empty());
    // Two ways, two numbers of workers, two repetitions.
    assert_eq!(watched.count(), 8);
    // And T_1 of the three systems in both ways.
    assert_eq!(rows.len(), 2 * 8 * 2 + 3 * 2 * 2);
    for word in ["T_1/T_48", "38.3", "36.2", "37.8", "19.9"] {
        assert!(report.contains(word), "{word}: {report}");
    }
}

#[test]
fn lace_fig6_has_speedups_over_itself_and_over_the_serial_program() {
    let (report, rows) = run("lace-fig6", &["--workload", "fib:16,uts:T3", "--workers", "2"]);
    for word in ["T_1/T_P", "T_S/T_P", "needs 4 workers", "34.9"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 1 + 2 * 2);
}

#[test]
fn laces_open_questions_are_experiments() {
    let (report, rows) = run("lace-half", &["--workload", "fib:16", "--workers", "2"]);
    assert!(report.contains("does not improve performance"), "{report}");
    assert_eq!(rows.iter().filter(|row| !cell(row, "steals").is_empty()).count(), 2 * 2);
    let workload = ["--workload", "stress:3x8x9,stress:3x900x2", "--workers", "2"];
    let (report, rows) = run("lace-larger", &workload);
    assert!(report.contains("disadvantage of private deques"), "{report}");
    assert_eq!(contenders(&rows).len(), 4);
}

#[test]
fn wools_workloads_are_told_with_the_papers_numbers() {
    let workload = ["--workload", "mm:64x2,stress:7x256x9,stress:7x4096x2", "--workers", "2"];
    let (report, rows) = run("wool-table1", &workload);
    for word in ["G_L(2)", "54.3", "30.6", "15,486", "915", "108", "44.7", "663"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let number = |row: &[(String, String)], title| cell(row, title).parse::<f64>().unwrap();
    let profiled = rows.iter().filter(|row| cell(row, "contender") == "lyocell-profiled");
    let profiled: Vec<_> = profiled.collect();
    assert_eq!(profiled.len(), 3 * 2);
    for row in profiled {
        let [work, span, burdened] =
            ["work_seconds", "span_seconds", "span_2k_seconds"].map(|title| number(row, title));
        // With 64 rows or 128 leaves there is much to do at once, and the burden takes some of it away.
        assert!(span > 0.0 && span <= burdened && burdened < work, "{row:?}");
    }
}

#[test]
fn wools_speedups_are_beside_other_systems() {
    let workload = ["--workload", "fib:16,stress:3x90x9", "--workers", "1,2"];
    let (report, rows) = run("wool-fig1", &workload);
    for word in ["direct", "split", "rayon", "chili", "128K trees"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let systems = contenders(&rows).len();
    assert!([1 + 4 * 2, 1 + 5 * 2].contains(&systems), "with or without Lace: {systems}");
    let (_, rows) = run("wool-fig5", &["--workload", "mm:9x3,ssf:5x2", "--workers", "1,2"]);
    assert_eq!(contenders(&rows).len(), systems);
}

#[test]
fn wools_model_has_what_goes_into_it() {
    let workload = ["--workload", "mm:16x9,stress:1x900x50", "--workers", "2,4"];
    let (report, rows) = run("wool-table4", &workload);
    for word in ["Cilk++", "2.2", "3.9", "4.3", "C_P cycles", "steals/rep"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let jobs = |contender: &str| {
        let rows = rows.iter().filter(|row| cell(row, "contender") == contender);
        let mut jobs: Vec<_> = rows
            .map(|row| (cell(row, "param").to_owned(), cell(row, "workers").to_owned()))
            .collect();
        jobs.dedup();
        jobs.len()
    };
    // The program with both numbers of workers, and a tree for each, twice.
    assert!(jobs("direct") >= 4, "{rows:?}");
    assert!(jobs("direct (watched)") >= 2, "{rows:?}");
}

#[test]
fn wools_categories_are_of_all_time() {
    let (report, rows) = run("wool-fig6", &["--workload", "stress:6x500x20", "--workers", "1,2"]);
    for word in ["TR", "NA", "LA", "ST", "LF"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let watched = rows.iter().filter(|row| cell(row, "contender") == "direct (watched)");
    for row in watched {
        let number = |title: &str| cell(row, title).parse::<f64>().unwrap();
        let phases =
            ["start_stop", "application", "leap_application", "stealing", "leaping", "idle"];
        let sum: f64 = phases.iter().map(|phase| number(&format!("{phase}_seconds"))).sum();
        let (workers, seconds) = (number("workers"), number("seconds"));
        assert!(sum > 0.5 * workers * seconds, "{sum} of {workers} x {seconds}");
        assert_eq!(number("idle_seconds"), 0.0, "nobody sleeps");
    }
}

/// A file of runs as `--keep` writes it: five rounds of each of these, whose times differ by these shares.
fn kept(folder: &Path, name: &str, runs: &[(&str, &str, usize, f64)], noise: [f64; 5]) {
    let mut text = String::from(
        "# machine: lyocell 0.1.0 on 2 x Some Processor, linux, x86_64\n# date: 2026-11-22\n\
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
            " holds here: ",
            " holds here in part: ",
            " does not hold here: ",
            " is left open here: ",
        ];
        said.into_iter().find(|said| report.contains(said)).unwrap().trim().to_owned()
    };
    let quiet = [1.0; 5];
    assert_eq!(verdict(1.3, 1.1, quiet), "holds here:");
    assert_eq!(verdict(1.2, 1.3, quiet), "holds here in part:");
    assert_eq!(verdict(0.9, 1.1, quiet), "does not hold here:");
    // 1.04 on the smallest against 1.02 on the largest, where rounds differ by more.
    assert_eq!(verdict(1.04, 1.02, [0.95, 0.98, 1.0, 1.02, 1.05]), "is left open here:");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was run or written");
}

#[test]
fn a_document_is_made_of_kept_runs_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    kept(folder.path(), "wool-fig4", &regions(1.3, 1.1), [1.0; 5]);
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
    kept(folder.path(), "wool-fig4", &regions(0.9, 1.1), [1.0; 5]);
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
fn wool_table2_has_every_version() {
    let (report, rows) = run("wool-table2", &["--workload", "fib:18"]);
    for word in ["Synchronize on task", "direct-locked", "18.9 s", "GHz", "2.4 s"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 8);
    assert!(rows.iter().all(|row| cell(row, "workers") == "1"));
}

#[test]
fn wool_fig4_has_every_variant_with_every_number_of_workers() {
    let workloads = "stress:3x8x20,stress:5x8x10";
    let (report, rows) = run("wool-fig4", &["--workload", workloads, "--workers", "2,3"]);
    for word in ["base", "peek", "trylock", "nolock", "a plot without numbers"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 1 + 2 * 4);
}

#[test]
fn wool_table3_gives_every_worker_a_leaf() {
    let workloads = "fib:16,stress:1x50x20";
    let (report, rows) = run("wool-table3", &["--workload", workloads, "--workers", "2,4"]);
    for word in ["2 workers", "4 workers", "Cilk++", "31,050", "rayon"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    for row in rows.iter().filter(|row| cell(row, "contender") == "direct") {
        let (param, workers) = (cell(row, "param"), cell(row, "workers"));
        let expected = match param {
            "16" => "1",
            "1x50x20" => "2",
            "2x50x20" => "4",
            other => panic!("{other} was not asked for"),
        };
        assert_eq!(workers, expected, "{param}");
    }
}

#[test]
fn acar_fig4_compares_with_the_concurrent_deque() {
    let (report, rows) =
        run("acar-fig4", &["--workload", "fib:16,stress:3x8x20", "--workers", "2"]);
    // fib:16 has fifteen forks on its longest path; nobody has counted those of stress.
    for word in ["fibonacci", "4.11 s", "T_S/(2.68 F P)", "chase-lev", " 15 "] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let names: Vec<_> = contenders(&rows).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["serial", "chase-lev", "receiver", "sender", "rayon"]);
}

#[test]
fn acar_fig5_sweeps_delta_and_times_what_waits() {
    let (report, rows) = run("acar-fig5", &["--workload", "fib:16", "--workers", "2"]);
    for word in ["10us", "300us", "10ms", "extremely close to delta", "one blind", "half on-demand"]
    {
        assert!(report.contains(word), "{word}: {report}");
    }
    let watched = rows.iter().filter(|row| !cell(row, "waiting_seconds").is_empty());
    let alone = rows.iter().filter(|row| cell(row, "contender") == "sender alone");
    // Three ways, seven deltas, two repetitions; each with and without a look.
    assert_eq!((watched.count(), alone.count()), (42, 2));
    assert_eq!(rows.len(), 2 * 42 + 2);
}

#[test]
fn acar_fig6a_compares_with_and_without_interrupts() {
    let (report, rows) = run("acar-fig6a", &["--workload", "stress:3x500x3", "--workers", "2"]);
    for word in ["never", "200us", "2ms", "3.7%"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 2 + 3 * 5);
    for row in &rows {
        assert_eq!(cell(row, "answer"), cell(&rows[0], "answer"), "{row:?}");
        assert_eq!(cell(row, "tasks"), "21", "{row:?}");
    }
    // What is said of each deque and period is what was measured.
    let seconds = |contender: &str| {
        let rows = rows.iter().filter(|row| cell(row, "contender") == contender);
        let seconds: Vec<f64> = rows.map(|row| cell(row, "seconds").parse().unwrap()).collect();
        assert_eq!(seconds.len(), 2, "{contender}");
        seconds.iter().sum::<f64>() / 2.0
    };
    for deque in ["sender", "receiver", "split"] {
        let line = report.lines().find(|line| line.split_whitespace().any(|word| word == deque));
        let words: Vec<_> = line.unwrap().split_whitespace().collect();
        let said = &words[words.iter().position(|word| *word == deque).unwrap() + 1..][..5];
        let times = ["", " every 200us", " every 500us", " every 1ms", " every 2ms"];
        let measured = times.map(|every| {
            let ratio = seconds(&format!("{deque}{every}")) / seconds("chase-lev");
            format!("{:+.1}%", (ratio - 1.0) * 100.0)
        });
        assert_eq!(said, measured, "{deque}");
    }
}

#[test]
fn acar_fig6b_searches_the_papers_graphs() {
    let workloads = "dfs:grid,1000,dfs:rmat,1024";
    let output = command().args(["list"]).output().unwrap();
    assert!(stdout(&output).contains("dfs"), "{}", stdout(&output));
    let (report, rows) = run("acar-fig6b", &["--workload", workloads, "--workers", "1,2"]);
    for word in ["3d-grid, 40m nodes", "11.5 s", "over 20", "the paper: over 20 of 30"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 1 + 2 * 4);
    for job in ["grid,1000", "rmat,1024"] {
        let mut answers = rows.iter().filter(|row| cell(row, "param") == job);
        let first = cell(answers.next().unwrap(), "answer");
        assert!(answers.all(|row| cell(row, "answer") == first), "{job}");
    }
}

#[test]
fn the_cases_of_the_study_of_queues_have_its_numbers_and_how_long_operations_take() {
    for (name, workload, published, queues) in [
        ("queues-raw", "raw:3000", "27,621 +-15,318", 7),
        ("queues-quicksort", "quicksort:3000", "263 +-16.9", 3),
        ("queues-spanning-tree", "spanning-tree:2000", "305 +-35.6", 7),
        ("queues-xml", "xml:500,xml:feed", "950 +-1,007", 3),
    ] {
        let (report, rows) = run(name, &["--workload", workload, "--workers", "2"]);
        let paper =
            ["Alkærsig", "over abp at 48", "crossbeam-deque", "comparisons here", published];
        for word in paper {
            assert!(report.contains(word), "{name}: {word}: {report}");
        }
        // The serial program, the study's queues and a peer; these with and without counting; two repetitions.
        let jobs = workload.split(',').count();
        assert_eq!(rows.len(), jobs * 2 * (1 + 2 * (queues + 1)), "{name}");
        let counted = rows.iter().filter(|row| cell(row, "contender").ends_with(" (watched)"));
        let timed = counted.filter(|row| !cell(row, "push_ns").is_empty());
        assert!(timed.count() > 0, "{name}: no push was timed");
        assert!(
            rows.iter()
                .all(|row| cell(row, "workers") == "2" || cell(row, "contender") == "serial")
        );
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
    for words in ["# machine: lyocell ", "# date: 20", "# rust: rustc ", "\nexperiment,workload,"] {
        assert!(runs.contains(words), "{words}: {runs}");
    }
    assert_eq!(runs.lines().filter(|line| line.starts_with("wool-table2,fib,10,")).count(), 8);
    let both = experiment(folder.path(), &[&arguments[..], &["--out", "x.csv"]].concat());
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
    fs::write(folder.path().join("file"), "").unwrap();
    let output = experiment(folder.path(), &["wool-table2", "--keep", "file/inside"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("--keep file/inside/wool-table2.csv"), "{}", stderr(&output));
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
