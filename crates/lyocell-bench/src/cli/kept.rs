//! `lyocell experiment --read`: reports of runs that were kept.

use std::path::{Path, PathBuf};

use super::CliError;
use super::output::print;
use super::results::{about, read, write_or_check};
use crate::experiment::{
    Experiment, HEADER, KeptRuns, line, line_without, render, section, section_without,
};
use crate::report::Screen;
use crate::results::Block;
use lyocell_workloads::Refused;

/// The name of the table of all experiments.
const ALL: &str = "experiments";

/// Reports the experiments that are kept in one of `folders`, or makes the sections of a document from them.
///
/// # Errors
/// None of them is there, a file cannot be used, or a document cannot be written or does not agree.
pub(super) fn report(
    experiments: &[&'static Experiment],
    folders: &[PathBuf],
    write: Option<PathBuf>,
    check: Option<PathBuf>,
) -> Result<(), CliError> {
    let (mut blocks, mut without) = (Vec::new(), Vec::new());
    let (mut lines, mut reports) = (HEADER.to_owned(), String::new());
    for &experiment in experiments {
        let Some((path, kept)) = find(experiment, folders)? else {
            lines += &line_without(experiment);
            without.push(Block { name: experiment.name, text: section_without(experiment) });
            continue;
        };
        let report = kept.report(experiment);
        lines += &line(experiment, &report);
        reports += &render(experiment, &report, &kept.context, Screen::of_stdout());
        reports += "\n";
        // A document links to files by slashes, wherever it was made.
        let file = path.display().to_string().replace(std::path::MAIN_SEPARATOR, "/");
        let text = section(experiment, &report, &kept, &file);
        blocks.push(Block { name: experiment.name, text });
    }
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    if blocks.is_empty() {
        let first = experiments.first().map_or_else(String::new, |first| file_name(first));
        let what = if experiments.len() == 1 { "no" } else { "no file of an experiment, such as" };
        let folders = folders.join(" or ");
        let message = format!("nothing is kept in {folders}: there is {what} {first}");
        return Err(Refused(message).into());
    }
    blocks.extend(without);
    blocks.push(Block { name: ALL, text: lines });
    write_or_check(&blocks, write, check, &folders.join(", ")).unwrap_or_else(|| print(&reports))
}

fn file_name(experiment: &Experiment) -> String {
    format!("{}.csv", experiment.name)
}

/// The runs in the first folder that has them.
fn find(
    experiment: &'static Experiment,
    folders: &[PathBuf],
) -> Result<Option<(PathBuf, KeptRuns)>, Refused> {
    let files = folders.iter().map(|folder| folder.join(file_name(experiment)));
    let Some(path) = files.into_iter().find(|file| Path::exists(file)) else { return Ok(None) };
    let kept = KeptRuns::parse(experiment, &read(&path)?).map_err(|why| about(&path, why))?;
    Ok(Some((path, kept)))
}
