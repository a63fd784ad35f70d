//! Medians over seeds, and the bounds beside them.

use super::row::{Answer, Group};
use crate::report::{Screen, Table, count, folded, seconds, three_digits};

/// What columns of both tables are names.
const NAMES: [&str; 4] = ["program", "deque", "wait", "P"];

/// What was simulated, and what theory says, for a terminal or a file.
pub(crate) fn tables(answer: &Answer, screen: Screen) -> String {
    let machine = &answer.machine;
    let head = format!(
        "{} ({} processors), simulated: protocols, no seconds. Medians over seeds.\n\n",
        machine.title, machine.processors
    );
    let counted = counted(answer).terminal(screen);
    let bounded = bounded(answer).terminal(screen);
    [head, counted, folded(COUNTED, screen), bounded, folded(BOUNDED, screen)].concat()
}

/// Below what was counted.
const COUNTED: &str = "
T_S is the work that the tasks declare. Times of searching, idle and processor are of all workers together.

";

/// Below the bounds.
const BOUNDED: &str = "
least: max(T_1/P, T_inf), which nothing beats
greedy: T_1/P + T_inf
stealing: T_1/P + 32 T_inf (Arora, Blumofe and Plaxton)
latency: expected with a line's way over the farthest distance (Gast, Khatiri and Trystram)
dealing: T_1/P + 2.68 delta F (Acar, Charguéraud and Rainey)
Wool's model: C_P + (T_1 + 2 (S_P - (P - 1)) C_2) / P, with the simulated pool's C_2 and C_P
";

fn ns(nanoseconds: f64) -> String {
    seconds(nanoseconds / 1e9)
}

fn names(group: &Group<'_>) -> Vec<String> {
    let row = group.first();
    vec![row.program.clone(), row.deque.clone(), row.wait.clone(), row.workers.to_string()]
}

/// The median of T_P, and how far it spreads over the seeds.
fn took(group: &Group<'_>) -> String {
    let took = group.timing(|row| row.took_ns);
    match group.0.len() {
        1 => ns(took.median),
        _ => format!("{} +-{:.0}%", ns(took.median), 100.0 * took.spread()),
    }
}

/// A group of rows for each program.
fn by_program(answer: &Answer, mut table: Table, row: impl Fn(&Group<'_>) -> Vec<String>) -> Table {
    let groups = answer.groups();
    for program in groups.chunk_by(|a, b| a.first().program == b.first().program) {
        table.push(program.iter().map(&row));
    }
    table
}

fn counted(answer: &Answer) -> Table {
    let mut titles: Vec<String> = NAMES.map(str::to_owned).to_vec();
    titles.extend(["T_P", "T_S/T_P", "T_1/T_P"].map(str::to_owned));
    let events = answer.rows.first().map(|row| &row.events);
    titles.extend(events.into_iter().flatten().map(|(name, _)| name.clone()));
    titles.push("barriers".to_owned());
    titles.extend(answer.machine.distances.iter().map(|name| format!("transfers, {name}")));
    titles.extend(["searching", "idle", "processor"].map(str::to_owned));
    by_program(answer, Table::new(NAMES.len(), &titles), |group| {
        let first = group.first();
        let mut cells = names(group);
        let median = group.median(|row| row.took_ns);
        cells.push(took(group));
        cells.push(three_digits(first.serial_ns / median));
        let alone = answer.alone(first);
        cells.push(alone.map_or_else(|| "-".to_owned(), |alone| three_digits(alone / median)));
        let mut counts = |of: &dyn Fn(&super::row::Row) -> u64| {
            cells.push(count(group.median(|row| of(row) as f64).round() as u64));
        };
        (0..first.events.len()).for_each(|event| counts(&|row| row.events[event].1));
        counts(&|row| row.barriers);
        (0..first.transfers.len()).for_each(|distance| counts(&|row| row.transfers[distance]));
        cells.extend([
            ns(group.median(|row| row.searching_ns)),
            ns(group.median(|row| row.idle_ns)),
            ns(group.median(|row| row.processor_ns)),
        ]);
        cells
    })
}

fn bounded(answer: &Answer) -> Table {
    let titles = "T_P | least | greedy | stealing | latency | dealing | Wool's model".split(" | ");
    let titles: Vec<&str> = NAMES.into_iter().chain(titles).collect();
    by_program(answer, Table::new(NAMES.len(), &titles), |group| {
        let bounds = &group.first().bounds;
        let maybe = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), ns);
        let mut cells = names(group);
        cells.push(took(group));
        cells.extend(
            [bounds.least_ns, bounds.greedy_ns, bounds.stealing_ns, bounds.latency_ns].map(ns),
        );
        cells.extend([
            maybe(bounds.dealing_ns),
            maybe(
                group
                    .first()
                    .wools_model_ns
                    .map(|_| group.median(|row| row.wools_model_ns.unwrap_or(f64::NAN))),
            ),
        ]);
        cells
    })
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{answer, row};
    use super::*;

    #[test]
    fn a_row_is_the_median_of_its_seeds() {
        let runs = [(1, 0, 8000.0), (2, 0, 4000.0), (2, 1, 6000.0), (2, 2, 4400.0)];
        let answer = answer(runs.map(|(p, seed, took)| row("split", p, seed, took)).to_vec());
        let text = tables(&answer, Screen::FILE);
        for word in ["abacus", "4.40 us +-23%", "1.82", "transfers, far", "greedy", "4.00 us"] {
            assert!(text.contains(word), "no {word} in\n{text}");
        }
    }
}
