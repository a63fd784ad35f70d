//! Traces: what is in the file is what happened.

use lyocell::{Pool, Split, Worker};
use lyocell_profile::{Trace, region};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A join whose second branch another worker runs.
fn stolen(w: &Worker<Split, Trace>) {
    let begun = AtomicBool::new(false);
    let share = |w: &Worker<Split, Trace>| {
        while !begun.load(Ordering::Relaxed) {
            w.join(|_| (), |_| ());
            thread::yield_now();
        }
    };
    w.join(share, |w| {
        begun.store(true, Ordering::Relaxed);
        region(w, "in the thief", |_| thread::sleep(Duration::from_millis(2)));
    });
}

fn events(json: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(json).unwrap();
    file["traceEvents"].as_array().unwrap().clone()
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["name"] == name).collect()
}

#[test]
fn a_steal_is_a_slice_of_the_thief_and_an_arrow_from_the_victim() {
    let pool = Pool::builder().probe::<Trace>().workers(2).build().unwrap();
    pool.run(|w| region(w, "all", stolen));
    assert_eq!(Trace::of(&pool).steals(), [[0, 0], [1, 0]]);
    let events = events(&Trace::of(&pool).to_perfetto());
    // The caller is worker 0, and so thread 1 of the file.
    let slices = named(&events, "stolen from 0");
    assert_eq!(slices.len(), 1, "{events:#?}");
    assert_eq!(slices[0]["tid"], 2);
    assert!(slices[0]["dur"].as_f64().unwrap() >= 2_000.0);
    let ends: Vec<_> =
        named(&events, "steal").iter().map(|end| (end["ph"].clone(), end["tid"].clone())).collect();
    assert_eq!(ends, [("s".into(), 1.into()), ("f".into(), 2.into())]);
    assert_eq!(named(&events, "in the thief")[0]["tid"], 2);
    assert_eq!(named(&events, "all")[0]["tid"], 1);
    let counters = named(&events, "workers in tasks");
    assert!(counters.iter().any(|counter| counter["args"]["value"] == 2), "{counters:#?}");
    assert_eq!(counters.last().unwrap()["args"]["value"], 0);
}

#[test]
fn slices_of_a_worker_are_within_each_other_or_apart() {
    let pool = Pool::builder().probe::<Trace>().workers(4).build().unwrap();
    fn fib(w: &Worker<Split, Trace>, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
        a + b
    }
    for _ in 0..20 {
        assert_eq!(pool.run(|w| region(w, "fib", |w| fib(w, 18))), 2584);
    }
    let traced = Trace::of(&pool).with_threshold(Duration::ZERO);
    let events = events(&traced.to_perfetto());
    assert_eq!(named(&events, "fib").len(), 20);
    for thread in 1..=4 {
        let mut slices: Vec<(f64, f64)> = events
            .iter()
            .filter(|event| event["ph"] == "X" && event["tid"] == thread)
            .map(|event| (event["ts"].as_f64().unwrap(), event["dur"].as_f64().unwrap()))
            .collect();
        slices.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let mut open: Vec<f64> = Vec::new();
        for (begin, duration) in slices {
            while open.last().is_some_and(|end| *end <= begin + 1e-3) {
                open.pop();
            }
            let end = begin + duration;
            assert!(open.last().is_none_or(|outer| end <= outer + 1e-3), "thread {thread}");
            open.push(end);
        }
    }
}

#[test]
fn the_page_draws_each_worker() {
    let pool = Pool::builder().probe::<Trace>().workers(2).build().unwrap();
    pool.run(|w| region(w, "<all>", stolen));
    let page = Trace::of(&pool).to_html();
    for word in ["worker 0", "worker 1", "class=\"stolen\"", "&lt;all&gt;", "0 marks had no room"] {
        assert!(page.contains(word), "{word}: {page}");
    }
}

/// By the rules of the Trace Event Format, which Perfetto's trace processor reads.
#[test]
fn every_event_has_what_its_phase_requires() {
    let pool = Pool::builder().probe::<Trace>().workers(2).build().unwrap();
    pool.run(|w| region(w, "all", |w| (0..20).for_each(|_| stolen(w))));
    let traced = Trace::of(&pool).with_threshold(Duration::ZERO);
    let events = events(&traced.to_perfetto());
    let number = |event: &Value, field: &str| {
        event[field].as_f64().unwrap_or_else(|| panic!("{field} is a number in {event}"))
    };
    let slices: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    let is_in_a_slice = |event: &Value| {
        let at = number(event, "ts");
        let around = |slice: &&Value| {
            let begin = number(slice, "ts");
            slice["tid"] == event["tid"] && begin <= at && at <= begin + number(slice, "dur") + 1e-3
        };
        slices.iter().any(around)
    };
    for event in &events {
        assert!(
            event["name"].is_string() && event["pid"].is_u64() && event["tid"].is_u64(),
            "{event}"
        );
        match event["ph"].as_str() {
            Some("M") => assert!(event["args"]["name"].is_string(), "{event}"),
            Some("X") => {
                assert!(number(event, "ts") >= 0.0 && number(event, "dur") >= 0.0, "{event}")
            }
            Some("i") => assert!(number(event, "ts") >= 0.0 && event["s"] == "t", "{event}"),
            Some("C") => {
                assert!(number(event, "ts") >= 0.0 && event["args"]["value"].is_i64(), "{event}")
            }
            // An arrow is drawn from slice to slice.
            Some("s" | "f") => assert!(event["id"].is_u64() && is_in_a_slice(event), "{event}"),
            _ => panic!("there is no such phase: {event}"),
        }
    }
    let arrows = |phase: &str| {
        let ends = events.iter().filter(|event| event["ph"] == phase);
        ends.map(|event| (event["id"].as_u64().unwrap(), number(event, "ts").to_bits()))
            .collect::<Vec<_>>()
    };
    assert_eq!(arrows("s"), arrows("f"));
    assert_eq!(arrows("s").len(), 20);
}
