//! JSON: the machine, and the results as given.

use serde::Serialize;

use crate::machine::Machine;

#[derive(Serialize)]
struct Report<'a, R> {
    machine: Machine,
    results: &'a [R],
}

/// An object with `machine` and `results`.
pub(crate) fn json<R: Serialize>(results: &[R]) -> String {
    let report = Report { machine: Machine::this(), results };
    let text = serde_json::to_string_pretty(&report).expect("a report has text keys only");
    text + "\n"
}
