//! Lace's Figure 5: T_S, T_1 and T_P of the split deque, of Wool and of the private deque, while waiting workers
//! leapfrog only.

use super::{EXPOSING, PAPERS, SMALL, alone_and_together, benchmark, exposing, with_one};
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG5: Experiment = Experiment {
    name: "lace-fig5",
    place: "Figure 5",
    shows: "overhead and speedup of the split deque, Wool's direct task stack and the private deque",
    workloads: Workloads::Named([SMALL, PAPERS]),
    contenders: |_, workers| {
        let ours = alone_and_together(SYSTEMS.map(|(deque, _)| deque), workers);
        let original = lineup(&with_one(workers), |workers| [Contender::rival(ORIGINAL, workers)]);
        [vec![Contender::serial()], ours, exposing(workers), original].concat()
    },
    tables: &[table],
    notes: &[
        "T_S: serial; T_n: with n workers; medians, +- half the range. Waiting workers leapfrog only, and nobody sleeps, as in the paper.",
        "The paper's columns are for its own sizes of the benchmarks (the option --full runs these); split stands for Lace, direct for \
Wool,\nreceiver-block (appendix C of Acar et al. 2013) for the private deque. On split exposing, which is ours, a thief takes private tasks from \
an owner in a\nlong leaf. lace is the original of today, in C, which steals at random too. Limits of the finding are the largest ratios of the paper's \
columns.",
    ],
    finding,
    ..Experiment::USUAL
};

/// Ours, and the system of the paper that it stands for.
const SYSTEMS: [(&str, &str); 3] =
    [("split", "Lace"), ("direct", "Wool"), ("receiver-block", "Private deque")];

/// The original, where there is a C compiler; it always steals at random too.
const ORIGINAL: &str = "lace";

/// A row of the figure, in seconds.
struct Published {
    benchmark: &'static str,
    serial: f64,
    /// As [`SYSTEMS`]: T_1, T_48, T_S/T_48, T_1/T_48, as printed.
    systems: [[f64; 4]; 3],
}

/// The rows of the figure.
const PUBLISHED: [Published; 5] = [
    published(
        "fib 50",
        149.2,
        [[144.0, 4.13, 34.5, 34.9], [185.0, 4.38, 34.1, 42.2], [208.0, 5.22, 23.2, 39.8]],
    ),
    published(
        "uts T2L",
        84.5,
        [[86.0, 1.81, 46.1, 47.4], [85.1, 2.00, 42.5, 42.5], [86.1, 1.83, 45.7, 47.0]],
    ),
    published(
        "uts T3L",
        43.11,
        [[44.2, 2.23, 18.7, 19.9], [44.3, 2.12, 19.4, 20.9], [44.8, 2.55, 17.3, 17.5]],
    ),
    published(
        "queens 15",
        533.0,
        [[602.0, 12.63, 42.2, 47.7], [539.0, 11.23, 47.5, 48.0], [541.0, 11.34, 43.3, 47.7]],
    ),
    published(
        "matmul 4096",
        773.0,
        [[781.0, 16.46, 47.0, 47.5], [780.0, 16.40, 47.2, 47.5], [774.0, 16.34, 47.3, 47.4]],
    ),
];

const fn published(benchmark: &'static str, serial: f64, systems: [[f64; 4]; 3]) -> Published {
    Published { benchmark, serial, systems }
}

/// The largest T_1 / T_S but for fib, 1.129: Lace's queens.
const MOST_OVERHEAD: f64 = 602.0 / 533.0;

/// The largest ratio of two systems' T_48, 1.264: fib.
const MOST_APART: f64 = 5.22 / 4.13;

/// The numbers of workers beside one, or one if there is no other.
fn counts(results: &Results) -> Vec<usize> {
    let several = results.several();
    if several.is_empty() { results.workers_beside(SERIAL) } else { several }
}

fn table(results: &Results) -> Table {
    let titles = "workload | who | P | T_1 | T_P | T_S/T_P | T_1/T_P | paper | T_S | T_1 | T_48 | T_S/T_48 | T_1/T_48";
    let mut table = Table::titled(3, titles);
    for job in results.jobs() {
        let systems = SYSTEMS.iter().map(|(label, _)| *label).chain([EXPOSING, ORIGINAL]);
        let mut rows = Vec::new();
        for (index, system) in systems.enumerate() {
            for workers in counts(results) {
                let Some(ours) = our_cells(results, &job, system, workers) else { continue };
                rows.push([ours, paper_cells(&job, index)].concat());
            }
        }
        let serial = results.time(Key { job: &job, contender: SERIAL, workers: 1 });
        let lines = [job, format!("T_S {}", time(serial))];
        for (row, line) in rows.iter_mut().zip(lines) {
            row[0] = line;
        }
        table.push(rows);
    }
    table
}

fn our_cells(results: &Results, job: &str, system: &str, workers: usize) -> Option<Vec<String>> {
    let key = |contender, workers| Key { job, contender, workers };
    let (one, many) = (results.time(key(system, 1)), results.time(key(system, workers)));
    let over = |base: Option<Timing>| Some(base?.median / many?.median);
    let serial = results.time(key(SERIAL, 1));
    many?;
    let names = [String::new(), system.to_owned(), workers.to_string()];
    let times = [time(one), time(many), ratio(over(serial)), ratio(over(one))];
    Some([&names[..], &times[..]].concat())
}

fn paper_cells(job: &str, system: usize) -> Vec<String> {
    let published = PUBLISHED.iter().find(|row| Some(row.benchmark) == benchmark(job));
    let row = published.and_then(|published| Some((published, published.systems.get(system)?)));
    let Some((published, [one, many, over_serial, over_one])) = row else {
        return vec![GAP.to_owned(); 6];
    };
    let name = format!("{}, {}", published.benchmark, SYSTEMS[system].1);
    let seconds = [published.serial, *one, *many].map(|seconds| format!("{seconds} s"));
    let ratios = [over_serial, over_one].map(|ratio| format!("{ratio:.1}"));
    [vec![name], seconds.to_vec(), ratios.to_vec()].concat()
}

/// How far the times of the systems lie apart on a job, the slowest over the fastest.
fn apart(round: &Round<'_>, job: &str, workers: usize) -> Option<f64> {
    let seconds = |(system, _)| round.seconds(Key { job, contender: system, workers });
    // One system alone is not apart from itself.
    let times: Option<Vec<f64>> = SYSTEMS.into_iter().map(seconds).collect();
    let times = times?;
    Some(largest(times.iter().copied())? / smallest(times)?)
}

/// The largest T_1 / T_S of the systems on a job.
fn overhead(round: &Round<'_>, job: &str) -> Option<f64> {
    let one = |contender| round.seconds(Key { job, contender, workers: 1 });
    let serial = one(SERIAL)?;
    Some(largest(SYSTEMS.iter().filter_map(|(system, _)| one(system)))? / serial)
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = counts(results).last().copied().unwrap_or(1);
    let compared = jobs.iter().filter(|_| most > 1);
    let apart = results.on_each(compared, |round, job| apart(round, job, most));
    let beside_fib = jobs.iter().filter(|job| !job.starts_with("fib:"));
    let overhead = results.on_each(beside_fib, overhead);
    let slowest = format!(
        "T_P of the slowest deque, with {}, over that of the fastest",
        Count(most, "worker")
    );
    Finding::of(
        "the three deques perform alike, with little overhead over the serial program but for fib,",
        &[
            Part::at_most(&slowest, apart, MOST_APART),
            Part::at_most("T_1/T_S", overhead, MOST_OVERHEAD),
        ],
        Some("how they scale to as many workers as the paper's"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    /// Runs in which the systems take these times with two workers.
    fn results(one: f64, two: [f64; 3]) -> Results {
        let mut runs = vec![run("uts:T3", SERIAL, 1, 1.0)];
        for ((system, _), two) in SYSTEMS.iter().zip(two) {
            runs.push(run("uts:T3", system, 1, one));
            runs.push(run("uts:T3", system, 2, two));
        }
        often(runs)
    }

    #[test]
    fn the_finding_holds_where_the_deques_are_alike_and_cheap() {
        assert_eq!(finding(&results(1.05, [0.5, 0.55, 0.6])).verdict, Verdict::Holds);
    }

    #[test]
    fn the_finding_fails_where_one_deque_is_far_slower_and_all_are_dear() {
        let slow = finding(&results(1.05, [0.5, 0.55, 0.9]));
        assert_eq!(slow.verdict, Verdict::Partly);
        assert!(slow.evidence().contains("1.80 (1.80 to 1.80) on uts:T3"), "{}", slow.evidence());
        assert_eq!(finding(&results(1.5, [0.7, 0.7, 0.7])).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.5, [0.7, 0.7, 0.9])).verdict, Verdict::Fails);
    }

    #[test]
    fn a_part_that_was_not_measured_does_not_hold() {
        let runs = results(1.05, [0.5, 0.55, 0.6]).0.into_iter();
        let alone = finding(&Results(runs.filter(|run| run.workers == 1).collect()));
        assert_eq!(alone.verdict, Verdict::Open);
        assert!(alone.evidence().contains("fastest: not measured"), "{}", alone.evidence());
    }

    #[test]
    fn without_runs_the_finding_is_open() {
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let table = table(&results(1.05, [0.5, 0.55, 0.6]));
        let row = &table.groups[0][0];
        assert_eq!(row[..3], ["uts:T3", "split", "2"]);
        assert_eq!(row[7..], ["uts T3L, Lace", "43.11 s", "44.2 s", "2.23 s", "18.7", "19.9"]);
        assert_eq!(table.groups[0].len(), 3, "the original did not run");
    }
}
