//! The experiments of the Lace paper.

use super::{cell, contenders, run};

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
    // Two workloads, two numbers of workers, two repetitions; with exposing and without.
    assert_eq!(rows.len(), 16);
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
    for word in ["T_1/T_P", "T_S/T_P", "takes more workers", "34.9"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 1 + 3 * 2);
}

#[test]
fn laces_open_questions_are_experiments() {
    let (report, rows) = run("lace-half", &["--workload", "fib:16", "--workers", "2"]);
    assert!(report.contains("does not improve performance"), "{report}");
    assert_eq!(rows.iter().filter(|row| !cell(row, "steals").is_empty()).count(), 2 * 2);
    let (report, rows) = run("lace-share", &["--workload", "fib:16", "--workers", "2"]);
    for words in ["no other share than half is better", "three-quarters", "grows", "shrinks"] {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert_eq!(contenders(&rows).len(), 2 * 5);
    assert_eq!(rows.iter().filter(|row| !cell(row, "shrinks").is_empty()).count(), 2 * 5);
    let workload = ["--workload", "stress:3x8x9,stress:3x900x2", "--workers", "2"];
    let (report, rows) = run("lace-larger", &workload);
    assert!(report.contains("disadvantage of private deques"), "{report}");
    assert_eq!(contenders(&rows).len(), 5);
}
