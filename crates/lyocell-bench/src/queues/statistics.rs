//! The statistics the authors of the study missed (section 7.2): a group a case, a row a queue and number of threads.

use crate::report::{Best, Row, Screen, Table, Value, folded};
use crate::stats::{distinct, median};
use lyocell_queue_study::StatisticsRecord;

/// Below the table.
const LEGEND: &str = "\
Means of the counted runs, all workers together. full: nodes a bounded queue had no room for, kept in a private
stack. empty, busy: attempts to steal. duplicates: visits beyond one a pushed node; repeats: visits beyond one a
node of the case. peak: the longest queue. bytes: all queues, at the end; peers do not tell theirs. ns: an
operation, of one push and one take in 64 and one attempt to steal in 8, without the slowest hundredth and the
clock's own time; failed: to steal, without a node.
counting: median time a visit with counting over that without, run in turn.
";

/// A column: its title, and its number in a record.
type Column = (&'static str, fn(&StatisticsRecord) -> Option<u64>);

const COLUMNS: [Column; 16] = [
    ("pushes", |r| Some(r.pushes)),
    ("full", |r| Some(r.overflows)),
    ("takes", |r| Some(r.takes)),
    ("steals", |r| Some(r.steals)),
    ("empty", |r| Some(r.empty)),
    ("busy", |r| Some(r.busy)),
    ("duplicates", |r| Some(r.duplicates)),
    ("repeats", |r| Some(r.repeats)),
    ("grown", |r| r.growths.map(|growths| growths as u64)),
    ("shrunk", |r| r.shrinks.map(|shrinks| shrinks as u64)),
    ("peak", |r| Some(r.peak_length as u64)),
    ("bytes", |r| r.bytes.map(|bytes| bytes as u64)),
    ("push ns", |r| r.push_ns.map(whole)),
    ("take ns", |r| r.take_ns.map(whole)),
    ("steal ns", |r| r.steal_ns.map(whole)),
    ("failed ns", |r| r.failed_steal_ns.map(whole)),
];

fn whole(nanos: f64) -> u64 {
    nanos.round() as u64
}

/// The table of `records`, which are in groups by case, and what counting cost.
pub(crate) fn statistics_table(records: &[StatisticsRecord], screen: Screen) -> String {
    let titles = ["case", "queue", "threads"].into_iter();
    let titles = titles.chain(COLUMNS.iter().map(|(title, _)| *title)).chain(["counting"]);
    let mut grid = Table::new(3, &titles.collect::<Vec<_>>());
    let of_one_case = |one: &StatisticsRecord, next: &StatisticsRecord| {
        (one.case, &one.param) == (next.case, &next.param)
    };
    let groups: Vec<Vec<Row>> = records.chunk_by(of_one_case).map(rows).collect();
    groups.iter().for_each(|rows| grid.add_group(rows));
    folded(&format!("{}{LEGEND}{}", grid.terminal(screen), cost(&groups)), screen)
}

fn rows(case: &[StatisticsRecord]) -> Vec<Row> {
    let contenders = distinct(case.iter().map(|record| (record.queue, record.threads)));
    let row = |(index, &(queue, threads)): (usize, &(&str, usize))| {
        let is_of = |record: &&StatisticsRecord| (record.queue, record.threads) == (queue, threads);
        let runs: Vec<&StatisticsRecord> = case.iter().filter(is_of).collect();
        let name =
            if index == 0 { format!("{}:{}", case[0].case, case[0].param) } else { String::new() };
        let values = COLUMNS.iter().map(|(_, number)| mean(&runs, *number).map(rounded));
        Row {
            labels: vec![name, queue.to_owned(), threads.to_string()],
            values: values.chain([ratio_of_medians(&runs).map(percent_more)]).collect(),
            best: Best::None,
        }
    };
    contenders.iter().enumerate().map(row).collect()
}

/// `None` if a run does not tell.
fn mean(runs: &[&StatisticsRecord], number: fn(&StatisticsRecord) -> Option<u64>) -> Option<f64> {
    let numbers = runs.iter().map(|run| number(run)).collect::<Option<Vec<_>>>()?;
    Some(numbers.iter().sum::<u64>() as f64 / numbers.len() as f64)
}

/// Of the times a visit with counting over those without: relaxed queues need more visits in one run than in
/// another. `None` of no runs.
fn ratio_of_medians(runs: &[&StatisticsRecord]) -> Option<f64> {
    let median_of = |time: fn(&StatisticsRecord) -> f64| median(runs.iter().map(|run| time(run)));
    let counted = median_of(|run| run.counted_seconds / run.counted_visits as f64)?;
    Some(counted / median_of(|run| run.seconds / run.visits as f64)?)
}

/// The median and the largest cost of all rows.
fn cost(groups: &[Vec<Row>]) -> String {
    let ratio = |row: &Row| Some(row.values.last()?.as_ref()?.number);
    let ratios: Vec<f64> = groups.iter().flatten().filter_map(ratio).collect();
    let Some(median) = median(ratios.iter().copied()) else { return String::new() };
    let largest = ratios.into_iter().fold(median, f64::max);
    let [median, largest] = [median, largest].map(|ratio| percent_more(ratio).text);
    format!("The cost of counting: median of all rows {median}, largest {largest}.\n")
}

fn percent_more(ratio: f64) -> Value {
    const PERCENT: f64 = 100.0;
    Value::exact(ratio, format!("{:+.1}%", (ratio - 1.0) * PERCENT))
}

/// Up to four digits and a letter for thousands.
fn rounded(number: f64) -> Value {
    const UNITS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    /// Below this, digits say it best.
    const SHORT: f64 = 1e4;
    let unit = UNITS.iter().find(|(size, _)| number >= *size).filter(|_| number >= SHORT);
    let text = match unit {
        Some((size, letter)) => format!("{:.1}{letter}", number / size),
        None => format!("{number:.0}"),
    };
    Value::exact(number, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(case: &'static str, queue: &'static str, seconds: f64) -> StatisticsRecord {
        StatisticsRecord {
            case,
            param: "9".to_owned(),
            queue,
            threads: 2,
            rep: 1,
            seconds,
            visits: 100,
            counted_seconds: seconds * 3.0,
            counted_visits: 200,
            pushes: 12_345,
            overflows: 0,
            takes: 41,
            steals: 0,
            empty: 0,
            busy: 0,
            duplicates: 0,
            repeats: 0,
            growths: None,
            shrinks: None,
            peak_length: 0,
            bytes: Some(2_000_000),
            answer: String::new(),
            push_ns: Some(12.4),
            take_ns: None,
            steal_ns: None,
            failed_steal_ns: None,
        }
    }

    #[test]
    fn means_are_shown_with_the_cost_of_counting() {
        let more = StatisticsRecord { takes: 43, ..record("raw", "st3", 2.0) };
        let records = [record("raw", "st3", 1.0), more, record("xml", "abp", 1.0)];
        let text = statistics_table(&records, Screen::FILE);
        for word in
            ["raw:9", "xml:9", "12.3k", " 42 ", "2.0M", "+50.0%", "rows +50.0%, largest +50.0%"]
        {
            assert!(text.contains(word), "{word}: {text}");
        }
        let row = text.lines().find(|line| line.contains("raw:9")).unwrap();
        assert!(row.contains(" - "), "what a queue does not tell is left out: {row}");
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 9999.4, 10_000.0, 1_234_567.0, 2.5e9].map(|number| rounded(number).text);
        assert_eq!(texts, ["0", "9999", "10.0k", "1.2M", "2.5G"]);
    }
}
