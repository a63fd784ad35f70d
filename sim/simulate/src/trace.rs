//! What the threads of a run did when, as a file for ui.perfetto.dev (Chrome's JSON): a track for each thread with a slice for each
//! phase, an arrow from the victim to the thief for each stolen task, a mark for each sleeper that was woken.

use lyocell::probe::{Event, Phase};
use lyocell_virtual::Watched;
use serde_json::{Value, json};

/// The number of the process in the file.
const PROCESS: u32 = 1;

/// The threads of a run, in the order in which they were started, as a file.
pub fn perfetto(threads: &[Watched]) -> String {
    let mut events = vec![json!({
        "ph": "M", "pid": PROCESS, "tid": 0, "name": "process_name", "args": {"name": "lyocell, simulated"},
    })];
    for (thread, watched) in threads.iter().enumerate() {
        events.push(json!({
            "ph": "M", "pid": PROCESS, "tid": track(thread), "name": "thread_name",
            "args": {"name": watched.name},
        }));
        let ends = watched.entered.iter().skip(1).map(|(at, _)| *at).chain([watched.lived.1]);
        for (&(begin, phase), end) in watched.entered.iter().zip(ends) {
            let Some(phase) = Phase::ALL.get(phase).filter(|_| end > begin) else { continue };
            events.push(json!({
                "ph": "X", "pid": PROCESS, "tid": track(thread), "ts": us(begin), "dur": us(end - begin),
                "name": phase.name(), "cat": "phase",
            }));
        }
        for &(at, event, other) in &watched.happened {
            match other {
                Some(victim) => {
                    events.extend(arrow(events.len(), worker(threads, victim), thread, at))
                }
                None => events.push(json!({
                    "ph": "i", "s": "t", "pid": PROCESS, "tid": track(thread), "ts": us(at),
                    "name": Event::ALL.get(event).map_or("", |event| event.name()), "cat": "event",
                })),
            }
        }
    }
    json!({"traceEvents": events, "displayTimeUnit": "ns"}).to_string() + "\n"
}

/// Tracks are numbered from 1: Perfetto takes 0 for the idle thread.
fn track(thread: usize) -> usize {
    thread + 1
}

fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

/// The thread that a worker is.
fn worker(threads: &[Watched], worker: usize) -> usize {
    let name = format!("lyocell-{worker}");
    threads.iter().position(|watched| watched.name == name).unwrap_or(worker)
}

fn arrow(number: usize, victim: usize, thief: usize, at: u64) -> [Value; 2] {
    let end = |phase: &str, thread: usize| {
        json!({
            "ph": phase, "bp": "e", "id": number, "pid": PROCESS, "tid": track(thread), "ts": us(at),
            "name": "steal", "cat": "steal",
        })
    };
    [end("s", victim), end("f", thief)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::machine;
    use crate::pools::{Setup, deque};
    use crate::row::{Job, measure};
    use lyocell::Wait;
    use lyocell_virtual::Options;

    #[test]
    fn a_steal_is_an_arrow_and_a_phase_a_slice() {
        let mut options = Options::new(machine("opteron-48").unwrap());
        options.keep_trace = true;
        let job = Job::parse("tree:4:50000", &options.machine).unwrap();
        let setup = Setup::new(4, Wait::LeapRandom);
        let (row, report) = measure(&options, &job, deque("split").unwrap(), setup).unwrap();
        let file: Value = serde_json::from_str(&perfetto(&report.threads)).unwrap();
        let events = file["traceEvents"].as_array().unwrap();
        let of = |phase: &str| events.iter().filter(|event| event["ph"] == phase).count();
        assert!(row.steals() > 0 && of("s") as u64 >= row.steals(), "{row:?}");
        assert_eq!(of("s"), of("f"));
        assert!(of("X") > report.threads.len() && of("M") == report.threads.len() + 1);
    }
}
