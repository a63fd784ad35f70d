//! Wool's Table II: what each optimisation of the direct task stack saves on a task that nobody steals.

use lyocell_workloads::{Fib, Instance};

use crate::experiment::paper::{Paper, WOOL};
use crate::experiment::plan::lineup;
use crate::experiment::record::{Key, Results, Round};
use crate::experiment::report::{Finding, GAP, Report, Table, cell, number, time};
use crate::experiment::verdict::{Measured, Part, one};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::Contender;
use lyocell_engines::SERIAL;
use lyocell_engines::runtime::Setup;
use lyocell_workloads::Refused;

pub(in crate::experiment) struct WoolTable2;

/// A row of the table; the seconds are of fib(42).
struct Published {
    /// Ours.
    deque: &'static str,
    version: &'static str,
    seconds: f64,
    /// (T_1 - T_S) / N_T.
    overhead_cycles: u32,
}

const PUBLISHED: [Published; 5] = [
    published("direct-locked", "Base", 18.9, 77),
    published("direct-task", "Synchronize on task", 7.8, 29),
    published("direct-task-join", "Task specific join", 5.9, 19),
    published("direct-none-private", "Private tasks (no private)", 6.0, 19),
    published("direct-all-private", "Private tasks (all private)", 3.0, 3),
];

const SERIAL_SECONDS: f64 = 2.4;

const fn published(
    deque: &'static str,
    version: &'static str,
    seconds: f64,
    overhead_cycles: u32,
) -> Published {
    Published { deque, version, seconds, overhead_cycles }
}

/// Ours beyond the paper's: Wool as it runs, and the default of this runtime.
const OTHERS: [&str; 2] = ["direct", "split"];

/// The paper's conclusion: "overheads of less than ten cycles".
const FEW_CYCLES: f64 = 10.0;

impl Experiment for WoolTable2 {
    fn name(&self) -> &'static str {
        "wool-table2"
    }

    fn paper(&self) -> &'static Paper {
        &WOOL
    }

    fn place(&self) -> &'static str {
        "Table II"
    }

    fn shows(&self) -> &'static str {
        "the cost of a task that nobody steals, for each optimisation of the direct task stack"
    }

    fn workers(&self, request: &Request) -> Result<Vec<usize>, Refused> {
        match request.workers.as_deref() {
            None | Some([1]) => Ok(vec![1]),
            Some(_) => {
                Err(Refused("wool-table2 is about one worker: leave --workers out".to_owned()))
            }
        }
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        Ok(asked_or(request, vec![Fib::new(38).into()], vec![Fib::new(42).into()]))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let names = PUBLISHED.iter().map(|row| row.deque).chain(OTHERS);
        let ours = names.flat_map(|name| {
            let setup = Setup::on(name);
            lineup(workers, |workers| [Contender::setup(name, setup, workers)])
        });
        [Contender::serial()].into_iter().chain(ours).collect()
    }

    fn report(&self, results: &Results) -> Report {
        let clock = cell(results.gigahertz(), |clock| {
            format!("{:.2} GHz +-{:.0}%", clock.median, clock.spread() * 100.0)
        });
        let note = format!(
            "Overhead: (T_1 - T_S) / tasks, one worker. Cycles are of the clock measured between the runs, {clock}: by a \
             chain of dependent\nadditions and exclusive ors, one cycle each. The paper's seconds are for fib(42); its compiler, gcc, inlines this \
             recursion into\nitself, ours does not, so the call that a task is compared with is dearer here."
        );
        Report { tables: vec![table(results)], notes: vec![note], finding: finding(results) }
    }
}

fn seconds(results: &Results, job: &str, contender: &str) -> Option<f64> {
    Some(results.time(Key { job, contender, workers: 1 })?.median)
}

/// The overhead for a task of `job`, in nanoseconds.
fn overhead_ns(results: &Results, job: &str, contender: &str) -> Option<f64> {
    let overhead = seconds(results, job, contender)? - seconds(results, job, SERIAL)?;
    let tasks = results.tasks(job);
    (tasks > 0).then(|| overhead * 1e9 / tasks as f64)
}

fn overhead_cycles(results: &Results, job: &str, contender: &str) -> Option<f64> {
    Some(overhead_ns(results, job, contender)? * results.gigahertz()?.median)
}

fn table(results: &Results) -> Table {
    let header = [
        "workload",
        "version",
        "deque",
        "T_1",
        "ns/task",
        "cycles/task",
        "paper: T_1",
        "cycles/task",
    ];
    let mut table = Table::new(3, &header);
    for job in results.jobs() {
        let ours = |version: &str, deque: &str| {
            let key = Key { job: &job, contender: deque, workers: 1 };
            vec![
                job.clone(),
                version.to_owned(),
                deque.to_owned(),
                time(results.time(key)),
                number(overhead_ns(results, &job, deque)),
                number(overhead_cycles(results, &job, deque)),
            ]
        };
        let paper = |seconds: f64, cycles: u32| vec![format!("{seconds} s"), cycles.to_string()];
        let mut rows: Vec<Vec<String>> = Vec::new();
        for row in &PUBLISHED {
            rows.push(
                [ours(row.version, row.deque), paper(row.seconds, row.overhead_cycles)].concat(),
            );
        }
        for deque in OTHERS {
            rows.push([ours("(not in the paper)", deque), vec![GAP.to_owned(); 2]].concat());
        }
        rows.push([ours("Serial", SERIAL), paper(SERIAL_SECONDS, 0)].concat());
        table.groups.push(rows);
    }
    table
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let job = jobs.first().map(String::as_str).unwrap_or_default();
    // Each optimisation beside what it is made to; the private tasks beside both that have none.
    let steps = [(0, 1), (1, 2), (2, 4), (3, 4)].map(|(from, to): (usize, usize)| {
        let (from, to) = (&PUBLISHED[from], &PUBLISHED[to]);
        let saved = results.each_round(|round| {
            let cost = |row: &Published| round_overhead(round, results, job, row.deque);
            // A cost that is lost in the noise is no more than nothing.
            Some(cost(from)? / cost(to)?.max(LITTLE))
        });
        saved.map(|saved| (format!("{} to {}", from.version, to.version), saved))
    });
    let steps = if steps.iter().all(Option::is_some) {
        steps.into_iter().flatten().collect()
    } else {
        Vec::new()
    };
    let costs: Vec<String> =
        PUBLISHED.iter().map(|row| number(overhead_cycles(results, job, row.deque))).collect();
    let all_private = overhead(results, job, PUBLISHED[4].deque);
    let parts = [
        Part::at_least("the least that an optimisation saves, as a ratio,", &steps, 1.0),
        Part::at_most(
            "a private task costs, in cycles over a call,",
            &one(all_private),
            FEW_CYCLES,
        ),
    ];
    let finding = Finding::of(
        "each optimisation makes tasks cheaper, and a private task costs less than ten cycles over a call,",
        &parts,
        None,
    );
    let evidence = format!(
        "in cycles {} (the paper: 77, 29, 19, 19, 3); {}",
        costs.join(", "),
        finding.evidence
    );
    Finding { evidence, ..finding }
}

/// In cycles. Untuned: below what a difference of two times can tell.
const LITTLE: f64 = 0.1;

/// The overhead for a task in one round, in cycles.
fn round_overhead(round: &Round<'_>, results: &Results, job: &str, contender: &str) -> Option<f64> {
    let key = |contender| Key { job, contender, workers: 1 };
    let overhead = round.seconds(key(contender))? - round.seconds(key(SERIAL))?;
    let tasks = Some(results.tasks(job)).filter(|&tasks| tasks > 0)?;
    Some(overhead * round.run(key(contender))?.gigahertz * 1e9 / tasks as f64)
}

fn overhead(results: &Results, job: &str, contender: &str) -> Option<Measured> {
    results.each_round(|round| round_overhead(round, results, job, contender))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::ExperimentRecord;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    /// Runs with these overheads, in nanoseconds: half as many as cycles. A run has a million tasks.
    fn results(overheads: [f64; 5]) -> Results {
        let mut runs = vec![run("fib:30", SERIAL, 1, 0.010)];
        for (row, overhead) in PUBLISHED.iter().zip(overheads) {
            runs.push(run("fib:30", row.deque, 1, 0.010 + overhead * 1e-3));
        }
        twice(runs)
    }

    #[test]
    fn the_finding_holds_where_each_step_is_cheaper() {
        let finding = finding(&results([38.5, 14.5, 9.5, 9.5, 1.5]));
        assert_eq!(finding.verdict, Verdict::Holds);
        for words in
            ["in cycles 77.0, 29.0, 19.0, 19.0, 3.00", "1.53 (1.53 to 1.53) on Synchronize"]
        {
            assert!(finding.evidence.contains(words), "{}", finding.evidence);
        }
    }

    #[test]
    fn the_finding_fails_where_a_step_saves_nothing_and_private_tasks_are_dear() {
        assert_eq!(finding(&results([14.5, 38.5, 9.5, 9.5, 8.5])).verdict, Verdict::Fails);
        assert_eq!(finding(&results([14.5, 38.5, 9.5, 9.5, 1.5])).verdict, Verdict::Partly);
        assert_eq!(finding(&results([38.5, 14.5, 9.5, 9.5, 8.5])).verdict, Verdict::Partly);
    }

    #[test]
    fn without_the_serial_program_the_finding_is_open() {
        assert_eq!(finding(&Results(vec![run("fib:30", "direct", 1, 1.0)])).verdict, Verdict::Open);
    }

    #[test]
    fn a_step_within_the_noise_leaves_the_finding_open() {
        let rounds = [[38.5, 14.5, 9.5, 9.5, 1.5], [38.5, 9.5, 14.5, 14.5, 1.5]].map(results);
        let rounds = rounds.into_iter().enumerate().flat_map(|(rep, results)| {
            results.0.into_iter().map(move |run| ExperimentRecord { rep, ..run })
        });
        let finding = finding(&Results(rounds.collect()));
        assert_eq!(finding.verdict, Verdict::Open);
        assert!(finding.evidence.contains("within the noise"), "{}", finding.evidence);
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let table = table(&results([38.5, 14.5, 9.5, 9.5, 1.5]));
        let row = &table.groups[0][0];
        assert_eq!(row[1..3], ["Base", "direct-locked"]);
        assert_eq!(row[4..], ["38.5", "77.0", "18.9 s", "77"]);
        assert_eq!(table.groups[0].last().unwrap()[6..], ["2.4 s", "0"]);
    }
}
