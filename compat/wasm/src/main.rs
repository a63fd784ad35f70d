//! Runs the programs that it is given the names of, each followed by its answer, and counts those with another one.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let failures = arguments.chunks(2).filter(|expected| !holds(expected)).count();
    ExitCode::from(u8::try_from(failures).unwrap_or(u8::MAX))
}

fn holds(expected: &[String]) -> bool {
    let [name, answer] = expected else { return false };
    let given = lyocell_wasm::answer_of(name);
    let holds = given.is_some_and(|given| given.to_string() == *answer);
    if !holds {
        eprintln!("{name}: {given:?} in place of {answer}");
    }
    holds
}
