//! Acar et al.'s Figure 5: what delta, the mean time between two deals of an owner, does to the sender-initiated deque.

use std::time::Duration;

use lyocell::deque::{Amount, Attempts};
use lyocell_engines::runtime::options::{ATTEMPTS, DELTA, STEAL, duration_name};

use super::bound::{MUCH_LESS, bound};
use super::fig4::{PAPER_DELTA, depth};
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG5: Experiment = Experiment {
    name: "acar-fig5",
    paper: &PRIVATE_DEQUES,
    place: "Figure 5",
    shows: "time, and idle time for each migration, as delta of the sender-initiated deque grows",
    // Of the second the branching depth is large: there delta should do harm sooner.
    workloads: Workloads::Named([&["fib:43,18", "matching:grid,2097152"], &["fib:48,18"]]),
    contenders: |_, workers| {
        let alone = Contender::setup(ALONE, Deal { way: OURS, delta: PAPER_DELTA }.setup(), 1);
        let both = |workers| {
            WAYS.into_iter().flat_map(deals).flat_map(move |deal| {
                let (label, setup) = (deal.label(), deal.setup());
                let watched = Contender::watched(setup, &label, workers);
                [Contender::setup(label, setup, workers), watched]
            })
        };
        alone.into_iter().chain(lineup(workers, both)).collect()
    },
    tables: &[table, bounds_table],
    notes: &[
        "Idle: what all workers together search or sleep between their first task and their last, counted in runs of their own; a \
migration\nis a steal. The paper's figure is two plots without numbers; of them it says that the average idle time per migration is \
\"extremely close to delta\".\nThe paper's way is one task, blind: an owner attempts at each of its dates, at one random worker, and nobody sleeps. On demand, our \
default,\nan owner that has not dealt for long deals at once, so nobody waits for a delta.",
        "F: the branching depth. By the theorem a delta much less than T_1/(2.68 F P) does no harm; we take a tenth.",
    ],
    facts: &[
        ("program, with its cut-off", "fib(48), 18"),
        ("the time does not change up to a delta of", "1 ms"),
    ],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

const DEQUE: &str = "sender";

/// Ten microseconds to ten milliseconds, three a decade.
const DELTAS_US: [u64; 7] = [10, 30, 100, 300, 1_000, 3_000, 10_000];

/// How deals are made: as in the paper, one task at each date to one random worker; and two ways of ours.
const WAYS: [Way; 3] = [
    Way { amount: Amount::One, attempts: Attempts::Blind },
    Way { amount: Amount::One, attempts: Attempts::OnDemand },
    Way { amount: Amount::Half, attempts: Attempts::OnDemand },
];

const PAPERS: Way = WAYS[0];

const OURS: Way = WAYS[1];

/// Whose T_1 goes into the bound.
const ALONE: &str = "sender alone";

/// From here on a date is not blurred by the tasks in between, which take ten microseconds.
const CLEAR: Duration = Duration::from_micros(100);

/// An effect below this is noise. Untuned.
const EFFECT: f64 = 1.10;

/// "Extremely close to delta", we take as within this factor. Untuned.
const CLOSE: f64 = 2.0;

/// How deals are made.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Way {
    amount: Amount,
    attempts: Attempts,
}

impl Way {
    fn name(self) -> String {
        format!("{} {}", self.amount, Value::Attempts(self.attempts))
    }
}

/// What is varied.
#[derive(Clone, Copy)]
struct Deal {
    way: Way,
    delta: Duration,
}

impl Deal {
    fn setup(self) -> Setup {
        Setup::on(DEQUE)
            .with(&STEAL, Value::Amount(self.way.amount))
            .with(&ATTEMPTS, Value::Attempts(self.way.attempts))
            .with(&DELTA, Value::Time(self.delta))
    }

    fn label(self) -> String {
        format!("{DEQUE} {} {}", self.way.name(), duration_name(self.delta))
    }
}

/// Every delta in this way.
fn deals(way: Way) -> impl Iterator<Item = Deal> {
    DELTAS_US.into_iter().map(move |delta| Deal { way, delta: Duration::from_micros(delta) })
}

fn workers(results: &Results) -> Vec<usize> {
    results.workers_beside(ALONE)
}

fn median(results: &Results, job: &str, deal: Deal, workers: usize) -> Option<f64> {
    results.seconds(Key { job, contender: &deal.label(), workers })
}

/// T_P over that with the smallest delta.
fn relative(results: &Results, job: &str, deal: Deal, workers: usize) -> Option<Measured> {
    let first = deals(deal.way).next()?;
    let labels = [deal.label(), first.label()];
    let [of, over] = labels.each_ref().map(|contender| Key { job, contender, workers });
    results.ratio(of, over)
}

fn alone(results: &Results, job: &str) -> Option<f64> {
    results.seconds(Key { job, contender: ALONE, workers: 1 })
}

/// T_1 / (2.68 F P).
fn bound_of(results: &Results, job: &str, workers: usize) -> Option<Duration> {
    bound(alone(results, job)?, depth(job)?, workers)
}

fn migrations(record: &ExperimentRecord) -> Option<f64> {
    record.moved().map(|moved| moved as f64)
}

fn idle_per_migration(record: &ExperimentRecord) -> Option<f64> {
    let migrations = migrations(record).filter(|&count| count > 0.0)?;
    Some(record.waiting_seconds? / migrations)
}

/// The median of something of the watched runs.
fn watched(
    results: &Results,
    job: &str,
    deal: Deal,
    workers: usize,
    value: fn(&ExperimentRecord) -> Option<f64>,
) -> Option<f64> {
    let label = watched_label(&deal.label());
    results.median(Key { job, contender: &label, workers }, value)
}

/// How many deltas a migration waits, round by round.
fn idle_in_deltas(results: &Results, job: &str, deal: Deal, workers: usize) -> Option<Measured> {
    let label = watched_label(&deal.label());
    results.each_round(|round| {
        let idle = idle_per_migration(round.run(Key { job, contender: &label, workers })?)?;
        Some(idle / deal.delta.as_secs_f64())
    })
}

fn table(results: &Results) -> Table {
    let mut table = Table::titled(
        4,
        "workload | P | deal | delta | T_P | over the first | migrations | idle | idle/migration | idle/migration/delta",
    );
    for job in results.jobs() {
        for workers in workers(results) {
            for way in WAYS {
                let rows = deals(way).map(|deal| row(results, &job, deal, workers));
                table.push(rows);
            }
        }
    }
    table
}

fn row(results: &Results, job: &str, deal: Deal, workers: usize) -> Vec<String> {
    let timing = results.time(Key { job, contender: &deal.label(), workers });
    let watched = |value| watched(results, job, deal, workers, value);
    vec![
        job.to_owned(),
        workers.to_string(),
        deal.way.name(),
        duration_name(deal.delta),
        time(timing),
        ratio_of(relative(results, job, deal, workers)),
        whole(watched(migrations)),
        cell(watched(|record| record.waiting_seconds), seconds),
        cell(watched(idle_per_migration), seconds),
        ratio_of(idle_in_deltas(results, job, deal, workers)),
    ]
}

/// What the theorem says of each job, and how long the longest delta that it allows takes.
fn bounds_table(results: &Results) -> Table {
    let titles = "workload | P | T_1 | F | T_1/(2.68 F P) | a tenth | slowest up to it | beyond";
    let mut table = Table::titled(2, titles);
    for job in results.jobs() {
        for workers in workers(results) {
            let bound = bound_of(results, &job, workers);
            let duration = |bound: Duration| seconds(bound.as_secs_f64());
            let slowest = |harmless: bool| {
                let times = within(results, &job, workers, harmless);
                largest(times.into_iter().map(|(_, ratio)| ratio.value))
            };
            let row = vec![
                job.clone(),
                workers.to_string(),
                cell(alone(results, &job), seconds),
                whole(depth(&job).map(|depth| depth as f64)),
                cell(bound, duration),
                cell(bound.map(|bound| bound.mul_f64(MUCH_LESS)), duration),
                ratio(slowest(true)),
                ratio(slowest(false)),
            ];
            table.push([row]);
        }
    }
    table
}

/// The theorem in every cell that was simulated: the mean time with the most workers beside its bound, which none is to exceed.
pub(crate) fn theorem(results: &Results) -> Table {
    let titles = "program | P | deal | delta | T_P, mean | the bound | of it";
    let mut table = Table::titled(3, titles);
    let Some(workers) = workers(results).last().copied() else { return table };
    for job in results.jobs() {
        let row = |deal: Deal| {
            let key = Key { job: &job, contender: &deal.label(), workers };
            let mean = results.mean(key)?.mean;
            let bound = results.median(key, |record| record.bound_seconds)?;
            let names = [job.clone(), workers.to_string(), deal.way.name()];
            let delta = duration_name(deal.delta);
            let cells = [delta, seconds(mean), seconds(bound), ratio(Some(mean / bound))];
            Some(names.into_iter().chain(cells).collect::<Vec<_>>())
        };
        table.push(WAYS.into_iter().flat_map(deals).filter_map(row));
    }
    table
}

/// The times with the deltas that are much less than the bound, or with the others, in the paper's way, over that with the
/// smallest delta.
fn within(results: &Results, job: &str, workers: usize, harmless: bool) -> Each {
    let Some(bound) = bound_of(results, job, workers) else { return Vec::new() };
    let of = |deal: Deal| Some((named(job, deal), relative(results, job, deal, workers)?));
    // The smallest is what the others are compared with.
    let deltas = deals(PAPERS).skip(1);
    deltas
        .filter(|deal| (deal.delta <= bound.mul_f64(MUCH_LESS)) == harmless)
        .filter_map(of)
        .collect()
}

fn named(job: &str, deal: Deal) -> String {
    format!("{job} at {}", duration_name(deal.delta))
}

/// Both of the paper's plots, for each job and number of workers.
fn charts(results: &Results) -> Vec<Chart> {
    let both = |job: &String, workers: usize| {
        let chart = |what: &str, scale, of: Of| Chart {
            title: format!("{what}: {job}, {}", Count(workers, "worker")),
            x: "delta",
            places: deals(PAPERS).map(|deal| duration_name(deal.delta)).collect(),
            scale,
            lines: WAYS
                .map(|way| {
                    let values = deals(way).map(|deal| of(results, job, deal, workers));
                    Line::new(way.name(), values)
                })
                .into(),
        };
        [
            chart("Time", Scale::Linear(seconds), median),
            chart(
                "Idle time for each migration",
                Scale::Logarithmic(seconds),
                |results, job, deal, workers| {
                    watched(results, job, deal, workers, idle_per_migration)
                },
            ),
        ]
    };
    let workers = workers(results);
    let jobs = results.jobs();
    jobs.iter().flat_map(|job| workers.iter().flat_map(move |&count| both(job, count))).collect()
}

/// Something of a job with a delta and so many workers.
type Of = fn(&Results, &str, Deal, usize) -> Option<f64>;

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = workers(results).last().copied().unwrap_or(1);
    let harmless: Each = jobs.iter().flat_map(|job| within(results, job, most, true)).collect();
    let clear = || deals(PAPERS).filter(|deal| deal.delta >= CLEAR);
    let wait = |job, deal| Some((named(job, deal), idle_in_deltas(results, job, deal, most)?));
    let waits: Each =
        jobs.iter().flat_map(|job| clear().filter_map(move |deal| wait(job, deal))).collect();
    let what = format!(
        "T_P of blind attempts, with {}, with a delta of up to a tenth of the bound over that with the smallest",
        Count(most, "worker")
    );
    let idle = format!("what a migration waits over delta, from {} on", duration_name(CLEAR));
    Finding::of(
        "a delta much less than T_1/(2.68 F P) does no harm, and that a task that migrates takes about delta to come,",
        &[Part::at_most(&what, harmless, EFFECT), Part::within(&idle, waits, CLOSE)],
        Some("the deals of twenty-nine owners to one idle worker"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    /// Runs of a second at any delta up to 1 ms, of `late` seconds at 1 ms, with waits of `wait` deltas; a second alone.
    fn results(late: f64, wait: f64) -> Results {
        let runs = WAYS.into_iter().flat_map(deals).flat_map(|deal| {
            let seconds = if deal.delta.as_millis() == 1 { late } else { 1.0 };
            let watched = ExperimentRecord {
                steals: Some(4),
                leaps: Some(6),
                waiting_seconds: Some(10.0 * wait * deal.delta.as_secs_f64()),
                ..run(JOB, &watched_label(&deal.label()), 2, seconds)
            };
            [run(JOB, &deal.label(), 2, seconds), watched]
        });
        // 2.68 s / (2.68 x 25 x 2) = 20 ms.
        often(runs.chain([run(JOB, ALONE, 1, 2.68)]).collect())
    }

    const JOB: &str = "fib:43,18";

    #[test]
    fn the_finding_holds_where_times_are_flat_and_waits_are_about_delta() {
        let finding = finding(&results(1.05, 1.2));
        assert_eq!(finding.verdict, Verdict::Holds);
        for words in
            ["1.05 (1.05 to 1.05) on fib:43,18 at 1ms", "on 1.20 (1.20 to 1.20) on fib:43,18 at "]
        {
            assert!(finding.evidence().contains(words), "{}", finding.evidence());
        }
    }

    #[test]
    fn the_finding_fails_where_delta_harms_and_waits_differ_from_it() {
        assert_eq!(finding(&results(1.3, 9.0)).verdict, Verdict::Fails);
        assert_eq!(finding(&results(1.3, 1.0)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.0, 0.1)).verdict, Verdict::Partly);
    }

    #[test]
    fn what_is_on_demand_decides_nothing() {
        let mut runs = results(1.0, 1.0).0;
        for record in &mut runs {
            if record.contender.contains("on-demand") {
                (record.seconds, record.waiting_seconds) = (9.0, Some(9.0));
            }
        }
        assert_eq!(finding(&Results(runs)).verdict, Verdict::Holds);
    }

    #[test]
    fn a_delta_beyond_the_bound_may_do_harm() {
        let mut runs = results(1.0, 1.0).0;
        for record in &mut runs {
            if record.contender.ends_with(" 10ms") {
                record.seconds = 3.0;
            }
        }
        let results = Results(runs);
        assert_eq!(finding(&results).verdict, Verdict::Holds);
        let row = &bounds_table(&results).groups[0][0];
        assert_eq!(row[2..], ["2.68 s", "25", "20.0 ms", "2.00 ms", "1.00", "3.00"]);
    }

    #[test]
    fn the_theorem_is_beside_the_mean_of_every_cell_that_was_simulated() {
        let mut results = results(1.0, 1.0);
        assert!(theorem(&results).groups.concat().is_empty());
        results.0.iter_mut().for_each(|run| run.bound_seconds = Some(1.25));
        let table = theorem(&results);
        let cells = &table.groups[0][4];
        assert_eq!(cells[..3], [JOB, "2", "one blind"]);
        assert_eq!(cells[3..], ["1ms", "1.00 s", "1.25 s", "0.80"]);
        assert_eq!(table.groups[0].len(), WAYS.len() * DELTAS_US.len());
    }

    #[test]
    fn without_times_of_phases_the_finding_says_nothing_of_waits() {
        let mut runs = results(1.3, 1.0).0;
        runs.retain(|record| record.waiting_seconds.is_none());
        let finding = finding(&Results(runs));
        assert_eq!(finding.verdict, Verdict::Fails);
        assert!(finding.evidence().contains("on: not measured"), "{}", finding.evidence());
    }

    #[test]
    fn the_row_of_a_delta_has_its_migrations_and_their_wait() {
        let table = table(&results(1.0, 1.5));
        let row = &table.groups[0][4];
        assert_eq!(row[2..4], ["one blind", "1ms"]);
        assert_eq!(row[5..], ["1.00", "10", "15.0 ms", "1.50 ms", "1.50"]);
    }

    #[test]
    fn the_charts_are_of_the_time_and_of_the_wait() {
        let charts = charts(&results(1.3, 2.0));
        assert_eq!(charts.len(), 2);
        assert_eq!(charts[0].places[4], "1ms");
        assert_eq!(charts[0].lines.len(), 3);
        assert_eq!(charts[0].lines[0].values[4], Some(1.3));
        let wait = charts[1].lines[0].values[4].unwrap();
        assert!((wait - 2e-3).abs() < 1e-9, "{wait}");
    }
}
