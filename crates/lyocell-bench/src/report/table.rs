//! The table of `lyocell` and `lyocell run`: a group a workload, a column an engine.

use super::units::three_digits;
use super::{Best, Emphasis, Grid, Row, Value, count, seconds};
use crate::measure::{Summary, Timing};

/// Below the table.
const LEGEND: &str = "\
T_S: serial, in Rust and in C; T_n: with n workers; medians, +- half the range of the repetitions.
overhead: (T_1 - T_S) / tasks, T_S in Rust. The best of each row stands out.
";

/// The tables of `summaries`, with a legend.
pub(crate) fn table(summaries: &[Summary], emphasis: Emphasis) -> String {
    let engines = engines(summaries);
    if engines.is_empty() {
        return serial_only(summaries, emphasis);
    }
    let header = ["workload", ""].into_iter().chain(engines.iter().copied());
    let mut grid = Grid::new(header.map(str::to_owned).collect(), emphasis);
    for summary in summaries {
        let mut rows = rows(summary, &engines);
        label(summary, &mut rows, engines.len());
        grid.add_group(&rows);
    }
    format!("{grid}{LEGEND}")
}

/// The engines that have a column: those with workers, in the order they took turns. One that refused the
/// first workloads comes behind the one it followed later.
fn engines(summaries: &[Summary]) -> Vec<&'static str> {
    let mut columns: Vec<&'static str> = Vec::new();
    for summary in summaries {
        let mut next = 0;
        for ran in &summary.engines {
            next = match columns.iter().position(|column| *column == ran.engine) {
                Some(known) => known + 1,
                None => {
                    columns.insert(next, ran.engine);
                    next + 1
                }
            };
        }
    }
    columns
}

/// Where nothing but the serial program ran.
fn serial_only(summaries: &[Summary], emphasis: Emphasis) -> String {
    let header = ["workload", "tasks", "T_S", "T_S in C"].map(str::to_owned).to_vec();
    let mut grid = Grid::new(header, emphasis);
    let row = |summary: &Summary| Row {
        labels: vec![summary.workload.clone(), count(summary.tasks)],
        values: vec![summary.serial.map(timing_value), summary.serial_c.map(timing_value)],
        best: Best::None,
    };
    grid.add_group(&summaries.iter().map(row).collect::<Vec<_>>());
    format!("{grid}{LEGEND}")
}

/// The measures of one workload, without the workload's own column.
fn rows(summary: &Summary, engines: &[&str]) -> Vec<Row> {
    let row = |label: String, best, value: &dyn Fn(&str) -> Option<Value>| Row {
        labels: vec![label],
        values: engines.iter().map(|engine| value(engine)).collect(),
        best,
    };
    let time = |&workers: &usize| {
        row(format!("T_{workers}"), Best::Smallest, &|engine| {
            summary.time(engine, workers).map(timing_value)
        })
    };
    let mut rows: Vec<Row> = summary.workers.iter().map(time).collect();
    let most = summary.most_workers().unwrap_or(1);
    rows.push(row(format!("T_S/T_{most}"), Best::Largest, &|engine| {
        summary.speedup_over_serial(engine).map(ratio_value)
    }));
    if most > 1 {
        rows.push(row(format!("T_1/T_{most}"), Best::Largest, &|engine| {
            summary.speedup_over_one(engine).map(ratio_value)
        }));
    }
    rows.push(row("overhead".to_owned(), Best::Smallest, &|engine| {
        summary.overhead_ns(engine).map(overhead_value)
    }));
    rows.retain(|row| row.values.iter().any(Option::is_some));
    rows
}

/// Puts the name, the tasks and both T_S of the workload before its rows.
fn label(summary: &Summary, rows: &mut Vec<Row>, columns: usize) {
    let timed = |label: &str, timing: Option<Timing>| {
        timing.map(|timing| format!("{label} {}", timing_value(timing).text))
    };
    let mut lines = vec![summary.workload.clone(), format!("{} tasks", count(summary.tasks))];
    lines.extend(timed("T_S", summary.serial));
    lines.extend(timed("in C", summary.serial_c));
    while rows.len() < lines.len() {
        let values = vec![None; columns];
        rows.push(Row { labels: vec![String::new()], values, best: Best::None });
    }
    let lines = lines.into_iter().chain(std::iter::repeat(String::new()));
    for (row, line) in rows.iter_mut().zip(lines) {
        row.labels.insert(0, line);
    }
}

fn timing_value(timing: Timing) -> Value {
    let percent = timing.spread * 100.0;
    let text = format!("{} +-{percent:.0}%", seconds(timing.median));
    Value { number: timing.median, text }
}

fn ratio_value(ratio: f64) -> Value {
    Value { number: ratio, text: format!("{ratio:.2}") }
}

fn overhead_value(nanoseconds: f64) -> Value {
    Value { number: nanoseconds, text: format!("{} ns/task", three_digits(nanoseconds)) }
}
