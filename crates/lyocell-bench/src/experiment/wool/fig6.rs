//! Wool's Figure 6: where processor time goes.

use super::PROCESSORS;
use super::systems::{self, WOOL_HERE};
use super::workloads::instance;
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG6: Experiment = Experiment {
    name: "wool-fig6",
    paper: &WOOL,
    place: "Figure 6",
    shows: "processor time by category: startup, application, leapfrogged application, stealing, leapfrogging",
    workers: Workers::From(1, PROCESSORS),
    workloads: Workloads::Made(|request, _| {
        let selected = |&(job, [paper, small]): &(&str, [u64; 2])| {
            instance(job, request.size.of([small, paper]))
        };
        Ok(asked_or(request, || SELECTED.iter().map(selected).collect()))
    }),
    contenders: |_, workers| {
        let setup = as_published(WOOL_HERE).watched(Watch::Times);
        let timed =
            lineup(workers, |workers| [Contender::setup(watched_label(WOOL_HERE), setup, workers)]);
        let others = systems::others();
        let others =
            others.flat_map(|name| lineup(workers, |workers| [Contender::rival(name, workers)]));
        [vec![Contender::serial()], timed, others.collect()].concat()
    },
    tables: &[table, sums],
    notes: &[
        "All workers together, by the clock on the wall, over T_S: TR startup and shutdown, NA application code but LA that comes \
by\nleapfrogging, ST stealing, LF leapfrogging. On direct, which stands for Wool and waits as in the paper; nobody sleeps, so with \
a\nprocessor for each worker this is processor time. Of other systems there is only the sum. The figure is a plot without numbers. Of it \
the paper\nsays that LF and LA are small, so that simply waiting would be adequate, and that where the time grows most it is by stealing and by \
the\napplication itself.",
    ],
    facts: &[("workloads of Table I, of which some are selected", "24"), ("processors", "12")],
    finding,
    ..Experiment::USUAL
};

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
    let titles = "workload | P | T_S | T_P | TR | NA | LA | ST | LF | sum";
    let workers = results.workers_beside(SERIAL);
    Table::titled(2, titles).filled(&results.jobs(), &workers, |job, &workers| {
        let label = watched_label(WOOL_HERE);
        let key = |contender, workers| Key { job, contender, workers };
        let share = |of: &dyn Fn([f64; 5]) -> f64| {
            ratio(results.middle(|round| Some(of(shares(round, job, workers)?))))
        };
        let mut row = vec![job.clone(), workers.to_string()];
        row.extend([key(SERIAL, 1), key(&label, workers)].map(|key| time(results.time(key))));
        row.extend((0..CATEGORIES.len()).map(|index| share(&|shares| shares[index])));
        row.push(share(&|shares| shares.iter().sum()));
        row
    })
}

/// What all workers of other systems take together, over T_S: nobody tells what they do.
fn sums(results: &Results) -> Table {
    let systems = results.that_ran(systems::others());
    let titles = [&["workload", "P"], &systems[..]].concat();
    let workers = results.several();
    Table::new(2, &titles).filled(&results.jobs(), &workers, |job, &workers| {
        let sum = |contender: &&str| {
            let serial = Key { job, contender: SERIAL, workers: 1 };
            let ratio = results.ratio(Key { job, contender, workers }, serial);
            ratio.map(|ratio| ratio.value * workers as f64)
        };
        let names = [job.clone(), workers.to_string()].into_iter();
        names.chain(systems.iter().map(|system| ratio(sum(system)))).collect()
    })
}

/// Below this share of T_S nothing grows. Untuned.
const LITTLE: f64 = 0.01;

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let each = |of: &dyn Fn([f64; 5]) -> f64| {
        let jobs = jobs.iter().filter(|_| most > 1);
        results.on_each(jobs, |round, job| Some(of(shares(round, job, most)?)))
    };
    let leaping = each(&|shares| (shares[LF] + shares[LA]) / shares.iter().sum::<f64>());
    let growth = each(&|shares| {
        let by_stealing = shares[ST] + (shares[NA] - 1.0).max(0.0);
        by_stealing / (by_stealing + shares[LF] + shares[LA]).max(LITTLE)
    });
    let what = format!("LF and LA, with {}, over all processor time", Count(most, "worker"));
    Finding::of(
        "little time goes into leapfrogging, and what grows is stealing and the application itself,",
        &[
            Part::at_most(&what, leaping, SMALL),
            Part::at_least("ST and the growth of NA over what is added to T_S", growth, MAINLY),
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
    use super::super::workloads::ROWS;
    use super::*;
    use crate::experiment::record::tests::{often, run};
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
        often(vec![run("mm:64x9", SERIAL, 1, 2.0), watched])
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
