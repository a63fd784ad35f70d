//! What an experiment has to say: tables with the paper's numbers beside ours, and whether the paper's finding holds.

use std::fmt::{self, Write};

use super::paper::Paper;
use super::verdict::{Measured, Outcome, Part};
use super::{Context, Experiment};
use crate::measure::Timing;
use serde::{Deserialize, Serialize};

use crate::report::{Emphasis, GAP, Table, seconds, three_digits};

/// The outcome of an experiment.
#[derive(Debug)]
pub(crate) struct Report {
    pub(super) tables: Vec<Table>,
    /// On how to read the tables and what was done otherwise than in the paper; a sentence or some each.
    pub(super) notes: Vec<String>,
    pub(super) finding: Finding,
}

/// Whether what the paper found is found here.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// Every part does.
    Holds,
    /// A part of it does, another does not.
    Partly,
    Fails,
    /// A part lies within the noise or was not measured, and none fails.
    Open,
}

impl Verdict {
    /// Of a finding of these parts. What was not measured never holds.
    pub(super) fn of<O: Copy + Into<Outcome>>(parts: &[O]) -> Verdict {
        let is = |outcome: Outcome| move |part: &O| (*part).into() == outcome;
        let holds = parts.iter().any(is(Outcome::Holds));
        let fails = parts.iter().any(is(Outcome::Fails));
        match (holds, fails) {
            (true, false) if parts.iter().all(is(Outcome::Holds)) => Verdict::Holds,
            (true, true) => Verdict::Partly,
            (false, true) => Verdict::Fails,
            (_, false) => Verdict::Open,
        }
    }

    /// In a word, for a table.
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Partly => "in part",
            Verdict::Fails => "does not",
            Verdict::Open => "open",
        }
    }
}

/// What the paper found and what we found.
#[derive(Debug)]
pub(super) struct Finding {
    /// What the paper says, in a clause.
    pub(super) claim: &'static str,
    pub(super) verdict: Verdict,
    /// What was measured here, in a clause.
    pub(super) evidence: String,
    /// What would take more processors than there are, in a clause; `None` where one is enough.
    pub(super) beyond: Option<&'static str>,
}

impl Finding {
    /// Of these parts.
    pub(super) fn of(claim: &'static str, parts: &[Part], beyond: Option<&'static str>) -> Finding {
        let outcomes: Vec<Outcome> = parts.iter().map(|part| part.outcome).collect();
        let evidence: Vec<String> = parts.iter().map(Part::text).collect();
        Finding { claim, verdict: Verdict::of(&outcomes), evidence: evidence.join("; "), beyond }
    }

    /// One sentence, on a machine with `processors`.
    pub(super) fn sentence(&self, processors: usize, paper: &Paper) -> String {
        let Finding { claim, evidence, .. } = self;
        let verdict = match self.verdict {
            Verdict::Holds => "holds here",
            Verdict::Partly => "holds here in part",
            Verdict::Fails => "does not hold here",
            Verdict::Open => "is left open here",
        };
        let limit = match self.beyond {
            None => "it takes one processor only".to_owned(),
            Some(_) if processors >= paper.workers => {
                "this machine has as many processors as the paper's".to_owned()
            }
            Some(beyond) => {
                let processors = Count(processors, "processor");
                format!("this machine, with {processors}, cannot show {beyond}")
            }
        };
        format!("That {claim} {verdict}: {evidence}; {limit}.")
    }
}

/// The whole report as text.
pub(crate) fn render(
    experiment: &Experiment,
    report: &Report,
    context: &Context,
    emphasis: Emphasis,
) -> String {
    let paper = experiment.paper;
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", experiment.name, experiment.shows);
    let _ = writeln!(text, "paper: {}, {}", paper.citation, experiment.place);
    let _ = writeln!(text, "       on {}", paper.machine);
    let _ = writeln!(text, "here:  {}", context.machine);
    for table in &report.tables {
        let _ = write!(text, "\n{}", table.terminal(emphasis));
    }
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    let sentence = report.finding.sentence(context.processors, paper);
    let _ = writeln!(text, "\n{sentence}");
    text
}

/// An experiment and its outcome in words and tables, to be kept and shown elsewhere.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Told {
    pub(crate) name: String,
    pub(crate) shows: String,
    /// The paper, the place in it, and its machine.
    pub(crate) paper: String,
    pub(crate) machine: String,
    pub(crate) tables: Vec<Table>,
    pub(crate) notes: Vec<String>,
    pub(crate) verdict: Verdict,
    pub(crate) finding: String,
}

impl Told {
    /// `report` of `experiment`, on a machine with so many processors.
    pub(crate) fn of(experiment: &Experiment, report: Report, processors: usize) -> Told {
        let paper = experiment.paper;
        Told {
            name: experiment.name.to_owned(),
            shows: experiment.shows.to_owned(),
            paper: format!("{}, {}", paper.citation, experiment.place),
            machine: paper.machine.to_owned(),
            verdict: report.finding.verdict,
            finding: report.finding.sentence(processors, paper),
            tables: report.tables,
            notes: report.notes,
        }
    }
}

/// A number with its noun.
pub(super) struct Count(pub(super) usize, pub(super) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count(number, noun) = self;
        let plural = if *number == 1 { "" } else { "s" };
        write!(f, "{number} {noun}{plural}")
    }
}

/// A cell that may be empty.
pub(super) fn cell<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or(GAP.to_owned(), show)
}

/// A median with half the range.
pub(super) fn time(timing: Option<Timing>) -> String {
    cell(timing, |timing| format!("{} +-{:.0}%", seconds(timing.median), timing.spread() * 100.0))
}

pub(super) fn ratio(value: Option<f64>) -> String {
    cell(value, |value| format!("{value:.2}"))
}

/// The middle of a ratio's rounds.
pub(super) fn ratio_of(value: Option<Measured>) -> String {
    ratio(value.map(|ratio| ratio.value))
}

pub(super) fn number(value: Option<f64>) -> String {
    cell(value, three)
}

/// Three digits, or all before the point, their thousands apart.
pub(super) fn three(value: f64) -> String {
    match value {
        value if value >= 1000.0 => crate::report::count(value.round() as u64),
        value => three_digits(value),
    }
}

/// As the papers have relative times: +4 %.
pub(super) fn percent(value: Option<f64>) -> String {
    cell(value, |value| format!("{:+.1}%", (value - 1.0) * 100.0))
}

/// A count, its thousands apart.
pub(super) fn whole(value: Option<f64>) -> String {
    cell(value, |value| crate::report::count(value.round() as u64))
}

/// The largest of what there is.
pub(super) fn largest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    values.into_iter().reduce(f64::max)
}

/// The smallest of what there is.
pub(super) fn smallest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    values.into_iter().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::paper::LACE;

    fn finding(verdict: Verdict) -> Finding {
        let evidence = "it was 3".to_owned();
        Finding { claim: "it is small", verdict, evidence, beyond: Some("48 workers") }
    }

    #[test]
    fn a_finding_is_one_sentence_with_the_limits_of_the_machine() {
        let sentence = finding(Verdict::Holds).sentence(2, &LACE);
        let expected = "That it is small holds here: it was 3; \
                        this machine, with 2 processors, cannot show 48 workers.";
        assert_eq!(sentence, expected);
        assert!(finding(Verdict::Fails).sentence(2, &LACE).contains("does not hold here: it was"));
        assert!(finding(Verdict::Open).sentence(1, &LACE).contains("with 1 processor, cannot"));
        assert!(finding(Verdict::Open).sentence(48, &LACE).contains("as many processors as"));
    }

    #[test]
    fn a_finding_of_two_parts_can_hold_in_part() {
        assert_eq!(Verdict::of(&[Some(true), Some(true)]), Verdict::Holds);
        assert_eq!(Verdict::of(&[Some(true), Some(false)]), Verdict::Partly);
        assert_eq!(Verdict::of(&[Some(false), Some(false)]), Verdict::Fails);
        assert_eq!(Verdict::of(&[Some(false), None]), Verdict::Fails);
        assert_eq!(Verdict::of(&[None::<bool>, None]), Verdict::Open);
        assert!(finding(Verdict::Partly).sentence(2, &LACE).contains("holds here in part: it was"));
    }

    #[test]
    fn what_was_not_measured_or_lies_within_the_noise_does_not_hold() {
        assert_eq!(Verdict::of(&[Some(true), None]), Verdict::Open);
        assert_eq!(Verdict::of(&[Outcome::Holds, Outcome::Noise]), Verdict::Open);
        assert_eq!(Verdict::of(&[Outcome::Holds, Outcome::Fails, Outcome::Noise]), Verdict::Partly);
        let parts = [Part::new("it was 3", Some(true)), Part::unmeasured("its size", "no ruler")];
        let sentence = Finding::of("it is small", &parts, None).sentence(2, &LACE);
        let expected = "That it is small is left open here: it was 3: holds; its size (no ruler): not measured; \
                        it takes one processor only.";
        assert_eq!(sentence, expected);
    }

    #[test]
    fn a_gap_is_a_dash_and_a_relative_time_has_a_sign() {
        assert_eq!(ratio(None), "-");
        assert_eq!(percent(Some(0.82)), "-18.0%");
        assert_eq!(percent(Some(1.12)), "+12.0%");
    }
}
