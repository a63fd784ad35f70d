//! Lace's Figure 7: steals, leaps, grows and shrinks of the split deque.

use lyocell_workloads::Instance;

use super::{benchmark, benchmarks, leapfrogging, papers_benchmarks};
use crate::engine::lyocell::Watch;
use crate::experiment::paper::{LACE, Paper};
use crate::experiment::plan::{lineup, watched_label};
use crate::experiment::record::{ExperimentRecord, Key, Results};
use crate::experiment::report::{
    Count, Finding, GAP, Report, Table, Verdict, number, whole, worst,
};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::Contender;
use crate::refused::Refused;
use crate::report::count;

pub(in crate::experiment) struct LaceFig7;

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

/// The paper's most shrinks for a million tasks: uts T3L, 846,509 for 111,345,630.
const MOST_SHRINKS: f64 = 7_603.0;

/// What is counted, in the order of the figure.
const COUNTED: [fn(&ExperimentRecord) -> Option<usize>; 4] =
    [|record| record.steals, |record| record.leaps, |record| record.grows, |record| record.shrinks];

const STEALS: usize = 0;
const LEAPS: usize = 1;
const SHRINKS: usize = 3;

impl Experiment for LaceFig7 {
    fn name(&self) -> &'static str {
        "lace-fig7"
    }

    fn paper(&self) -> &'static Paper {
        &LACE
    }

    fn place(&self) -> &'static str {
        "Figure 7"
    }

    fn shows(&self) -> &'static str {
        "steals, leaps, grows and shrinks of the split deque"
    }

    /// As the paper's.
    fn reps(&self) -> usize {
        7
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        let small = benchmarks(42, ["T2L", "T3L"], 14, 2048);
        Ok(asked_or(request, small, papers_benchmarks()))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let setup = leapfrogging(DEQUE).watched(Watch::Counts);
        lineup(workers, |workers| [Contender::setup(watched_label(DEQUE), setup, workers)])
    }

    fn report(&self, results: &Results) -> Report {
        let note = "Medians of a run's sums over all workers; a shrink costs the owner a compare-and-swap here, a \
                    memory fence in the paper.\nWaiting workers leapfrog only, as in the paper; the paper's columns \
                    are averages for its own sizes of the benchmarks.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }
}

/// The medians of what is counted.
fn counts(results: &Results, job: &str, workers: usize) -> [Option<f64>; 4] {
    let label = watched_label(DEQUE);
    let key = Key { job, contender: &label, workers };
    COUNTED.map(|counted| results.count(key, counted))
}

fn workers(results: &Results) -> Vec<usize> {
    results.workers_beside("")
}

/// For a million tasks.
fn per_million(counted: Option<f64>, tasks: u64) -> Option<f64> {
    Some(counted? / tasks as f64 * 1e6).filter(|_| tasks > 0)
}

fn table(results: &Results) -> Table {
    let header = [
        "workload",
        "P",
        "tasks",
        "steals",
        "leaps",
        "grows",
        "shrinks",
        "shrinks/10^6",
        "paper, P = 48",
        "tasks",
        "steals",
        "leaps",
        "grows",
        "shrinks",
        "shrinks/10^6",
    ];
    let mut table = Table::new(2, &header);
    for job in results.jobs() {
        let row = |workers: usize| {
            let tasks = results.tasks(&job);
            let counts = counts(results, &job, workers);
            let shrinks = per_million(counts[SHRINKS], tasks);
            let mut row = vec![job.clone(), workers.to_string(), count(tasks)];
            row.extend(counts.map(whole));
            row.push(number(shrinks));
            row.extend(paper_cells(&job));
            row
        };
        table.groups.push(workers(results).into_iter().map(row).collect());
    }
    table
}

fn paper_cells(job: &str) -> Vec<String> {
    let benchmark = benchmark(job);
    let Some(row) = PUBLISHED.iter().find(|row| Some(row.benchmark) == benchmark) else {
        return vec![GAP.to_owned(); 7];
    };
    let shrinks = per_million(Some(row.counts[SHRINKS] as f64), row.tasks);
    let mut cells = vec![row.benchmark.to_owned(), count(row.tasks)];
    cells.extend(row.counts.map(count));
    cells.push(number(shrinks));
    cells
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = workers(results).last().copied().unwrap_or(1);
    let counted = |job: &str| counts(results, job, most);
    let fences = worst(&jobs, |job| per_million(counted(job)[SHRINKS], results.tasks(job)));
    let moved = worst(&jobs, |job| Some(counted(job)[STEALS]? + counted(job)[LEAPS]?));
    let is_binomial = |job: &str| benchmark(job) == Some("uts T3L");
    let rare = fences.map(|(share, _)| share <= MOST_SHRINKS);
    // With one workload, or without the binomial tree, there is no order to compare.
    let ordered = jobs.len() > 1 && jobs.iter().any(|job| is_binomial(job));
    let expected = moved.filter(|_| ordered).map(|(_, job)| is_binomial(job));
    let evidence = match (fences, moved) {
        (Some((shrinks, job)), Some((tasks, most_moved))) => format!(
            "with {} a million tasks cost at most {} shrinks (on {job}; the paper: 7,603 on uts T3L), and {most_moved} \
             has the most steals and leaps, {}",
            Count(most, "worker"),
            number(Some(shrinks)),
            whole(Some(tasks)),
        ),
        _ => "nothing was counted".to_owned(),
    };
    Finding {
        claim: "owners seldom need a fence, and that the binomial tree moves the most tasks,",
        verdict: Verdict::of(&[rare, expected]),
        evidence,
        beyond: Some("the counts of 48 workers, who steal far more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::run;

    fn counted(job: &'static str, leaps: usize, shrinks: usize) -> ExperimentRecord {
        let some = Some(1);
        let record = run(job, &watched_label(DEQUE), 2, 1.0);
        ExperimentRecord {
            leaps: Some(leaps),
            shrinks: Some(shrinks),
            steals: some,
            grows: some,
            ..record
        }
    }

    fn verdict(runs: Vec<ExperimentRecord>) -> Verdict {
        finding(&Results(runs)).verdict
    }

    #[test]
    fn the_finding_holds_where_shrinks_are_rare_and_the_binomial_tree_moves_most() {
        let runs = vec![counted("fib:40", 10, 10), counted("uts:T3", 100, 1000)];
        assert_eq!(verdict(runs), Verdict::Holds);
        assert_eq!(verdict(vec![counted("fib:40", 10, 10)]), Verdict::Holds);
    }

    #[test]
    fn the_finding_fails_where_shrinks_are_common_and_another_workload_moves_more() {
        assert_eq!(verdict(vec![counted("fib:40", 10, 50_000)]), Verdict::Fails);
        let rare = vec![counted("fib:40", 200, 10), counted("uts:T3", 100, 1000)];
        assert_eq!(verdict(rare), Verdict::Partly);
        let common = vec![counted("fib:40", 200, 10), counted("uts:T3", 100, 50_000)];
        assert_eq!(verdict(common), Verdict::Fails);
    }

    #[test]
    fn without_counts_the_finding_is_open() {
        assert_eq!(verdict(vec![run("fib:40", DEQUE, 2, 1.0)]), Verdict::Open);
    }

    #[test]
    fn the_papers_counts_stand_beside_ours() {
        let table = table(&Results(vec![counted("uts:T3", 100, 1000)]));
        let row = &table.groups[0][0];
        assert_eq!(row[..7], ["uts:T3", "2", "1,000,000", "1", "100", "1", "1,000"]);
        assert_eq!(row[7], "1000");
        assert_eq!(row[8..10], ["uts T3L", "111,345,630"]);
        assert_eq!(row[13..], ["846,509", "7603"]);
    }
}
