//! Wool's Figure 6: where processor time goes.

use lyocell_workloads::Instance;

use super::as_published;
use super::fig1::one_to_all;
use super::systems::WOOL as WOOL_HERE;
use super::workloads::{ROWS, instance};
use crate::experiment::paper::{Paper, WOOL};
use crate::experiment::plan::{lineup, watched_label};
use crate::experiment::record::{ExperimentRecord, Key, Results, Round};
use crate::experiment::report::{Count, Finding, Report, Table, ratio, time};
use crate::experiment::verdict::{Each, Part};
use crate::experiment::{Experiment, Request, Size};
use crate::measure::Contender;
use lyocell_engines::SERIAL;
use lyocell_engines::runtime::Watch;
use lyocell_workloads::Refused;

pub(in crate::experiment) struct WoolFig6;

/// The smallest and a larger region of each program.
const SELECTED: [(&str, [u64; 2]); 6] = [
    ("cholesky:250,1000", [4096, 128]),
    ("cholesky:500,2000", [1024, 16]),
    ("mm:64", [16384, 1024]),
    ("ssf:11", [16384, 2048]),
    ("stress:7x256", [131_072, 8192]),
    ("stress:3x4096", [131_072, 8192]),
];

/// Of a run, what went into a category.
type Seconds = fn(&ExperimentRecord) -> Option<f64>;

/// The paper's categories: startup and shutdown; application code but for what leapfrogging brings; that; stealing,
/// with the waits between tries; leapfrogging.
const CATEGORIES: [(&str, Seconds); 5] = [
    ("TR", |run| run.start_stop_seconds),
    ("NA", |run| run.application_seconds),
    ("LA", |run| run.leap_application_seconds),
    ("ST", |run| Some(run.stealing_seconds? + run.idle_seconds?)),
    ("LF", |run| run.leaping_seconds),
];

const NA: usize = 1;
const LA: usize = 2;
const ST: usize = 3;
const LF: usize = 4;

impl Experiment for WoolFig6 {
    fn name(&self) -> &'static str {
        "wool-fig6"
    }

    fn paper(&self) -> &'static Paper {
        &WOOL
    }

    fn place(&self) -> &'static str {
        "Figure 6"
    }

    fn shows(&self) -> &'static str {
        "processor time by category: startup, application, leapfrogged application, stealing, leapfrogging"
    }

    fn workers(&self, request: &Request) -> Result<Vec<usize>, Refused> {
        Ok(one_to_all(request))
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        if let Some(asked) = &request.workloads {
            return Ok(asked.clone());
        }
        let times = |[paper, small]: [u64; 2]| match request.size {
            Size::Paper => paper,
            Size::Small => small,
        };
        Ok(SELECTED.iter().map(|&(job, counts)| instance(job, times(counts))).collect())
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let setup = as_published(WOOL_HERE).watched(Watch::Times);
        let timed =
            lineup(workers, |workers| [Contender::setup(watched_label(WOOL_HERE), setup, workers)]);
        [vec![Contender::serial()], timed].concat()
    }

    fn report(&self, results: &Results) -> Report {
        let note = format!(
            "All workers together, by the clock on the wall, over T_S: TR startup and shutdown, NA application code but LA that \
             comes by\nleapfrogging, ST stealing, LF leapfrogging. On direct, which stands for Wool and waits as in the \
             paper; nobody sleeps, so with a\nprocessor for each worker this is processor time. The figure is a plot \
             without numbers, of selected workloads of the {} of Table I\non 12 processors. Of it the paper says that LF and \
             LA are small, so that simply waiting would be adequate, and that where the time grows\nmost it is by \
             stealing and by the application itself.",
            ROWS.len()
        );
        Report { tables: vec![table(results)], notes: vec![note], finding: finding(results) }
    }
}

/// The categories over T_S.
fn shares(round: &Round<'_>, job: &str, workers: usize) -> Option<[f64; 5]> {
    let serial = round.seconds(Key { job, contender: SERIAL, workers: 1 })?;
    let label = watched_label(WOOL_HERE);
    let run = round.run(Key { job, contender: &label, workers })?;
    let mut shares = [0.0; 5];
    for (share, (_, seconds)) in shares.iter_mut().zip(CATEGORIES) {
        *share = seconds(run)? / serial;
    }
    Some(shares)
}

fn table(results: &Results) -> Table {
    let header: Vec<&str> = ["workload", "P", "T_S", "T_P"]
        .into_iter()
        .chain(CATEGORIES.iter().map(|(name, _)| *name))
        .chain(["sum"])
        .collect();
    let mut table = Table::new(2, &header);
    for job in results.jobs() {
        let row = |workers: usize| {
            let label = watched_label(WOOL_HERE);
            let key = |contender, workers| Key { job: &job, contender, workers };
            let mut row = vec![job.clone(), workers.to_string()];
            row.push(time(results.time(key(SERIAL, 1))));
            row.push(time(results.time(key(&label, workers))));
            let share = |of: &dyn Fn([f64; 5]) -> f64| {
                let share = results.each_round(|round| Some(of(shares(round, &job, workers)?)));
                ratio(share.map(|share| share.value))
            };
            row.extend((0..CATEGORIES.len()).map(|index| share(&|shares| shares[index])));
            row.push(share(&|shares| shares.iter().sum()));
            row
        };
        table.groups.push(results.workers_beside(SERIAL).into_iter().map(row).collect());
    }
    table
}

/// Below this share of T_S nothing grows. Untuned.
const LITTLE: f64 = 0.01;

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.workers_beside(SERIAL).last().copied().unwrap_or(1);
    let each = |of: &dyn Fn([f64; 5]) -> f64| -> Each {
        let one = |job: &String| {
            let share = results.each_round(|round| Some(of(shares(round, job, most)?)));
            Some((job.clone(), share?))
        };
        jobs.iter().filter(|_| most > 1).filter_map(one).collect()
    };
    let leaping = each(&|shares| (shares[LF] + shares[LA]) / shares.iter().sum::<f64>());
    let growth = each(&|shares| {
        let by_stealing = shares[ST] + (shares[NA] - 1.0).max(0.0);
        by_stealing / (by_stealing + shares[LF] + shares[LA]).max(LITTLE)
    });
    let what = format!("with {} LF and LA are, of all processor time,", Count(most, "worker"));
    Finding::of(
        "little time goes into leapfrogging, and what grows is stealing and the application itself,",
        &[
            Part::at_most(&what, &leaping, SMALL),
            Part::at_least(
                "ST and the growth of NA are, of what is added to T_S,",
                &growth,
                MAINLY,
            ),
        ],
        Some("what eight and twelve processors spend"),
    )
}

/// "Small enough"; in the paper a sliver of each bar. Untuned.
const SMALL: f64 = 0.1;

/// "Primarily".
const MAINLY: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    fn results([tr, na, la, st, lf]: [f64; 5]) -> Results {
        let watched = ExperimentRecord {
            start_stop_seconds: Some(tr),
            application_seconds: Some(na),
            leap_application_seconds: Some(la),
            stealing_seconds: Some(st),
            leaping_seconds: Some(lf),
            idle_seconds: Some(0.0),
            ..run("mm:64x9", &watched_label(WOOL_HERE), 2, 1.0)
        };
        twice(vec![run("mm:64x9", SERIAL, 1, 2.0), watched])
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results([0.0, 2.2, 0.01, 0.4, 0.02])).verdict, Verdict::Holds);
        // A tenth of all time, but less than stealing takes.
        assert_eq!(finding(&results([0.0, 2.2, 0.2, 0.8, 0.2])).verdict, Verdict::Partly);
        assert_eq!(finding(&results([0.0, 2.0, 0.5, 0.1, 0.5])).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(vec![run("mm:64x9", SERIAL, 1, 2.0)])).verdict, Verdict::Open);
    }

    #[test]
    fn categories_are_over_the_serial_time() {
        let table = table(&results([0.02, 2.2, 0.1, 0.4, 0.2]));
        assert_eq!(table.header[4..], ["TR", "NA", "LA", "ST", "LF", "sum"]);
        assert_eq!(table.groups[0][0][4..], ["0.01", "1.10", "0.05", "0.20", "0.10", "1.46"]);
    }

    #[test]
    fn the_selected_rows_are_of_table_one() {
        for (job, [paper, _]) in SELECTED {
            let row = ROWS.iter().find(|row| row.job == job).unwrap();
            let papers = instance(row.job, paper).to_string();
            let all = super::super::workloads::rows(&Request::of(Size::Paper, 2));
            assert!(all.iter().any(|instance| instance.to_string() == papers), "{papers}");
        }
    }
}
