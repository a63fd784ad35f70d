//! Acar et al.'s Figure 4: private deques, receiver- and sender-initiated, against a concurrent one.

use lyocell::deque::Amount;
use lyocell_workloads::{Fib, Instance, Matmul, Queens, Stress, Uts};

use crate::engine::SERIAL;
use crate::engine::lyocell::{Choice, Setup, Value};
use crate::experiment::paper::{PRIVATE_DEQUES, Paper};
use crate::experiment::plan::lineup;
use crate::experiment::record::{Key, Results};
use crate::experiment::report::{
    Count, Finding, GAP, Report, Table, Verdict, largest, percent, ratio, smallest, time,
};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::Contender;
use crate::refused::Refused;

pub(in crate::experiment) struct AcarFig4;

/// The paper's implementation of Chase and Lev's.
const CONCURRENT: &str = "chase-lev";

const PRIVATE: [&str; 2] = ["receiver", "sender"];

/// In place of Cilk Plus: what Rust programs use.
const RIVAL: &str = "rayon";

/// A row of the figure: the speedup and the seconds of the concurrent deque; receiver, sender and Cilk Plus in percent
/// more than that.
struct Published {
    benchmark: &'static str,
    /// Our workload that is the same.
    here: Option<&'static str>,
    speedup: f64,
    seconds: f64,
    percent: [i32; 3],
}

const PUBLISHED: [Published; 14] = [
    published("matmul", Some("matmul"), 21.7, 2.61, [-18, -18, -3]),
    published("cilksort(exptintseq)", None, 18.6, 1.32, [-2, 0, -7]),
    published("cilksort(randintseq)", None, 21.7, 1.51, [-2, 0, -7]),
    published("fibonacci", Some("fib"), 26.2, 4.11, [-2, 1, -3]),
    published("matching(eggrid2d)", None, 19.6, 0.44, [9, 12, 9]),
    published("matching(egrlg)", None, 20.0, 0.72, [-1, 2, 5]),
    published("matching(egrmat)", None, 20.1, 0.90, [0, 4, 6]),
    published("MIS(grid2d)", None, 17.5, 0.19, [2, 0, 5]),
    published("MIS(rlg)", None, 17.9, 0.21, [-4, -2, 7]),
    published("MIS(rmat)", None, 18.5, 0.16, [1, 4, 7]),
    published("hull(plummer2d)", None, 18.0, 0.27, [6, 4, -5]),
    published("hull(uniform2d)", None, 19.1, 0.55, [2, 2, -3]),
    published("sort(exptseq)", None, 23.2, 1.90, [-4, -4, 29]),
    published("sort(randdblseq)", None, 23.5, 2.84, [-7, -6, 25]),
];

const fn published(
    benchmark: &'static str,
    here: Option<&'static str>,
    speedup: f64,
    seconds: f64,
    percent: [i32; 3],
) -> Published {
    Published { benchmark, here, speedup, seconds, percent }
}

/// The paper's slowest private deque: the sender's on matching(eggrid2d).
const MOST: f64 = 1.12;

impl Experiment for AcarFig4 {
    fn name(&self) -> &'static str {
        "acar-fig4"
    }

    fn paper(&self) -> &'static Paper {
        &PRIVATE_DEQUES
    }

    fn place(&self) -> &'static str {
        "Figure 4"
    }

    fn shows(&self) -> &'static str {
        "receiver- and sender-initiated private deques against the concurrent deque of Chase and Lev"
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        let small = vec![
            Matmul::new(1024).into(),
            Fib::new(38).into(),
            Queens::new(12).into(),
            Uts::new("T2").into(),
            Uts::new("T3").into(),
            Stress { height: 10, iterations: 256, trees: 1024 }.into(),
        ];
        let paper = vec![
            Matmul::new(3500).into(),
            Fib::new(48).into(),
            Queens::new(14).into(),
            Uts::new("T2L").into(),
            Uts::new("T3L").into(),
            Stress { height: 10, iterations: 256, trees: 65536 }.into(),
        ];
        Ok(asked_or(request, small, paper))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let ours = lineup(workers, |workers| {
            [CONCURRENT, PRIVATE[0], PRIVATE[1]]
                .map(|name| Contender::setup(name, one_task_a_steal(name), workers))
        });
        let rival = lineup(workers, |workers| [Contender::rival(RIVAL, workers)]);
        [Contender::serial()].into_iter().chain(ours).chain(rival).collect()
    }

    fn report(&self, results: &Results) -> Report {
        let note = "T_P of chase-lev, and T_P of the others in percent more than that; the paper's columns are for 30 \
                    workers, its own sizes, a sequential\ncut-off in fibonacci and matmul, and Cilk Plus where rayon \
                    stands. Steals move one task. Ours run without cut-offs, so a fence for each task weighs more.\nThe paper's benchmarks \
                    that are not among our workloads are listed below.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }
}

/// As in the paper's figures: steals of half are its extension (section 5).
pub(super) fn one_task_a_steal(deque: &str) -> Setup {
    Setup::on(deque).with(Choice::Steal, Value::Amount(Amount::One))
}

fn median(results: &Results, job: &str, contender: &str, workers: usize) -> Option<f64> {
    Some(results.time(Key { job, contender, workers })?.median)
}

/// T_P over that of the concurrent deque.
fn relative(results: &Results, job: &str, contender: &str, workers: usize) -> Option<f64> {
    Some(median(results, job, contender, workers)? / median(results, job, CONCURRENT, workers)?)
}

fn table(results: &Results) -> Table {
    let header = [
        "workload",
        "P",
        "chase-lev T_S/T_P",
        "T_P",
        "receiver",
        "sender",
        "rayon",
        "paper",
        "speedup",
        "T_30",
        "receiver",
        "sender",
        "Cilk Plus",
    ];
    let mut table = Table::new(2, &header);
    let jobs = results.jobs();
    for workers in results.workers_beside(SERIAL) {
        let rows = jobs.iter().map(|job| {
            let serial = median(results, job, SERIAL, 1);
            let one = median(results, job, CONCURRENT, workers);
            let mut row = vec![job.clone(), workers.to_string()];
            row.push(ratio(serial.zip(one).map(|(serial, one)| serial / one)));
            row.push(time(results.time(Key { job, contender: CONCURRENT, workers })));
            let others = PRIVATE.into_iter().chain([RIVAL]);
            row.extend(others.map(|name| percent(relative(results, job, name, workers))));
            let workload = job.split(':').next();
            let paper = PUBLISHED.iter().find(|row| row.here.is_some() && row.here == workload);
            row.extend(paper.map_or_else(|| vec![GAP.to_owned(); 6], paper_cells));
            row
        });
        table.groups.push(rows.collect());
    }
    let elsewhere = PUBLISHED.iter().filter(|row| row.here.is_none());
    let blank = |row: &Published| {
        [vec![String::new(); 2], vec![GAP.to_owned(); 5], paper_cells(row)].concat()
    };
    table.groups.push(elsewhere.map(blank).collect());
    table
}

fn paper_cells(row: &Published) -> Vec<String> {
    let mut cells = vec![row.benchmark.to_owned(), format!("{:.1}", row.speedup)];
    cells.push(format!("{} s", row.seconds));
    cells.extend(row.percent.map(|percent| format!("{percent:+}%")));
    cells
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.workers_beside(SERIAL).last().copied().unwrap_or(1);
    let all = |name: &'static str| {
        let relative = move |job: &String| relative(results, job, name, most);
        jobs.iter().filter_map(relative).collect::<Vec<f64>>()
    };
    let competes = |name| largest(all(name)).map(|slowest| slowest <= MOST);
    let parts = PRIVATE.map(competes);
    let range = |name: &'static str| {
        let times = all(name);
        let ends = [smallest(times.iter().copied()), largest(times.iter().copied())];
        format!("{name} {} to {}", percent(ends[0]), percent(ends[1]))
    };
    let evidence = match parts {
        [None, None] => "nothing was measured".to_owned(),
        _ => format!(
            "with {}, in time beside chase-lev, {} (the paper: -18% to +12%)",
            Count(most, "worker"),
            PRIVATE.map(range).join(" and "),
        ),
    };
    Finding {
        claim: "private deques compete with concurrent ones",
        verdict: Verdict::of(&parts),
        evidence,
        beyond: Some("how far a worker must look for tasks among thirty"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::run;

    fn results(receiver: f64, sender: f64) -> Results {
        Results(vec![
            run("fib:40", SERIAL, 1, 1.5),
            run("fib:40", CONCURRENT, 2, 1.0),
            run("fib:40", "receiver", 2, receiver),
            run("fib:40", "sender", 2, sender),
        ])
    }

    #[test]
    fn the_finding_holds_where_neither_is_much_slower() {
        let finding = finding(&results(0.8, 1.1));
        assert_eq!(finding.verdict, Verdict::Holds);
        let expected = "receiver -20.0% to -20.0% and sender +10.0% to +10.0%";
        assert!(finding.evidence.contains(expected), "{}", finding.evidence);
    }

    #[test]
    fn the_finding_fails_where_both_are_much_slower() {
        assert_eq!(finding(&results(1.3, 1.2)).verdict, Verdict::Fails);
        assert_eq!(finding(&results(0.8, 1.2)).verdict, Verdict::Partly);
    }

    #[test]
    fn without_a_concurrent_deque_the_finding_is_open() {
        assert_eq!(finding(&Results(vec![run("fib:40", "sender", 2, 1.0)])).verdict, Verdict::Open);
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let table = table(&results(0.8, 1.1));
        let row = &table.groups[0][0];
        assert_eq!(row[..3], ["fib:40", "2", "1.50"]);
        assert_eq!(row[4..7], ["-20.0%", "+10.0%", "-"]);
        assert_eq!(row[7..], ["fibonacci", "26.2", "4.11 s", "-2%", "+1%", "-3%"]);
        assert_eq!(table.groups[1].len(), 12);
    }
}
