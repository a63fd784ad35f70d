//! A file of results: comments that say what it was measured on, then a line for each number.
//!
//! ```text
//! # machine: lyocell 0.1.0 on 2 x AMD EPYC, linux, x86_64
//! # date: 2026-11-22
//! suite,subject,engine,workers,rep,statistic,value,unit,tasks,layout
//! headline,fib:40,rayon,2,1,time,0.7583,seconds,331160280,0
//! latency,wake,lyocell,2,,p50,0.000093,seconds,,
//! ```
//!
//! The last column is not in files from before there were layouts.

use serde::{Deserialize, Serialize};

use super::origin::KeptFile;
use super::suite::TIME;
use lyocell_engines::latency::Unit;

/// One number. The fields are the columns, in this order: do not change them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Row {
    /// What it was measured for.
    pub(crate) suite: String,
    /// What was measured: an instance of a workload, or a measure of latency.
    pub(crate) subject: String,
    pub(crate) engine: String,
    pub(crate) workers: usize,
    /// From 1, for each repetition; none where the number is a statistic of many.
    pub(crate) rep: Option<usize>,
    pub(crate) statistic: String,
    pub(crate) value: f64,
    pub(crate) unit: String,
    /// Of the workload.
    pub(crate) tasks: Option<u64>,
    /// Which layout of the program it was, where it was run in several.
    #[serde(default)]
    pub(crate) layout: Option<usize>,
}

impl Row {
    /// A time; of no repetition.
    pub(super) fn of(
        suite: &str,
        subject: impl Into<String>,
        engine: &str,
        workers: usize,
        seconds: f64,
    ) -> Row {
        Row {
            suite: suite.to_owned(),
            subject: subject.into(),
            engine: engine.to_owned(),
            workers,
            rep: None,
            statistic: TIME.to_owned(),
            value: seconds,
            unit: Unit::Seconds.name().to_owned(),
            tasks: None,
            layout: None,
        }
    }
}

/// What `lyocell results` keeps.
pub(crate) type Kept = KeptFile<Row>;

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A timed run.
    pub(in crate::results) fn time(
        suite: &str,
        subject: &str,
        engine: &str,
        workers: usize,
        seconds: f64,
    ) -> Row {
        let row = Row::of(suite, subject, engine, workers, seconds);
        Row { rep: Some(1), tasks: Some(1_000_000), ..row }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let statistic = Row {
            rep: None,
            tasks: None,
            statistic: "p50".to_owned(),
            ..time("latency", "wake", "lyocell", 2, 9.3e-5)
        };
        let run = time("headline", "fib:40", "rayon", 2, 0.125);
        let in_third_layout = Row { layout: Some(3), ..run };
        let kept = Kept {
            notes: vec![("machine".to_owned(), "one: two, three".to_owned())],
            rows: vec![in_third_layout, statistic],
        };
        let text = kept.to_text();
        let header = "# machine: one: two, three\n\
                      suite,subject,engine,workers,rep,statistic,value,unit,tasks,layout\n\
                      headline,fib:40,rayon,2,1,time,0.125,seconds,1000000,3\n";
        assert!(text.starts_with(header), "{text}");
        assert_eq!(Kept::parse(&text, "results"), Ok(kept));
    }

    #[test]
    fn a_file_from_before_there_were_layouts_is_read() {
        let text = "suite,subject,engine,workers,rep,statistic,value,unit,tasks\n\
                    headline,fib:40,rayon,2,1,time,0.125,seconds,1000000\n";
        let rows = Kept::parse(text, "results").unwrap().rows;
        assert_eq!(rows, [time("headline", "fib:40", "rayon", 2, 0.125)]);
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        for text in ["", "# machine: x\n", "a,b\n1,2\n", "not a table"] {
            assert!(Kept::parse(text, "results").is_err(), "{text:?}");
        }
    }
}
