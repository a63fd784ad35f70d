//! The experiments of the study of queues.

use super::{cell, run};

#[test]
fn the_cases_of_the_study_of_queues_have_its_numbers_and_how_long_operations_take() {
    for (name, workload, published, queues) in [
        ("queues-raw", "raw:3000", "27,621 +-15,318", 7),
        ("queues-quicksort", "quicksort:3000", "263 +-16.9", 3),
        ("queues-spanning-tree", "spanning-tree:2000", "305 +-35.6", 7),
        ("queues-xml", "xml:500,xml:feed", "950 +-1,007", 3),
    ] {
        let (report, rows) = run(name, &["--workload", workload, "--workers", "2"]);
        let paper = ["Alkærsig", "over abp at 48", "crossbeam-deque", "the time of ", published];
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
