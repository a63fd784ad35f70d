//! The tables of `lyocell drop-in`: a row a program.

use super::{Best, Row, Screen, Table, Value, folded, seconds};
use crate::drop_in::{Ratio, geometric_mean};

/// The table of the ratios, with their mean.
pub(crate) fn drop_in_table(ratios: &[Ratio], screen: Screen) -> String {
    let mut table = Table::titled(2, "program | lyocell/rayon | rayon | lyocell");
    let time = |ns: u64| Some(Value::exact(ns as f64, seconds(ns as f64 * 1e-9)));
    let row = |ratio: &Ratio| {
        let Ratio { median, low, high, .. } = ratio;
        // One is the faster if it is so in every pair.
        let best = if *low > 1.0 || *high < 1.0 { Best::Smallest } else { Best::None };
        Row {
            labels: vec![ratio.program.clone(), format!("{median:.2} ({low:.2} to {high:.2})")],
            values: vec![time(ratio.rayon_ns), time(ratio.lyocell_ns)],
            best,
        }
    };
    table.add_group(&ratios.iter().map(row).collect::<Vec<_>>());
    let (table, mean) = (table.terminal(screen), geometric_mean(ratios));
    let text = format!(
        "{table}Ratios of times, median of the pairs (lowest to highest). Their geometric mean: {mean:.2}\n"
    );
    folded(&text, screen)
}

/// The same for a document: in Markdown, and whether Lyocell is slower in bold.
pub(crate) fn drop_in_section(ratios: &[Ratio]) -> String {
    let row = |ratio: &Ratio| {
        let Ratio { program, median, low, high, .. } = ratio;
        let times = [ratio.rayon_ns, ratio.lyocell_ns].map(|ns| seconds(ns as f64 * 1e-9));
        let median = format!("{median:.2}");
        // As it is written: what is shown as 1.00 is no slower.
        let median = if median.as_str() > "1.00" { format!("**{median}**") } else { median };
        let names = [program.clone(), format!("{median} ({low:.2} to {high:.2})")];
        [names, times].concat()
    };
    let table = Table::titled(2, "program | Lyocell / rayon | rayon | Lyocell");
    let table = table.of(ratios.iter().map(row)).markdown();
    let (count, mean) = (ratios.len(), geometric_mean(ratios));
    format!("{table}\nGeometric mean of the {count} ratios: {mean:.2}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slower_is_in_bold() {
        let ratio = |program: &str, median| Ratio {
            program: program.to_owned(),
            rayon_ns: 1_000_000,
            lyocell_ns: 500_000,
            median,
            low: 0.25,
            high: 4.0,
        };
        let section = drop_in_section(&[ratio("a", 0.5), ratio("b", 2.0), ratio("c", 1.004)]);
        assert!(section.contains("| a | 0.50 (0.25 to 4.00) | 1.00 ms | 500 us |\n"), "{section}");
        assert!(section.contains("| b | **2.00** ("), "{section}");
        assert!(section.contains("| c | 1.00 ("), "{section}");
        assert!(section.contains("of the 3 ratios: 1.00."), "{section}");
    }
}
