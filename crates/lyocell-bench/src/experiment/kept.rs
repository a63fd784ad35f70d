//! Runs that were kept in a file, reported again: in the words of this version, without being run again, and as the
//! sections of EXPERIMENTS.md.

use std::fmt::Write;

use super::record::{ExperimentRecord, Results, is_job};
use super::report::Report;
use super::{Context, Experiment, provenance};
use crate::report::Table;
use crate::results::{KeptFile, required_note};

/// The runs of an experiment, and what they were measured on.
pub(crate) struct KeptRuns {
    pub(crate) results: Results,
    pub(crate) context: Context,
    date: String,
    commit: String,
    /// What an option was then, if not what it is today.
    remark: Option<&'static str>,
}

impl KeptRuns {
    /// What `text` says, the content of a file that `--keep` has written for `experiment`.
    ///
    /// # Errors
    /// It is no such file, or its runs are of another program or of other parameters than today's; why, in words.
    pub(crate) fn parse(experiment: &'static Experiment, text: &str) -> Result<KeptRuns, String> {
        let (machine, date) = (required_note(text, "machine")?, required_note(text, "date")?);
        let processors = processors(&machine)
            .ok_or_else(|| format!("`{machine}` does not say of how many processors"))?;
        let records = KeptFile::<ExperimentRecord>::parse(text, "runs")?.rows;
        let name = experiment.name;
        if let Some(other) = records.iter().find(|record| record.experiment != name) {
            return Err(format!("it has a run of `{}`, and is read for {name}", other.experiment));
        }
        let results = Results(records);
        if let Some(other) = results.jobs().iter().find(|job| !is_job(job)) {
            return Err(format!(
                "it has a run of `{other}`, which is no workload and no case of queues"
            ));
        }
        let remark = provenance::check(experiment, |name| required_note(text, name))?;
        let commit = required_note(text, "commit")?;
        Ok(KeptRuns { results, context: Context { machine, processors }, date, commit, remark })
    }

    /// What they say, and in what they are not as today's would be.
    pub(crate) fn report(&self, experiment: &Experiment) -> Report {
        experiment.report(&self.results).with(self.remark.map(str::to_owned))
    }
}

/// How many processors a machine has that is told as `lyocell 0.1.0 on 2 x AMD EPYC, linux, x86_64`.
fn processors(machine: &str) -> Option<usize> {
    machine.split_once(" on ")?.1.split_once(" x ")?.0.parse().ok()
}

/// The section of an experiment: where its runs are, its tables, notes and finding.
pub(crate) fn section(
    experiment: &Experiment,
    report: &Report,
    kept: &KeptRuns,
    file: &str,
) -> String {
    let Experiment { name, paper, shows, .. } = experiment;
    let mut text = format!("Its runs: [{name}.csv]({file}).\n\n");
    let mut shows = shows.chars();
    let capital = shows.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let place = experiment.place;
    let _ = writeln!(text, "{capital}{}. {}, {place}.\n", shows.as_str(), paper.citation);
    let KeptRuns { context: Context { machine, .. }, date, commit, .. } = kept;
    let here = vec!["here".to_owned(), format!("{machine}; {date}, commit `{commit}`")];
    let there = vec!["there".to_owned(), paper.machine.to_owned()];
    let _ = writeln!(text, "{}", Table::titled(1, "measured | on").of([here, there]).markdown());
    for table in report.all_tables() {
        let _ = writeln!(text, "{}", table.markdown());
    }
    let _ = writeln!(text, "{}", report.finding.sentence(kept.context.processors, paper));
    for note in &report.notes {
        let _ = writeln!(text, "\nNote: {}", note.replace('\n', " "));
    }
    text
}

/// The section of an experiment of which no runs are kept, or only those of another program.
pub(crate) fn section_without(experiment: &Experiment) -> String {
    let name = experiment.name;
    format!(
        "Not measured since its programs or its parameters changed: `lyocell experiment {name} --keep \
         results/MACHINE/experiments` does it.\n"
    )
}

/// The line of such an experiment.
pub(crate) fn line_without(experiment: &Experiment) -> String {
    let name = experiment.name;
    format!("| [{name}](#{name}) | {} | not measured | |\n", experiment.shows)
}

/// The line of an experiment in the table of all.
pub(crate) fn line(experiment: &Experiment, report: &Report) -> String {
    let name = experiment.name;
    let finding = &report.finding;
    let claim = finding.claim.trim_end_matches(',');
    let (verdict, evidence) = (finding.verdict.word(), finding.evidence());
    format!("| [{name}](#{name}) | {claim} | {verdict} | {evidence} |\n")
}

/// The line of an experiment in a table of simulated ones, with the machine that was simulated and what ran on it. Before owners could share
/// when they are asked only, thieves exposed in the simulated runs.
pub(crate) fn simulated_line(experiment: &Experiment, kept: &KeptRuns) -> String {
    let name = experiment.name;
    let finding = experiment.report(&kept.results).finding;
    let (claim, verdict) = (finding.claim.trim_end_matches(','), finding.verdict.word());
    let machine = kept.context.machine.split_once(" on ").map_or("", |(_, machine)| machine);
    let mut workloads = kept.results.jobs().join(", ");
    if kept.remark.is_some() {
        workloads += " (thieves expose)";
    }
    let evidence = finding.evidence();
    format!(
        "| [{name}](EXPERIMENTS.md#{name}) | {claim} | {machine} | {workloads} | {verdict} | {evidence} |\n"
    )
}

/// What stands above those lines.
pub(crate) const SIMULATED_HEADER: &str = "| experiment | the paper's finding | on | of | simulated | the numbers |\n|---|---|---|---|---|---|\n";

/// What stands above the lines.
pub(crate) const HEADER: &str = "| experiment | the paper's finding | here | the numbers, ours and the paper's |\n|---|---|---|---|\n";

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::experiment::report::Verdict;
    use crate::experiment::{EXPERIMENTS, Prepared, Request, Size};

    const HEADER: &str =
        "experiment,workload,param,contender,workers,rep,seconds,gigahertz,tasks,answer\n";

    const RUNS: &str = "lace-fig5,fib,38,serial,1,1,0.5,2.0,100,1\n\
                        lace-fig5,fib,38,split,1,1,0.6,2.0,100,1\n";

    /// What is written above runs of today, but for the machine.
    fn notes() -> String {
        let prepared = Prepared::new(EXPERIMENTS[0], &Request::of(Size::Small, 2)).unwrap();
        let text = prepared.kept("lyocell", Results(Vec::new())).to_text();
        let notes =
            text.lines().filter(|line| line.starts_with("# ") && !line.starts_with("# machine"));
        let machine = "# machine: lyocell 0.1.0 on 2 x AMD EPYC, linux, x86_64\n";
        notes.fold(machine.to_owned(), |text, line| text + line + "\n")
    }

    fn text() -> String {
        notes() + HEADER + RUNS
    }

    fn error(text: &str) -> String {
        KeptRuns::parse(EXPERIMENTS[0], text).err().unwrap()
    }

    #[test]
    fn a_file_with_fewer_columns_is_read() {
        let kept = KeptRuns::parse(EXPERIMENTS[0], &text()).unwrap();
        assert_eq!(kept.context.processors, 2);
        let run = &kept.results.0[1];
        assert_eq!((run.job().as_str(), run.seconds, run.tasks), ("fib:38", 0.6, Some(100)));
        assert_eq!((run.steals, run.reshares, run.span_seconds), (None, None, None));
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        assert!(error("").contains("# machine"));
        assert!(error(&text().replace("2 x AMD", "an AMD")).contains("how many processors"));
        let other = text().replace("lace-fig5,fib,38,split", "lace-fig7,fib,38,split");
        assert!(error(&other).contains("`lace-fig7`"));
        assert!(error(&text().replace("fib,38,split", "fob,38,split")).contains("`fob:38`"));
        let wrong = error(&text().replace("0.6", "long"));
        assert!(wrong.contains("long") || wrong.contains("float"), "{wrong}");
        assert!(error(&(notes() + HEADER)).contains("no runs"));
    }

    #[test]
    fn runs_of_another_program_or_without_a_commit_are_refused() {
        let changed = error(&text().replacen("fib ", "fib 0", 1));
        assert!(changed.contains("another program `fib`"), "{changed}");
        let text = text();
        let without = text.lines().filter(|line| !line.starts_with("# commit"));
        let without = without.fold(String::new(), |text, line| text + line + "\n");
        assert!(error(&without).contains("# commit"));
    }

    #[test]
    fn a_section_and_a_line_have_the_verdict_with_its_number() {
        let kept = KeptRuns::parse(EXPERIMENTS[0], &text()).unwrap();
        let report = EXPERIMENTS[0].report(&kept.results);
        let section = section(EXPERIMENTS[0], &report, &kept, "kept/lace-fig5.csv");
        for words in [
            "[lace-fig5.csv](kept/lace-fig5.csv).",
            "Overhead and speedup",
            "| split |",
            "Note: T_S",
            "commit `",
        ] {
            assert!(section.contains(words), "{words}: {section}");
        }
        let line = line(EXPERIMENTS[0], &report);
        assert!(line.starts_with("| [lace-fig5](#lace-fig5) | the three deques"), "{line}");
        assert!(line.contains("| open |"), "{line}");
    }

    /// The runs of `results`, each repetition by itself, through the finding that they are of.
    #[test]
    fn one_repetition_decides_nothing() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results");
        for experiment in EXPERIMENTS {
            let file = |machine: PathBuf| {
                machine.join("experiments").join(experiment.name).with_extension("csv")
            };
            let texts = machines_of(folder).into_iter().map(file);
            for text in texts.filter_map(|file| std::fs::read_to_string(file).ok()) {
                let rows = KeptFile::<ExperimentRecord>::parse(&text, "runs").unwrap().rows;
                let reps = rows.iter().map(|run| run.rep).max().unwrap();
                for rep in 1..=reps {
                    let one = rows.iter().filter(|run| run.rep == rep).cloned().collect();
                    let verdict = experiment.report(&Results(one)).finding.verdict;
                    assert_eq!(verdict, Verdict::Open, "{}, repetition {rep}", experiment.name);
                }
            }
        }
    }

    /// The same of every experiment, kept or not, with numbers that nobody measured; with as many rounds as it asks for
    /// its finding is not open for want of them.
    #[test]
    fn one_imagined_repetition_decides_nothing() {
        for experiment in EXPERIMENTS {
            let prepared = Prepared::new(experiment, &Request::of(Size::Small, 2)).unwrap();
            let round = prepared.imagined();
            let finding = experiment.report(&round).finding;
            assert_eq!(finding.verdict, Verdict::Open, "{}", experiment.name);
            assert!(finding.rounds_needed() <= prepared.reps(Size::Small), "{}", experiment.name);
        }
    }

    /// What is kept is what this version would run: else `--read` refuses it.
    #[test]
    fn every_kept_run_is_of_todays_programs_and_parameters() {
        for experiment in EXPERIMENTS {
            for machine in machines_of(concat!(env!("CARGO_MANIFEST_DIR"), "/../../results")) {
                let file = machine.join("experiments").join(experiment.name).with_extension("csv");
                let Ok(text) = std::fs::read_to_string(&file) else { continue };
                let refused = KeptRuns::parse(experiment, &text).err();
                assert_eq!(refused, None, "{}", file.display());
            }
        }
    }

    fn machines_of(folder: &str) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    }
}
