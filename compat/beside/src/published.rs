//! Programs around published libraries that use rayon, one library a file of `libraries/`, each with an answer that is checked:
//! in `published/plain/` as rayon is, in `published/patched/` on Lyocell. `lyocell drop-in --published` runs them.

mod libraries;
mod run;

use std::process::ExitCode;

use run::{Program, numbers, timed};

fn main() -> ExitCode {
    run::command_line(libraries::PROGRAMS)
}
