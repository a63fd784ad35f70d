//! `lyocell list`.

use std::fmt::Write;

use lyocell::Wait;
use lyocell_workloads::WORKLOADS;

use super::output::print;
use super::{CliError, experiment, queues, results};
use crate::report::{Screen, folded};
use lyocell_engines::runtime::deques::{DEQUES, DequeEntry};
use lyocell_engines::runtime::{Choice, Value};
use lyocell_engines::{BUILD, ENGINES, Engine, MAX_WORKERS, RIVALS};
use lyocell_workloads::enumerate;

/// Shows the registry.
pub(super) fn list() -> Result<(), CliError> {
    let mut text = String::from("Workloads (`lyocell run WORKLOAD[:PARAM]`):\n");
    for workload in WORKLOADS {
        let (name, parameters) = (workload.name, (workload.parameters)());
        let default = workload.default_parameter;
        let _ = writeln!(text, "  {name:<8} {}", workload.summary);
        let _ = writeln!(text, "  {:8} {parameters}; {default} if not given", "");
        let _ = writeln!(text, "  {:8} from: {}", "", workload.source);
    }
    let _ = writeln!(text, "\nEngines (`--engine`), with 1 to {MAX_WORKERS} workers:");
    text += &engines(&ENGINES);
    let _ = writeln!(
        text,
        "\nRivals, engines with a program of their own, run when named (`{BUILD}` builds them):"
    );
    text += &engines(&RIVALS);
    text += &deques();
    let _ = writeln!(text, "\nWaiting for a stolen task (`--wait`):");
    for &wait in Wait::ALL {
        let _ = writeln!(text, "  {:<19} {}", wait.name(), waiting(wait));
    }
    let _ = write!(text, "\n{}\n{}", queues::listing(), experiment::listing());
    let _ = write!(text, "\n{}", results::listing());
    print(&folded(&text, Screen::of_stdout()))
}

/// What each is, or why it is not here.
fn engines(engines: &[&dyn Engine]) -> String {
    let line = |engine: &&dyn Engine| match engine.absence() {
        None => format!("  {:<12} {}\n", engine.name(), engine.summary()),
        Some(reason) => format!("  {:<12} not available: {reason}\n", engine.name()),
    };
    engines.iter().map(line).collect()
}

/// What the runtime can run on.
fn deques() -> String {
    let mut text = String::from("\nDeques of lyocell (`--deque`, or `--deque all`):\n");
    for deque in &DEQUES {
        let _ = match deque.absence() {
            None => writeln!(text, "  {:<19} {}", deque.name, deque.summary),
            Some(reason) => writeln!(text, "  {:<19} not available: {reason}", deque.name),
        };
        let mut lines = vec![format!("from: {}", deque.source), deque.guarantee.to_owned()];
        lines.extend(options(deque));
        if !deque.aliases.is_empty() {
            lines.push(format!("also called {}", enumerate(deque.aliases)));
        }
        for line in lines {
            let _ = writeln!(text, "  {:19} {line}", "");
        }
    }
    text
}

/// The options that it takes beyond those of every deque, with what it has by default.
fn options(deque: &DequeEntry) -> Option<String> {
    let option = |(choice, default): &(Choice, Value)| {
        let option = choice;
        let values =
            if option.values.is_empty() { String::new() } else { format!(" {}", option.values) };
        match default {
            Value::Off => format!("--{}{values}", option.name),
            default => format!("--{}{values} ({default} if not given)", option.name),
        }
    };
    let options: Vec<String> = deque.own_options().iter().map(option).collect();
    (!options.is_empty()).then(|| format!("options: {}", options.join(", ")))
}

fn waiting(wait: Wait) -> &'static str {
    match wait {
        Wait::Leap => "steal from the thief only (Wagner and Calder 1993)",
        Wait::Transitive => "from the thief, then from whom it waits for, and so on (Faxén 2010)",
        Wait::LeapRandom => {
            "from the thief, then from anybody (van Dijk and van de Pol 2014); the default"
        }
        Wait::Random => "from anybody",
        Wait::None => "from nobody: just wait",
        _ => "",
    }
}
