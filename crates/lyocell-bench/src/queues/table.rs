//! The paper's table: mean and standard deviation, normalised to ABP. A group a case, a row a queue, a column a
//! number of threads, where the paper has a table for each number of threads.

use super::summary::{CaseSummary, QueueSummary};
use crate::report::{Best, Row, Screen, Table, Value, count, folded, seconds, three_digits};
use crate::stats::Timing;

const MS: f64 = 1e3;

/// Below the table.
const LEGEND: &str = "\
Mean +- standard deviation in ms, and the mean over abp's. The fastest of each case stands out.
repeats: visits beyond one a node, as a share of the nodes: what came of a relaxed queue's duplicates, or of a case's.
";

/// The table of `summaries`, with a legend and how the best queue compares with crossbeam-deque.
pub(crate) fn table(summaries: &[CaseSummary], screen: Screen) -> String {
    let threads = all_threads(summaries);
    let title = |&threads: &usize| match threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let labels = ["case", "queue", "repeats"].map(str::to_owned).into_iter();
    let mut grid = Table::new(3, &labels.chain(threads.iter().map(title)).collect::<Vec<_>>());
    for summary in summaries {
        grid.add_group_by_columns(&rows(summary, &threads));
    }
    folded(&format!("{}{LEGEND}{}", grid.terminal(screen), comparisons(summaries)), screen)
}

fn all_threads(summaries: &[CaseSummary]) -> Vec<usize> {
    let mut threads: Vec<usize> =
        summaries.iter().flat_map(|summary| &summary.threads).copied().collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}

/// The queues' rows, with the case, its nodes and its serial time before them.
fn rows(summary: &CaseSummary, threads: &[usize]) -> Vec<Row> {
    let mut lines = vec![summary.case.to_owned(), summary.parameter.clone()];
    lines.push(format!("{} nodes", count(summary.nodes)));
    lines.extend(summary.serial.map(|times| format!("serial {}", seconds(times.mean))));
    let height = lines.len().max(summary.queues.len());
    let rows = (0..height).map(|index| {
        let queue = summary.queues.get(index);
        let line = lines.get(index).cloned().unwrap_or_default();
        let name = queue.map_or_else(String::new, |row| row.queue.name().to_owned());
        Row {
            labels: vec![line, name, queue.map_or_else(String::new, repeats)],
            values: threads.iter().map(|&n| queue.and_then(|row| value(summary, row, n))).collect(),
            best: Best::Smallest,
        }
    });
    rows.collect()
}

fn repeats(row: &QueueSummary) -> String {
    const PERCENT: f64 = 100.0;
    match row.repeats * PERCENT {
        0.0 => String::new(),
        percent => format!("+{percent:.2}%"),
    }
}

fn value(summary: &CaseSummary, row: &QueueSummary, threads: usize) -> Option<Value> {
    let index = summary.threads.iter().position(|&n| n == threads)?;
    let times = row.times[index]?;
    let ratio = summary.normalized(row, index);
    let ratio = ratio.map_or_else(String::new, |ratio| format!(" {:>5}", three_digits(ratio)));
    let [mean, deviation] = [times.mean, times.deviation].map(|time| three_digits(time * MS));
    let timing = Timing {
        median: times.mean,
        low: times.mean - times.deviation,
        high: times.mean + times.deviation,
    };
    Some(Value::of(timing, format!("{mean} +-{deviation:>4}{ratio}")))
}

/// A line a case: the fastest of our exactly-once queues over crossbeam-deque.
fn comparisons(summaries: &[CaseSummary]) -> String {
    let line = |summary: &CaseSummary| {
        let ratios: Vec<String> = summary
            .threads
            .iter()
            .enumerate()
            .filter_map(|(index, threads)| {
                let (queue, ratio) = summary.best_over_crossbeam(index)?;
                Some(format!("x{threads} {ratio:.2} ({})", queue.name()))
            })
            .collect();
        (!ratios.is_empty()).then(|| format!("  {}: {}\n", summary.name(), ratios.join(", ")))
    };
    let lines: String = summaries.iter().filter_map(line).collect();
    match lines.as_str() {
        "" => lines,
        _ => format!("Our fastest exactly-once queue over crossbeam-deque (medians):\n{lines}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::record;
    use super::*;
    use lyocell_queue_study::CaseRecord;

    #[test]
    fn the_table_has_times_ratios_and_repeats() {
        let repeated = CaseRecord { visits: 110, repeats: 10, ..record("duplicating", 2, 0.003) };
        let records = [
            record("serial", 1, 0.001),
            record("abp", 1, 0.002),
            record("abp", 2, 0.004),
            repeated,
            record("crossbeam-deque", 2, 0.008),
        ];
        let text = table(&[CaseSummary::of(&records).unwrap()], Screen::FILE);
        for word in [
            "1 thread",
            "2 threads",
            "100 nodes",
            "serial 1.00 ms",
            "2.00 +-0.00  1.00",
            "* 3.00 +-0.00  0.75",
            "8.00 +-0.00  2.00",
            "+10.00%",
            "raw:100: x2 0.50 (abp)",
        ] {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}
