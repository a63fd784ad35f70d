//! Acar et al.'s Figure 6 (a): private deques under tasks so long that their owners must be interrupted to share.

use std::time::Duration;

use lyocell::Signals;
use lyocell_engines::runtime::options::{INTERRUPT, SIGNALS, duration_name};

use super::BLIND;
use super::ON_DEMAND;
use super::fig4::one_task_a_steal;
use crate::experiment::kit::*;

pub(in crate::experiment) static FIG6A: Experiment = Experiment {
    name: "acar-fig6a",
    paper: &PRIVATE_DEQUES,
    place: "Figure 6 (a)",
    shows: "coarse tasks: private deques with and without interrupts against the deque of Chase and Lev",
    workloads: Workloads::Made(workloads),
    contenders: |_, workers| {
        let each = |workers| {
            let of = move |(deque, period)| {
                Contender::setup(label(deque, period), setup(deque, period), workers)
            };
            let interrupted = |deque| periods().map(move |period| (deque, period));
            [(CONCURRENT, None)]
                .into_iter()
                .chain(INTERRUPTED.into_iter().flat_map(interrupted))
                .map(of)
        };
        [vec![Contender::serial()], lineup(workers, each)].concat()
    },
    tables: &[table],
    notes: &[
        "T_P in percent more than that of chase-lev, round by round, without interrupts and with one every so often. sender blind is the \
paper's, and\nits interrupts go to all workers at every period; with the others, which are ours, they go to who is asked and withholds something. \
The figure is a plot\nwithout numbers, of a matrix product cut into tasks of three lengths. Ours are trees of stress with leaves of about these lengths.",
    ],
    facts: &[
        ("lengths of tasks", "0.8, 6.5 and 54 ms"),
        ("periods", "200 us to 2 ms"),
        ("the sender over the baseline, for all of them, only", "+3.7%"),
    ],
    finding,
    charts: Some(charts),
    ..Experiment::USUAL
};

/// The baseline: a thief needs nobody's help.
const CONCURRENT: &str = "chase-lev";

/// The paper's sender, whose interrupts go to all at every period; and ours, where they go to who is asked and withholds.
const INTERRUPTED: [&str; 4] = [BLIND, ON_DEMAND, "receiver", "split"];

/// The paper's range is 200 us to 2 ms.
const PERIODS_US: [u64; 4] = [200, 500, 1_000, 2_000];

/// The paper's largest tasks, and heights at which trees of equal work have tasks of about 54, 6.5 and 0.8 ms.
const LARGEST_TASK: Duration = Duration::from_millis(54);

const HEIGHTS: [u32; 3] = [3, 6, 9];

/// The iterations of such a task on a processor of 3.6 GHz. They are the same on every machine, whose table says how long its
/// tasks are: so runs can be compared, and kept ones are known again.
const LARGEST: u64 = 95_000_000;

/// Of the paper's runs, in parallel.
const PAPER_RUN: Duration = Duration::from_millis(3_700);

/// The paper says 3.7 % slower for the sender; three times that is not competitive any more. Untuned.
const MOST: f64 = 1.11;

fn workloads(request: &Request, workers: &[usize]) -> Result<Vec<Instance>, Refused> {
    let is_other = |one: &&Instance| !matches!(one, Instance::Stress(_));
    if let Some(other) = request.workloads.iter().flatten().find(is_other) {
        return Err(Refused(format!(
            "acar-fig6a runs stress:HEIGHTxITERATIONSxTREES, not {other}"
        )));
    }
    let most = workers.last().copied().unwrap_or(1);
    Ok(asked_or(request, || coarse(trees(request.size, most))))
}

/// How many trees make a run of this size.
fn trees(size: Size, workers: usize) -> u64 {
    let tree = LARGEST_TASK * (1 << HEIGHTS[0]);
    match size {
        Size::Small => 1,
        Size::Paper => (PAPER_RUN * workers as u32).as_nanos().div_ceil(tree.as_nanos()) as u64,
    }
}

/// Trees of equal work, with tasks of the three lengths.
fn coarse(trees: u64) -> Vec<Instance> {
    let trees = |height: u32| {
        let iterations = LARGEST >> (height - HEIGHTS[0]);
        Instance::from(Stress { height, iterations, trees })
    };
    HEIGHTS.map(trees).to_vec()
}

/// Never, and every so often.
fn periods() -> impl Iterator<Item = Option<Duration>> {
    [None].into_iter().chain(PERIODS_US.map(|period| Some(Duration::from_micros(period))))
}

fn setup(deque: &str, interrupt: Option<Duration>) -> Setup {
    let setup = one_task_a_steal(deque);
    match interrupt {
        None => setup,
        Some(period) if deque == BLIND => {
            setup.with(&INTERRUPT, Value::Time(period)).with(&SIGNALS, Value::Signals(Signals::All))
        }
        Some(period) => setup.with(&INTERRUPT, Value::Time(period)),
    }
}

fn label(deque: &str, interrupt: Option<Duration>) -> String {
    match interrupt {
        None => deque.to_owned(),
        Some(period) => format!("{deque} every {}", duration_name(period)),
    }
}

fn median(results: &Results, job: &str, contender: &str, workers: usize) -> Option<f64> {
    results.seconds(Key { job, contender, workers })
}

/// T_P over that of the concurrent deque, round by round.
fn relative(
    results: &Results,
    job: &str,
    deque: &str,
    interrupt: Option<Duration>,
    workers: usize,
) -> Option<Measured> {
    let label = label(deque, interrupt);
    let key = |contender| Key { job, contender, workers };
    results.ratio(key(&label), key(CONCURRENT))
}

fn period_name(period: Option<Duration>) -> String {
    period.map_or("never".to_owned(), duration_name)
}

fn table(results: &Results) -> Table {
    let periods: Vec<_> = periods().collect();
    let titles: Vec<String> = periods.iter().map(|&period| period_name(period)).collect();
    let titles =
        format!("workload | task | P | chase-lev T_P | T_S/T_P | deque | {}", titles.join(" | "));
    let counts = results.workers_beside(SERIAL);
    let jobs = results.jobs();
    let groups: Vec<_> =
        jobs.iter().flat_map(|job| counts.iter().map(move |&workers| (job, workers))).collect();
    Table::titled(6, &titles).filled(&groups, &INTERRUPTED, |&(job, workers), deque| {
        let serial = median(results, job, SERIAL, 1);
        let speedup = serial.zip(median(results, job, CONCURRENT, workers));
        let timing = results.time(Key { job, contender: CONCURRENT, workers });
        let mut row = vec![job.clone(), cell(results.leaf(job), seconds), workers.to_string()];
        row.extend([time(timing), ratio(speedup.map(|(serial, parallel)| serial / parallel))]);
        row.push((*deque).to_owned());
        let relative = |&period| {
            percent(relative(results, job, deque, period, workers).map(|over| over.value))
        };
        row.extend(periods.iter().map(relative));
        row
    })
}

/// Times beside chase-lev, a chart for each size of tasks and number of workers.
fn charts(results: &Results) -> Vec<Chart> {
    let jobs = results.jobs();
    let workers = results.workers_beside(SERIAL);
    let chart = |job: &String, workers: usize| Chart {
        title: format!(
            "Time beside chase-lev: tasks of {}, {}",
            cell(results.leaf(job), seconds),
            Count(workers, "worker")
        ),
        x: "interrupted every",
        places: periods().map(period_name).collect(),
        scale: Scale::Linear(|excess| format!("{excess:+.0}%")),
        lines: INTERRUPTED
            .map(|deque| {
                let excess = |period| {
                    Some((relative(results, job, deque, period, workers)?.value - 1.0) * 100.0)
                };
                Line::new(deque, periods().map(excess))
            })
            .into(),
    };
    jobs.iter().flat_map(|job| workers.iter().map(move |&count| chart(job, count))).collect()
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let interrupted = |job: &String| {
        let job = job.clone();
        let of = move |period: Duration| {
            let over = relative(results, &job, BLIND, Some(period), most)?;
            Some((format!("{job} every {}", duration_name(period)), over))
        };
        periods().flatten().filter_map(of)
    };
    let each: Each = jobs.iter().flat_map(interrupted).collect();
    let what = format!("T_P of the sender, with {}, over that of chase-lev", Count(most, "worker"));
    Finding::of(
        "with interrupts the sender-initiated deque is competitive on coarse tasks",
        &[Part::at_most(&what, each, MOST)],
        Some("thirty workers that are interrupted at once"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    const JOB: &str = "stress:3x1000x1";

    fn results(never: f64, interrupted: f64) -> Results {
        let mut runs = vec![run(JOB, SERIAL, 1, 0.4), run(JOB, CONCURRENT, 2, 0.2)];
        for deque in INTERRUPTED {
            runs.extend(periods().map(|period| {
                let ratio = if period.is_none() { never } else { interrupted };
                run(JOB, &label(deque, period), 2, 0.2 * ratio)
            }));
        }
        often(runs)
    }

    #[test]
    fn the_finding_holds_where_interrupts_help_enough() {
        let finding = finding(&results(1.5, 1.05));
        assert_eq!(finding.verdict, Verdict::Holds);
        let told = "1.05 (1.05 to 1.05) on stress:3x1000x1 every ";
        assert!(finding.evidence().contains(told), "{}", finding.evidence());
    }

    #[test]
    fn the_finding_fails_where_interrupts_do_not_help() {
        assert_eq!(finding(&results(1.5, 1.4)).verdict, Verdict::Fails);
    }

    #[test]
    fn without_interrupted_runs_the_finding_is_open() {
        assert_eq!(finding(&Results(vec![run(JOB, CONCURRENT, 2, 0.2)])).verdict, Verdict::Open);
    }

    #[test]
    fn trees_have_equal_work_and_tasks_of_the_papers_lengths() {
        let words: Vec<String> = coarse(2).iter().map(Instance::to_string).collect();
        assert_eq!(words, ["stress:3x95000000x2", "stress:6x11875000x2", "stress:9x1484375x2"]);
        assert_eq!(trees(Size::Small, 2), 1);
        assert_eq!(trees(Size::Paper, 2), 18);
    }

    #[test]
    fn the_chart_has_the_times_beside_the_concurrent_deque() {
        let charts = charts(&results(1.5, 1.05));
        assert_eq!(charts.len(), 1);
        assert_eq!(charts[0].places, ["never", "200us", "500us", "1ms", "2ms"]);
        let sender = charts[0].lines[0].values.iter().map(|excess| excess.unwrap().round());
        assert_eq!(sender.collect::<Vec<_>>(), [50.0, 5.0, 5.0, 5.0, 5.0]);
    }

    #[test]
    fn the_table_has_a_column_for_each_period() {
        let table = table(&results(1.5, 1.05));
        assert_eq!(table.header[5..], ["deque", "never", "200us", "500us", "1ms", "2ms"]);
        let row = &table.groups[0][0];
        assert_eq!(row[1], "50.0 ms");
        assert_eq!(row[4..], ["2.00", BLIND, "+50.0%", "+5.0%", "+5.0%", "+5.0%", "+5.0%"]);
    }
}
