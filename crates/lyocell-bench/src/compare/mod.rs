//! Two results beside each other: what got faster or slower, with the noise of the runs taken into account.
//!
//! | file | what |
//! |---|---|
//! | `read.rs` | the runs of a JSON file of `lyocell run` or `lyocell report` |
//! | `interval.rs` | how sure a ratio of medians is |

mod interval;
mod read;

pub(crate) use read::{Runs, read};

use crate::report::{Screen, Table, seconds};
use interval::{Ratio, ratio_of_medians};

/// Fewer runs say nothing of their noise.
const FEWEST: usize = 3;

/// What became of one workload on one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// Faster, whatever the noise.
    Faster,
    /// Slower, whatever the noise, but not past the threshold.
    Slower,
    /// Slower by more than the threshold, whatever the noise.
    PastThreshold,
    /// The noise is larger than the difference.
    Same,
    /// There are too few runs to tell.
    Unknown,
}

impl Change {
    fn text(self) -> &'static str {
        match self {
            Change::Faster => "faster",
            Change::Slower => "slower",
            Change::PastThreshold => "SLOWER, past the threshold",
            Change::Same => "same, as far as the noise tells",
            Change::Unknown => "too few runs to tell",
        }
    }

    /// `threshold` is a share of the old time.
    fn of(ratio: &Ratio, runs: usize, threshold: f64) -> Change {
        match ratio {
            _ if runs < FEWEST => Change::Unknown,
            ratio if ratio.low > 1.0 + threshold => Change::PastThreshold,
            ratio if ratio.low > 1.0 => Change::Slower,
            ratio if ratio.high < 1.0 => Change::Faster,
            _ => Change::Same,
        }
    }
}

/// One line of the comparison.
#[derive(Debug)]
pub(crate) struct Compared {
    name: String,
    old: f64,
    new: f64,
    ratio: Ratio,
    pub(crate) change: Change,
}

/// All that both results have, in the order of the old one.
pub(crate) fn compare(old: &Runs, new: &Runs, threshold: f64) -> Vec<Compared> {
    let pairs = old.contenders.iter().filter_map(|(contender, old)| {
        let (_, new) = new.contenders.iter().find(|(same, _)| same == contender)?;
        Some((contender, old, new))
    });
    let compared = pairs.map(|(contender, old, new)| {
        let ratio = ratio_of_medians(old, new);
        let change = Change::of(&ratio, old.len().min(new.len()), threshold);
        Compared {
            name: contender.clone(),
            old: interval::median(old),
            new: interval::median(new),
            ratio,
            change,
        }
    });
    compared.collect()
}

/// The comparison as a table.
pub(crate) fn table(compared: &[Compared], screen: Screen) -> String {
    let row = |line: &Compared| {
        let range = format!("{:.3} to {:.3}", line.ratio.low, line.ratio.high);
        let times = [line.name.clone(), seconds(line.old), seconds(line.new)];
        let ratio = [format!("{:.3}", line.ratio.median), range, line.change.text().to_owned()];
        [times, ratio].concat()
    };
    let table = Table::titled(1, " | old | new | new / old | 95 % interval | ");
    table.of(compared.iter().map(row)).terminal(screen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(seconds: &[f64]) -> Runs {
        Runs { contenders: vec![("fib:30 on lyocell x2".to_owned(), seconds.to_vec())] }
    }

    fn change(old: &[f64], new: &[f64]) -> Change {
        compare(&runs(old), &runs(new), 0.05)[0].change
    }

    #[test]
    fn a_difference_counts_if_it_is_larger_than_the_noise() {
        let old = [1.0, 1.01, 0.99, 1.005, 0.995];
        let by = |factor: f64| old.map(|second| second * factor);
        assert_eq!(change(&old, &by(1.2)), Change::PastThreshold);
        assert_eq!(change(&old, &by(1.04)), Change::Slower);
        assert_eq!(change(&old, &by(0.9)), Change::Faster);
        assert_eq!(change(&old, &by(1.001)), Change::Same);
        assert_eq!(change(&old, &[0.5, 1.4, 1.1, 0.8, 1.3]), Change::Same);
        assert_eq!(change(&old, &[2.0, 2.0]), Change::Unknown);
    }

    #[test]
    fn what_only_one_has_is_left_out() {
        let other = Runs { contenders: vec![("queens:8 on serial x1".to_owned(), vec![1.0])] };
        assert!(compare(&runs(&[1.0]), &other, 0.05).is_empty());
    }
}
