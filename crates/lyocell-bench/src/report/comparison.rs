//! The table of `lyocell` and `lyocell run`: a group a workload, a column an engine.

use super::units::three_digits;
use super::{Best, Row, Screen, Table, Value, count, folded, seconds};
use crate::measure::{Summary, Timing};

/// Below the table of several layouts, before the other.
const LEGEND_OF_LAYOUTS: &str = "\
Over layouts, ratios taken in each: the median (lowest to highest); overhead in ns/task.
";

/// Below the table.
const LEGEND: &str = "\
T_S: serial, in Rust and in C; T_n: with n workers; medians, +- half the range of the repetitions.
overhead: (T_1 - T_S) / tasks, T_S in Rust. The best of each row stands out, where its range and those of the others are apart.
";

/// The tables of `summaries`, with a legend.
pub(crate) fn table(summaries: &[Summary], screen: Screen) -> String {
    let engines = engines(summaries);
    if engines.is_empty() {
        return serial_only(summaries, screen);
    }
    let header = ["workload", ""].into_iter().chain(engines.iter().copied());
    let mut grid = Table::new(2, &header.collect::<Vec<_>>());
    for summary in summaries {
        let mut rows = rows(summary, &engines);
        label(summary, &mut rows, engines.len());
        grid.add_group(&rows);
    }
    folded(&format!("{}{}", grid.terminal(screen), legend(summaries)), screen)
}

fn legend(summaries: &[Summary]) -> String {
    let layouts = summaries.iter().any(|summary| summary.layouts() > 1);
    if layouts { format!("{LEGEND_OF_LAYOUTS}{LEGEND}") } else { LEGEND.to_owned() }
}

/// The engines that have a column: those with workers, in the order they took turns. One that refused the
/// first workloads comes behind the one it followed later.
fn engines(summaries: &[Summary]) -> Vec<&'static str> {
    let mut columns: Vec<&'static str> = Vec::new();
    for summary in summaries {
        let mut next = 0;
        for &ran in &summary.engines {
            next = match columns.iter().position(|column| *column == ran) {
                Some(known) => known + 1,
                None => {
                    columns.insert(next, ran);
                    next + 1
                }
            };
        }
    }
    columns
}

/// Where nothing but the serial program ran.
fn serial_only(summaries: &[Summary], screen: Screen) -> String {
    let mut grid = Table::titled(2, "workload | tasks | T_S | T_S in C");
    let row = |summary: &Summary| {
        let show = |timing| timing_value(summary, timing);
        Row {
            labels: vec![
                summary.workload.clone(),
                summary.tasks.map_or_else(|| "differ".to_owned(), count),
            ],
            values: vec![summary.serial().map(show), summary.serial_c().map(show)],
            best: Best::None,
        }
    };
    grid.add_group(&summaries.iter().map(row).collect::<Vec<_>>());
    folded(&format!("{}{}", grid.terminal(screen), legend(summaries)), screen)
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
            summary.time(engine, workers).map(|timing| timing_value(summary, timing))
        })
    };
    let mut rows: Vec<Row> = summary.workers.iter().map(time).collect();
    let most = summary.most_workers().unwrap_or(1);
    rows.push(row(format!("T_S/T_{most}"), Best::Largest, &|engine| {
        summary.speedup_over_serial(engine).map(|ratio| ratio_value(summary, ratio))
    }));
    if most > 1 {
        rows.push(row(format!("T_1/T_{most}"), Best::Largest, &|engine| {
            summary.speedup_over_one(engine).map(|ratio| ratio_value(summary, ratio))
        }));
    }
    rows.push(row("overhead".to_owned(), Best::Smallest, &|engine| {
        summary.overhead_ns(engine).map(|overhead| overhead_value(summary, overhead))
    }));
    rows.retain(|row| row.values.iter().any(Option::is_some));
    rows
}

fn tasks(summary: &Summary) -> String {
    match summary.tasks {
        Some(tasks) => format!("{} tasks", count(tasks)),
        None => "tasks differ".to_owned(),
    }
}

/// Puts the name, the tasks and both T_S of the workload before its rows.
fn label(summary: &Summary, rows: &mut Vec<Row>, columns: usize) {
    let timed = |label: &str, timing: Option<Timing>| {
        timing.map(|timing| format!("{label} {}", timing_value(summary, timing).text))
    };
    let mut lines = vec![summary.workload.clone(), tasks(summary)];
    lines.extend(timed("T_S", summary.serial()));
    lines.extend(timed("in C", summary.serial_c()));
    while rows.len() < lines.len() {
        let values = vec![None; columns];
        rows.push(Row { labels: vec![String::new()], values, best: Best::None });
    }
    let lines = lines.into_iter().chain(std::iter::repeat(String::new()));
    for (row, line) in rows.iter_mut().zip(lines) {
        row.labels.insert(0, line);
    }
}

/// With the spread of the repetitions, or with the range over the layouts.
fn timing_value(summary: &Summary, timing: Timing) -> Value {
    let percent = timing.spread() * 100.0;
    let plain = |timing: Timing| format!("{} +-{percent:.0}%", seconds(timing.median));
    value(summary, timing, plain, seconds)
}

fn ratio_value(summary: &Summary, ratio: Timing) -> Value {
    let two_decimals = |ratio| format!("{ratio:.2}");
    value(summary, ratio, |ratio| two_decimals(ratio.median), two_decimals)
}

fn overhead_value(summary: &Summary, overhead: Timing) -> Value {
    let plain = |overhead: Timing| format!("{} ns/task", three_digits(overhead.median));
    value(summary, overhead, plain, three_digits)
}

/// As `plain` shows it, or, over layouts, `number` three times: the median, the lowest and the highest.
fn value(
    summary: &Summary,
    timing: Timing,
    plain: impl Fn(Timing) -> String,
    number: impl Fn(f64) -> String,
) -> Value {
    let Timing { median, low, high } = timing;
    let text = match summary.layouts() {
        1 => plain(timing),
        _ => format!("{} ({} to {})", number(median), number(low), number(high)),
    };
    Value::of(timing, text)
}
