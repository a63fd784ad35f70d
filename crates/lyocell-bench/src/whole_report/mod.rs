//! All that is measured, on one page: `lyocell report`. What was measured is kept step by step in a folder, so that a
//! report that was interrupted goes on where it was, and one that is complete is only written again.
//!
//! | file | what |
//! |---|---|
//! | `step.rs` | what is measured, a step at a time |
//! | `found.rs` | what a step has found |
//! | `folder.rs` | where that is kept, and of which machine and program it is |
//! | `whole.rs` | all that was found, and its CSV and JSON |
//! | `plot.rs` | drawings that stand in a page |
//! | `page/` | the page: a file a part |

mod folder;
mod found;
mod page;
mod plot;
mod step;
mod whole;

use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(crate) use folder::{Folder, Origin, Others};
pub(crate) use step::Size;
use step::{Step, Work, not_run, steps};
use whole::Whole;

use crate::measure::Stages;
use crate::results::Stopped;
use lyocell_workloads::Refused;

/// What `--quick` may take for its last experiment to begin, so that all of it ends within five minutes.
const QUICK: Duration = Duration::from_secs(210);

/// The files of a report.
pub(crate) struct Written {
    pub(crate) page: PathBuf,
    /// How many steps were measured now, and how many had been before.
    pub(crate) measured: usize,
    pub(crate) kept: usize,
    /// The experiments for which there was no time.
    pub(crate) left_out: Vec<String>,
}

/// Measures what `folder` lacks, and writes the report into it.
///
/// # Errors
/// An engine cannot be started, an answer is wrong, or a file cannot be read or written.
pub(crate) fn make(folder: &Folder) -> Result<Written, Stopped> {
    let begun = Instant::now();
    let Origin { size, workers, .. } = *folder.origin();
    let steps = steps(size, workers);
    let missing: Vec<&Step> = steps.iter().filter(|step| !folder.has(&step.name)).collect();
    let (kept, mut measured) = (steps.len() - missing.len(), 0);
    let mut left_out = Vec::new();
    let mut stages = Stages::new(missing.iter().map(|step| step.expected));
    for step in missing {
        let is_late = size == Size::Quick && begun.elapsed() > QUICK;
        if is_late && matches!(step.work, Work::Experiment(_)) {
            left_out.push(step.name.clone());
            continue;
        }
        let found = stages.take(&step.name, step.expected, || step.measure(size, workers))?;
        folder.keep(&step.name, &found)?;
        measured += 1;
    }
    drop(stages);
    let mut whole = Whole::new(folder.origin().clone(), left_out.clone());
    for step in &steps {
        // As it was kept, be it of now or of before: so both are written alike.
        if let Some(found) = folder.found(&step.name)? {
            whole.add(found);
        }
    }
    whole.not_run = not_run(size).into_iter().map(str::to_owned).collect();
    let late = left_out.iter().filter_map(|step| step.strip_prefix("paper: "));
    whole.not_run.extend(late.map(str::to_owned));
    let page = folder.write("report.html", &page::page(&whole)?)?;
    folder.write("report.csv", &whole.to_csv())?;
    folder.write("report.json", &whole.to_json())?;
    Ok(Written { page, measured, kept, left_out })
}

impl From<String> for Stopped {
    /// Of a file that is not what it should be.
    fn from(why: String) -> Stopped {
        Stopped::Refused(Refused(why))
    }
}
