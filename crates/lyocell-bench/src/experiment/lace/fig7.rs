//! Lace's Figure 7: steals, leaps, grows and shrinks of the split deque.

use super::{EXPOSING, PAPERS, benchmark};
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG7: Experiment = Experiment {
    name: "lace-fig7",
    place: "Figure 7",
    shows: "steals, leaps, grows and shrinks of the split deque",
    reps: 7,
    workloads: Workloads::Named([
        &["fib:42", "uts:T2L", "uts:T3L", "queens:14", "matmul:2048"],
        PAPERS,
    ]),
    contenders: |_, workers| {
        lineup(workers, |count| {
            [
                Contender::counted(DEQUE, as_published(DEQUE), count),
                Contender::counted(EXPOSING, leaping(DEQUE), count),
            ]
        })
    },
    tables: &[table],
    notes: &[
        "Medians of a run's sums over all workers; a shrink costs the owner a compare-and-swap here, a memory fence in the paper.\nOf our \
grows, those after a stolen task come with the next push, before anybody asks, and are counted apart: the paper's all answer a thief.\nOn \
split exposing, which is ours, a thief that takes from an owner in a long leaf moves the split point too; that is no grow of the owner.\n\
Waiting workers leapfrog only and nobody sleeps, as in the paper; the paper's columns are averages for its own sizes of the benchmarks. \
/stolen:\nshrinks over steals and leaps.",
    ],
    finding,
    ..Experiment::USUAL
};

const DEQUE: &str = "split";

/// A row of the figure.
struct Published {
    benchmark: &'static str,
    tasks: u64,
    /// Steals, leaps, grows, shrinks.
    counts: [u64; 4],
}

const PUBLISHED: [Published; 5] = [
    published("fib 50", 20_365_011_073, [865, 50_569, 70_789, 97_750]),
    published("uts T2L", 96_793_509, [4_554, 82_440, 72_222, 57_701]),
    published("uts T3L", 111_345_630, [158_566, 4_443_432, 2_173_006, 846_509]),
    published("queens 15", 171_129_071, [1_964, 6_053, 5_694, 6_618]),
    published("matmul 4096", 3_595_117, [2_492, 12_456, 13_081, 9_911]),
];

const fn published(benchmark: &'static str, tasks: u64, counts: [u64; 4]) -> Published {
    Published { benchmark, tasks, counts }
}

/// The paper's most shrinks, and so fences, for each task that was stolen: fib, 97,750 for 865 steals and 50,569 leaps.
/// However many workers there are, this is what stealing a task costs the owner beyond the task.
const MOST_SHRINKS: f64 = 97_750.0 / (865.0 + 50_569.0);

/// What is counted, in the order of the figure; then the grows that come first after a stolen task.
const COUNTED: [fn(&ExperimentRecord) -> Option<usize>; 5] = [
    |record| record.steals,
    |record| record.leaps,
    |record| record.grows,
    |record| record.shrinks,
    |record| record.reshares,
];

const STEALS: usize = 0;

const LEAPS: usize = 1;

const GROWS: usize = 2;

const SHRINKS: usize = 3;

const RESHARES: usize = 4;

/// Of a run with fewer it says nothing how many shrinks there are for each.
const FEWEST_MOVED: usize = 10;

/// The medians of what is counted.
fn counts(results: &Results, job: &str, who: &str, workers: usize) -> [Option<f64>; 5] {
    let label = watched_label(who);
    let key = Key { job, contender: &label, workers };
    COUNTED.map(|counted| results.count(key, counted))
}

fn workers(results: &Results) -> Vec<usize> {
    results.workers_beside("")
}

/// Shrinks for each task that was stolen.
fn for_each_stolen(counts: &[Option<f64>]) -> Option<f64> {
    let moved = counts[STEALS]? + counts[LEAPS]?;
    (moved >= FEWEST_MOVED as f64).then_some(counts[SHRINKS]? / moved)
}

/// Grows that are no answers to a request but come after a stolen task, and those that are answers.
fn apart(counts: &[Option<f64>]) -> [Option<f64>; 2] {
    let asked = counts[GROWS].zip(counts[RESHARES]).map(|(grows, reshares)| grows - reshares);
    [asked, counts[RESHARES]]
}

fn table(results: &Results) -> Table {
    let rows: Vec<_> = workers(results)
        .into_iter()
        .flat_map(|workers| [DEQUE, EXPOSING].map(|who| (who, workers)))
        .collect();
    let table = Table::titled(
        3,
        "workload | who | P | tasks | steals | leaps | grows | after a stolen | shrinks | /stolen | paper, P = 48 | tasks | steals \
         | leaps | grows | shrinks | /stolen",
    );
    table.filled(&results.jobs(), &rows, |job, &(who, workers)| {
        let counts = counts(results, job, who, workers);
        let [asked, unasked] = apart(&counts);
        let mut row = vec![job.clone(), who.to_owned(), workers.to_string()];
        row.push(count(results.tasks(job)));
        let cells = [counts[STEALS], counts[LEAPS], asked, unasked, counts[SHRINKS]];
        row.extend(cells.map(whole));
        row.push(ratio(for_each_stolen(&counts)));
        let gaps = || vec![GAP.to_owned(); 7];
        row.extend(if who == DEQUE { paper_cells(job) } else { gaps() });
        row
    })
}

fn paper_cells(job: &str) -> Vec<String> {
    let benchmark = benchmark(job);
    let Some(row) = PUBLISHED.iter().find(|row| Some(row.benchmark) == benchmark) else {
        return vec![GAP.to_owned(); 7];
    };
    let shrinks = for_each_stolen(&row.counts.map(|count| Some(count as f64)));
    let mut cells = vec![row.benchmark.to_owned(), count(row.tasks)];
    cells.extend(row.counts.map(count));
    cells.push(ratio(shrinks));
    cells
}

/// What was counted in the run of a round.
fn counted(round: &Round<'_>, job: &str, workers: usize) -> Option<[Option<f64>; 5]> {
    let label = watched_label(DEQUE);
    let run = round.run(Key { job, contender: &label, workers })?;
    Some(COUNTED.map(|counted| counted(run).map(|count| count as f64)))
}

/// Steals and leaps of a round.
fn moved(round: &Round<'_>, job: &str, workers: usize) -> Option<f64> {
    let counts = counted(round, job, workers)?;
    Some(counts[STEALS]? + counts[LEAPS]?)
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = workers(results).last().copied().unwrap_or(1);
    let shrinks = results.on_each(&jobs, |round, job| for_each_stolen(&counted(round, job, most)?));
    let is_binomial = |job: &&String| benchmark(job) == Some("uts T3L");
    let binomial = jobs.iter().find(is_binomial);
    let others = jobs.iter().filter(|job| !is_binomial(job));
    let others = results.on_each(others, |round, job| {
        Some(moved(round, binomial?, most)? / moved(round, job, most)?.max(1.0))
    });
    let shrinks_what = format!("shrinks for each stolen task, with {},", Count(most, "worker"));
    let order = "tasks that the binomial tree moves over those that another moves";
    Finding::of(
        "owners seldom need a fence, and that the binomial tree moves the most tasks,",
        &[Part::at_most(&shrinks_what, shrinks, MOST_SHRINKS), Part::at_least(order, others, 1.0)],
        Some("the counts of more workers, who steal far more"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    fn counts_of(job: &'static str, leaps: usize, shrinks: usize) -> ExperimentRecord {
        let some = Some(1);
        let record = run(job, &watched_label(DEQUE), 2, 1.0);
        ExperimentRecord {
            leaps: Some(leaps),
            shrinks: Some(shrinks),
            steals: some,
            grows: Some(9),
            reshares: some,
            ..record
        }
    }

    fn verdict(runs: Vec<ExperimentRecord>) -> Verdict {
        finding(&often(runs)).verdict
    }

    #[test]
    fn the_finding_holds_where_shrinks_are_rare_and_the_binomial_tree_moves_most() {
        let runs = vec![counts_of("fib:40", 10, 10), counts_of("uts:T3", 100, 100)];
        assert_eq!(verdict(runs), Verdict::Holds);
    }

    #[test]
    fn of_a_tree_that_was_not_run_nothing_is_told() {
        let finding = finding(&often(vec![counts_of("fib:40", 10, 10)]));
        assert_eq!(finding.verdict, Verdict::Open);
        assert!(
            finding.evidence().ends_with("another moves: not measured"),
            "{}",
            finding.evidence()
        );
        let alone = vec![counts_of("uts:T3", 10, 10)];
        assert_eq!(verdict(alone), Verdict::Open, "there is none to compare with");
    }

    #[test]
    fn the_finding_fails_where_shrinks_are_common_and_another_workload_moves_more() {
        assert_eq!(verdict(vec![counts_of("fib:40", 10, 500)]), Verdict::Fails);
        let rare = vec![counts_of("fib:40", 200, 10), counts_of("uts:T3", 100, 100)];
        assert_eq!(verdict(rare), Verdict::Partly);
        let common = vec![counts_of("fib:40", 200, 10), counts_of("uts:T3", 100, 5000)];
        assert_eq!(verdict(common), Verdict::Fails);
        // The paper's own fib is the most.
        let fib = counts_of("fib:40", 50_569, 97_750);
        assert_eq!(
            for_each_stolen(&[865, 50_569, 0, 97_750].map(|count| Some(count as f64))),
            Some(MOST_SHRINKS)
        );
        assert_eq!(
            verdict(vec![fib, counts_of("uts:T3", 50_569, 9)]),
            Verdict::Partly,
            "with 865 steals as in the paper it is on the limit"
        );
    }

    #[test]
    fn without_counts_the_finding_is_open() {
        assert_eq!(verdict(vec![run("fib:40", DEQUE, 2, 1.0)]), Verdict::Open);
        assert_eq!(verdict(vec![counts_of("fib:40", 0, 0)]), Verdict::Open, "nothing was stolen");
    }

    #[test]
    fn the_papers_counts_stand_beside_ours() {
        let table = table(&Results(vec![counts_of("uts:T3", 100, 1000)]));
        let row = &table.groups[0][0];
        assert_eq!(row[..9], ["uts:T3", "split", "2", "1,000,000", "1", "100", "8", "1", "1,000"]);
        assert_eq!(row[9], "9.90");
        assert_eq!(row[10..12], ["uts T3L", "111,345,630"]);
        assert_eq!(row[15..], ["846,509", "0.18"]);
    }
}
