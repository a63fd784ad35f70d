//! `lyocell results` and `lyocell readme`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::CliError;
use super::output::{Output, print};
use crate::experiment::{PROGRAMS, changed_program};
use crate::layouts;
use crate::results::{self, Kept, Layouts, SUITES, Size, Suite, blocks, differences, fill};
use crate::workers;
use lyocell_workloads::Refused;

#[derive(Args)]
pub(super) struct ResultsArguments {
    /// The file, such as results/MACHINE/DATE.csv [default: lyocell-results.csv in the current directory]
    #[arg(
        long,
        value_name = "FILE",
        default_value = "lyocell-results.csv",
        hide_default_value = true
    )]
    out: PathBuf,

    /// What to measure, such as headline,latency [default: everything]
    #[arg(long = "suite", value_name = "SUITE", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)))]
    suites: Vec<String>,

    /// Measure next to nothing, to see that it works
    #[arg(long)]
    quick: bool,

    /// Measure what depends on where code lies in this many layouts; link them with `.ci/layouts N`
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(2..=i64::from(layouts::MOST)))]
    layouts: Option<u32>,
}

/// Measures what README quotes, and keeps it.
pub(super) fn results(arguments: ResultsArguments) -> Result<(), CliError> {
    let workers = workers::by_default()?;
    let asked = |suite: &&Suite| {
        arguments.suites.is_empty() || arguments.suites.iter().any(|name| name == suite.name)
    };
    let suites: Vec<&Suite> = SUITES.iter().filter(asked).collect();
    let scratch = arguments.out.with_extension("layout.csv");
    let programs = arguments.layouts.map(layouts::programs).transpose()?;
    let layouts = programs.map(|programs| Layouts { programs, scratch });
    // The folder of a machine is new on its first day.
    let output = Output::open_file_in_new_folder("--out", arguments.out)?;
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    output.write(&results::measure(&suites, size, workers, layouts.as_ref())?.to_text())
}

/// What is measured, for `lyocell list`.
pub(super) fn listing() -> String {
    let line = |suite: &Suite| format!("  {:<10} {}\n", suite.name, suite.summary);
    let lines: String = SUITES.iter().map(line).collect();
    format!("Results that README quotes (`lyocell results --suite`):\n{lines}")
}

#[derive(Args)]
pub(super) struct ReadmeArguments {
    /// The file of results, as `lyocell results` writes it
    #[arg(value_name = "RESULTS.csv")]
    results: PathBuf,

    /// Put the tables into this document, between `<!-- results: NAME -->` and `<!-- end -->`
    #[arg(long, value_name = "DOCUMENT", conflicts_with = "check")]
    write: Option<PathBuf>,

    /// Fail, and show what differs, unless this document has these tables
    #[arg(long, value_name = "DOCUMENT")]
    check: Option<PathBuf>,
}

/// Makes the tables of README, shows them, writes them or checks them.
pub(super) fn readme(arguments: ReadmeArguments) -> Result<(), CliError> {
    let kept = Kept::parse(&read(&arguments.results)?, "results")
        .map_err(|why| about(&arguments.results, why))?;
    refuse_changed(&kept).map_err(|why| about(&arguments.results, why))?;
    let blocks = blocks(&kept);
    let source = arguments.results.display().to_string();
    if let Some(done) = write_or_check(&blocks, arguments.write, arguments.check, &source) {
        return done;
    }
    let shown =
        |block: &results::Block| format!("<!-- results: {} -->\n{}\n", block.name, block.text);
    print(&blocks.iter().map(shown).collect::<String>())
}

/// # Errors
/// It does not name its commit, or a program has changed since.
fn refuse_changed(kept: &Kept) -> Result<(), String> {
    let note = |name: &str| kept.note(name).ok_or(format!("it has no comment `# {name}: ...`"));
    let (commit, programs) = (note("commit")?, note(PROGRAMS)?);
    match changed_program(programs) {
        None => Ok(()),
        Some(program) => Err(format!(
            "the program `{program}` has changed since commit {commit}, of which these results are; measure them again"
        )),
    }
}

/// Puts `blocks` into a document, or checks that it has them, if either is asked for. They are made from `source`.
pub(super) fn write_or_check(
    blocks: &[results::Block],
    write: Option<PathBuf>,
    check: Option<PathBuf>,
    source: &str,
) -> Option<Result<(), CliError>> {
    let filled = |path: &Path| {
        let document = read(path)?;
        let filled = fill(&document, blocks).map_err(|why| about(path, why))?;
        Ok::<_, Refused>((document, filled))
    };
    let checked = |path: PathBuf| {
        let (document, filled) = filled(&path)?;
        match differences(&document, &filled) {
            None => print(&format!("{} agrees\n", path.display())),
            Some(differences) => {
                print(&differences)?;
                let path = path.display();
                Err(CliError::Disagreement(format!("{path} does not agree with {source}")))
            }
        }
    };
    let written = |path: PathBuf| {
        let (_, filled) = filled(&path)?;
        Output::open_file("--write", path)?.write(&filled)
    };
    check.map(checked).or_else(|| write.map(written))
}

pub(super) fn read(path: &Path) -> Result<String, Refused> {
    fs::read_to_string(path).map_err(|error| about(path, error.to_string()))
}

pub(super) fn about(path: &Path, why: String) -> Refused {
    Refused(format!("cannot use {}: {why}", path.display()))
}
