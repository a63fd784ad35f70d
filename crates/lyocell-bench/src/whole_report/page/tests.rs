//! The page has all of it, and needs nothing else.

use super::*;
use crate::measure::RunRecord;
use crate::whole_report::found::{Profiled, Watched};
use crate::whole_report::step::Size;

fn run(engine: &str, workers: usize, rep: usize, seconds: f64) -> RunRecord {
    let (workload, param) = ("fib".to_owned(), "15".to_owned());
    let columns =
        (workload, param, engine.to_owned(), workers, rep, seconds, Some(2000), "610".to_owned());
    RunRecord::kept(columns).unwrap()
}

fn whole() -> Whole {
    let origin = Origin {
        machine: "a machine <of two>".to_owned(),
        program: "abcdef".to_owned(),
        size: Size::Least,
        workers: 2,
        notes: vec![("rust".to_owned(), "rustc 1.95".to_owned())],
    };
    let mut whole = Whole::new(origin, vec!["paper: wool-table2".to_owned()]);
    for (engine, workers, seconds) in [
        ("serial", 1, 1e-3),
        ("lyocell", 1, 3.25e-3),
        ("lyocell", 2, 1.5e-3),
        ("rayon", 2, 1.25e-3),
    ] {
        whole.runs.extend(
            (1..=3).map(|rep| run(engine, workers, rep, seconds * (1.0 + rep as f64 / 50.0))),
        );
    }
    whole.deques = vec![run("serial", 1, 1, 1e-3), run("lyocell:abp", 1, 1, 7.5e-3)];
    let phases =
        |application: f64| vec![("application".to_owned(), application), ("idle".to_owned(), 0.25)];
    whole.workers = vec![Watched {
        workload: "fib:15".to_owned(),
        seconds: 1.0,
        events: [(41, 7_654), (0, 12)]
            .map(|(steals, grows)| {
                [("steals", steals), ("grows", grows), ("deals", 0)]
                    .map(|(name, number)| (name.to_owned(), number))
                    .to_vec()
            })
            .to_vec(),
        phases: vec![phases(0.75), phases(0.5)],
    }];
    whole.profiles = vec![Profiled {
        workload: "fib:15".to_owned(),
        workers: 2,
        alone: 1.5e-3,
        profiled: 2.5e-3,
        work: 3e-3,
        span: 1e-4,
        parallelism: 30.0,
        burdened: 20.5,
        task_ns: Some(2.25),
        steal_ns: None,
        verdict: "enough parallelism".to_owned(),
        steals: vec![vec![0, 1_234], vec![567, 0]],
        dropped: 0,
    }];
    whole
}

const SECTIONS: [&str; 12] = [
    "machine", "headline", "cost", "speedup", "deques", "span", "time", "events", "map", "latency",
    "papers", "short",
];

/// Elements that have no end.
fn closed(page: &str) -> String {
    let mut text = page.replace("<!DOCTYPE html>", "");
    for begin in [
        "<meta charset=\"utf-8\">",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    ] {
        text = text.replace(begin, "");
    }
    text
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let page = page(&whole()).unwrap();
    let closed = closed(&page);
    let mut reader = quick_xml::Reader::from_str(&closed);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => break,
            Ok(_) => {}
            Err(error) => panic!("{error} at {}: {}", reader.error_position(), closed),
        }
    }
    for reference in ["http:", "https:", "src=", "<link", "@import", "url(", "<script"] {
        assert!(!page.contains(reference), "{reference}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
}

#[test]
fn every_section_is_there_and_named_in_the_beginning() {
    let page = page(&whole()).unwrap();
    for id in SECTIONS {
        assert!(page.contains(&format!("<h2 id=\"{id}\">")), "{id}");
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    assert!(page.contains("a machine &lt;of two&gt;") && page.contains("rustc 1.95"));
}

#[test]
fn every_number_is_there_as_text() {
    let page = page(&whole()).unwrap();
    for number in [
        "3.38 ms ±2 %", // T_1 of lyocell
        "1.56 ms ±2 %", // T_2
        "1170 (",       // its cost, in nanoseconds a task
        "0.67 (",       // its speedup
        "3250 (",       // the cost on a deque
        "7,654",
        "41",            // events
        "750 ms 75.0 %", // a phase
        "1,234",
        "567", // who stole from whom
        "30.0",
        "20.5", // parallelism
    ] {
        assert!(page.contains(number), "{number}");
    }
    assert!(page.contains("None at all: deals."));
    // Each plot says what it shows and has its numbers below.
    let plots = page.matches("<svg role=\"img\" aria-label=").count();
    assert_eq!((plots, page.matches("<summary>The numbers</summary>").count()), (4, 4));
}

#[test]
fn what_fell_short_is_said() {
    let page = page(&whole()).unwrap();
    for sentence in [
        "T_2: rayon 1.30 ms, lyocell 1.56 ms, 1.20 times as long",
        "no time for paper: wool-table2",
    ] {
        assert!(page.contains(sentence), "{sentence}");
    }
}
