//! The experiments of the Wool papers.

use super::{cell, contenders, run};

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
    // Which others there are, Wool itself, TBB, OpenMP and Lace among them, is a matter of the machine.
    assert!(systems > 4 * 2 && systems % 2 == 1, "{systems}");
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
