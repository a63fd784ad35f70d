//! Programs on rayon, beside the same programs with Lyocell under rayon's interface: `compat/beside`, built twice. Some are
//! small; others, the published, are around libraries that other people wrote.
//!
//! Each run is a process of its own, which checks its answer and prints a time. A run of the one and a run of the other
//! make a pair, in either order by turns; what is reported is the median of the pairs' ratios.

mod builds;
#[cfg(test)]
mod kept;
mod ratio;

pub(crate) use builds::{Builds, Programs};
pub(crate) use ratio::{Ratio, geometric_mean};

use std::io;

use serde::{Deserialize, Serialize};

use crate::measure::Progress;
use crate::results::KeptFile;

/// Pairs that were kept in a file.
pub(crate) type KeptPairs = KeptFile<Pair>;

/// A run of each build, one after the other.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Pair {
    pub(crate) program: String,
    pub(crate) workers: usize,
    pub(crate) pair: usize,
    pub(crate) rayon_ns: u64,
    pub(crate) lyocell_ns: u64,
}

/// Runs each program in so many pairs.
///
/// # Errors
/// A program fails, says something else than a time, or has a wrong answer.
pub(crate) fn compare(
    builds: &Builds,
    programs: &[String],
    workers: usize,
    pairs: usize,
) -> io::Result<Vec<Pair>> {
    let progress = Progress::new(programs.len() * pairs);
    let mut all = Vec::new();
    for program in programs {
        for pair in 0..pairs {
            progress.announce(program.clone());
            let rayon = || builds.plain.run(program, workers);
            let lyocell = || builds.patched.run(program, workers);
            let (rayon_ns, lyocell_ns) = if pair % 2 == 0 {
                let first = rayon()?;
                (first, lyocell()?)
            } else {
                let first = lyocell()?;
                (rayon()?, first)
            };
            let program = program.clone();
            all.push(Pair { program, workers, pair, rayon_ns, lyocell_ns });
            progress.advance();
        }
    }
    Ok(all)
}
