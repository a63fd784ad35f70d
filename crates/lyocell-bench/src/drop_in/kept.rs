//! Pairs that were kept in a file.

#[cfg(test)]
mod tests {
    use super::super::{KeptPairs, Pair};

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let program = "sum-100".to_owned();
        let pairs = vec![Pair {
            program,
            workers: 2,
            pair: 0,
            rayon_ns: 7,
            lyocell_ns: 5,
            rayon_processor_ns: 9,
            lyocell_processor_ns: 8,
            rayon_kb: 2_000,
            lyocell_kb: 1_900,
        }];
        let text = KeptPairs::of_today(pairs.clone()).to_text();
        let kept = KeptPairs::parse(&text, "pairs").unwrap();
        assert_eq!(kept.rows, pairs);
        assert!(kept.note("machine").unwrap().contains("lyocell"));
        assert_eq!(kept.note("date").unwrap().len(), "2026-11-22".len());
    }

    #[test]
    fn a_file_from_before_processor_time_was_measured_is_read() {
        let text = "# machine: x\nprogram,workers,pair,rayon_ns,lyocell_ns\na,2,0,7,5\n";
        let kept = KeptPairs::parse(text, "pairs").unwrap();
        assert_eq!((kept.rows[0].lyocell_ns, kept.rows[0].lyocell_processor_ns), (5, 0));
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        for text in ["", "# machine: x\n", "a,b\n1,2\n"] {
            assert!(KeptPairs::parse(text, "pairs").is_err(), "{text:?}");
        }
    }
}
