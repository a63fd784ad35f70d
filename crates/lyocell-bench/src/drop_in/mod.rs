//! Programs on rayon, beside the same programs with Lyocell under rayon's interface: `compat/beside`, built twice. Some are
//! small; others, the published, are around libraries that other people wrote.
//!
//! Each run is a process of its own, which checks its answer and prints its time, its processor time and its memory. A run of the one and a run of the other
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
    // What follows is not in files from before it was measured, and 0 there.
    #[serde(default)]
    pub(crate) rayon_processor_ns: u64,
    #[serde(default)]
    pub(crate) lyocell_processor_ns: u64,
    /// Resident at the end.
    #[serde(default)]
    pub(crate) rayon_kb: u64,
    #[serde(default)]
    pub(crate) lyocell_kb: u64,
}

/// Runs each program in so many pairs, with each of these numbers of threads. What it took is passed on before the next one runs: a table takes
/// many minutes, and may be cut short.
///
/// # Errors
/// A program fails, says something else than a time, or has a wrong answer. Or what it is passed on to fails.
pub(crate) fn compare<E: From<io::Error>>(
    builds: &Builds,
    programs: &[String],
    workers: &[usize],
    pairs: usize,
    mut take: impl FnMut(Vec<Pair>) -> Result<(), E>,
) -> Result<(), E> {
    let progress = Progress::new(programs.len() * workers.len() * pairs);
    let each = programs.iter().flat_map(|program| workers.iter().map(move |n| (program, *n)));
    for (program, workers) in each {
        let pairs = (0..pairs).map(|pair| {
            progress.announce(program.clone());
            let measured = run_pair(builds, program, workers, pair);
            progress.advance();
            measured
        });
        take(pairs.collect::<io::Result<_>>()?)?;
    }
    Ok(())
}

fn run_pair(builds: &Builds, program: &str, workers: usize, pair: usize) -> io::Result<Pair> {
    let rayon = || builds.plain.run(program, workers);
    let lyocell = || builds.patched.run(program, workers);
    let (rayon, lyocell) = if pair % 2 == 0 {
        let first = rayon()?;
        (first, lyocell()?)
    } else {
        let first = lyocell()?;
        (rayon()?, first)
    };
    Ok(Pair {
        program: program.to_owned(),
        workers,
        pair,
        rayon_ns: rayon.ns,
        lyocell_ns: lyocell.ns,
        rayon_processor_ns: rayon.processor_ns,
        lyocell_processor_ns: lyocell.processor_ns,
        rayon_kb: rayon.kb,
        lyocell_kb: lyocell.kb,
    })
}
