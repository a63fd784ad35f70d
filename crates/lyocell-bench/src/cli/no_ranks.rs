//! `lyocell run --ranks` of a program that was built without MPI: refused, with how it is built.

use super::run::RunArguments;
use lyocell_workloads::Refused;

/// Refuses.
pub(super) fn run(_: &RunArguments) -> Result<(), super::CliError> {
    let message = "--ranks needs MPI, and this program was built without: cargo build --release -p lyocell-bench --features mpi";
    Err(Refused(message.to_owned()).into())
}
