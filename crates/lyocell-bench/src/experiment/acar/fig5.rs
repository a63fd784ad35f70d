//! Acar et al.'s Figure 5: what delta, the mean time between two deals of an owner, does to the sender-initiated deque.

use std::time::Duration;

use lyocell::deque::Amount;
use lyocell_workloads::{Fib, Instance};

use crate::engine::lyocell::options::duration_name;
use crate::engine::lyocell::{Choice, Setup, Value};
use crate::experiment::chart::{Chart, Line, Scale};
use crate::experiment::paper::{PRIVATE_DEQUES, Paper};
use crate::experiment::plan::watched_label;
use crate::experiment::record::{ExperimentRecord, Key, Results};
use crate::experiment::report::{
    Count, Finding, Report, Table, Verdict, cell, largest, number, ratio, smallest, time, whole,
};
use crate::experiment::{Experiment, Request, asked_or};
use crate::measure::Contender;
use crate::refused::Refused;
use crate::report::seconds;

pub(in crate::experiment) struct AcarFig5;

const DEQUE: &str = "sender";

/// Ten microseconds to ten milliseconds, three a decade.
const DELTAS_US: [u64; 7] = [10, 30, 100, 300, 1_000, 3_000, 10_000];

/// How many tasks a deal moves: the paper's figure is of one, its extension moves half.
const AMOUNTS: [Amount; 2] = [Amount::One, Amount::Half];
const PAPER_AMOUNT: Amount = AMOUNTS[0];

/// "Up to delta = 1 millisecond, we do not expect to see any effect."
const HARMLESS: Duration = Duration::from_millis(1);

/// An effect below this is noise. Untuned.
const EFFECT: f64 = 1.10;

/// "Extremely close to delta", we take as within this factor. Untuned.
const CLOSE: f64 = 2.0;

impl Experiment for AcarFig5 {
    fn name(&self) -> &'static str {
        "acar-fig5"
    }

    fn paper(&self) -> &'static Paper {
        &PRIVATE_DEQUES
    }

    fn place(&self) -> &'static str {
        "Figure 5"
    }

    fn shows(&self) -> &'static str {
        "time, and idle time for each migration, as delta of the sender-initiated deque grows"
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        Ok(asked_or(request, vec![Fib::new(40).into()], vec![Fib::new(48).into()]))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let mut contenders = Vec::new();
        for &workers in workers {
            for deal in AMOUNTS.into_iter().flat_map(deals) {
                contenders.extend(Contender::setup(deal.label(), deal.setup(), workers));
                contenders.extend(Contender::watched(deal.setup(), &deal.label(), workers));
            }
        }
        contenders
    }

    fn report(&self, results: &Results) -> Report {
        let note = "Idle: what all workers together search or sleep between their first task and their last, counted in \
                    runs of their own; a migration\nis a steal. The paper's Figure 5 is two plots without numbers, for \
                    fib(48) with a cut-off at 18: the time does not change up to delta = 1 ms,\nand the average idle time \
                    per migration is \"extremely close to delta\". There an owner deals at its next date; here one that \
                    has not dealt\nfor long deals at once, and a worker sleeps after 100 us without tasks.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }

    fn charts(&self) -> Option<fn(&Results) -> Vec<Chart>> {
        Some(charts)
    }
}

/// What is varied.
#[derive(Clone, Copy)]
struct Deal {
    amount: Amount,
    delta: Duration,
}

impl Deal {
    fn setup(self) -> Setup {
        Setup::on(DEQUE)
            .with(Choice::Steal, Value::Amount(self.amount))
            .with(Choice::Delta, Value::Time(self.delta))
    }

    fn label(self) -> String {
        format!("{DEQUE} {} {}", self.amount, duration_name(self.delta))
    }
}

/// Every delta with this amount.
fn deals(amount: Amount) -> impl Iterator<Item = Deal> {
    DELTAS_US.into_iter().map(move |delta| Deal { amount, delta: Duration::from_micros(delta) })
}

fn workers(results: &Results) -> Vec<usize> {
    results.workers_beside("")
}

fn median(results: &Results, job: &str, deal: Deal, workers: usize) -> Option<f64> {
    Some(results.time(Key { job, contender: &deal.label(), workers })?.median)
}

/// T_P over that with the smallest delta.
fn relative(results: &Results, job: &str, deal: Deal, workers: usize) -> Option<f64> {
    let first = deals(deal.amount).next()?;
    Some(median(results, job, deal, workers)? / median(results, job, first, workers)?)
}

fn migrations(record: &ExperimentRecord) -> Option<f64> {
    Some((record.steals? + record.leaps?) as f64)
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

/// How many deltas a migration waits.
fn idle_in_deltas(results: &Results, job: &str, deal: Deal, workers: usize) -> Option<f64> {
    let idle = watched(results, job, deal, workers, idle_per_migration)?;
    Some(idle / deal.delta.as_secs_f64())
}

fn table(results: &Results) -> Table {
    let header = [
        "workload",
        "P",
        "deal",
        "delta",
        "T_P",
        "over the first",
        "migrations",
        "idle",
        "idle/migration",
        "idle/migration/delta",
    ];
    let mut table = Table::new(4, &header);
    for job in results.jobs() {
        for workers in workers(results) {
            for amount in AMOUNTS {
                let rows = deals(amount).map(|deal| row(results, &job, deal, workers));
                table.groups.push(rows.collect());
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
        deal.amount.to_string(),
        duration_name(deal.delta),
        time(timing),
        ratio(relative(results, job, deal, workers)),
        whole(watched(migrations)),
        cell(watched(|record| record.waiting_seconds), seconds),
        cell(watched(idle_per_migration), seconds),
        ratio(idle_in_deltas(results, job, deal, workers)),
    ]
}

/// Both of the paper's plots, for each job and number of workers.
fn charts(results: &Results) -> Vec<Chart> {
    let both = |job: &String, workers: usize| {
        let chart = |what: &str, scale, of: Of| Chart {
            title: format!("{what}: {job}, {}", Count(workers, "worker")),
            x: "delta",
            places: deals(PAPER_AMOUNT).map(|deal| duration_name(deal.delta)).collect(),
            scale,
            lines: AMOUNTS
                .map(|amount| Line {
                    name: format!("a deal moves {}", amount),
                    values: deals(amount).map(|deal| of(results, job, deal, workers)).collect(),
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

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = workers(results).last().copied().unwrap_or(1);
    let over = |deals: Vec<Deal>, of: Of| -> Vec<f64> {
        let of = |job: &String| {
            let each = deals.iter().filter_map(|&deal| of(results, job, deal, most));
            each.collect::<Vec<f64>>()
        };
        jobs.iter().flat_map(of).collect()
    };
    let all = || deals(PAPER_AMOUNT);
    let harmless = all().filter(|deal| deal.delta <= HARMLESS).collect();
    let slowest = largest(over(harmless, relative));
    let waits = over(all().collect(), idle_in_deltas);
    let ends = smallest(waits.iter().copied()).zip(largest(waits.iter().copied()));
    let flat = slowest.map(|slowest| slowest <= EFFECT);
    let close = ends.map(|(least, most)| least >= 1.0 / CLOSE && most <= CLOSE);
    let parts = flat.zip(close).map(|(flat, close)| [flat, close].map(Some));
    let waits = match ends {
        Some((least, most)) => {
            format!("waits {} to {} times delta", number(Some(least)), number(Some(most)))
        }
        None => "waits for a time that was not measured".to_owned(),
    };
    Finding {
        claim: "delta may grow to a millisecond without harm, and that a task that migrates takes about delta to come,",
        verdict: Verdict::of(&parts.unwrap_or_default()),
        evidence: format!(
            "with {} that deal one task a delta of up to 1 ms takes at most {} times as long as the smallest, and a migration {waits}",
            Count(most, "worker"),
            number(slowest),
        ),
        beyond: Some("the deals of twenty-nine owners to one idle worker"),
    }
}

/// Something of one deal, on a job with a number of workers.
type Of = fn(&Results, &str, Deal, usize) -> Option<f64>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::run;

    /// Runs of a second at any delta up to 1 ms, of `late` seconds at 1 ms, with waits of `wait` deltas.
    fn results(late: f64, wait: f64) -> Results {
        let runs = deals(PAPER_AMOUNT).flat_map(|deal| {
            let seconds = if deal.delta == HARMLESS { late } else { 1.0 };
            let watched = ExperimentRecord {
                steals: Some(4),
                leaps: Some(6),
                waiting_seconds: Some(10.0 * wait * deal.delta.as_secs_f64()),
                ..run("fib:40", &watched_label(&deal.label()), 2, seconds)
            };
            [run("fib:40", &deal.label(), 2, seconds), watched]
        });
        Results(runs.collect())
    }

    #[test]
    fn the_finding_holds_where_times_are_flat_and_waits_are_about_delta() {
        let finding = finding(&results(1.05, 1.2));
        assert_eq!(finding.verdict, Verdict::Holds);
        for words in ["at most 1.05 times", "waits 1.20 to 1.20 times delta"] {
            assert!(finding.evidence.contains(words), "{}", finding.evidence);
        }
    }

    #[test]
    fn the_finding_fails_where_delta_harms_and_waits_differ_from_it() {
        assert_eq!(finding(&results(1.3, 9.0)).verdict, Verdict::Fails);
        assert_eq!(finding(&results(1.3, 1.0)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.0, 0.1)).verdict, Verdict::Partly);
    }

    #[test]
    fn without_times_of_phases_the_finding_is_open() {
        let mut runs = results(1.0, 1.0).0;
        runs.retain(|record| record.waiting_seconds.is_none());
        assert_eq!(finding(&Results(runs)).verdict, Verdict::Open);
    }

    #[test]
    fn the_row_of_a_delta_has_its_migrations_and_their_wait() {
        let table = table(&results(1.0, 1.5));
        let row = &table.groups[0][4];
        assert_eq!(row[2..4], ["one", "1ms"]);
        assert_eq!(row[5..], ["1.00", "10", "15.0 ms", "1.50 ms", "1.50"]);
    }

    #[test]
    fn the_charts_are_of_the_time_and_of_the_wait() {
        let charts = charts(&results(1.3, 2.0));
        assert_eq!(charts.len(), 2);
        assert_eq!(charts[0].places[4], "1ms");
        assert_eq!(charts[0].lines[0].values[4], Some(1.3));
        let wait = charts[1].lines[0].values[4].unwrap();
        assert!((wait - 2e-3).abs() < 1e-9, "{wait}");
        assert!(charts[0].lines[1].values.iter().all(Option::is_none), "only one was dealt");
    }
}
