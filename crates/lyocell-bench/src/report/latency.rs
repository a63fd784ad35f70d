//! The table of `lyocell latency`: a group a measure, a row a statistic, a column an engine.

use crate::stats::Timing;

use super::{Best, Row, Screen, Table, Value, amount, folded};
use lyocell_engines::latency::{Figure, Host, MEASURES, SUBJECTS};

/// The table of `figures`, with a legend.
pub(crate) fn latency_table(figures: &[Figure], screen: Screen) -> String {
    let header = ["measure", ""].into_iter().chain(SUBJECTS.iter().map(|subject| subject.name));
    let mut grid = Table::new(2, &header.collect::<Vec<_>>());
    let mut legend = String::new();
    for measure in &MEASURES {
        let of_measure = || figures.iter().filter(|figure| figure.measure == measure.name);
        let mut statistics: Vec<&Figure> = Vec::new();
        for figure in of_measure() {
            if !statistics.iter().any(|known| known.statistic == figure.statistic) {
                statistics.push(figure);
            }
        }
        let rows = statistics.iter().enumerate().map(|(index, statistic)| {
            let name = if index == 0 { measure.name } else { "" };
            let own = |name: &str| {
                of_measure()
                    .find(|figure| figure.engine == name && figure.statistic == statistic.statistic)
            };
            Row {
                labels: vec![name.to_owned(), statistic.statistic.clone()],
                values: SUBJECTS.iter().map(|subject| own(subject.name).map(value)).collect(),
                best: best(statistic),
            }
        });
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        grid.add_group(&rows);
        legend += &format!("{}: {}\n", measure.name, measure.summary);
    }
    let hosts = [(Host::Disturbed, DISTURBED), (Host::Unknown, UNKNOWN)];
    let there = |host| figures.iter().any(|figure| figure.host == host);
    let hosts: String =
        hosts.iter().filter(|&&(host, _)| there(host)).map(|&(_, line)| line).collect();
    let grid = grid.terminal(screen);
    let text = format!(
        "{grid}{legend}The best of each row stands out, if its range and those of the others are apart.\n{hosts}"
    );
    folded(&text, screen)
}

const DISTURBED: &str = "!: the host disturbed it, by involuntary context switches or by processor time that a hypervisor \
                         took: measure again.\n";
const UNKNOWN: &str = "?: this system does not tell whether the host disturbed it.\n";

/// Less is better, but for the share of wakes that reach another worker, and for what is left of background work.
fn best(figure: &Figure) -> Best {
    match figure.statistic.as_str() {
        "on another worker" => Best::Largest,
        statistic if statistic.ends_with("background beside calls over alone") => Best::Largest,
        _ => Best::Smallest,
    }
}

fn value(figure: &Figure) -> Value {
    let show = |number| amount(number, figure.unit);
    let range = match figure.low.zip(figure.high) {
        Some((low, high)) => format!(" ({} to {})", show(low), show(high)),
        None => String::new(),
    };
    let host = match figure.host {
        Host::Quiet => "",
        Host::Disturbed => " !",
        Host::Unknown => " ?",
    };
    let timing = Timing {
        median: figure.value,
        low: figure.low.unwrap_or(figure.value),
        high: figure.high.unwrap_or(figure.value),
    };
    Value::of(timing, format!("{}{range}{host}", show(figure.value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyocell_engines::latency::Unit;

    fn figure(engine: &'static str, host: Host) -> Figure {
        Figure {
            measure: "coarse-after-fine",
            engine,
            workers: 2,
            statistic: "loop".to_owned(),
            value: 0.006,
            unit: Unit::Seconds,
            low: Some(0.005),
            high: Some(0.007),
            host,
        }
    }

    #[test]
    fn a_figure_has_its_range_and_says_if_it_was_disturbed() {
        let figures = [figure("lyocell", Host::Disturbed), figure("rayon", Host::Quiet)];
        let table = latency_table(&figures, Screen::FILE);
        assert!(table.contains("6.00 ms (5.00 ms to 7.00 ms) !"), "{table}");
        assert!(table.contains("6.00 ms (5.00 ms to 7.00 ms)  "), "{table}");
        assert!(table.contains(DISTURBED) && !table.contains(UNKNOWN), "{table}");
    }

    #[test]
    fn what_the_system_does_not_tell_is_said() {
        let table = latency_table(&[figure("lyocell", Host::Unknown)], Screen::FILE);
        assert!(table.contains("7.00 ms) ?") && table.contains(UNKNOWN), "{table}");
        assert!(!table.contains(DISTURBED), "{table}");
    }
}
