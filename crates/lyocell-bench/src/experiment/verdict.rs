//! Whether a part of what a paper found is found here: a measured number, with its noise, beside a threshold.

use super::report::three;
use crate::stats::middle;

/// A number that was measured in each round of an experiment: its median, and between which numbers the median of many
/// rounds may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    rounds: usize,
}

/// How often at least the median of many rounds lies between `low` and `high`, where there are rounds enough.
const SURE: f64 = 0.9;

/// The range of five is right fifteen times of sixteen, that of four seven times of eight.
const ENOUGH: usize = 5;

impl Measured {
    /// The rounds' values; `None` if there are none.
    ///
    /// The interval is that of order statistics: the median lies outside of the `k`-th lowest to the `k`-th highest of
    /// `n` values as seldom as a coin that is thrown `n` times falls fewer than `k` times on one of its sides. It is
    /// narrowed from the full range for as long as it is right nine times of ten. The range of fewer than five is not, and
    /// is as wide again at either end.
    pub(super) fn of(mut values: Vec<f64>) -> Option<Measured> {
        values.sort_by(f64::total_cmp);
        let (rounds, last) = (values.len(), values.len().checked_sub(1)?);
        let value = middle(&values)?;
        let left_out = left_out(rounds);
        let (low, high) = (values[left_out], values[last - left_out]);
        let unsure = if rounds < ENOUGH { high - low } else { 0.0 };
        Some(Measured { value, low: low - unsure, high: high + unsure, rounds })
    }

    /// As text: `1.10 (1.04 to 1.17)`.
    pub(super) fn text(&self) -> String {
        format!("{} ({} to {})", three(self.value), three(self.low), three(self.high))
    }

    /// One round says nothing of the noise.
    fn has_noise(&self) -> bool {
        self.rounds > 1
    }

    /// Whether the number is at most `most`.
    pub(super) fn at_most(&self, most: f64) -> Outcome {
        match self {
            _ if !self.has_noise() => Outcome::Noise,
            Measured { high, .. } if *high <= most => Outcome::Holds,
            Measured { low, .. } if *low > most => Outcome::Fails,
            _ => Outcome::Noise,
        }
    }

    /// Whether the number is at least `least`.
    pub(super) fn at_least(&self, least: f64) -> Outcome {
        match self {
            _ if !self.has_noise() => Outcome::Noise,
            Measured { low, .. } if *low >= least => Outcome::Holds,
            Measured { high, .. } if *high < least => Outcome::Fails,
            _ => Outcome::Noise,
        }
    }
}

/// How many values are left out at either end.
fn left_out(rounds: usize) -> usize {
    let throws = 0.5_f64.powi(rounds as i32);
    let (mut beyond, mut ways, mut count) = (0.0, 1.0, 0);
    loop {
        // The share of the intervals that leave out one more at either end and miss the median.
        beyond += 2.0 * ways * throws;
        ways *= (rounds - count) as f64 / (count + 1) as f64;
        let next = beyond + 2.0 * ways * throws;
        if next > 1.0 - SURE || 2 * (count + 1) >= rounds {
            return count;
        }
        count += 1;
    }
}

/// Whether a part of a finding is found here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Holds,
    Fails,
    /// The threshold lies within the noise, or one round was all there is.
    Noise,
    /// Nothing was run that says, or this machine cannot.
    Unmeasured,
}

/// A part without a margin: for what is counted and cannot be otherwise in another round.
impl From<Option<bool>> for Outcome {
    fn from(part: Option<bool>) -> Outcome {
        match part {
            Some(true) => Outcome::Holds,
            Some(false) => Outcome::Fails,
            None => Outcome::Unmeasured,
        }
    }
}

impl Outcome {
    /// Of something that is to hold for each of these: one that fails is enough to fail, one that is open to be open.
    fn of_each(outcomes: impl Iterator<Item = Outcome>) -> Outcome {
        let order = [Outcome::Fails, Outcome::Noise, Outcome::Unmeasured, Outcome::Holds];
        let rank = |outcome: &Outcome| order.iter().position(|other| other == outcome);
        outcomes.min_by_key(rank).unwrap_or(Outcome::Unmeasured)
    }

    fn text(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Fails => "does not",
            Outcome::Noise => "open, within the noise",
            Outcome::Unmeasured => "not measured",
        }
    }
}

/// A part of a finding, with its number.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What was measured, in a clause with the number.
    what: String,
    pub(super) outcome: Outcome,
}

/// A number for each of some runs, with the name of each.
pub(super) type Each = Vec<(String, Measured)>;

impl Part {
    pub(super) fn new(what: impl Into<String>, outcome: impl Into<Outcome>) -> Part {
        Part { what: what.into(), outcome: outcome.into() }
    }

    /// What nobody can tell here, and why.
    pub(super) fn unmeasured(what: &str, why: &str) -> Part {
        Part::new(format!("{what} ({why})"), Outcome::Unmeasured)
    }

    /// `what` is to be at most `most` in each of these; the largest is told.
    pub(super) fn at_most(what: &str, each: &Each, most: f64) -> Part {
        let outcome = Outcome::of_each(each.iter().map(|(_, measured)| measured.at_most(most)));
        let worst = each.iter().max_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        Part::told(what, worst, &format!("at most {}", three(most)), outcome)
    }

    /// `what` is to be at least `least` in each of these; the smallest is told.
    pub(super) fn at_least(what: &str, each: &Each, least: f64) -> Part {
        let outcome = Outcome::of_each(each.iter().map(|(_, measured)| measured.at_least(least)));
        let worst = each.iter().min_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        Part::told(what, worst, &format!("at least {}", three(least)), outcome)
    }

    fn told(what: &str, worst: Option<&(String, Measured)>, limit: &str, outcome: Outcome) -> Part {
        let what = match worst {
            None => what.to_owned(),
            Some((name, measured)) if name.is_empty() => {
                format!("{what} {}, to be {limit}", measured.text())
            }
            Some((name, measured)) => {
                format!("{what} {} on {name}, to be {limit}", measured.text())
            }
        };
        Part::new(what, outcome)
    }

    /// The clause and what came of it.
    pub(super) fn text(&self) -> String {
        format!("{}: {}", self.what, self.outcome.text())
    }
}

/// One number, which needs no name.
pub(super) fn one(measured: Option<Measured>) -> Each {
    measured.map(|measured| (String::new(), measured)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(values: &[f64]) -> Measured {
        Measured::of(values.to_vec()).unwrap()
    }

    #[test]
    fn the_interval_is_the_range_until_there_are_rounds_enough() {
        let five = measured(&[5.0, 1.0, 2.0, 4.0, 3.0]);
        assert_eq!((five.value, five.low, five.high), (3.0, 1.0, 5.0));
        let three = measured(&[2.0, 1.0, 3.0]);
        assert_eq!((three.value, three.low, three.high), (2.0, -1.0, 5.0), "as wide again");
        // The extremes of eight miss the median once in 128 times, the next ones nine times in 128.
        let expected = [(1, 0), (2, 0), (5, 0), (7, 0), (8, 1), (9, 1), (11, 2), (50, 18)];
        for (rounds, out) in expected {
            assert_eq!(left_out(rounds), out, "{rounds}");
        }
        assert_eq!(Measured::of(Vec::new()), None);
    }

    #[test]
    fn a_threshold_within_the_noise_leaves_it_open() {
        let noisy = measured(&[1.00, 1.02, 1.04, 1.06, 1.08]);
        assert_eq!(noisy.at_most(1.10), Outcome::Holds);
        assert_eq!(noisy.at_most(1.05), Outcome::Noise);
        assert_eq!(noisy.at_most(0.99), Outcome::Fails);
        assert_eq!(noisy.at_least(1.00), Outcome::Holds);
        assert_eq!(noisy.at_least(1.02), Outcome::Noise);
        assert_eq!(noisy.at_least(1.10), Outcome::Fails);
        let once = measured(&[1.0]);
        assert_eq!([once.at_most(2.0), once.at_least(0.5)], [Outcome::Noise; 2]);
    }

    #[test]
    fn a_part_holds_where_each_does_and_tells_the_worst() {
        let each: Each =
            vec![("a".to_owned(), measured(&[1.0, 1.1])), ("b".to_owned(), measured(&[2.0, 2.2]))];
        let part = Part::at_most("it is", &each, 1.5);
        assert_eq!(part.text(), "it is 2.10 (1.80 to 2.40) on b, to be at most 1.50: does not");
        assert_eq!(Part::at_most("it is", &each, 2.1).outcome, Outcome::Noise);
        assert_eq!(Part::at_least("it is", &each, 0.8).outcome, Outcome::Holds);
        let none = Part::at_most("it is", &Vec::new(), 1.0);
        assert_eq!(none.text(), "it is: not measured");
    }
}
