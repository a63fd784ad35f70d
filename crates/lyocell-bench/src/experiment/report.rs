//! What an experiment has to say: tables with the paper's numbers beside ours, and whether the paper's finding holds.

use std::fmt::{self, Write};

use super::paper::Paper;
use super::verdict::{Judged, Measured, Outcome, Part, rounds_needed};
use super::{Context, Experiment};
use crate::measure::Timing;
use serde::{Deserialize, Serialize};

use crate::report::{GAP, Screen, Table, folded, seconds, three_digits};

/// The outcome of an experiment.
#[derive(Debug)]
pub(crate) struct Report {
    pub(super) tables: Vec<Table>,
    /// What else the paper says, with its numbers.
    pub(super) facts: &'static [(&'static str, &'static str)],
    /// On how to read the tables and what was done otherwise than in the paper; a sentence or some each.
    pub(super) notes: Vec<String>,
    pub(super) finding: Finding,
}

impl Report {
    /// The same with a note before all others.
    pub(crate) fn with(mut self, note: Option<String>) -> Report {
        self.notes.splice(0..0, note);
        self
    }

    /// The tables, what else the paper says, and that of the finding.
    pub(super) fn all_tables(&self) -> impl Iterator<Item = Table> {
        let facts = self.facts.iter().map(|(what, number)| vec![*what, *number]);
        let facts =
            (!self.facts.is_empty()).then(|| Table::titled(1, "the paper says | ").of(facts));
        self.tables.iter().cloned().chain(facts).chain([self.finding.table()])
    }
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
    /// Of a finding whose parts came out so: rule 6 of `verdict.rs`.
    pub(super) fn of(parts: &[Outcome]) -> Verdict {
        let (holds, fails) = (parts.contains(&Outcome::Holds), parts.contains(&Outcome::Fails));
        match (holds, fails) {
            (true, false) if parts.iter().all(|part| *part == Outcome::Holds) => Verdict::Holds,
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
    /// What came of each part.
    pub(super) parts: Vec<Judged>,
    /// How many numbers were compared with a threshold.
    pub(super) comparisons: usize,
    /// What would take more processors than there are, in a clause; `None` where one is enough.
    pub(super) beyond: Option<&'static str>,
}

impl Finding {
    /// Of these parts, by the rule of `verdict.rs`.
    pub(super) fn of(claim: &'static str, parts: &[Part], beyond: Option<&'static str>) -> Finding {
        let comparisons = parts.iter().map(Part::comparisons).sum();
        let parts: Vec<Judged> = parts.iter().map(|part| part.judge(comparisons)).collect();
        let outcomes: Vec<Outcome> = parts.iter().map(|part| part.outcome).collect();
        Finding { claim, verdict: Verdict::of(&outcomes), parts, comparisons, beyond }
    }

    /// The fewest rounds by which it can be decided.
    pub(super) fn rounds_needed(&self) -> usize {
        rounds_needed(self.comparisons)
    }

    /// The parts with the numbers that decided, in clauses.
    pub(super) fn evidence(&self) -> String {
        self.parts.iter().map(Judged::text).collect::<Vec<_>>().join("; ")
    }

    /// The same as a table.
    pub(super) fn table(&self) -> Table {
        let rows = self.parts.iter().map(Judged::cells);
        Table::titled(3, Judged::TITLES).of(rows)
    }

    /// One sentence without a number, on a machine with `processors`: the numbers stand in the table.
    pub(super) fn sentence(&self, processors: usize, paper: &Paper) -> String {
        let claim = self.claim;
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
            Some(beyond) => format!("this machine has too few processors to show {beyond}"),
        };
        format!("That {claim} {verdict}; {limit}.")
    }
}

/// The whole report as text.
pub(crate) fn render(
    experiment: &Experiment,
    report: &Report,
    context: &Context,
    screen: Screen,
) -> String {
    let paper = experiment.paper;
    let mut text = String::new();
    let Context { machine, .. } = context;
    let Experiment { name, shows, place, .. } = experiment;
    let Paper { citation, machine: there, .. } = paper;
    let head = format!(
        "{name}: {shows}\npaper: {citation}, {place}\n       on {there}\nhere:  {machine}\n"
    );
    text += &folded(&head, screen);
    for table in report.all_tables() {
        let _ = write!(text, "\n{}", table.terminal(screen));
    }
    for note in &report.notes {
        // Where it is folded, its own breaks of lines are.
        let note = if screen.is_narrow() { note.replace('\n', " ") } else { note.clone() };
        text += &folded(&format!("{note}\n"), screen);
    }
    let sentence = report.finding.sentence(context.processors, paper);
    text += &folded(&format!("\n{sentence}\n"), screen);
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
    /// What came of each part of the finding.
    parts: Vec<Judged>,
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
            tables: report.all_tables().collect(),
            parts: report.finding.parts,
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
        Finding {
            claim: "it is small",
            verdict,
            parts: Vec::new(),
            comparisons: 0,
            beyond: Some("more workers"),
        }
    }

    #[test]
    fn a_finding_is_one_sentence_with_the_limits_of_the_machine() {
        let sentence = finding(Verdict::Holds).sentence(2, &LACE);
        let expected = "That it is small holds here; this machine has too few processors to show more workers.";
        assert_eq!(sentence, expected);
        assert!(finding(Verdict::Fails).sentence(2, &LACE).contains("does not hold here; "));
        assert!(finding(Verdict::Partly).sentence(2, &LACE).contains("holds here in part; "));
        assert!(finding(Verdict::Open).sentence(48, &LACE).contains("as many processors as"));
    }

    #[test]
    fn a_finding_of_two_parts_can_hold_in_part() {
        use Outcome::{Fails, Holds, Open, Unmeasured};
        for (parts, verdict) in [
            (&[Holds, Holds][..], Verdict::Holds),
            (&[Holds, Fails], Verdict::Partly),
            (&[Fails, Fails], Verdict::Fails),
            (&[Fails, Unmeasured], Verdict::Fails),
            (&[Unmeasured, Unmeasured], Verdict::Open),
            (&[Holds, Unmeasured], Verdict::Open),
            (&[Holds, Open], Verdict::Open),
            (&[Holds, Fails, Open], Verdict::Partly),
            (&[], Verdict::Open),
        ] {
            assert_eq!(Verdict::of(parts), verdict, "{parts:?}");
        }
    }

    #[test]
    fn all_comparisons_of_a_finding_are_corrected_for_together() {
        let seven = || vec![(String::new(), Measured::of(vec![1.0; 7]).unwrap())];
        let part = |each| Part::at_most("it is", each, 2.0);
        let five: Vec<_> = (0..5).flat_map(|_| seven()).collect();
        assert_eq!(Finding::of("it is", &[part(five.clone())], None).verdict, Verdict::Holds);
        let two = Finding::of("it is", &[part(five), part([seven(), seven()].concat())], None);
        assert_eq!((two.verdict, two.comparisons, two.rounds_needed()), (Verdict::Open, 7, 8));
    }

    #[test]
    fn a_gap_is_a_dash_and_a_relative_time_has_a_sign() {
        assert_eq!(ratio(None), "-");
        assert_eq!(percent(Some(0.82)), "-18.0%");
        assert_eq!(percent(Some(1.12)), "+12.0%");
    }
}
