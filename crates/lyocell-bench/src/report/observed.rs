//! What the probes saw, beside the times: as tables, as further columns of the CSV, and as objects within
//! those of the runs in JSON.
//!
//! In the CSV a run that was watched has a line for all its workers together, `all` in the column `worker`,
//! then one for each worker, its number there. The columns that every run has are the same in all of them.

use lyocell::probe::{Counts, Event, Phase, Spent};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::units::three_digits;
use super::{Best, Row, Screen, Table, Value, count, folded, seconds};
use crate::measure::RunRecord;
use lyocell_engines::runtime::{Observed, Watch};

/// What stands in the column `worker` of a run's first line.
const ALL: &str = "all";

/// Numbers with the names that programs know them by.
struct Named<N>(Vec<(String, N)>);

impl<N: Serialize> Serialize for Named<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, number) in &self.0 {
            map.serialize_entry(name, number)?;
        }
        map.end()
    }
}

/// For programs: small letters, and words joined.
fn key(name: &str) -> String {
    name.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

fn named_counts(counts: &Counts) -> Named<usize> {
    let events = Event::ALL.iter().copied().map(|event| {
        // `tasks` is how many the workload has.
        let name = if event == Event::Spawn { "spawned".to_owned() } else { key(event.name()) };
        (name, counts.of(event))
    });
    let peaks = [("peak_depth", counts.peak_depth), ("peak_stack_bytes", counts.peak_stack_bytes)];
    Named(events.chain(peaks.map(|(name, peak)| (name.to_owned(), peak))).collect())
}

fn named_times(spent: &Spent) -> Named<f64> {
    let phases = Phase::ALL.iter().copied();
    let named =
        |phase: Phase| (format!("{}_seconds", key(phase.name())), spent.on(phase).as_secs_f64());
    Named(phases.map(named).collect())
}

/// `records` as CSV with the columns of what was watched.
pub(crate) fn watched_csv(records: &[RunRecord], watch: Watch) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let mut line = |cells: &[String]| {
        writer.write_record(cells).expect("as many columns everywhere, and memory does not fail");
    };
    line(&header(watch));
    for record in records {
        let Observed { counts, times, .. } = &record.observed;
        let own = own_cells(record);
        let mut line = |worker: String, counts: Option<&Counts>, times: Option<&Spent>| {
            line(&[&own[..], &[worker], &watched_cells(counts, times, watch)].concat());
        };
        let total_counts = record.observed.total_counts();
        let total_times = record.observed.total_times();
        line(ALL.to_owned(), total_counts.as_ref(), total_times.as_ref());
        for worker in 0..record.observed.workers() {
            line(worker.to_string(), counts.get(worker), times.get(worker));
        }
    }
    let bytes = writer.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("CSV of text is text")
}

/// The columns that every run has, then what was watched.
fn header(watch: Watch) -> Vec<String> {
    let mut columns: Vec<String> = RunRecord::COLUMNS.map(str::to_owned).to_vec();
    columns.push("worker".to_owned());
    if watch.looks_at_counts() {
        columns.extend(named_counts(&Counts::default()).0.into_iter().map(|(name, _)| name));
    }
    if watch.looks_at_times() {
        columns.extend(named_times(&Spent::default()).0.into_iter().map(|(name, _)| name));
    }
    columns
}

/// The cells that every run has.
fn own_cells(record: &RunRecord) -> Vec<String> {
    vec![
        record.workload.to_owned(),
        record.param.clone(),
        record.engine.to_owned(),
        record.workers.to_string(),
        record.rep.to_string(),
        record.seconds.to_string(),
        record.tasks.map_or_else(String::new, |tasks| tasks.to_string()),
        record.answer.clone(),
    ]
}

/// One for each column of what was watched, empty for an engine that has no probes.
fn watched_cells(counts: Option<&Counts>, times: Option<&Spent>, watch: Watch) -> Vec<String> {
    let mut cells = Vec::new();
    if watch.looks_at_counts() {
        let named = named_counts(&counts.copied().unwrap_or_default()).0;
        let cell = |number: usize| counts.map_or_else(String::new, |_| number.to_string());
        cells.extend(named.into_iter().map(|(_, number)| cell(number)));
    }
    if watch.looks_at_times() {
        let named = named_times(&times.copied().unwrap_or_default()).0;
        let cell = |number: f64| times.map_or_else(String::new, |_| number.to_string());
        cells.extend(named.into_iter().map(|(_, number)| cell(number)));
    }
    cells
}

/// A run with what was seen of it.
#[derive(serde::Serialize)]
pub(crate) struct WatchedRecord<'a> {
    #[serde(flatten)]
    record: &'a RunRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Seen<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<Seen<f64>>,
}

#[derive(serde::Serialize)]
struct Seen<N: Serialize> {
    total: Named<N>,
    workers: Vec<Named<N>>,
}

/// `records` as they are for JSON: what was watched in objects `stats` and `times`, each with a `total` and
/// the list of `workers`.
pub(crate) fn watched_records<'a>(records: &'a [RunRecord]) -> Vec<WatchedRecord<'a>> {
    let watched = |record: &'a RunRecord| {
        let RunRecord { observed, .. } = record;
        let stats = observed.total_counts().map(|total| Seen {
            total: named_counts(&total),
            workers: observed.counts.iter().map(named_counts).collect(),
        });
        let times = observed.total_times().map(|total| Seen {
            total: named_times(&total),
            workers: observed.times.iter().map(named_times).collect(),
        });
        WatchedRecord { record, stats, times }
    };
    records.iter().map(watched).collect()
}

/// The tables of what was watched, for the run of median time of each contender.
pub(crate) fn watched_tables(groups: &[Vec<RunRecord>], watch: Watch, screen: Screen) -> String {
    let medians: Vec<Vec<&RunRecord>> = groups.iter().map(|group| median_runs(group)).collect();
    let mut text = String::new();
    if watch.looks_at_counts() {
        text += &counts_table(&medians, screen);
    }
    if watch.looks_at_times() {
        text += &times_table(&medians, screen);
    }
    folded(&text, screen)
}

/// Of each contender that was watched the run whose time is the median, the lower of two.
pub(crate) fn median_runs(records: &[RunRecord]) -> Vec<&RunRecord> {
    let mut contenders: Vec<Vec<&RunRecord>> = Vec::new();
    for record in records.iter().filter(|record| record.observed.workers() > 0) {
        let same = |runs: &&mut Vec<&RunRecord>| {
            runs[0].engine == record.engine && runs[0].workers == record.workers
        };
        match contenders.iter_mut().find(same) {
            Some(runs) => runs.push(record),
            None => contenders.push(vec![record]),
        }
    }
    for runs in &mut contenders {
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    }
    contenders.iter().map(|runs| runs[(runs.len() - 1) / 2]).collect()
}

/// Columns that hold nothing but zeros anywhere are left out, and named below.
fn counts_table(groups: &[Vec<&RunRecord>], screen: Screen) -> String {
    let records = || groups.iter().flatten();
    let happened = |event: &Event| {
        records().flat_map(|record| &record.observed.counts).any(|counts| counts.of(*event) > 0)
    };
    let (shown, hidden): (Vec<Event>, Vec<Event>) = Event::ALL.iter().copied().partition(happened);
    let columns = shown.iter().map(|event| event.name()).chain(["peak depth", "peak stack"]);
    let values = |counts: &Counts| {
        let number = |number: usize| value(number as f64, count(number as u64));
        let kibibytes = counts.peak_stack_bytes.div_ceil(1024);
        let stack =
            value(counts.peak_stack_bytes as f64, format!("{} KiB", count(kibibytes as u64)));
        let events = shown.iter().map(|event| number(counts.of(*event)));
        events.chain([number(counts.peak_depth), stack]).collect()
    };
    let mut grid = Table::new(3, &watched_header(columns));
    for group in groups {
        for record in group {
            let workers = &record.observed.counts;
            let total = record.observed.total_counts();
            grid.add_group(&rows(record, total.as_ref(), workers, values));
        }
    }
    let hidden: Vec<&str> = hidden.iter().map(|event| event.name()).collect();
    let never = match hidden.as_slice() {
        [] => String::new(),
        hidden => format!("Not shown, since there were none: {}.\n", hidden.join(", ")),
    };
    let grid = grid.terminal(screen);
    format!(
        "{grid}{never}Counts of the run of median time; the times above have the counting in them.\n"
    )
}

fn times_table(groups: &[Vec<&RunRecord>], screen: Screen) -> String {
    let columns = Phase::ALL.iter().map(|phase| phase.name()).chain(["together"]);
    let values = |spent: &Spent| {
        let together = spent.total().as_secs_f64();
        let phase = |phase: &Phase| match spent.on(*phase).as_secs_f64() {
            0.0 => value(0.0, "0".to_owned()),
            time => {
                let percent = three_digits_at_most(100.0 * time / together);
                value(time, format!("{} {percent:>4}%", seconds(time)))
            }
        };
        let together = value(together, seconds(together));
        Phase::ALL.iter().map(phase).chain([together]).collect()
    };
    let mut grid = Table::new(3, &watched_header(columns));
    for group in groups {
        for record in group {
            let workers = &record.observed.times;
            let total = record.observed.total_times();
            grid.add_group(&rows(record, total.as_ref(), workers, values));
        }
    }
    let grid = grid.terminal(screen);
    format!(
        "{grid}Times of the run of median time, by the clock on the wall, of each worker from start to end.\n"
    )
}

/// A percentage: no digit too many for the eye.
fn three_digits_at_most(percent: f64) -> String {
    if percent < 0.05 { "0".to_owned() } else { three_digits(percent) }
}

fn watched_header<'a>(columns: impl Iterator<Item = &'a str>) -> Vec<String> {
    ["workload", "engine", "worker"].into_iter().chain(columns).map(str::to_owned).collect()
}

/// All workers of a run together, then each, if there are several.
fn rows<T>(
    record: &RunRecord,
    total: Option<&T>,
    workers: &[T],
    values: impl Fn(&T) -> Vec<Option<Value>>,
) -> Vec<Row> {
    let workload = record.job();
    let engine = format!("{} x{}", record.engine, record.workers);
    let row = |labels: [String; 3], seen: &T| Row {
        labels: labels.to_vec(),
        values: values(seen),
        best: Best::None,
    };
    let total = total.map(|total| row([workload, engine, ALL.to_owned()], total));
    let each = workers.iter().enumerate().filter(|_| workers.len() > 1);
    let each =
        each.map(|(index, seen)| row([String::new(), String::new(), index.to_string()], seen));
    total.into_iter().chain(each).collect()
}

fn value(number: f64, text: String) -> Option<Value> {
    Some(Value::exact(number, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyocell::Probe;
    use lyocell::probe::Counters;

    fn counts(steals: usize) -> Counts {
        let counters = Counters::default();
        (0..steals).for_each(|_| counters.count(Event::Steal));
        counters.counts()
    }

    fn record(seconds: f64, observed: Observed) -> RunRecord {
        RunRecord {
            layout: None,
            workload: "fib",
            param: "5".to_owned(),
            engine: "lyocell",
            workers: 2,
            rep: 1,
            seconds,
            tasks: Some(7),
            answer: "5".to_owned(),
            observed,
        }
    }

    fn watched(seconds: f64, steals: [usize; 2]) -> RunRecord {
        record(seconds, Observed { counts: steals.map(counts).to_vec(), ..Observed::default() })
    }

    #[test]
    fn csv_has_a_line_for_all_workers_and_one_for_each() {
        let records = [watched(0.5, [3, 4]), record(0.25, Observed::default())];
        let text = watched_csv(&records, Watch::Counts);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        assert_eq!(header.iter().take(8).collect::<Vec<_>>(), RunRecord::COLUMNS);
        let column = |name: &str| header.iter().position(|column| column == name).unwrap();
        let (worker, steals) = (column("worker"), column("steals"));
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let seen: Vec<_> = rows.iter().map(|row| (&row[5], &row[worker], &row[steals])).collect();
        let expected =
            [("0.5", "all", "7"), ("0.5", "0", "3"), ("0.5", "1", "4"), ("0.25", "all", "")];
        assert_eq!(seen, expected);
        assert!(header.iter().all(|column| !column.contains(' ') && !column.contains("seconds_")));
    }

    #[test]
    fn the_fixed_columns_are_those_of_an_unwatched_report() {
        let records = [record(0.25, Observed::default())];
        let plain = super::super::csv(&records);
        let watched = watched_csv(&records, Watch::Counts);
        for (plain, watched) in plain.lines().zip(watched.lines()) {
            assert!(watched.starts_with(plain), "{watched}");
        }
    }

    #[test]
    fn the_run_of_median_time_is_shown() {
        let records = [watched(3.0, [30, 0]), watched(1.0, [10, 0]), watched(2.0, [20, 0])];
        assert_eq!(median_runs(&records)[0].seconds, 2.0);
        assert_eq!(median_runs(&records[..2])[0].seconds, 1.0);
        let text = watched_tables(&[records.to_vec()], Watch::Counts, Screen::FILE);
        assert!(text.contains(" 20 ") && !text.contains(" 30 "), "{text}");
        let never = text.lines().find(|line| line.starts_with("Not shown")).unwrap();
        assert!(never.contains("deals") && !never.contains("steals"), "{never}");
    }
}
