//! What the experiments on queues have in common.

use lyocell_queue_study::{self as queues, CasePlan};

use super::published::{ABP, CASES, Published, RUNS, THREADS};
use crate::experiment::kit::*;
use crate::experiment::paper::QUEUES;
use crate::stats::Mean;

/// What Rust programs use; the study has none of its kind.
const PEER: &str = "crossbeam-deque";

/// A case of the study as an experiment.
pub(super) const fn of<const CASE: usize>() -> Experiment {
    let case = CASES[CASE];
    Experiment {
        name: case.name,
        paper: &QUEUES,
        place: case.place,
        shows: case.shows,
        reps: 15,
        full_reps: Some(RUNS),
        workers: Workers::Checked(|request| {
            let own = || match request.size {
                Size::Small => vec![all_processors(request)],
                Size::Paper => THREADS.to_vec(),
            };
            Ok(request.workers.clone().unwrap_or_else(own))
        }),
        workloads: Workloads::Case(case),
        tables: &[
            |results| times_table(CASES[CASE], results),
            |results| operations_table(CASES[CASE], results),
        ],
        notes: &[TIMES, OPERATIONS],
        facts: &[
            ("runs of the study", "50"),
            ("pushes and takes here, of which one is timed", "64"),
            ("attempts to steal, of which one is timed", "8"),
        ],
        finding: |results| finding(CASES[CASE], results),
        ..Experiment::USUAL
    }
}

const TIMES: &str = "Means and standard deviations, and means over that of abp; the study's are of its own runs on the Java machine, \
                    whose sizes it does not tell. crossbeam-deque\nis there to compare with.";

const OPERATIONS: &str = "Counted and timed in runs of their own, in turn with those above, all workers together: medians of the \
                          runs. repeats: visits beyond one a node. ns: of one push or\ntake in so many and one \
                          attempt to steal in so many, the mean without the slowest hundredth and the clock's own time. cost: the time of such a run over that \
                          of its neighbour.";

impl Published {
    /// Its queues, and one to compare them with.
    fn with_peer(&self) -> impl Iterator<Item = &'static str> {
        self.queues.iter().copied().chain([PEER])
    }

    /// What it does not run.
    pub(in crate::experiment) fn refuse(&self, other: impl std::fmt::Display) -> Refused {
        let Published { name, case, .. } = self;
        Refused(format!("{name} runs {case} or {case}:PARAMETER, not {other}"))
    }

    /// What is asked for of the case, or all of it.
    pub(in crate::experiment) fn plans(
        &self,
        request: &Request,
        workers: &[usize],
    ) -> Result<Vec<CasePlan>, Refused> {
        let of_other = |word: &&String| word.split(':').next() != Some(self.case);
        if let Some(other) = request.cases.iter().find(of_other) {
            return Err(self.refuse(other));
        }
        let own = || vec![format!("{}:{}", self.case, self.parameter)];
        let cases = if request.cases.is_empty() { own() } else { request.cases.clone() };
        let queues = self.with_peer().map(str::to_owned).collect();
        queues::Request { cases, queues, threads: workers.to_vec() }.plans()
    }
}

/// The rows of both tables: a queue with a number of workers, in a group of each job and number.
fn filled(
    table: Table,
    case: &Published,
    results: &Results,
    row: impl Fn(&str, &'static str, usize) -> Vec<String>,
) -> Table {
    let (jobs, counts) = (results.jobs(), results.workers_beside(SERIAL));
    let groups: Vec<_> =
        jobs.iter().flat_map(|job| counts.iter().map(move |&workers| (job, workers))).collect();
    let queues: Vec<_> = case.with_peer().collect();
    table.filled(&groups, &queues, |&(job, workers), &queue| {
        let names = [job.clone(), queue.to_owned(), workers.to_string()];
        [names.to_vec(), row(job, queue, workers)].concat()
    })
}

fn times_table(case: &Published, results: &Results) -> Table {
    let studys = THREADS.map(|threads| format!("over abp at {threads}")).join(" | ");
    let titles = format!("case | queue | P | ms | over abp | study at 8, ms | {studys}");
    filled(Table::titled(3, &titles), case, results, |job, queue, workers| {
        let mean = mean(results, job, queue, workers);
        let mut row = vec![
            cell(mean, |mean| milliseconds(mean.mean * 1e3, mean.deviation * 1e3)),
            ratio(normalized(results, job, queue, workers)),
            cell(case.time(queue, 0), |(mean, deviation)| milliseconds(mean, deviation)),
        ];
        row.extend((0..THREADS.len()).map(|index| ratio(case.normalized(queue, index))));
        row
    })
}

fn operations_table(case: &Published, results: &Results) -> Table {
    let titles =
        "case | queue | P | steals | repeats | push ns | take ns | steal ns | failed ns | cost";
    filled(Table::titled(3, titles), case, results, |job, queue, workers| {
        let watched = watched_label(queue);
        let key = Key { job, contender: &watched, workers };
        let alone = Key { job, contender: queue, workers };
        let cost = results.seconds(key).zip(results.seconds(alone));
        let median =
            |value: fn(&ExperimentRecord) -> Option<f64>| number(results.median(key, value));
        vec![
            whole(results.count(key, |record| record.steals)),
            whole(results.median(key, |record| Some(record.repeats? as f64))),
            median(|record| record.push_ns),
            median(|record| record.take_ns),
            median(|record| record.steal_ns),
            median(|record| record.failed_steal_ns),
            ratio(cost.map(|(watched, alone)| watched / alone)),
        ]
    })
}

fn finding(case: &Published, results: &Results) -> Finding {
    let jobs = results.jobs();
    let workers = results.most_workers();
    let order = |&(faster, slower): &(&'static str, &'static str)| {
        results.on_each(&jobs, |round, job| {
            let [slower, faster] =
                [slower, faster].map(|contender| Key { job, contender, workers });
            round.ratio(slower, faster)
        })
    };
    let part = |order_of: &(&'static str, &'static str)| {
        let (faster, slower) = order_of;
        let what = format!(
            "the time of {slower}, with {}, over that of {faster}",
            Count(workers, "thread")
        );
        Part::at_least(&what, order(order_of), 1.0)
    };
    let parts: Vec<Part> = case.claim.orders.iter().map(part).collect();
    Finding::of(case.claim.words, &parts, Some(case.claim.beyond))
}

fn milliseconds(mean: f64, deviation: f64) -> String {
    format!("{} +-{}", number(Some(mean)), number(Some(deviation)))
}

fn mean(results: &Results, job: &str, contender: &str, workers: usize) -> Option<Mean> {
    results.mean(Key { job, contender, workers })
}

/// A mean over that of abp.
fn normalized(results: &Results, job: &str, contender: &str, workers: usize) -> Option<f64> {
    let abp = mean(results, job, ABP, workers)?;
    Some(mean(results, job, contender, workers)?.mean / abp.mean)
}

#[cfg(test)]
mod tests {
    use super::super::RAW as EXPERIMENT;
    use super::super::published::{CHASE_LEV, QUICKSORT, RAW, SHRINKING};
    use super::*;
    use crate::experiment::record::tests::run;
    use crate::experiment::report::Verdict;

    const JOB: &str = "quicksort:100";

    /// Ten runs of each of some queues, a hundredth apart.
    fn results(seconds: &[(&str, f64)]) -> Results {
        let runs = |(queue, seconds): &(&str, f64)| {
            let (queue, seconds) = (queue.to_string(), *seconds);
            (1..=12_usize).map(move |rep| {
                // Some a little later than others.
                let wobble = 1.0 + ((rep + queue.len()) % 3) as f64 / 100.0;
                ExperimentRecord { rep, ..run(JOB, &queue, 2, seconds * wobble) }
            })
        };
        Results(seconds.iter().flat_map(runs).chain([run(JOB, SERIAL, 1, 1.0)]).collect())
    }

    #[test]
    fn each_comparison_is_a_part_of_the_verdict() {
        let verdict = |chase_lev, shrinking| {
            let seconds = [(ABP, 1.0), (CHASE_LEV, chase_lev), (SHRINKING, shrinking)];
            finding(&QUICKSORT, &results(&seconds)).verdict
        };
        assert_eq!(verdict(0.9, 0.8), Verdict::Holds);
        assert_eq!(verdict(0.9, 1.2), Verdict::Partly);
        assert_eq!(verdict(1.1, 1.2), Verdict::Fails);
        assert_eq!(verdict(1.0, 1.0), Verdict::Open);
        assert_eq!(finding(&QUICKSORT, &results(&[(ABP, 1.0)])).verdict, Verdict::Open);
    }

    #[test]
    fn the_evidence_has_the_ratio_of_each_comparison() {
        let finding =
            finding(&QUICKSORT, &results(&[(ABP, 1.0), (CHASE_LEV, 0.5), (SHRINKING, 2.0)]));
        for words in ["over that of chase-lev 2.00 (", "over that of chase-lev-shrinking 0.50 ("] {
            assert!(finding.evidence().contains(words), "{}", finding.evidence());
        }
    }

    #[test]
    fn the_studys_times_stand_beside_ours() {
        let table = times_table(&QUICKSORT, &results(&[(ABP, 0.1), (CHASE_LEV, 0.2)]));
        let row = &table.groups[0][1];
        assert_eq!(row[1..3], ["chase-lev", "2"]);
        assert_eq!(row[4..], ["2.00", "253 +-10.6", "0.96", "0.94", "0.96", "0.88"]);
        assert!(row[3].text.starts_with("202 +-1."), "{}", row[3].text);
        assert_eq!(table.groups[0][3][5], GAP, "the peer is not of the study");
    }

    #[test]
    fn what_was_timed_of_operations_is_shown_with_its_cost() {
        let mut all = results(&[(ABP, 1.0)]);
        all.0.push(ExperimentRecord {
            steals: Some(7),
            repeats: Some(3),
            push_ns: Some(12.0),
            failed_steal_ns: Some(80.0),
            ..run(JOB, &watched_label(ABP), 2, 1.21)
        });
        let table = operations_table(&QUICKSORT, &all);
        assert_eq!(table.groups[0][0][3..], ["7", "3", "12.0", "-", "-", "80.0", "1.20"]);
    }

    #[test]
    fn the_full_size_has_the_studys_threads_and_runs() {
        let request = Request::of(Size::Paper, 2);
        assert_eq!(EXPERIMENT.workers(&request).unwrap(), [8, 16, 32, 48]);
        assert_eq!(EXPERIMENT.full_reps, Some(50));
        assert_eq!(RAW.plans(&request, &[1]).unwrap().len(), 1);
    }
}
