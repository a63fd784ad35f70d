//! Wool's Table II: what each optimisation of the direct task stack saves on a task that nobody steals.

use crate::experiment::kit::*;

pub(in crate::experiment) static TABLE2: Experiment = Experiment {
    name: "wool-table2",
    paper: &WOOL,
    place: "Table II",
    shows: "the cost of a task that nobody steals, for each optimisation of the direct task stack",
    workers: Workers::Checked(|request| match request.workers.as_deref() {
        None | Some([1]) => Ok(vec![1]),
        Some(_) => Err(Refused("wool-table2 is about one worker: leave --workers out".to_owned())),
    }),
    workloads: Workloads::Named([&["fib:38"], &["fib:42"]]),
    contenders: |_, workers| {
        let names = PUBLISHED.iter().map(|row| row.deque).chain(OTHERS);
        let ours = names.flat_map(|name| {
            lineup(workers, |workers| [Contender::setup(name, Setup::on(name), workers)])
        });
        [Contender::serial()].into_iter().chain(ours).collect()
    },
    tables: &[table],
    notes: &[
        "Overhead: (T_1 - T_S) / tasks, one worker. Cycles are of the clock that is measured between the runs by a chain of \
dependent\nadditions and exclusive ors, one cycle each; the paper's seconds are for its own size. Its compiler, gcc, inlines this recursion \
into\nitself, ours does not, so the call that a task is compared with is dearer here.",
    ],
    facts: &[("program", "fib(42)"), ("overheads of less than", "10 cycles")],
    finding,
    ..Experiment::USUAL
};

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

/// The overhead for a task of `job`, in nanoseconds.
fn overhead_ns(results: &Results, job: &str, contender: &str) -> Option<f64> {
    let seconds = |contender| results.seconds(Key { job, contender, workers: 1 });
    let overhead = seconds(contender)? - seconds(SERIAL)?;
    let tasks = results.tasks(job);
    (tasks > 0).then(|| overhead * 1e9 / tasks as f64)
}

fn overhead_cycles(results: &Results, job: &str, contender: &str) -> Option<f64> {
    Some(overhead_ns(results, job, contender)? * results.gigahertz()?.median)
}

fn table(results: &Results) -> Table {
    let titles =
        "workload | version | deque | T_1 | ns/task | cycles/task | paper: T_1 | cycles/task";
    let paper = |seconds: f64, cycles: u32| [format!("{seconds} s"), cycles.to_string()];
    let published = PUBLISHED
        .iter()
        .map(|row| (row.version, row.deque, paper(row.seconds, row.overhead_cycles)));
    let others = OTHERS.map(|deque| ("(not in the paper)", deque, [GAP, GAP].map(str::to_owned)));
    let serial = ("Serial", SERIAL, paper(SERIAL_SECONDS, 0));
    let rows: Vec<_> = published.chain(others).chain([serial]).collect();
    let clock = ["", "(the clock)", "", &results.clock()].map(str::to_owned).to_vec();
    let clock = [clock, vec![GAP.to_owned(); 4]].concat();
    let mut table =
        Table::titled(3, titles).filled(&results.jobs(), &rows, |job, (version, deque, paper)| {
            let names = [job, *version, *deque].map(str::to_owned);
            let values = [
                time(results.time(Key { job, contender: deque, workers: 1 })),
                number(overhead_ns(results, job, deque)),
                number(overhead_cycles(results, job, deque)),
            ];
            [&names[..], &values[..], &paper[..]].concat()
        });
    table.push([clock]);
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
    let all_private = overhead(results, job, PUBLISHED[4].deque);
    let parts = [
        Part::at_least("what a task costs before an optimisation over that after it", steps, 1.0),
        Part::at_most("cycles of a private task over a call", one(all_private), FEW_CYCLES),
    ];
    Finding::of(
        "each optimisation makes tasks cheaper, and a private task costs less than ten cycles over a call,",
        &parts,
        None,
    )
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
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    /// Runs with these overheads, in nanoseconds: half as many as cycles. A run has a million tasks.
    fn results(overheads: [f64; 5]) -> Results {
        let mut runs = vec![run("fib:30", SERIAL, 1, 0.010)];
        for (row, overhead) in PUBLISHED.iter().zip(overheads) {
            runs.push(run("fib:30", row.deque, 1, 0.010 + overhead * 1e-3));
        }
        often(runs)
    }

    #[test]
    fn the_finding_holds_where_each_step_is_cheaper() {
        let finding = finding(&results([38.5, 14.5, 9.5, 9.5, 1.5]));
        assert_eq!(finding.verdict, Verdict::Holds);
        for words in ["over a call 3.00", "1.53 (1.53 to 1.53) on Synchronize"] {
            assert!(finding.evidence().contains(words), "{}", finding.evidence());
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
            let round = results.0.into_iter().filter(|run| run.rep == 1);
            round.map(move |run| ExperimentRecord { rep, ..run })
        });
        let finding = finding(&Results(rounds.collect()));
        assert_eq!(finding.verdict, Verdict::Open);
        assert!(finding.evidence().contains("call 3.00 (none: 2 of "), "{}", finding.evidence());
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
