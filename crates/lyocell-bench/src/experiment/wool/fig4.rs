//! Wool's Figure 4: four ways for thieves to agree on the next task, on regions from small to large.

use super::PROCESSORS;
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG4: Experiment = Experiment {
    name: "wool-fig4",
    paper: &WOOL,
    place: "Figure 4",
    shows: "stealing with a lock, after a look, with a lock that is tried, and without, on stress",
    workers: Workers::From(1, PROCESSORS),
    workloads: Workloads::Named([
        &[
            "stress:8x256x8192",
            "stress:9x256x4096",
            "stress:10x256x2048",
            "stress:11x256x1024",
            "stress:12x256x512",
        ],
        &[
            "stress:8x256x65536",
            "stress:9x256x32768",
            "stress:10x256x16384",
            "stress:11x256x8192",
            "stress:12x256x4096",
        ],
    ]),
    contenders: |_, workers| {
        let several: Vec<usize> = workers.iter().copied().filter(|&count| count > 1).collect();
        let alone = Contender::setup(NO_LOCK, as_published(NO_LOCK), 1);
        let variants = lineup(&several, |workers| {
            VARIANTS.map(|(_, name)| Contender::setup(name, as_published(name), workers))
        });
        alone.into_iter().chain(variants).collect()
    },
    tables: &[table],
    notes: &[
        "Speedup: T_1 of nolock over T_P. A workload is HEIGHTxITERATIONSxTREES. Waiting workers leapfrog only, nobody sleeps and no thief \
exposes, as in\nthe paper. Its figure is a plot without numbers; of it the paper says that the gap between the methods closes as regions grow, since \
stealing\nbecomes less frequent, and so it does with fewer processors.",
    ],
    facts: &[
        ("trees", "64K of height 8 to 4K of height 12"),
        ("processors", "1 to 8"),
        ("cycles of a leaf of 256 iterations", "512"),
    ],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

/// The paper's names and ours.
const VARIANTS: [(&str, &str); 4] = [
    ("base", "direct-base"),
    ("peek", "direct-peek"),
    ("trylock", "direct-trylock"),
    ("nolock", "direct"),
];

const BASE: &str = VARIANTS[0].1;

const NO_LOCK: &str = VARIANTS[3].1;

fn median(results: &Results, job: &str, contender: &str, workers: usize) -> Option<f64> {
    results.seconds(Key { job, contender, workers })
}

/// The slowest over the fastest variant.
fn gap(results: &Results, job: &str, workers: usize) -> Option<f64> {
    let times = || VARIANTS.iter().filter_map(|(_, name)| median(results, job, name, workers));
    Some(largest(times())? / smallest(times())?)
}

/// Over one worker without locks.
fn speedup(results: &Results, job: &str, name: &str, workers: usize) -> Option<f64> {
    Some(median(results, job, NO_LOCK, 1)? / median(results, job, name, workers)?)
}

fn table(results: &Results) -> Table {
    let titles = "workload | P | base | peek | trylock | nolock | gap | T_1 | T_P nolock";
    Table::titled(2, titles).filled(&results.jobs(), &results.several(), |job, &workers| {
        let timed = |workers| time(results.time(Key { job, contender: NO_LOCK, workers }));
        let mut row = vec![job.clone(), workers.to_string()];
        row.extend(VARIANTS.map(|(_, name)| ratio(speedup(results, job, name, workers))));
        row.push(ratio(gap(results, job, workers)));
        row.extend([timed(1), timed(workers)]);
        row
    })
}

/// Speedups on all regions, a chart for each number of workers.
fn charts(results: &Results) -> Vec<Chart> {
    let jobs = results.jobs();
    let line = |(paper, name), workers| {
        Line::new(paper, jobs.iter().map(|job| speedup(results, job, name, workers)))
    };
    let chart = |workers: usize| Chart {
        title: format!("Speedup over one worker of nolock, {}", Count(workers, "worker")),
        x: "region: HEIGHTxITERATIONSxTREES",
        places: jobs.iter().map(|job| job.trim_start_matches("stress:").to_owned()).collect(),
        scale: SPEEDUP,
        lines: VARIANTS.map(|(paper, name): (&str, _)| line((paper, name), workers)).into(),
    };
    results.several().into_iter().map(chart).collect()
}

/// How many times as long base takes as nolock, in one round.
fn slower(round: &Round<'_>, job: &str, workers: usize) -> Option<f64> {
    let key = |contender| Key { job, contender, workers };
    round.ratio(key(BASE), key(NO_LOCK))
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.several().last().copied();
    let ends = match (&jobs[..], most) {
        ([first, .., last], Some(most)) => Some((first, last, most)),
        _ => None,
    };
    let parts = match ends {
        None => {
            let why = "it takes two regions and two workers";
            vec![Part::at_least("base beside nolock", Vec::new(), 1.0).unmeasured(why)]
        }
        Some((first, last, workers)) => {
            let slower = |job: &str| results.each_round(|round| slower(round, job, workers));
            let more = results.each_round(|round| {
                Some(self::slower(round, first, workers)? / self::slower(round, last, workers)?)
            });
            let what = format!(
                "T_P of base, with {}, over that of nolock on the smallest region",
                Count(workers, "worker")
            );
            vec![
                Part::at_least(&what, one(slower(first)), 1.0),
                Part::at_least("and that over the same on the largest region", one(more), 1.0),
            ]
        }
    };
    Finding::of(
        "stealing is faster without locks, the more so the smaller the region,",
        &parts,
        Some("thieves that meet at one victim"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    const SMALL: &str = "stress:8x256x8";
    const LARGE: &str = "stress:12x256x1";

    fn results(small: [f64; 4], large: [f64; 4]) -> Results {
        let mut runs = Vec::new();
        for (job, times) in [(SMALL, small), (LARGE, large)] {
            runs.push(run(job, NO_LOCK, 1, 2.0));
            runs.extend(
                VARIANTS.iter().zip(times).map(|((_, name), time)| run(job, name, 2, time)),
            );
        }
        often(runs)
    }

    #[test]
    fn the_finding_holds_where_locks_are_slow_on_small_regions_only() {
        let finding = finding(&results([2.0, 1.6, 1.4, 1.0], [1.1, 1.0, 1.0, 1.0]));
        assert_eq!(finding.verdict, Verdict::Holds);
        assert!(
            finding.evidence().contains("on the smallest region 2.00"),
            "{}",
            finding.evidence()
        );
    }

    #[test]
    fn the_finding_fails_where_locks_are_no_slower_and_regions_make_no_difference() {
        let neither = results([1.0, 1.0, 1.0, 1.2], [1.3, 1.0, 1.0, 1.0]);
        assert_eq!(finding(&neither).verdict, Verdict::Fails);
        let slower = results([1.0, 1.0, 1.0, 1.2], [0.8, 1.0, 1.0, 1.2]);
        assert_eq!(finding(&slower).verdict, Verdict::Partly);
        let everywhere = results([2.0, 1.0, 1.0, 1.0], [2.5, 1.0, 1.0, 1.0]);
        assert_eq!(finding(&everywhere).verdict, Verdict::Partly);
    }

    /// Four hundredths on the smallest region and two on the largest, a hundredth more or less from round to round.
    #[test]
    fn a_difference_within_the_noise_leaves_the_finding_open() {
        let rounds =
            [(1.04, 1.02), (1.03, 1.04), (1.05, 1.03), (0.99, 1.01), (1.04, 1.00), (1.04, 1.02)];
        let rounds = rounds.into_iter().enumerate().flat_map(|(rep, (small, large))| {
            let round = results([small, 1.0, 1.0, 1.0], [large, 1.0, 1.0, 1.0]);
            let round = round.0.into_iter().filter(|run| run.rep == 1);
            round.map(move |run| ExperimentRecord { rep, ..run })
        });
        let finding = finding(&Results(rounds.collect()));
        assert_eq!(finding.verdict, Verdict::Open);
        assert!(finding.evidence().contains("1.04 (0.99 to 1.05), to be at least 1.00: open"));
    }

    #[test]
    fn one_region_leaves_the_finding_open() {
        let runs = results([2.0; 4], [1.0; 4]).0.into_iter();
        let one = runs.filter(|record| record.param == "8x256x8").collect();
        assert_eq!(finding(&Results(one)).verdict, Verdict::Open);
    }

    #[test]
    fn speedups_are_over_one_worker_without_locks() {
        let table = table(&results([2.0, 1.6, 1.25, 1.0], [1.0; 4]));
        assert_eq!(table.groups[0][0][..7], [SMALL, "2", "1.00", "1.25", "1.60", "2.00", "2.00"]);
    }

    #[test]
    fn the_chart_has_the_speedups_of_the_table() {
        let [chart] = &charts(&results([2.0, 1.6, 1.25, 1.0], [1.0; 4]))[..] else {
            panic!("two workers only")
        };
        assert_eq!(chart.places, ["8x256x8", "12x256x1"]);
        let at_first: Vec<_> = chart.lines.iter().map(|line| line.values[0]).collect();
        assert_eq!(at_first, [1.0, 1.25, 1.6, 2.0].map(Some));
    }
}
