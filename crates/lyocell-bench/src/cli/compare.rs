//! `lyocell compare`.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::output::print;
use crate::compare::{Change, compare, read, table};
use crate::report::Screen;
use lyocell_workloads::Refused;

#[derive(Args)]
pub(super) struct CompareArguments {
    /// The results to compare with: JSON of `lyocell run` or `lyocell report`
    #[arg(value_name = "OLD.json")]
    old: PathBuf,

    /// The results that are compared
    #[arg(value_name = "NEW.json")]
    new: PathBuf,

    /// By how much something may be slower, in percent of the old time
    ///
    /// The exit code is 1 if anything is slower by more, with the whole of its interval.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, value_parser = percent, allow_negative_numbers = true)]
    threshold: f64,
}

fn percent(word: &str) -> Result<f64, String> {
    let number = word.trim_end_matches('%').parse().ok();
    number
        .filter(|number| (0.0..=1000.0).contains(number))
        .ok_or_else(|| "a threshold is 0 to 1000 percent".to_owned())
}

/// Compares two files of results.
pub(super) fn compare_files(arguments: CompareArguments) -> Result<(), CliError> {
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    let compared = compare(&old, &new, arguments.threshold / 100.0);
    if compared.is_empty() {
        let message = "the two have no workload on the same engine and number of workers in common";
        return Err(Refused(message.to_owned()).into());
    }
    print(&table(&compared, Screen::of_stdout()))?;
    let slower = compared.iter().filter(|line| line.change == Change::PastThreshold).count();
    match slower {
        0 => Ok(()),
        slower => {
            let of = compared.len();
            let threshold = arguments.threshold;
            Err(CliError::Disagreement(format!(
                "{slower} of {of} are slower by more than {threshold} %"
            )))
        }
    }
}
