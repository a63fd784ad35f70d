//! The table of `lyocell drop-in`: a row a program.

use super::{Best, Emphasis, Grid, Row, Value, seconds};
use crate::drop_in::{Ratio, geometric_mean};

/// The table of the ratios, with their mean.
pub(crate) fn drop_in_table(ratios: &[Ratio], emphasis: Emphasis) -> String {
    let header = ["program", "lyocell/rayon", "rayon", "lyocell"].map(str::to_owned).to_vec();
    let mut grid = Grid::new(header, emphasis);
    let time = |ns: u64| Some(Value { number: ns as f64, text: seconds(ns as f64 * 1e-9) });
    let row = |ratio: &Ratio| {
        let Ratio { median, low, high, .. } = ratio;
        Row {
            labels: vec![ratio.program.clone(), format!("{median:.2} ({low:.2} to {high:.2})")],
            values: vec![time(ratio.rayon_ns), time(ratio.lyocell_ns)],
            best: Best::Smallest,
        }
    };
    grid.add_group(&ratios.iter().map(row).collect::<Vec<_>>());
    let mean = geometric_mean(ratios);
    format!(
        "{grid}Ratios of times, median of the pairs (lowest to highest). Their geometric mean: {mean:.2}\n"
    )
}
