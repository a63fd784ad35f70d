//! What the experiments on queues have in common.

use lyocell_workloads::Instance;

use super::claims::Claim;
use super::published::{ABP, Published, RUNS, THREADS};
use crate::experiment::paper::{Paper, QUEUES};
use crate::experiment::plan::watched_label;
use crate::experiment::record::{ExperimentRecord, Key, Mean, Results};
use crate::experiment::report::{
    Count, Finding, Report, Table, Verdict, cell, number, ratio, whole,
};
use crate::experiment::{Experiment, Request, Size, TWO_WORKERS};
use crate::measure::Contender;
use lyocell_engines::SERIAL;
use lyocell_queue_study::{self as queues, CasePlan};
use lyocell_workloads::Refused;

/// A case of the study as an experiment.
pub(in crate::experiment) struct QueueStudy {
    pub(super) case: &'static Published,
    pub(super) claim: &'static Claim,
}

/// What Rust programs use; the study has none of its kind.
const PEER: &str = "crossbeam-deque";

impl Experiment for QueueStudy {
    fn name(&self) -> &'static str {
        match self.case.case {
            "raw" => "queues-raw",
            "quicksort" => "queues-quicksort",
            "spanning-tree" => "queues-spanning-tree",
            _ => "queues-xml",
        }
    }

    fn paper(&self) -> &'static Paper {
        &QUEUES
    }

    fn place(&self) -> &'static str {
        match self.case.case {
            "raw" => "Figures 3 and 6, sections 5.1, 5.3 and 7.2, appendix A",
            "quicksort" => "Figures 3, 4 and 5, sections 5.1, 5.2 and 7.2, appendix A",
            "spanning-tree" => "Figure 3, sections 5.1 and 7.2, appendix A",
            _ => "Figures 3 and 4, sections 5.1 and 7.2, appendix A",
        }
    }

    fn shows(&self) -> &'static str {
        match self.case.case {
            "raw" => {
                "the study's queues on nodes that do nothing, and how long their operations take"
            }
            "quicksort" => "the study's queues at quick sort, and how long their operations take",
            "spanning-tree" => {
                "the study's queues at a spanning tree, and how long their operations take"
            }
            _ => "the study's queues at writing XML, and how long their operations take",
        }
    }

    fn reps(&self) -> usize {
        15
    }

    fn full_reps(&self) -> usize {
        RUNS
    }

    fn workers(&self, request: &Request) -> Result<Vec<usize>, Refused> {
        let own = match request.size {
            Size::Small => vec![request.default_workers.max(TWO_WORKERS)],
            Size::Paper => THREADS.to_vec(),
        };
        Ok(request.workers.clone().unwrap_or(own))
    }

    /// None: its cases are no programs of the runtime.
    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        match request.workloads.iter().flatten().next() {
            Some(other) => {
                let (name, case) = (self.name(), self.case.case);
                Err(Refused(format!("{name} runs {case} or {case}:PARAMETER, not {other}")))
            }
            None => Ok(Vec::new()),
        }
    }

    fn contenders(&self, _instance: &Instance, _workers: &[usize]) -> Vec<Contender> {
        Vec::new()
    }

    fn cases(
        &self,
        request: &Request,
        workers: &[usize],
    ) -> Option<Result<Vec<CasePlan>, Refused>> {
        Some(self.workloads(request, workers).and_then(|_| self.plans(request, workers)))
    }

    fn report(&self, results: &Results) -> Report {
        let note = "Means and standard deviations, and means over that of abp; the study's are of 50 runs on the Java \
                    machine, whose sizes it does not tell. crossbeam-deque\\nis there to compare with.";
        let note = note.replace("\\n", "\n");
        let operations = "Counted and timed in runs of their own, in turn with those above, all workers together: medians of the \
                          runs. repeats: visits beyond one a node. ns: of one push and\\none take in 64 and one \
                          attempt to steal in 8, the mean without the slowest hundredth and the clock's own time. cost: the time of such a run over that \
                          of its neighbour.";
        let operations = operations.replace("\\n", "\n");
        Report {
            tables: vec![self.times_table(results), self.operations_table(results)],
            notes: vec![note, operations],
            finding: self.finding(results),
        }
    }
}

impl QueueStudy {
    fn plans(&self, request: &Request, workers: &[usize]) -> Result<Vec<CasePlan>, Refused> {
        let of_other = |word: &&String| word.split(':').next() != Some(self.case.case);
        if let Some(other) = request.cases.iter().find(of_other) {
            let (name, case) = (self.name(), self.case.case);
            return Err(Refused(format!("{name} runs {case} or {case}:PARAMETER, not {other}")));
        }
        let own = || vec![format!("{}:{}", self.case.case, self.case.parameter)];
        let cases = if request.cases.is_empty() { own() } else { request.cases.clone() };
        let queues = self.case.queues.iter().chain([&PEER]);
        let queues = queues.map(|&name| name.to_owned()).collect();
        queues::Request { cases, queues, threads: workers.to_vec() }.plans()
    }

    fn times_table(&self, results: &Results) -> Table {
        let studys = THREADS.map(|threads| format!("over abp at {threads}"));
        let header = ["case", "queue", "P", "ms", "over abp", "study at 8, ms"];
        let header: Vec<&str> =
            header.into_iter().chain(studys.iter().map(String::as_str)).collect();
        let mut table = Table::new(3, &header);
        for job in results.jobs() {
            for workers in results.workers_beside(SERIAL) {
                let mut rows = Vec::new();
                for &contender in self.case.queues.iter().chain([&PEER]) {
                    let mean = mean(results, &job, contender, workers);
                    let mut row = vec![job.clone(), contender.to_owned(), workers.to_string()];
                    row.push(cell(mean, |mean| {
                        milliseconds(mean.mean * 1e3, mean.deviation * 1e3)
                    }));
                    row.push(ratio(normalized(results, &job, contender, workers)));
                    let published = self.case.time(contender, 0);
                    row.push(cell(published, |(mean, deviation)| milliseconds(mean, deviation)));
                    let of = |index| ratio(self.case.normalized(contender, index));
                    row.extend((0..THREADS.len()).map(of));
                    rows.push(row);
                }
                table.groups.push(rows);
            }
        }
        table
    }

    fn operations_table(&self, results: &Results) -> Table {
        let header = [
            "case",
            "queue",
            "P",
            "steals",
            "repeats",
            "push ns",
            "take ns",
            "steal ns",
            "failed ns",
            "cost",
        ];
        let mut table = Table::new(3, &header);
        for job in results.jobs() {
            for workers in results.workers_beside(SERIAL) {
                let row = |&contender: &&str| {
                    let watched = watched_label(contender);
                    let key = Key { job: &job, contender: &watched, workers };
                    let alone = Key { job: &job, contender, workers };
                    let cost = results.time(key).zip(results.time(alone));
                    let median = |value: fn(&ExperimentRecord) -> Option<f64>| {
                        number(results.median(key, value))
                    };
                    vec![
                        job.clone(),
                        contender.to_owned(),
                        workers.to_string(),
                        whole(results.count(key, |record| record.steals)),
                        whole(results.median(key, |record| Some(record.repeats? as f64))),
                        median(|record| record.push_ns),
                        median(|record| record.take_ns),
                        median(|record| record.steal_ns),
                        median(|record| record.failed_steal_ns),
                        ratio(cost.map(|(watched, alone)| watched.median / alone.median)),
                    ]
                };
                let queues = self.case.queues.iter().chain([&PEER]);
                table.groups.push(queues.map(row).collect());
            }
        }
        table
    }

    fn finding(&self, results: &Results) -> Finding {
        let jobs = results.jobs();
        let most = results.workers_beside(SERIAL).last().copied().unwrap_or(1);
        let order = |(faster, slower): &(&str, &str)| {
            let each = jobs.iter().map(|job| {
                let [faster, slower] =
                    [faster, slower].map(|queue| mean(results, job, queue, most));
                faster.zip(slower).and_then(|(faster, slower)| faster.is_below(slower))
            });
            each.reduce(|one, other| if one == other { one } else { None }).flatten()
        };
        let parts: Vec<Option<bool>> = self.claim.orders.iter().map(order).collect();
        let of = |outcome| parts.iter().filter(|part| **part == outcome).count();
        let ratios = self.case.queues.iter().filter(|queue| **queue != ABP).map(|queue| {
            let here = jobs.first().and_then(|job| normalized(results, job, queue, most));
            let study = self.case.normalized(queue, 0);
            format!("{queue} {} ({})", ratio(here), ratio(study))
        });
        Finding {
            claim: self.claim.words,
            verdict: Verdict::of(&parts),
            evidence: format!(
                "with {} the times over that of abp are {} (in brackets the study's with 8 threads); of its {} here {} \
                 hold, {} do not, and {} lie within the noise",
                Count(most, "thread"),
                ratios.collect::<Vec<_>>().join(", "),
                Count(parts.len(), "comparison"),
                of(Some(true)),
                of(Some(false)),
                of(None),
            ),
            beyond: Some(self.claim.beyond),
        }
    }
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
    use super::super::published::{CHASE_LEV, SHRINKING};
    use super::super::{QUICKSORT, RAW};
    use super::*;
    use crate::experiment::record::tests::run;
    use crate::experiment::report::GAP;

    const JOB: &str = "quicksort:100";

    /// Ten runs of each of some queues, a hundredth apart.
    fn results(seconds: &[(&str, f64)]) -> Results {
        let runs = |(queue, seconds): &(&str, f64)| {
            let (queue, seconds) = (queue.to_string(), *seconds);
            (0..10).map(move |rep| {
                let wobble = 1.0 + f64::from(rep % 3) / 100.0;
                run(JOB, &queue, 2, seconds * wobble)
            })
        };
        Results(seconds.iter().flat_map(runs).chain([run(JOB, SERIAL, 1, 1.0)]).collect())
    }

    #[test]
    fn each_comparison_is_a_part_of_the_verdict() {
        let verdict = |chase_lev, shrinking| {
            let seconds = [(ABP, 1.0), (CHASE_LEV, chase_lev), (SHRINKING, shrinking)];
            QUICKSORT.finding(&results(&seconds)).verdict
        };
        assert_eq!(verdict(0.9, 0.8), Verdict::Holds);
        assert_eq!(verdict(0.9, 1.2), Verdict::Partly);
        assert_eq!(verdict(1.1, 1.2), Verdict::Fails);
        assert_eq!(verdict(1.0, 1.0), Verdict::Open);
        assert_eq!(QUICKSORT.finding(&results(&[(ABP, 1.0)])).verdict, Verdict::Open);
    }

    #[test]
    fn the_evidence_has_both_ratios_and_counts_the_comparisons() {
        let finding =
            QUICKSORT.finding(&results(&[(ABP, 1.0), (CHASE_LEV, 0.5), (SHRINKING, 2.0)]));
        for words in ["chase-lev 0.50 (0.96)", "shrinking 2.00 (0.96)", "1 hold, 1 do not, and 0"] {
            assert!(finding.evidence.contains(words), "{}", finding.evidence);
        }
    }

    #[test]
    fn the_studys_times_stand_beside_ours() {
        let table = QUICKSORT.times_table(&results(&[(ABP, 0.1), (CHASE_LEV, 0.2)]));
        let row = &table.groups[0][1];
        assert_eq!(row[1..3], ["chase-lev", "2"]);
        assert_eq!(row[4..], ["2.00", "253 +-10.6", "0.96", "0.94", "0.96", "0.88"]);
        assert!(row[3].starts_with("202 +-1."), "{}", row[3]);
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
        let table = QUICKSORT.operations_table(&all);
        assert_eq!(table.groups[0][0][3..], ["7", "3", "12.0", "-", "-", "80.0", "1.20"]);
    }

    #[test]
    fn the_full_size_has_the_studys_threads_and_runs() {
        let request = Request::of(Size::Paper, 2);
        assert_eq!(RAW.workers(&request).unwrap(), [8, 16, 32, 48]);
        assert_eq!(RAW.full_reps(), 50);
        assert_eq!(RAW.plans(&request, &[1]).unwrap().len(), 1);
    }
}
