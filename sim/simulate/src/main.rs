//! `lyocell-simulate`: what `lyocell simulate` starts.

use clap::{Parser, ValueEnum};
use lyocell_simulate::{check, machines, pools, programs::Program, row};
use lyocell_virtual::{Memory, Options, Placement};
use std::process::ExitCode;

/// Programs on the runtime over virtual processors: deterministic, by a machine file. It shows protocols, and promises no seconds.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// What to run: fib:N, tree:LEVELS:NS, uts:DEPTH
    #[arg(value_name = "PROGRAM")]
    programs: Vec<String>,

    /// The machine: a name, or a file that ends in .toml
    #[arg(long, value_name = "MACHINE", default_value = "opteron-48")]
    machine: String,

    /// The numbers of workers
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4,8",
          value_parser = clap::value_parser!(u64).range(1..=1023))]
    workers: Vec<u64>,

    /// The deques
    #[arg(long, value_name = "DEQUE", value_delimiter = ',', default_value = "split")]
    deque: Vec<String>,

    /// So many seeds, from 0 on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,

    /// What memory the machine has
    #[arg(long, value_enum, default_value = "sequential")]
    memory: Model,

    /// Take one processor of each part of the machine in turn, and not neighbours
    #[arg(long)]
    spread: bool,

    /// How rows are written
    #[arg(long, value_enum, default_value = "table")]
    format: Format,

    /// Check the runtime on every deque under faults, with so many seeds
    #[arg(long, conflicts_with_all = ["programs", "deque", "workers"])]
    check: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    Sequential,
    Tso,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Csv,
}

fn main() -> ExitCode {
    match simulate(&Arguments::parse()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn simulate(arguments: &Arguments) -> Result<String, String> {
    let machine = machines::machine(&arguments.machine)?;
    let memory = match arguments.memory {
        Model::Sequential => Memory::Sequential,
        Model::Tso => Memory::Tso,
    };
    if arguments.check {
        let runs = check::check(&machine, memory, 0..arguments.seeds)?;
        return Ok(format!("{runs} runs, nothing found\n"));
    }
    if arguments.programs.is_empty() {
        return Err("name a program, such as fib:25, or say --check".to_owned());
    }
    let mut rows = Vec::new();
    for words in &arguments.programs {
        let program = Program::parse(words)?;
        let known = program.known();
        for name in &arguments.deque {
            let deque = pools::deque(name)?;
            for seed in 0..arguments.seeds {
                let mut one = None;
                for &workers in &arguments.workers {
                    let mut options = Options::new(machine.clone());
                    (options.seed, options.memory) = (seed, memory);
                    options.placement =
                        if arguments.spread { Placement::Spread } else { Placement::Compact };
                    let mut row =
                        row::measure(&options, (words, program, known), deque, workers as usize)?;
                    one = if workers == 1 { Some(row.took_ns) } else { one };
                    row.speedup = one.map(|one| one / row.took_ns);
                    rows.push(row);
                }
            }
        }
    }
    let distances: Vec<String> =
        machine.distance.iter().map(|distance| distance.name.clone()).collect();
    Ok(match arguments.format {
        Format::Table => row::table(&rows, &distances),
        Format::Csv => row::csv(&rows, &distances),
    })
}
