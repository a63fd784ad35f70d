//! Lace's Figure 6, and the two of the talk: speedups of the split deque and of the private deque, over their own time
//! with one worker and over the serial program.

use super::{EXPOSING, PAPERS, SMALL, alone_and_together, exposing};
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG6: Experiment = Experiment {
    name: "lace-fig6",
    place: "Figure 6, and the slides on scalability",
    shows: "speedups over one worker and over the serial program as workers are added, leapfrogging only",
    workers: Workers::From(1, usize::MAX),
    workloads: Workloads::Named([SMALL, PAPERS]),
    contenders: |_, workers| {
        let ours = alone_and_together(SYSTEMS.map(|(deque, _)| deque), workers);
        [vec![Contender::serial()], ours, exposing(workers)].concat()
    },
    tables: &[table],
    notes: &[
        "T_1/T_P: over its own time with one worker, the figure and the first slide on scalability; T_S/T_P: over the serial program, the \
second.\nWaiting workers leapfrog only and nobody sleeps; on split exposing, which is ours, thieves expose. The figure is a plot without \
numbers; the slides\nhave all programs. Their ends stand in the table of lace-fig5.",
    ],
    facts: &[
        ("T_1/T_48 of Lace on fib", "34.9"),
        ("on uts T3L", "19.9"),
        ("on the others", "47.4 to 47.7"),
        ("workers of the figure", "4 to 48"),
        ("T_1/T_48 of each of its workers on uts T3L", "0.41"),
    ],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

/// Ours, and what it is called in the figure.
const SYSTEMS: [(&str, &str); 2] = [("split", "Lace"), ("receiver", "private deque, -ri")];

/// What the figure's ends say, which Figure 5 has in numbers: T_1/T_48 of Lace over 48, on fib.
const EFFICIENT: f64 = 34.9 / 48.0;

/// The same on uts T3L: 19.9.
const BINOMIAL_EFFICIENCY: f64 = 19.9 / 48.0;

/// The figure's first point beyond one worker. With fewer there is no chain of thieves that wait for each other.
const FEWEST: usize = 4;

/// What T_P is compared with.
#[derive(Clone, Copy)]
enum Over {
    Itself,
    Serial,
}

fn speedup(results: &Results, job: &str, system: &str, workers: usize, over: Over) -> Option<f64> {
    let base = match over {
        Over::Itself => system,
        Over::Serial => SERIAL,
    };
    let key = |contender, workers| Key { job, contender, workers };
    results.middle(|round| round.ratio(key(base, 1), key(system, workers)))
}

fn table(results: &Results) -> Table {
    let rows: Vec<_> = SYSTEMS
        .iter()
        .map(|(system, _)| *system)
        .chain([EXPOSING])
        .flat_map(|system| results.several().into_iter().map(move |count| (system, count)))
        .collect();
    let table = Table::titled(3, "workload | who | P | T_1 | T_P | T_1/T_P | T_S/T_P");
    table.filled(&results.jobs(), &rows, |job, &(system, workers)| {
        let timed = |workers| time(results.time(Key { job, contender: system, workers }));
        let value = |over| ratio(speedup(results, job, system, workers, over));
        let names = [job.clone(), system.to_owned(), workers.to_string()];
        let values = [timed(1), timed(workers), value(Over::Itself), value(Over::Serial)];
        [names.to_vec(), values.to_vec()].concat()
    })
}

/// The figure, and the slide: a line for each workload on each system.
fn charts(results: &Results) -> Vec<Chart> {
    let (jobs, workers) = (results.jobs(), results.workers_beside(SERIAL));
    let line = |job: &String, system, over| {
        let values = workers.iter().map(|&count| speedup(results, job, system, count, over));
        Line::new(format!("{job} {system}"), values)
    };
    let chart = |title: &str, over| Chart {
        title: title.to_owned(),
        x: "workers",
        places: workers.iter().map(usize::to_string).collect(),
        scale: SPEEDUP,
        lines: jobs
            .iter()
            .flat_map(|job| SYSTEMS.map(|(system, _)| line(job, system, over)))
            .collect(),
    };
    vec![chart("T_1/T_P", Over::Itself), chart("T_S/T_P", Over::Serial)]
}

fn is_binomial(job: &str) -> bool {
    super::benchmark(job) == Some("uts T3L")
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.several().last().copied();
    let each = |of_binomial: bool| {
        let jobs = jobs.iter().filter(|job| is_binomial(job) == of_binomial);
        results.on_each(jobs, |round, job| {
            let workers = most?;
            let key = |workers| Key { job, contender: SYSTEMS[0].0, workers };
            Some(round.ratio(key(1), key(workers))? / workers as f64)
        })
    };
    let workers = Count(most.unwrap_or(1), "worker");
    let efficient = format!("T_1/T_P for each worker, with {workers},");
    let tree = "the same on the binomial tree";
    let binomial = each(true);
    let scales_worse = Part::at_most(tree, binomial, BINOMIAL_EFFICIENCY.midpoint(EFFICIENT));
    let scales_worse = match most {
        Some(most) if most >= FEWEST => scales_worse,
        _ => {
            scales_worse.unmeasured("a chain of thieves takes more workers, each with a processor")
        }
    };
    Finding::of(
        "programs scale, fib as well, and that the binomial tree does not while waiting workers leapfrog only,",
        &[Part::at_least(&efficient, each(false), EFFICIENT), scales_worse],
        Some("the curves of more workers"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    fn results(workers: usize, fib: f64, tree: f64) -> Results {
        let all = [("fib:38", fib), ("uts:T3", tree)].map(|(job, many)| {
            [run(job, SERIAL, 1, 0.5), run(job, "split", 1, 1.0), run(job, "split", workers, many)]
        });
        often(all.concat())
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(8, 0.15, 0.3)).verdict, Verdict::Holds);
        assert_eq!(finding(&results(8, 0.15, 0.15)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(8, 0.3, 0.15)).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
    }

    #[test]
    fn two_workers_show_half_of_it() {
        let open = finding(&results(2, 0.55, 0.6));
        assert_eq!(open.verdict, Verdict::Open);
        assert!(open.evidence().contains("0.83 (0.83 to 0.83) on uts:T3"), "{}", open.evidence());
        assert!(open.evidence().contains("takes more workers"), "{}", open.evidence());
        assert_eq!(finding(&results(2, 0.9, 0.6)).verdict, Verdict::Fails);
    }

    #[test]
    fn both_speedups_are_told_and_drawn() {
        let results = results(2, 0.5, 0.8);
        let table = table(&results);
        assert_eq!(table.groups[0][0][5..], ["2.00", "1.00"]);
        let charts = charts(&results);
        assert_eq!(charts[0].lines[0].values, [Some(1.0), Some(2.0)]);
        assert_eq!(charts[1].lines[2].values, [Some(0.5), Some(0.625)]);
    }
}
