//! `lyocell` alone: the headline table.

use super::output::print;
use super::run::{default_workers, measure_all, table};
use super::{CliError, select};
use crate::engine::Setup;
use crate::machine::Machine;
use crate::measure::Job;
use crate::report::Emphasis;

/// Every kind of workload, with one geometric and one binomial tree, large enough to time and small
/// enough that all engines together stay under two minutes on two cores.
const WORKLOADS: [&str; 5] = ["fib:40", "queens:12", "uts:T2", "uts:T3", "matmul:1024"];

const REPS: usize = 5;

/// Measures and prints.
pub(super) fn headline() -> Result<(), CliError> {
    let jobs = WORKLOADS.iter().map(|word| select::job(word)).collect::<Result<Vec<Job>, _>>()?;
    let engines = select::engines(&[], &[Setup::DEFAULT])?;
    let contenders = select::contenders(&jobs, &engines, &default_workers(), &[])?;
    print(&format!("{}\n", Machine::this()))?;
    let groups = measure_all(jobs, &contenders, REPS)?;
    print(&table(&groups, Emphasis::of_stdout()))
}
