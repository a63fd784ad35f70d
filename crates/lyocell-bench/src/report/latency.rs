//! The table of `lyocell latency`: a group a measure, a row a statistic, a column an engine.

use super::{Best, Emphasis, Grid, Row, Value};
use crate::latency::{Figure, MEASURES, SUBJECTS};

/// The table of `figures`, with a legend.
pub(crate) fn latency_table(figures: &[Figure], emphasis: Emphasis) -> String {
    let header = ["measure", ""].into_iter().chain(SUBJECTS.iter().map(|subject| subject.name));
    let mut grid = Grid::new(header.map(str::to_owned).collect(), emphasis);
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
                labels: vec![name.to_owned(), statistic.statistic.to_owned()],
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
    format!("{grid}{legend}The best of each row stands out.\n")
}

/// Less is better, but for the share of wakes that reach another worker.
fn best(figure: &Figure) -> Best {
    match figure.statistic {
        "on another worker" => Best::Largest,
        _ => Best::Smallest,
    }
}

fn value(figure: &Figure) -> Value {
    Value { number: figure.value, text: figure.unit.show(figure.value) }
}
