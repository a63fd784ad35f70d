//! A file for [Perfetto](https://ui.perfetto.dev): Chrome's JSON, which its trace processor reads.
//!
//! A track for each worker, with a slice for each task, region, search and sleep; an arrow for each steal from the victim's
//! track to the thief's; an instant for each wake-up; counters of the workers in tasks and of the dropped marks.

use super::slices::{Slice, Traced, What};
use serde_json::{Value, json};

/// The number of the process in the file.
const PROCESS: u32 = 1;

impl Traced {
    /// The trace as JSON that Perfetto opens.
    pub fn to_perfetto(&self) -> String {
        let mut events = vec![
            json!({"ph": "M", "pid": PROCESS, "tid": 0, "name": "process_name", "args": {"name": "lyocell"}}),
        ];
        for worker in 0..self.workers {
            let name = format!("worker {worker}");
            events.push(json!({
                "ph": "M", "pid": PROCESS, "tid": thread(worker), "name": "thread_name", "args": {"name": name},
            }));
        }
        for (number, slice) in self.shown().enumerate() {
            events.push(event(slice));
            if let What::Stolen { victim } = slice.what {
                events.extend(arrow(number, victim, slice));
            }
        }
        for (worker, at) in &self.woken {
            events.push(json!({
                "ph": "i", "s": "t", "pid": PROCESS, "tid": thread(*worker), "ts": at, "name": "woken", "cat": "sleep",
            }));
        }
        for (at, active) in self.active() {
            events.push(counter("workers in tasks", at, active));
        }
        let dropped = i64::try_from(self.dropped()).unwrap_or(i64::MAX);
        events.push(counter("dropped marks", 0.0, dropped));
        let file = json!({
            "traceEvents": events,
            "displayTimeUnit": "ns",
            "otherData": {"droppedMarks": self.dropped()},
        });
        file.to_string() + "\n"
    }
}

/// Threads are numbered from 1: Perfetto takes 0 for the idle thread.
fn thread(worker: usize) -> usize {
    worker + 1
}

fn event(slice: &Slice) -> Value {
    json!({
        "ph": "X", "pid": PROCESS, "tid": thread(slice.worker), "ts": slice.begin, "dur": slice.end - slice.begin,
        "name": slice.what.name(), "cat": slice.what.category(),
    })
}

/// From a small slice of the victim's to the stolen task.
fn arrow(number: usize, victim: usize, slice: &Slice) -> [Value; 2] {
    let end = |phase: &str, worker: usize| {
        json!({
            "ph": phase, "bp": "e", "id": number, "pid": PROCESS, "tid": thread(worker), "ts": slice.begin,
            "name": "steal", "cat": "steal",
        })
    };
    [end("s", victim), end("f", slice.worker)]
}

fn counter(name: &str, at: f64, value: i64) -> Value {
    json!({"ph": "C", "pid": PROCESS, "tid": 0, "ts": at, "name": name, "args": {"value": value}})
}
