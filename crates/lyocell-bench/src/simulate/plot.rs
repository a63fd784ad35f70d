//! Speedups over the declared work, and what bounds them.

use std::io;

use super::row::{Answer, Group};
use crate::experiment::{Chart, Line, SPEEDUP, draw};
use crate::stats::distinct;

/// A panel for each program: a line for each kind of pool with its spread over seeds, the least time's line, and that of the bound with
/// latency.
///
/// # Errors
/// The drawing library's.
pub(crate) fn plot(answer: &Answer) -> io::Result<String> {
    let groups = answer.groups();
    let programs = distinct(groups.iter().map(|group| &group.first().program));
    let charts: Vec<Chart> = programs
        .into_iter()
        .map(|program| {
            let of: Vec<&Group<'_>> =
                groups.iter().filter(|group| group.first().program == *program).collect();
            panel(&answer.machine.title, program, &of)
        })
        .collect();
    draw(&charts)
}

fn panel(machine: &str, program: &str, groups: &[&Group<'_>]) -> Chart {
    let mut workers = distinct(groups.iter().map(|group| group.first().workers));
    workers.sort_unstable();
    let contenders = distinct(groups.iter().map(|group| group.first().contender()));
    let at = |contender: Option<&String>, workers: usize| {
        groups.iter().find(|group| {
            let row = group.first();
            row.workers == workers && contender.is_none_or(|other| row.contender() == *other)
        })
    };
    let mut lines: Vec<Line> = Vec::new();
    for contender in &contenders {
        let speedup = |&workers: &usize| {
            let group = at(Some(contender), workers)?;
            Some(group.timing(|row| row.serial_ns / row.took_ns))
        };
        let speedups: Vec<_> = workers.iter().map(speedup).collect();
        let line = Line::new(contender, speedups.iter().map(|s| s.map(|s| s.median)));
        lines.push(line.spread(speedups.iter().map(|s| s.map(|s| (s.low, s.high)))));
    }
    let bound = |name: &str, ns: fn(&Group<'_>) -> f64| {
        let speedup =
            |&workers: &usize| at(None, workers).map(|group| group.first().serial_ns / ns(group));
        Line::new(name, workers.iter().map(speedup))
    };
    lines.push(bound("max(T_1/P, T_inf)", |group| group.first().bounds.least_ns));
    lines.push(bound("with latency", |group| group.first().bounds.latency_ns));
    Chart {
        title: format!("{program} on {machine}, simulated: T_S / T_P"),
        x: "workers",
        places: workers.iter().map(usize::to_string).collect(),
        scale: SPEEDUP,
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{answer, row};
    use super::*;

    #[test]
    fn a_panel_has_every_pool_and_what_bounds_it() {
        let runs = [("split", 1, 0, 8000.0), ("split", 4, 0, 4000.0), ("split", 4, 1, 2000.0)];
        let runs = runs.into_iter().chain([("abp", 1, 0, 9000.0), ("abp", 4, 0, 4500.0)]);
        let answer = answer(runs.map(|(deque, p, seed, took)| row(deque, p, seed, took)).collect());
        let groups = answer.groups();
        let chart = panel("abacus", "fib:20", &groups.iter().collect::<Vec<_>>());
        assert_eq!(chart.places, ["1", "4"]);
        let names: Vec<&str> = chart.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["split, leap", "abp, leap", "max(T_1/P, T_inf)", "with latency"]);
        assert_eq!(chart.lines[2].values, [Some(1.0), Some(4.0)]);
        assert_eq!(chart.lines[0].spreads, [Some((1.0, 1.0)), Some((2.0, 4.0))]);
        let svg = plot(&answer).unwrap();
        for word in ["<svg", "abacus", "split, leap", "with latency"] {
            assert!(svg.contains(word), "no {word} in {svg}");
        }
    }
}
