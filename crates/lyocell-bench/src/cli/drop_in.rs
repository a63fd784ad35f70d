//! `lyocell drop-in`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CliError;
use super::output::{Output, ReportArguments, print};
use super::results::{about, read, write_or_check};
use crate::drop_in::{Builds, KeptPairs, Pair, Programs, Ratio, compare};
use crate::report::{self, Format, Screen};
use crate::results::Block;
use crate::workers;
use lyocell_workloads::{Refused, enumerate};

/// Where the packages are, in a checkout.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../compat/beside");

/// The name of the table in a document.
const BLOCK: &str = "drop-in";

#[derive(Args)]
pub(super) struct DropInArguments {
    /// The numbers of threads of each pool, such as 1,2,8 [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = workers::parse, value_delimiter = ',')]
    workers: Vec<usize>,

    /// How many pairs of runs
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_pairs)]
    pairs: usize,

    /// Which programs, such as join,par-sort [default: all]
    #[arg(long = "program", value_name = "PROGRAM", value_delimiter = ',')]
    programs: Vec<String>,

    /// The programs around published libraries instead of the small ones; the first build takes minutes
    #[arg(long)]
    published: bool,

    /// The folder with the packages `plain` and `patched`, and those of the published in `published`
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    folder: PathBuf,

    /// Keep the pairs in this file, such as results/MACHINE/drop-in/small.csv, with what they were measured on; until the end, and if
    /// it does not come to that, they are in the same with `.part` behind
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    /// Run nothing: report again what --keep has kept in these files
    #[arg(long, value_name = "FILE", value_delimiter = ',',
          conflicts_with_all = ["workers", "pairs", "programs", "published", "keep"])]
    read: Vec<PathBuf>,

    /// With --read: put the table into this document, between `<!-- results: drop-in -->` and `<!-- end -->`
    #[arg(long, value_name = "DOCUMENT", requires = "read", conflicts_with = "check")]
    write: Option<PathBuf>,

    /// With --read: fail, and show what differs, unless this document has this table
    #[arg(long, value_name = "DOCUMENT", requires = "read")]
    check: Option<PathBuf>,

    #[command(flatten)]
    report: ReportArguments,
}

fn parse_pairs(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "the number of pairs is at least 1".to_owned())
}

/// Builds the programs with and without the drop-in, and compares their times.
pub(super) fn drop_in(arguments: DropInArguments) -> Result<(), CliError> {
    if !arguments.read.is_empty() {
        return report_kept(arguments);
    }
    let workers = match arguments.workers.as_slice() {
        [] => vec![workers::by_default()?],
        some => some.to_vec(),
    };
    let kind = if arguments.published { Programs::Published } else { Programs::Small };
    refuse_other_folders(&kind.folder(&arguments.folder))?;
    let known = kind.listed(&arguments.folder)?;
    refuse_unknown(&arguments.programs, &known)?;
    let output = arguments.report.open()?;
    let keep = arguments.keep.map(|file| Output::open_file_in_new_folder("--keep", file));
    let mut keep = keep.transpose()?;
    let builds = Builds::build(kind, &arguments.folder)?;
    let asked = if arguments.programs.is_empty() { &known } else { &arguments.programs };
    let mut kept = KeptPairs::of_today(Vec::new());
    compare(&builds, asked, &workers, arguments.pairs, |pairs| {
        kept.rows.extend(pairs);
        keep.as_mut().map_or(Ok(()), |keep| keep.write_so_far(&kept.to_text()))
    })?;
    if let Some(keep) = keep {
        keep.write(&kept.to_text())?;
    }
    let report = rendered(&kept.rows, arguments.report.format, output.screen());
    output.write(&report)
}

fn refuse_other_folders(folder: &Path) -> Result<(), Refused> {
    for kind in ["plain", "patched"] {
        let manifest = folder.join(kind).join("Cargo.toml");
        if !manifest.is_file() {
            return Err(Refused(format!(
                "{} is not there: --folder names a checkout's compat/beside",
                manifest.display()
            )));
        }
    }
    Ok(())
}

fn refuse_unknown(asked: &[String], known: &[String]) -> Result<(), Refused> {
    match asked.iter().find(|program| !known.contains(program)) {
        Some(unknown) => {
            let known = enumerate(known);
            Err(Refused(format!("there is no program {unknown}, but {known}")))
        }
        None => Ok(()),
    }
}

fn rendered(pairs: &[Pair], format: Format, screen: Screen) -> String {
    match format {
        Format::Table => report::drop_in_table(&Ratio::worst_first(pairs), screen),
        Format::Csv => report::csv(pairs),
        Format::Json => report::json(pairs),
    }
}

/// Reports pairs that were kept, or makes the table of a document from them.
fn report_kept(arguments: DropInArguments) -> Result<(), CliError> {
    let mut pairs = Vec::new();
    let mut origins = Vec::new();
    for path in &arguments.read {
        let kept = KeptPairs::parse(&read(path)?, "pairs").map_err(|why| about(path, why))?;
        let [machine, date] = ["machine", "date"].map(|name| kept.note(name).unwrap_or("unknown"));
        let workers = workers::sorted(kept.rows.iter().map(|pair| pair.workers).collect());
        let threads = if workers == [1] { "thread" } else { "threads" };
        let workers: Vec<String> = workers.iter().map(usize::to_string).collect();
        let origin = format!("{} {threads}, {machine}, {date}", enumerate(&workers));
        if !origins.contains(&origin) {
            origins.push(origin);
        }
        pairs.extend(kept.rows);
    }
    let text = report::drop_in_section(&Ratio::worst_first(&pairs));
    let text = format!("{text}Measured with {}.\n", origins.join("; "));
    let files: Vec<String> = arguments.read.iter().map(|file| file.display().to_string()).collect();
    let blocks = [Block { name: BLOCK, text }];
    match write_or_check(&blocks, arguments.write, arguments.check, &files.join(", ")) {
        Some(done) => done,
        None => {
            let screen = Screen::of_stdout();
            print(&rendered(&pairs, arguments.report.format, screen))
        }
    }
}
