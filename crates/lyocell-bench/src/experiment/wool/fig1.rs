//! Wool's Figure 1: tasks that are too small for other systems, and regions that are.

use super::PROCESSORS;
use super::systems::{self, WOOL_HERE, judged, none_is_faster};
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG1: Experiment = Experiment {
    name: "wool-fig1",
    paper: &WOOL,
    place: "Figure 1",
    shows: "speedups of fib, whose tasks are small, and of stress, whose regions are",
    workers: Workers::From(1, PROCESSORS),
    workloads: Workloads::Named([
        &["fib:38", "stress:3x4096x4096"],
        &["fib:42", "stress:3x4096x131072"],
    ]),
    contenders: with_serial,
    tables: &[speedups],
    notes: &[
        "fib: T_S / T_P. stress: T_1 of direct / T_P. direct stands for Wool and waits as in the paper; wool is the original, tbb, openmp and \
the others\nstand where the paper has Cilk++, TBB and OpenMP. What is not built has no column. The figure is a plot without numbers; the paper says \
of it that\nWool achieves speedup from two processors on, and that for some of the others adding processors makes stress slower.",
    ],
    facts: &[
        ("programs", "fib(42), and 128K trees of height 3 with leaves of 4096 iterations"),
        ("processors", "1 to 8"),
    ],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

/// The serial program, and every system.
pub(super) fn with_serial(_instance: &Instance, workers: &[usize]) -> Vec<Contender> {
    [vec![Contender::serial()], systems::contenders(workers)].concat()
}

/// What T_P of a job is divided into: T_S, and for stress T_1 of Wool.
fn base(job: &str) -> Key<'_> {
    let contender = if stress(job).is_some() { WOOL_HERE } else { SERIAL };
    Key { job, contender, workers: 1 }
}

fn speedup(results: &Results, job: &str, contender: &str, workers: usize) -> Option<f64> {
    Some(results.seconds(base(job))? / results.seconds(Key { job, contender, workers })?)
}

/// Of every system, with every number of workers.
pub(super) fn speedups(results: &Results) -> Table {
    let systems = results.that_ran(systems::all());
    let titles = [&["workload", "P"], &systems[..], &["T_P direct"]].concat();
    let workers = results.workers_beside(SERIAL);
    Table::new(2, &titles).filled(&results.jobs(), &workers, |job, &workers| {
        let mut row = vec![job.clone(), workers.to_string()];
        row.extend(systems.iter().map(|name| ratio(speedup(results, job, name, workers))));
        row.push(time(results.time(Key { job, contender: WOOL_HERE, workers })));
        row
    })
}

/// A chart for each workload, over the numbers of workers.
pub(super) fn charts(results: &Results) -> Vec<Chart> {
    let workers = results.workers_beside(SERIAL);
    let line = |job: &String, name: &'static str| {
        Line::new(name, workers.iter().map(|&count| speedup(results, job, name, count)))
    };
    let chart = |job: &String| Chart {
        title: format!("Speedup: {job}"),
        x: "workers",
        places: workers.iter().map(usize::to_string).collect(),
        scale: SPEEDUP,
        lines: results.that_ran(systems::all()).into_iter().map(|name| line(job, name)).collect(),
    };
    results.jobs().iter().map(chart).collect()
}

/// Speedup over the base of each of these jobs.
pub(super) fn each_speedup(
    results: &Results,
    jobs: &[String],
    contender: &str,
    workers: usize,
) -> Each {
    results.on_each(jobs, |round, job| round.ratio(base(job), Key { job, contender, workers }))
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let fibs: Vec<String> = jobs.iter().filter(|job| job.starts_with("fib:")).cloned().collect();
    let trees: Vec<String> = jobs.iter().filter(|job| stress(job).is_some()).cloned().collect();
    let parts = |wool: &'static str| {
        let on = |jobs: &[String], workers| match most {
            1 => Vec::new(),
            _ => each_speedup(results, jobs, wool, workers),
        };
        let what = format!("speedup of {wool} over the serial program with 2 workers");
        let gain = format!("its speedup on regions of eight leaves with {}", Count(most, "worker"));
        [
            Part::at_least(&what, on(&fibs, TWO_WORKERS), 1.0),
            Part::at_least(&gain, on(&trees, most), 1.0),
            none_is_faster(results, &jobs, wool, most),
        ]
    };
    let parts: Vec<Part> = judged(results).into_iter().flat_map(parts).collect();
    Finding::of(
        "Wool is faster than the serial program from two processors on however small the tasks, gains on small regions, and that other systems are slower,",
        &parts,
        Some("where the curves go from there to eight processors"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    const TREE: &str = "stress:3x4096x10";

    /// T_S of fib is a second; T_1 of stress, 2.
    fn results(fib: [f64; 2], tree: [f64; 2]) -> Results {
        often(vec![
            run("fib:38", SERIAL, 1, 1.0),
            run("fib:38", WOOL_HERE, 2, fib[0]),
            run("fib:38", "rayon", 2, fib[1]),
            run(TREE, SERIAL, 1, 1.9),
            run(TREE, WOOL_HERE, 1, 2.0),
            run(TREE, WOOL_HERE, 2, tree[0]),
            run(TREE, "rayon", 2, tree[1]),
        ])
    }

    #[test]
    fn the_finding_holds_where_wool_gains_and_is_the_fastest() {
        let finding = finding(&results([0.8, 2.0], [1.25, 1.5]));
        assert_eq!(finding.verdict, Verdict::Holds);
        for words in
            ["1.25 (1.25 to 1.25) on fib:38", "1.60 (1.60", "on stress:3x4096x10 beside rayon"]
        {
            assert!(finding.evidence().contains(words), "{words}: {}", finding.evidence());
        }
    }

    #[test]
    fn the_finding_fails_where_it_does_not() {
        assert_eq!(finding(&results([1.2, 2.0], [1.25, 1.5])).verdict, Verdict::Partly);
        assert_eq!(finding(&results([1.2, 1.0], [2.5, 1.5])).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
    }

    #[test]
    fn speedups_are_over_the_serial_program_and_of_stress_over_one_worker() {
        let results = results([0.8, 2.0], [1.25, 1.6]);
        let table = speedups(&results);
        assert_eq!(table.header[2..], ["direct", "rayon", "T_P direct"]);
        assert_eq!(table.groups[0][1][..4], ["fib:38", "2", "1.25", "0.50"]);
        assert_eq!(table.groups[1][1][2..4], ["1.60", "1.25"]);
        let charts = charts(&results);
        assert_eq!(charts[1].lines[0].values, [Some(1.0), Some(1.6)]);
        assert_eq!(charts[0].lines[0].values, [None, Some(1.25)]);
    }
}
