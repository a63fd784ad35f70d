//! `lyocell latency`.
use super::CliError;
#[derive(clap::Args)]
pub(super) struct LatencyArguments {}
pub(super) fn latency(_arguments: LatencyArguments) -> Result<(), CliError> {
    Ok(())
}
