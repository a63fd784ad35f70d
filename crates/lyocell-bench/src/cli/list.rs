//! `lyocell list`.

use std::fmt::Write;

use clap::Args;
use lyocell::Wait;
use lyocell_sync::affinity;
use lyocell_workloads::WORKLOADS;

use super::output::print;
use super::{CliError, experiment, queues, results};
use crate::machine::Machine;
use crate::report::{Screen, folded};
use lyocell_engines::runtime::deques::{DEQUES, DequeEntry};
use lyocell_engines::runtime::{Choice, Value};
use lyocell_engines::{BUILD, ENGINES, Engine, MAX_WORKERS, RIVALS, parallelism};
use lyocell_workloads::enumerate;

#[derive(Args)]
pub(super) struct ListArguments {
    /// Show this machine in their place, as a pool finds it: its processors, the nodes of its memory
    #[arg(long)]
    machine: bool,
}

/// Shows the registry, or the machine.
pub(super) fn list(arguments: &ListArguments) -> Result<(), CliError> {
    match arguments.machine {
        true => print(&machine(&affinity::nodes())),
        false => registry(),
    }
}

/// This machine, with these nodes.
fn machine(nodes: &[Vec<usize>]) -> String {
    let mut text = format!("{}\n", Machine::this());
    let count = parallelism();
    let _ = writeln!(
        text,
        "a pool has {count} workers by default, one for each processor that this process may use"
    );
    if nodes.is_empty() {
        let _ = writeln!(text, "the system does not tell which processors are near which memory");
    }
    for (node, processors) in nodes.iter().enumerate() {
        let _ = writeln!(text, "node {node} of the memory: processors {}", ranges(processors));
    }
    match nodes.len() {
        0 | 1 => text += "`--pinning node` changes nothing here\n",
        _ => text += "`--pinning node` keeps each worker on the processors of one node\n",
    }
    text
}

/// Processors as `0-3, 8`.
fn ranges(processors: &[usize]) -> String {
    let beside = |pair: &usize, next: &usize| pair + 1 == *next;
    let range = |range: &[usize]| match range {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    processors.chunk_by(beside).map(range).collect::<Vec<_>>().join(", ")
}

fn registry() -> Result<(), CliError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_beside_each_other_are_one_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 8, 9]), "0-2, 5, 8-9");
    }

    #[test]
    fn a_machine_is_told_of_with_its_nodes_and_what_they_are_good_for() {
        let text = machine(&[vec![0, 1], vec![2, 3]]);
        assert!(text.contains("node 1 of the memory: processors 2-3\n"), "{text}");
        assert!(text.contains("keeps each worker"), "{text}");
        assert!(machine(&[vec![0]]).contains("changes nothing here"));
        assert!(machine(&[]).contains("does not tell"));
    }
}
