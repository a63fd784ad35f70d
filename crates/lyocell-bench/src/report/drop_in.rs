//! The tables of `lyocell drop-in`: a row a program and number of threads, the worst first.

use super::{Best, Row, Screen, Table, Value, folded, seconds};
use crate::drop_in::{Ratio, geometric_mean};
use crate::stats::Timing;

/// How many of the worst a document names.
const NAMED: usize = 10;

fn interval(ratio: &Timing) -> String {
    let Timing { median, low, high } = ratio;
    format!("{median:.2} ({low:.2} to {high:.2})")
}

fn processor(ratio: &Ratio) -> String {
    ratio.processor.as_ref().map_or_else(|| super::table::GAP.to_owned(), interval)
}

fn more_mib(ratio: &Ratio) -> String {
    format!("{:+.1}", ratio.more_kb as f64 / 1024.0)
}

/// The table of the ratios, with their means.
pub(crate) fn drop_in_table(ratios: &[Ratio], screen: Screen) -> String {
    let titles = "program | threads | lyocell/rayon | processor time | MiB more | rayon | lyocell";
    let mut table = Table::titled(5, titles);
    let time = |ns: u64| Some(Value::exact(ns as f64, seconds(ns as f64 * 1e-9)));
    let row = |ratio: &Ratio| {
        let Ratio { program, workers, wall, .. } = ratio;
        let threads = workers.to_string();
        let labels =
            vec![program.clone(), threads, interval(wall), processor(ratio), more_mib(ratio)];
        let values = vec![time(ratio.rayon_ns), time(ratio.lyocell_ns)];
        // One is the faster if it is so in every pair.
        let best = if wall.low > 1.0 || wall.high < 1.0 { Best::Smallest } else { Best::None };
        Row { labels, values, best }
    };
    table.add_group(&ratios.iter().map(row).collect::<Vec<_>>());
    let (table, means) = (table.terminal(screen), means_told(ratios));
    let text = format!("{table}Ratios, median of the pairs (lowest to highest). {means}\n");
    folded(&text, screen)
}

/// The geometric means of some ratios.
struct Mean {
    threads: Option<usize>,
    ratios: usize,
    wall: String,
    processor: Option<String>,
}

/// Of all ratios, and of those with each number of threads, if there are several.
fn means(ratios: &[Ratio]) -> Vec<Mean> {
    let text = |mean: f64| format!("{mean:.2}");
    let of = |threads: Option<usize>| {
        let these = || ratios.iter().filter(|ratio| threads.is_none_or(|n| ratio.workers == n));
        let processor: Option<Vec<f64>> =
            these().map(|ratio| Some(ratio.processor.as_ref()?.median)).collect();
        Mean {
            threads,
            ratios: these().count(),
            wall: text(geometric_mean(these().map(|ratio| ratio.wall.median))),
            processor: processor.map(|medians| text(geometric_mean(medians.into_iter()))),
        }
    };
    let threads = crate::workers::sorted(ratios.iter().map(|ratio| ratio.workers).collect());
    let each = threads.iter().filter(|_| threads.len() > 1).map(|&count| of(Some(count)));
    [of(None)].into_iter().chain(each).collect()
}

/// The means in a sentence.
fn means_told(ratios: &[Ratio]) -> String {
    let told = |mean: &Mean| {
        let Mean { threads, wall, processor, .. } = mean;
        let of = threads.map_or_else(String::new, |count| {
            format!("with {count} thread{}: ", if count == 1 { "" } else { "s" })
        });
        let processor = processor.as_ref().map(|mean| format!(", processor time {mean}"));
        format!("{of}{wall}{}", processor.unwrap_or_default())
    };
    let told: Vec<String> = means(ratios).iter().map(told).collect();
    format!("Their geometric mean: {}.", told.join("; "))
}

/// The means in a table.
fn means_table(ratios: &[Ratio]) -> Table {
    let table = Table::titled(2, "geometric mean of | ratios | Lyocell / rayon | processor time");
    let row = |Mean { threads, ratios, wall, processor }: Mean| {
        let of = threads.map_or_else(|| "all".to_owned(), |count| format!("threads: {count}"));
        let processor = processor.unwrap_or_else(|| super::table::GAP.to_owned());
        vec![of, ratios.to_string(), wall, processor]
    };
    table.of(means(ratios).into_iter().map(row))
}

/// The same for a document: in Markdown, the means, the worst first, and whether Lyocell is slower in bold.
pub(crate) fn drop_in_section(ratios: &[Ratio]) -> String {
    let bold = |ratio: &Timing| {
        let text = format!("{:.2}", ratio.median);
        // As it is written: what is shown as 1.00 is no slower.
        let text = if ratio.median >= 1.005 { format!("**{text}**") } else { text };
        format!("{text} ({:.2} to {:.2})", ratio.low, ratio.high)
    };
    let row = |ratio: &Ratio| {
        let times = [ratio.rayon_ns, ratio.lyocell_ns].map(|ns| seconds(ns as f64 * 1e-9));
        let processor = ratio.processor.as_ref().map_or_else(|| super::table::GAP.to_owned(), bold);
        let names =
            [ratio.program.clone(), ratio.workers.to_string(), bold(&ratio.wall), processor];
        [names.to_vec(), times.to_vec()].concat()
    };
    let worst: Vec<String> = ratios
        .iter()
        .take(NAMED)
        .map(|ratio| format!("{} on {} ({:.2})", ratio.program, ratio.workers, ratio.wall.median))
        .collect();
    let table =
        Table::titled(2, "program | threads | Lyocell / rayon | processor time | rayon | Lyocell");
    let table = table.of(ratios.iter().map(row)).markdown();
    let means = means_table(ratios).markdown();
    format!("{means}\nThe worst: {}.\n\n{table}\n", worst.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slower_is_in_bold_and_the_worst_are_named() {
        let ratio = |program: &str, median| Ratio {
            program: program.to_owned(),
            workers: 2,
            rayon_ns: 1_000_000,
            lyocell_ns: 500_000,
            wall: Timing { median, low: 0.25, high: 4.0 },
            processor: None,
            more_kb: 0,
        };
        let section = drop_in_section(&[ratio("b", 2.0), ratio("c", 1.004), ratio("a", 0.5)]);
        assert!(
            section.contains("| a | 2 | 0.50 (0.25 to 4.00) | - | 1.00 ms | 500 us |\n"),
            "{section}"
        );
        assert!(section.contains("| b | 2 | **2.00** ("), "{section}");
        assert!(section.contains("| c | 2 | 1.00 ("), "{section}");
        assert!(section.contains("| all | 3 | 1.00 | - |\n\nThe worst"), "{section}");
        assert!(
            section.contains("The worst: b on 2 (2.00), c on 2 (1.00), a on 2 (0.50)."),
            "{section}"
        );
    }

    #[test]
    fn means_are_told_for_each_number_of_threads() {
        let ratio = |workers, wall, processor| {
            let timing = |median| Timing { median, low: median, high: median };
            let (program, processor) = (String::from("a"), Some(timing(processor)));
            let (rayon_ns, lyocell_ns, more_kb) = (1, 1, 0);
            Ratio { program, workers, rayon_ns, lyocell_ns, wall: timing(wall), processor, more_kb }
        };
        let text = means_told(&[ratio(1, 0.5, 0.5), ratio(2, 2.0, 8.0)]);
        assert_eq!(
            text,
            "Their geometric mean: 1.00, processor time 2.00; with 1 thread: 0.50, processor time 0.50; \
             with 2 threads: 2.00, processor time 8.00."
        );
    }
}
