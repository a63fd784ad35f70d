//! `lyocell list`.

use std::fmt::Write;

use super::output::print;
use super::{CliError, experiment, queues};
use crate::engine::{ENGINES, MAX_WORKERS};
use crate::workload::WORKLOADS;

/// Shows the registry.
pub(super) fn list() -> Result<(), CliError> {
    let mut text = String::from("Workloads (`lyocell run WORKLOAD[:PARAM]`):\n");
    for workload in WORKLOADS {
        let (name, parameters) = (workload.name(), workload.parameters());
        let default = workload.default_parameter();
        let _ = writeln!(text, "  {name:<8} {}", workload.summary());
        let _ = writeln!(text, "  {:8} {parameters}; {default} if not given", "");
        let _ = writeln!(text, "  {:8} from: {}", "", workload.source());
    }
    let _ = writeln!(text, "\nEngines (`--engine`), with 1 to {MAX_WORKERS} workers:");
    for engine in ENGINES {
        let _ = match engine.absence() {
            None => writeln!(text, "  {:<8} {}", engine.name(), engine.summary()),
            Some(reason) => writeln!(text, "  {:<8} not available: {reason}", engine.name()),
        };
    }
    let _ = write!(text, "\n{}\n{}", queues::listing(), experiment::listing());
    print(&text)
}
