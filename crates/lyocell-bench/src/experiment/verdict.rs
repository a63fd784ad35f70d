//! The one rule by which every finding is judged, whichever paper it is of.
//!
//! 1. Only what was measured in each round decides: a ratio of two runs of one round, so that what drifts, drifts for both.
//! 2. The number is the median of the rounds. Its interval is that of order statistics (the sign test turned round): the
//!    median of many rounds lies outside of the `k`-th lowest to the `k`-th highest of `n` as seldom as a coin that is thrown
//!    `n` times falls fewer than `k` times on one of its sides. Nothing is assumed of how times are distributed.
//! 3. All intervals of a finding are right together, nine times of ten: where it makes `m` comparisons, be it that *every* or
//!    that *most* of some numbers are to be on one side, each interval is wrong at most a tenth / `m` of the time
//!    (Bonferroni). Too few rounds for that, one to begin with, have no interval and decide nothing.
//! 4. A comparison *holds* or *does not* where all of its interval lies on one side of the threshold; it is *open* where the
//!    threshold lies within. A tolerance is a threshold, written down before: nothing is added to it.
//! 5. A part holds if each of its comparisons does (more than half, where it says *most*), does not if one does not (half
//!    of them), and is open else. The comparison that decides is the one that is told: the worst of those that fail, else
//!    the worst open one, else the one that holds by the least.
//! 6. A finding holds if every part does, does not if none holds and one does not, and holds in part if there is one of
//!    either kind. What was not measured never holds.

use serde::{Deserialize, Serialize};

use super::report::three;
use crate::stats::middle;

/// How often at most any interval of a finding misses its median.
const WRONG: f64 = 0.1;

/// A number that was measured in each round of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    /// The median of the rounds.
    pub(super) value: f64,
    /// In ascending order.
    rounds: Vec<f64>,
}

impl Measured {
    /// The rounds' values; `None` if there are none.
    pub(super) fn of(mut values: Vec<f64>) -> Option<Measured> {
        values.sort_by(f64::total_cmp);
        Some(Measured { value: middle(&values)?, rounds: values })
    }

    /// The interval of one of so many comparisons; `None` if there are too few rounds for it.
    fn interval(&self, comparisons: usize) -> Option<Interval> {
        let out = left_out(self.rounds.len(), comparisons)?;
        let last = self.rounds.len() - 1;
        Some(Interval { low: self.rounds[out], high: self.rounds[last - out] })
    }
}

/// Between which numbers the median of many rounds lies.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Interval {
    low: f64,
    high: f64,
}

/// How many values are left out at either end of so many rounds, for one of so many comparisons; `None` if even the whole
/// range misses the median too often.
fn left_out(rounds: usize, comparisons: usize) -> Option<usize> {
    let allowed = WRONG / comparisons.max(1) as f64;
    let throws = 0.5_f64.powi(rounds as i32);
    let (mut missed, mut ways) = (0.0, 1.0);
    let mut out = None;
    for count in 0..rounds.div_ceil(2) {
        // The share of the intervals that leave out so many at either end and miss the median.
        missed += 2.0 * ways * throws;
        if missed > allowed {
            break;
        }
        ways *= (rounds - count) as f64 / (count + 1) as f64;
        out = Some(count);
    }
    out
}

/// The fewest rounds by which so many comparisons can be decided.
pub(super) fn rounds_needed(comparisons: usize) -> usize {
    (1..).find(|&rounds| left_out(rounds, comparisons).is_some()).unwrap_or(usize::MAX)
}

/// What a number is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    AtMost(f64),
    AtLeast(f64),
    /// This many times more or less than one.
    Within(f64),
}

impl Limit {
    fn text(self) -> String {
        match self {
            Limit::AtMost(most) => format!("at most {}", three(most)),
            Limit::AtLeast(least) => format!("at least {}", three(least)),
            Limit::Within(factor) => format!("{} to {}", three(1.0 / factor), three(factor)),
        }
    }

    fn outcome(self, interval: Interval) -> Outcome {
        let Interval { low, high } = interval;
        let (holds, fails) = match self {
            Limit::AtMost(most) => (high <= most, low > most),
            Limit::AtLeast(least) => (low >= least, high < least),
            Limit::Within(factor) => {
                (low >= 1.0 / factor && high <= factor, high < 1.0 / factor || low > factor)
            }
        };
        match (holds, fails) {
            (true, _) => Outcome::Holds,
            (_, true) => Outcome::Fails,
            _ => Outcome::Open,
        }
    }

    /// The larger, the worse: how far an end of an interval lies on the wrong side.
    fn badness(self, value: f64) -> f64 {
        match self {
            Limit::AtMost(_) => value,
            Limit::AtLeast(_) => -value,
            Limit::Within(_) => value.ln().abs(),
        }
    }
}

/// Whether something that a paper found is found here.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    Holds,
    Fails,
    /// The threshold lies within the interval, or there are too few rounds for one.
    Open,
    /// Nothing was run that says, or this machine cannot.
    Unmeasured,
}

impl Outcome {
    pub(super) fn text(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Fails => "does not",
            Outcome::Open => "open",
            Outcome::Unmeasured => "not measured",
        }
    }
}

/// A number for each of some runs, with the name of each.
pub(super) type Each = Vec<(String, Measured)>;

/// One number, which needs no name.
pub(super) fn one(measured: Option<Measured>) -> Each {
    measured.map(|measured| (String::new(), measured)).into_iter().collect()
}

/// Of how many comparisons something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Every,
    /// More than half.
    Most,
}

/// A part of a finding: numbers, and what they are to be.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What was measured, in a clause.
    what: String,
    each: Each,
    of: Of,
    limit: Limit,
    /// Why nobody can tell here.
    why_not: Option<String>,
}

impl Part {
    fn new(what: &str, each: Each, limit: Limit) -> Part {
        Part { what: what.to_owned(), each, of: Of::Every, limit, why_not: None }
    }

    /// Each of these is to be at most `most`.
    pub(super) fn at_most(what: &str, each: Each, most: f64) -> Part {
        Part::new(what, each, Limit::AtMost(most))
    }

    /// Each of these is to be at least `least`.
    pub(super) fn at_least(what: &str, each: Each, least: f64) -> Part {
        Part::new(what, each, Limit::AtLeast(least))
    }

    /// Each of these is to be no further from one than by this factor.
    pub(super) fn within(what: &str, each: Each, factor: f64) -> Part {
        Part::new(what, each, Limit::Within(factor))
    }

    /// The same of most of them.
    pub(super) fn mostly(self) -> Part {
        Part { of: Of::Most, ..self }
    }

    /// The same where this machine cannot tell, and why: the numbers are told and decide nothing.
    pub(super) fn unmeasured(self, why: &str) -> Part {
        Part { why_not: Some(why.to_owned()), ..self }
    }

    /// How many numbers it compares.
    pub(super) fn comparisons(&self) -> usize {
        if self.why_not.is_some() { 0 } else { self.each.len() }
    }

    /// What comes of it in a finding of so many comparisons.
    pub(super) fn judge(&self, comparisons: usize) -> Judged {
        let judged: Vec<Compared<'_>> =
            self.each.iter().map(|one| Compared::of(one, self.limit, comparisons)).collect();
        let outcome =
            if self.why_not.is_some() { Outcome::Unmeasured } else { self.outcome(&judged) };
        let decides = self.decides(&judged, outcome);
        Judged {
            what: self.what.clone(),
            quantifier: match self.of {
                Of::Every => "every",
                Of::Most => "most",
            }
            .to_owned(),
            comparisons: self.each.len(),
            on: decides.map_or_else(String::new, |one| one.name.to_owned()),
            median: decides.map(|one| one.measured.value),
            interval: decides.and_then(|one| one.interval),
            rounds: decides.map_or(0, |one| one.measured.rounds.len()),
            needed: rounds_needed(comparisons),
            limit: self.limit.text(),
            outcome,
            why_not: self.why_not.clone(),
        }
    }

    fn outcome(&self, judged: &[Compared<'_>]) -> Outcome {
        let count = |outcome| judged.iter().filter(|one| one.outcome == outcome).count();
        let (all, holds, fails) = (judged.len(), count(Outcome::Holds), count(Outcome::Fails));
        let (enough, too_many) = match self.of {
            Of::Every => (holds == all, fails > 0),
            Of::Most => (2 * holds > all, 2 * fails >= all),
        };
        match (all, enough, too_many) {
            (0, ..) => Outcome::Unmeasured,
            (_, true, _) => Outcome::Holds,
            (_, _, true) => Outcome::Fails,
            _ => Outcome::Open,
        }
    }

    /// The comparison that decides: the worst of those that came out as the whole did; where most are to, the one in the middle.
    fn decides<'j>(
        &self,
        judged: &'j [Compared<'j>],
        outcome: Outcome,
    ) -> Option<&'j Compared<'j>> {
        let badness = |one: &Compared<'_>| {
            let ends = one.interval.map_or([one.measured.value; 2], |ends| [ends.low, ends.high]);
            let [low, high] = ends.map(|end| self.limit.badness(end));
            // What fails does so with all of its interval, what holds too.
            if outcome == Outcome::Fails { low.min(high) } else { low.max(high) }
        };
        let order = |a: &&Compared<'_>, b: &&Compared<'_>| badness(a).total_cmp(&badness(b));
        if self.of == Of::Most {
            let mut sorted: Vec<&Compared<'_>> = judged.iter().collect();
            sorted.sort_by(order);
            return sorted.get(judged.len() / 2).copied();
        }
        let same = judged.iter().filter(|one| one.outcome == outcome);
        same.max_by(order).or_else(|| judged.iter().max_by(order))
    }
}

/// A comparison, and what came of it.
struct Compared<'a> {
    name: &'a str,
    measured: &'a Measured,
    interval: Option<Interval>,
    outcome: Outcome,
}

impl Compared<'_> {
    fn of((name, measured): &(String, Measured), limit: Limit, comparisons: usize) -> Compared<'_> {
        let interval = measured.interval(comparisons);
        let outcome = interval.map_or(Outcome::Open, |interval| limit.outcome(interval));
        Compared { name, measured, interval, outcome }
    }
}

/// What came of a part, with the numbers that decided.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Judged {
    /// What was measured, in a clause.
    pub(super) what: String,
    /// Whether every number is to be so, or most.
    quantifier: String,
    /// How many there are.
    comparisons: usize,
    /// Whose the number is that decides, its median and its interval.
    on: String,
    median: Option<f64>,
    interval: Option<Interval>,
    rounds: usize,
    /// So many rounds it takes.
    needed: usize,
    /// What it is to be.
    limit: String,
    pub(super) outcome: Outcome,
    why_not: Option<String>,
}

impl Judged {
    /// The titles of [`Judged::cells`].
    pub(super) const TITLES: &'static str =
        "to be shown | of | decided by | median | interval | to be | outcome";

    /// As a row of a table.
    pub(super) fn cells(&self) -> Vec<String> {
        let of = match (self.comparisons, &*self.quantifier) {
            (0, _) => String::new(),
            (1, _) => "one".to_owned(),
            (count, quantifier) => format!("{quantifier} of {count}"),
        };
        let outcome = match &self.why_not {
            Some(why) => format!("{}: {why}", self.outcome.text()),
            None => self.outcome.text().to_owned(),
        };
        let median = self.median.map_or_else(String::new, three);
        vec![
            self.what.clone(),
            of,
            self.on.clone(),
            median,
            self.range(),
            self.limit.clone(),
            outcome,
        ]
    }

    fn range(&self) -> String {
        match (self.interval, self.median) {
            (Some(Interval { low, high }), _) => format!("{} to {}", three(low), three(high)),
            (None, Some(_)) => format!("none: {} of {} rounds", self.rounds, self.needed),
            (None, None) => String::new(),
        }
    }

    /// In a clause: `the slowest takes 1.05 (1.02 to 1.07) on fib:38, to be at most 1.26: holds`.
    pub(super) fn text(&self) -> String {
        let on = if self.on.is_empty() { String::new() } else { format!(" on {}", self.on) };
        let number = self.median.map_or_else(String::new, |median| {
            format!(" {} ({}){on}, to be {}", three(median), self.range(), self.limit)
        });
        let why = self.why_not.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        format!("{}{number}{why}: {}", self.what, self.outcome.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(values: &[f64]) -> Measured {
        Measured::of(values.to_vec()).unwrap()
    }

    /// The only comparison of a finding.
    fn alone(values: &[f64], limit: Limit) -> Outcome {
        Part::new("it is", one(Some(measured(values))), limit).judge(1).outcome
    }

    #[test]
    fn the_interval_misses_the_median_as_seldom_as_a_coin_says() {
        // The extremes of five miss it twice in 32 times; those of eight twice in 256, the next ones eighteen times.
        let expected = [
            (1, None),
            (4, None),
            (5, Some(0)),
            (7, Some(0)),
            (8, Some(1)),
            (11, Some(2)),
            (50, Some(18)),
        ];
        for (rounds, out) in expected {
            assert_eq!(left_out(rounds, 1), out, "{rounds}");
        }
        let five = measured(&[5.0, 1.0, 2.0, 4.0, 3.0]);
        assert_eq!((five.value, five.interval(1)), (3.0, Some(Interval { low: 1.0, high: 5.0 })));
        assert_eq!(five.interval(2), None, "of two comparisons each may be wrong half as often");
        assert_eq!(Measured::of(Vec::new()), None);
    }

    /// By enumeration: every way in which so many rounds can fall on the sides of their median.
    #[test]
    fn the_interval_is_right_as_often_as_it_is_said_to_be() {
        for rounds in 1..=14_usize {
            for comparisons in [1, 2, 14, 150] {
                let Some(out) = left_out(rounds, comparisons) else { continue };
                let below = (0..1_u32 << rounds).map(|sides| sides.count_ones() as usize);
                let missed = below.filter(|&below| below <= out || rounds - below <= out).count();
                let share = missed as f64 / f64::from(1 << rounds);
                assert!(share <= WRONG / comparisons as f64, "{rounds}, {comparisons}: {share}");
            }
        }
    }

    #[test]
    fn more_comparisons_take_more_rounds_and_one_round_is_never_enough() {
        assert_eq!([1, 2, 5, 14, 150, 200].map(rounds_needed), [5, 6, 7, 9, 12, 12]);
        for comparisons in 1..1000 {
            assert_eq!(left_out(1, comparisons), None);
        }
    }

    #[test]
    fn a_threshold_within_the_interval_leaves_it_open() {
        let noisy = [1.00, 1.02, 1.04, 1.06, 1.08];
        for (limit, outcome) in [
            (Limit::AtMost(1.10), Outcome::Holds),
            (Limit::AtMost(1.08), Outcome::Holds),
            (Limit::AtMost(1.05), Outcome::Open),
            (Limit::AtMost(0.99), Outcome::Fails),
            (Limit::AtLeast(1.00), Outcome::Holds),
            (Limit::AtLeast(1.02), Outcome::Open),
            (Limit::AtLeast(1.10), Outcome::Fails),
            (Limit::Within(1.1), Outcome::Holds),
            (Limit::Within(1.05), Outcome::Open),
        ] {
            assert_eq!(alone(&noisy, limit), outcome, "{limit:?}");
        }
        assert_eq!(alone(&[2.0, 2.1, 2.2, 2.1, 2.0], Limit::Within(1.5)), Outcome::Fails);
        assert_eq!(alone(&[0.4; 5], Limit::Within(1.5)), Outcome::Fails);
        for few in 1..5 {
            assert_eq!(alone(&vec![1.0; few], Limit::AtMost(2.0)), Outcome::Open, "{few}");
        }
    }

    #[test]
    fn a_finding_of_many_comparisons_takes_wider_intervals() {
        // The lowest of nine is off: left out where there is one comparison, and not where there are fourteen.
        let nine = [0.5, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1];
        let part = Part::at_least("it is", one(Some(measured(&nine))), 1.0);
        assert_eq!(part.judge(1).outcome, Outcome::Holds);
        assert_eq!(part.judge(14).outcome, Outcome::Open);
    }

    fn each(all: &[(&str, f64, f64)]) -> Each {
        let rounds = |&(name, low, high): &(&str, f64, f64)| {
            let step = (high - low) / 19.0;
            let values = (0..20).map(|round| low + step * f64::from(round)).collect();
            (name.to_owned(), Measured::of(values).unwrap())
        };
        all.iter().map(rounds).collect()
    }

    /// The interval that is printed is that of the comparison that decides, on the side of the threshold that is said.
    #[test]
    fn what_decides_is_what_is_told() {
        let told = |all: &[(&str, f64, f64)]| {
            let judged = Part::at_least("it is", each(all), 1.0).judge(all.len());
            (judged.outcome, judged.on.clone())
        };
        // The lowest median is not what fails: its interval is wide.
        let wide = ("wide", 0.1, 1.6);
        assert_eq!(
            told(&[wide, ("low", 0.90, 0.95), ("high", 2.0, 2.1)]),
            (Outcome::Fails, "low".to_owned())
        );
        assert_eq!(told(&[wide, ("high", 2.0, 2.1)]), (Outcome::Open, "wide".to_owned()));
        assert_eq!(
            told(&[("near", 1.05, 1.9), ("far", 1.4, 1.5)]),
            (Outcome::Holds, "near".to_owned())
        );
        let most = Part::at_most("it is", each(&[("a", 1.0, 1.1), ("b", 2.0, 2.2)]), 1.5).judge(2);
        assert_eq!((most.outcome, &*most.on), (Outcome::Fails, "b"));
        assert_eq!(most.text(), "it is 2.10 (2.05 to 2.15) on b, to be at most 1.50: does not");
    }

    #[test]
    fn most_is_more_than_half_and_the_middle_one_is_told() {
        let judged = |all: &[(&str, f64, f64)]| {
            let judged = Part::within("it is", each(all), 1.02).mostly().judge(all.len());
            (judged.outcome, judged.on)
        };
        let (alike, open, apart) = ((0.99, 1.01), (0.9, 1.1), (1.2, 1.3));
        let named = |name, (low, high)| (name, low, high);
        let [a, b, c, d, e] = [
            named("a", alike),
            named("b", alike),
            named("c", open),
            named("d", apart),
            named("e", apart),
        ];
        assert_eq!(judged(&[d, a, b]), (Outcome::Holds, "b".to_owned()));
        assert_eq!(judged(&[a, b, c, d]), (Outcome::Open, "c".to_owned()));
        assert_eq!(judged(&[a, c, d, e]), (Outcome::Fails, "d".to_owned()));
    }

    #[test]
    fn what_nobody_can_tell_here_and_what_was_not_run_is_not_measured() {
        let none = Part::at_most("it is", Vec::new(), 1.0);
        assert_eq!(none.judge(0).text(), "it is: not measured");
        let told = Part::at_most("it is", each(&[("a", 1.0, 1.0)]), 1.0).unmeasured("two are few");
        assert_eq!(told.comparisons(), 0);
        assert_eq!(
            told.judge(1).text(),
            "it is 1.00 (1.00 to 1.00) on a, to be at most 1.00 (two are few): not measured"
        );
    }

    #[test]
    fn too_few_rounds_are_told_with_how_many_it_takes() {
        let once = Part::at_most("it is", one(Some(measured(&[1.0]))), 2.0).judge(14);
        assert_eq!(once.text(), "it is 1.00 (none: 1 of 9 rounds), to be at most 2.00: open");
        assert_eq!(
            once.cells()[1..],
            ["one", "", "1.00", "none: 1 of 9 rounds", "at most 2.00", "open"]
        );
    }
}
