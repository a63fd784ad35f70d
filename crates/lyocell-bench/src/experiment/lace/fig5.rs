//! Lace's Figure 5: T_S, T_1 and T_P of the split deque, of Wool and of the private deque, while waiting workers
//! leapfrog only.

use lyocell_workloads::Instance;

use super::{alone_and_together, benchmark, benchmarks, papers_benchmarks, with_one};
use crate::experiment::paper::{LACE, Paper};
use crate::experiment::plan::lineup;
use crate::experiment::record::{Key, Results};
use crate::experiment::report::{
    Count, Finding, GAP, Report, Table, largest, ratio, smallest, time,
};
use crate::experiment::verdict::{Each, Measured, Part};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::{Contender, Timing};
use lyocell_engines::SERIAL;
use lyocell_workloads::Refused;

pub(in crate::experiment) struct LaceFig5;

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

const PUBLISHED: [Published; 5] = [
    Published {
        benchmark: "fib 50",
        serial: 149.2,
        systems: [[144.0, 4.13, 34.5, 34.9], [185.0, 4.38, 34.1, 42.2], [208.0, 5.22, 23.2, 39.8]],
    },
    Published {
        benchmark: "uts T2L",
        serial: 84.5,
        systems: [[86.0, 1.81, 46.1, 47.4], [85.1, 2.00, 42.5, 42.5], [86.1, 1.83, 45.7, 47.0]],
    },
    Published {
        benchmark: "uts T3L",
        serial: 43.11,
        systems: [[44.2, 2.23, 18.7, 19.9], [44.3, 2.12, 19.4, 20.9], [44.8, 2.55, 17.3, 17.5]],
    },
    Published {
        benchmark: "queens 15",
        serial: 533.0,
        systems: [
            [602.0, 12.63, 42.2, 47.7],
            [539.0, 11.23, 47.5, 48.0],
            [541.0, 11.34, 43.3, 47.7],
        ],
    },
    Published {
        benchmark: "matmul 4096",
        serial: 773.0,
        systems: [
            [781.0, 16.46, 47.0, 47.5],
            [780.0, 16.40, 47.2, 47.5],
            [774.0, 16.34, 47.3, 47.4],
        ],
    },
];

/// The largest T_1 / T_S but for fib, 1.129: Lace's queens.
const MOST_OVERHEAD: f64 = 602.0 / 533.0;

/// The largest ratio of two systems' T_48, 1.264: fib.
const MOST_APART: f64 = 5.22 / 4.13;

fn published(job: &str) -> Option<&'static Published> {
    let benchmark = benchmark(job)?;
    PUBLISHED.iter().find(|published| published.benchmark == benchmark)
}

impl Experiment for LaceFig5 {
    fn name(&self) -> &'static str {
        "lace-fig5"
    }

    fn paper(&self) -> &'static Paper {
        &LACE
    }

    fn place(&self) -> &'static str {
        "Figure 5"
    }

    fn shows(&self) -> &'static str {
        "overhead and speedup of the split deque, Wool's direct task stack and the private deque"
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        let small = benchmarks(38, ["T2", "T3"], 12, 1024);
        Ok(asked_or(request, small, papers_benchmarks()))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let ours = alone_and_together(SYSTEMS.map(|(deque, _)| deque), workers);
        let original = lineup(&with_one(workers), |workers| [Contender::rival(ORIGINAL, workers)]);
        [Contender::serial()].into_iter().chain(ours).chain(original).collect()
    }

    fn report(&self, results: &Results) -> Report {
        Report { tables: vec![table(results)], notes: notes(), finding: finding(results) }
    }
}

fn time_of(results: &Results, job: &str, contender: &str, workers: usize) -> Option<Timing> {
    results.time(Key { job, contender, workers })
}

/// The numbers of workers beside one, or one if there is no other.
fn counts(results: &Results) -> Vec<usize> {
    let all = results.workers_beside(SERIAL);
    let beside: Vec<usize> = all.iter().copied().filter(|&count| count > 1).collect();
    if beside.is_empty() { all } else { beside }
}

fn over(dividend: Option<Timing>, divisor: Option<Timing>) -> Option<f64> {
    Some(dividend?.median / divisor?.median)
}

fn table(results: &Results) -> Table {
    let header = [
        "workload", "who", "P", "T_1", "T_P", "T_S/T_P", "T_1/T_P", "paper", "T_S", "T_1", "T_48",
        "T_S/T_48", "T_1/T_48",
    ];
    let mut table = Table::new(3, &header);
    for job in results.jobs() {
        let systems = SYSTEMS.iter().map(|(label, _)| *label).chain([ORIGINAL]);
        let mut rows = Vec::new();
        for (index, system) in systems.enumerate() {
            for workers in counts(results) {
                let ours = our_cells(results, &job, system, workers);
                let Some(ours) = ours else { continue };
                rows.push([ours, paper_cells(&job, index)].concat());
            }
        }
        let serial = time_of(results, &job, SERIAL, 1);
        let lines = [job, format!("T_S {}", time(serial))];
        for (row, line) in rows.iter_mut().zip(lines) {
            row[0] = line;
        }
        table.groups.push(rows);
    }
    table
}

fn our_cells(results: &Results, job: &str, system: &str, workers: usize) -> Option<Vec<String>> {
    let serial = time_of(results, job, SERIAL, 1);
    let one = time_of(results, job, system, 1);
    let many = time_of(results, job, system, workers);
    many?;
    Some(vec![
        String::new(),
        system.to_owned(),
        workers.to_string(),
        time(one),
        time(many),
        ratio(over(serial, many)),
        ratio(over(one, many)),
    ])
}

fn paper_cells(job: &str, system: usize) -> Vec<String> {
    let published = published(job);
    let row = published.and_then(|published| Some((published, published.systems.get(system)?)));
    let Some((published, [one, many, over_serial, over_one])) = row else {
        return vec![GAP.to_owned(); 6];
    };
    let name = format!("{}, {}", published.benchmark, SYSTEMS[system].1);
    let seconds = [published.serial, *one, *many].map(|seconds| format!("{seconds} s"));
    let ratios = [over_serial, over_one].map(|ratio| format!("{ratio:.1}"));
    [vec![name], seconds.to_vec(), ratios.to_vec()].concat()
}

fn notes() -> Vec<String> {
    vec![
        "T_S: serial; T_n: with n workers; medians, +- half the range. Waiting workers leapfrog only.".to_owned(),
        "The paper's columns are for its own sizes of the benchmarks (the option --full runs these); split stands \
         for Lace, direct for Wool,\nreceiver-block (appendix C of Acar et al. 2013) for the private deque; lace is \
         the original of today, in C, which steals at random too. Our workers never sleep here, as in the paper.\n\
         Limits of the finding are the paper's largest: 5.22 s to 4.13 s on fib, 602 s to 533 s on queens."
            .to_owned(),
    ]
}

/// How far T_P of the systems lie apart on one job, the slowest over the fastest of each round.
fn apart(results: &Results, job: &str, workers: usize) -> Option<Measured> {
    results.each_round(|round| {
        let seconds =
            |&(system, _): &(&str, &str)| round.seconds(Key { job, contender: system, workers });
        // One system alone is not apart from itself.
        let times: Option<Vec<f64>> = SYSTEMS.iter().map(seconds).collect();
        let times = times?;
        Some(largest(times.iter().copied())? / smallest(times)?)
    })
}

/// The largest T_1 / T_S of the systems on one job, in each round.
fn overhead(results: &Results, job: &str) -> Option<Measured> {
    results.each_round(|round| {
        let serial = round.seconds(Key { job, contender: SERIAL, workers: 1 })?;
        let one = |(system, _): &(&'static str, &str)| {
            round.seconds(Key { job, contender: system, workers: 1 })
        };
        Some(largest(SYSTEMS.iter().filter_map(one))? / serial)
    })
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = counts(results).last().copied().unwrap_or(1);
    let each = |jobs: Vec<&String>, of: &dyn Fn(&str) -> Option<Measured>| -> Each {
        jobs.into_iter().filter_map(|job| Some((job.clone(), of(job)?))).collect()
    };
    let apart = match most {
        1 => Vec::new(),
        _ => each(jobs.iter().collect(), &|job| apart(results, job, most)),
    };
    let beside_fib = jobs.iter().filter(|job| !job.starts_with("fib:")).collect();
    let overhead = each(beside_fib, &|job| overhead(results, job));
    let slowest =
        format!("with {} the slowest deque takes, in times of the fastest,", Count(most, "worker"));
    let parts = [
        Part::at_most(&slowest, &apart, MOST_APART),
        Part::at_most("T_1/T_S", &overhead, MOST_OVERHEAD),
    ];
    Finding::of(
        "the three deques perform alike, with little overhead over the serial program but for fib,",
        &parts,
        Some("how they scale to 48 workers"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    /// Runs in which the systems take these times with two workers.
    fn results(one: f64, two: [f64; 3]) -> Results {
        let mut runs = vec![run("uts:T3", SERIAL, 1, 1.0)];
        for ((system, _), two) in SYSTEMS.iter().zip(two) {
            runs.push(run("uts:T3", system, 1, one));
            runs.push(run("uts:T3", system, 2, two));
        }
        twice(runs)
    }

    #[test]
    fn the_finding_holds_where_the_deques_are_alike_and_cheap() {
        assert_eq!(finding(&results(1.05, [0.5, 0.55, 0.6])).verdict, Verdict::Holds);
    }

    #[test]
    fn the_finding_fails_where_one_deque_is_far_slower_and_all_are_dear() {
        let slow = finding(&results(1.05, [0.5, 0.55, 0.9]));
        assert_eq!(slow.verdict, Verdict::Partly);
        assert!(slow.evidence.contains("1.80 (1.80 to 1.80) on uts:T3"), "{}", slow.evidence);
        assert_eq!(finding(&results(1.5, [0.7, 0.7, 0.7])).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.5, [0.7, 0.7, 0.9])).verdict, Verdict::Fails);
    }

    #[test]
    fn a_part_that_was_not_measured_does_not_hold() {
        let runs = results(1.05, [0.5, 0.55, 0.6]).0.into_iter();
        let alone = finding(&Results(runs.filter(|run| run.workers == 1).collect()));
        assert_eq!(alone.verdict, Verdict::Open);
        assert!(alone.evidence.contains("fastest,: not measured"), "{}", alone.evidence);
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
