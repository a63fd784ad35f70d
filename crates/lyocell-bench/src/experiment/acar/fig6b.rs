//! Acar et al.'s Figure 6 (b): pseudo-DFS outside of fork-join, with coalesced tasks and steal-half.

use lyocell::deque::Amount;
use lyocell_engines::runtime::options::STEAL;

use super::{BLIND, ON_DEMAND, PAPER_REPS, labelled, of_size};
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG6B: Experiment = Experiment {
    name: "acar-fig6b",
    paper: &PRIVATE_DEQUES,
    place: "Figure 6 (b), section 5",
    shows: "speedups of pseudo-DFS with coalesced tasks and steal-half on three graphs",
    full_reps: Some(PAPER_REPS),
    workers: Workers::From(1, usize::MAX),
    workloads: Workloads::Made(|request, _| {
        let is_other = |one: &&Instance| !matches!(one, Instance::Dfs(_));
        if let Some(other) = request.workloads.iter().flatten().find(is_other) {
            return Err(Refused(format!("acar-fig6b runs dfs:GRAPH,NODES, not {other}")));
        }
        Ok(of_size(request, PUBLISHED.iter().map(|row| (row.here, row.sizes))))
    }),
    contenders: |_, workers| {
        let each = |workers| {
            let ours =
                DEQUES.map(|deque| Contender::setup(deque, steal_half_if_it_can(deque), workers));
            ours.into_iter().chain([Contender::rival(RIVAL, workers)])
        };
        [vec![Contender::serial()], lineup(workers, each)].concat()
    },
    tables: &[table],
    notes: &[
        "T_P, and T_S/T_P beside it, round by round. The figure is a plot without numbers, of speedups; its T_1 are given. There a scheduler \
splits the\ntask of whom it deals; here whoever is asked splits its bag, and the half goes by the lane of detached tasks whatever the deque, which \
so\ndecides when owners are asked and not what moves. sender blind is the paper's, sender on-demand ours; nobody else sleeps either.",
    ],
    facts: &[("cores", "30"), ("speedup on each graph", "over 20")],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

/// The paper's, both private, with steal-half; a concurrent deque, for which the paper says it is hard; and ours.
const DEQUES: [&str; 4] = [BLIND, "receiver", "chase-lev", ON_DEMAND];

/// What comes nearest elsewhere: half of a bag is a task of its own.
const RIVAL: &str = "rayon";

/// A graph of the paper, by the beginning of our job: its T_1, in seconds, and its size there.
struct Published {
    graph: &'static str,
    here: &'static str,
    sizes: [&'static str; 2],
    seconds: f64,
}

#[rustfmt::skip]
const PUBLISHED: [Published; 3] = [
    Published { graph: "3d-grid, 40m nodes", here: "dfs:grid,", sizes: ["4096000", "40001688"], seconds: 11.5 },
    Published { graph: "rlg, 40m nodes, 150m edges", here: "dfs:local,", sizes: ["2000000", "40000000"], seconds: 12.8 },
    Published { graph: "rmat, 40m nodes, 90m edges", here: "dfs:rmat,", sizes: ["2097152", "33554432"], seconds: 9.1 },
];

/// "On each of the three graphs, we achieve over 20x speedup with 30 cores": two thirds of the processors.
const EFFICIENCY: f64 = 20.0 / 30.0;

/// Steals of half, of a deque that has them.
fn steal_half_if_it_can(deque: &str) -> Setup {
    let half = labelled(deque).with(&STEAL, Value::Amount(Amount::Half));
    half.checked().unwrap_or(labelled(deque))
}

fn row_of(job: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|row| job.starts_with(row.here))
}

/// T_S over T_P, round by round.
fn speedup(results: &Results, job: &str, contender: &str, workers: usize) -> Option<Measured> {
    let serial = Key { job, contender: SERIAL, workers: 1 };
    results.ratio(serial, Key { job, contender, workers })
}

fn table(results: &Results) -> Table {
    let mut table =
        Table::titled(3, "workload | engine | P | T_P | T_S/T_P | paper | T_1 | at 30 cores");
    for job in results.jobs() {
        let gaps = || vec![GAP.to_owned(); 3];
        let paper = row_of(&job).map_or_else(gaps, |row| {
            vec![row.graph.to_owned(), format!("{} s", row.seconds), "over 20".to_owned()]
        });
        let serial = results.time(Key { job: &job, contender: SERIAL, workers: 1 });
        let first =
            [job.clone(), SERIAL.to_owned(), "1".to_owned(), time(serial), ratio(Some(1.0))];
        let mut rows = vec![first.into_iter().chain(paper).collect()];
        for contender in DEQUES.into_iter().chain([RIVAL]) {
            for workers in results.workers_beside(SERIAL) {
                let key = Key { job: &job, contender, workers };
                let speedup = speedup(results, &job, contender, workers);
                let start = [
                    String::new(),
                    contender.to_owned(),
                    workers.to_string(),
                    time(results.time(key)),
                ];
                let speedup = ratio_of(speedup);
                rows.push(start.into_iter().chain([speedup]).chain(gaps()).collect());
            }
        }
        table.push(rows);
    }
    table
}

/// Speedups over the numbers of workers, a chart for each deque, a line a graph, as in the paper.
fn charts(results: &Results) -> Vec<Chart> {
    let (jobs, counts) = (results.jobs(), results.workers_beside(SERIAL));
    let line = |job: &String, contender: &'static str| {
        let speedup = |&workers| Some(speedup(results, job, contender, workers)?.value);
        Line::new(job.clone(), counts.iter().map(speedup))
    };
    let chart = |contender: &'static str| Chart {
        title: format!("Speedup of {contender}"),
        x: "workers",
        places: counts.iter().map(usize::to_string).collect(),
        scale: SPEEDUP,
        lines: jobs.iter().map(|job| line(job, contender)).collect(),
    };
    DEQUES.map(chart).into()
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let of = |contender: &'static str| -> Each {
        let of = |job: &String| Some((job.clone(), speedup(results, job, contender, most)?));
        jobs.iter().filter_map(of).collect()
    };
    let enough = EFFICIENCY * most as f64;
    let what = format!("T_S/T_P of the sender, with {},", Count(most, "worker"));
    Finding::of(
        "coalesced tasks and steal-half bring pseudo-DFS two thirds of the processors as speedup on each graph",
        &[
            Part::at_least(&what, of(DEQUES[0]), enough),
            Part::at_least("T_S/T_P of the receiver", of(DEQUES[1]), enough),
        ],
        Some("whether thirty workers find enough to do in one search"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    /// The speedups of sender and receiver.
    fn results(sender: f64, receiver: f64) -> Results {
        let of = |job: &'static str| {
            [
                run(job, SERIAL, 1, 2.0),
                run(job, DEQUES[0], 1, 3.0),
                run(job, DEQUES[0], 2, 2.0 / sender),
                run(job, DEQUES[1], 2, 2.0 / receiver),
            ]
        };
        often(["dfs:grid,8000", "dfs:rmat,4096"].into_iter().flat_map(of).collect())
    }

    #[test]
    fn the_finding_is_whether_both_private_deques_are_fast_enough() {
        let holds = finding(&results(1.5, 1.4));
        assert_eq!(holds.verdict, Verdict::Holds);
        for words in ["1.50 (1.50 to 1.50) on dfs:", "to be at least 1.33: holds"] {
            assert!(holds.evidence().contains(words), "{}", holds.evidence());
        }
        assert_eq!(finding(&results(1.5, 1.2)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(0.9, 1.2)).verdict, Verdict::Fails);
        let nothing = Results(vec![run("dfs:grid,8000", SERIAL, 1, 1.0)]);
        assert_eq!(finding(&nothing).verdict, Verdict::Open);
    }

    #[test]
    fn both_sizes_are_of_the_papers_graphs() {
        for size in [Size::Small, Size::Paper] {
            let jobs = FIG6B.workloads(&Request::of(size, 2), &[1, 2]).unwrap();
            let graphs: Vec<_> =
                jobs.iter().map(|job| row_of(&job.to_string()).unwrap().graph).collect();
            assert_eq!(graphs.len(), 3);
        }
    }

    #[test]
    fn the_table_has_the_papers_times_and_our_speedups() {
        let table = table(&results(1.6, 1.4));
        assert_eq!(table.groups[0][0][5..], ["3d-grid, 40m nodes", "11.5 s", "over 20"]);
        let row = &table.groups[0][2];
        assert_eq!((&*row[1].text, &*row[2].text, &*row[4].text), (BLIND, "2", "1.60"));
    }
}
