//! The experiments of the paper on private deques.

use super::{cell, contenders, run};
use crate::common::{command, stdout};

#[test]
fn acar_fig4_compares_with_the_concurrent_deque() {
    let (report, rows) =
        run("acar-fig4", &["--workload", "fib:16,stress:3x8x20", "--workers", "2"]);
    // fib:16 has fifteen forks on its longest path; nobody has counted those of stress.
    for word in ["fibonacci", "4.11 s", "T_S/(2.68 F P)", "chase-lev", " 15 "] {
        assert!(report.contains(word), "{word}: {report}");
    }
    let names: Vec<_> = contenders(&rows).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        ["serial", "chase-lev", "receiver", "sender blind", "sender on-demand", "rayon"]
    );
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
    assert_eq!(contenders(&rows).len(), 2 + 4 * 5);
    for row in &rows {
        assert_eq!(cell(row, "answer"), cell(&rows[0], "answer"), "{row:?}");
        assert_eq!(cell(row, "tasks"), "21", "{row:?}");
    }
    // What is said of each deque and period is what was measured, round by round.
    let seconds = |contender: &str| -> Vec<f64> {
        let rows = rows.iter().filter(|row| cell(row, "contender") == contender);
        let seconds: Vec<f64> = rows.map(|row| cell(row, "seconds").parse().unwrap()).collect();
        assert_eq!(seconds.len(), 2, "{contender}");
        seconds
    };
    let baseline = seconds("chase-lev");
    for deque in ["sender blind", "sender on-demand", "receiver", "split"] {
        for every in ["", " every 200us", " every 500us", " every 1ms", " every 2ms"] {
            let times = seconds(&format!("{deque}{every}"));
            let ratio = (times[0] / baseline[0]).midpoint(times[1] / baseline[1]);
            let said = format!("{:+.1}%", (ratio - 1.0) * 100.0);
            assert!(report.contains(&said), "{deque}{every}: {said}: {report}");
        }
    }
}

#[test]
fn acar_fig6b_searches_the_papers_graphs() {
    let workloads = "dfs:grid,1000,dfs:rmat,1024";
    let output = command().args(["list"]).output().unwrap();
    assert!(stdout(&output).contains("dfs"), "{}", stdout(&output));
    let (report, rows) = run("acar-fig6b", &["--workload", workloads, "--workers", "1,2"]);
    for word in ["3d-grid, 40m nodes", "11.5 s", "over 20", "T_S/T_P of the sender"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 1 + 2 * 5);
    for job in ["grid,1000", "rmat,1024"] {
        let mut answers = rows.iter().filter(|row| cell(row, "param") == job);
        let first = cell(answers.next().unwrap(), "answer");
        assert!(answers.all(|row| cell(row, "answer") == first), "{job}");
    }
}
