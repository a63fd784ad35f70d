//! Lace's open question of larger tasks: they "may be disadvantageous for the private deque algorithm, since it requires
//! owner cooperation on every steal".

use lyocell_workloads::{Instance, Stress};

use super::leapfrogging;
use crate::experiment::paper::{LACE, Paper};
use crate::experiment::plan::lineup;
use crate::experiment::record::{Key, Results};
use crate::experiment::report::{Count, Finding, Report, Table, ratio, time};
use crate::experiment::verdict::{Measured, Part, one};
use crate::experiment::{Experiment, Request, TWO_WORKERS, asked_or};
use crate::measure::Contender;
use lyocell_engines::SERIAL;
use lyocell_workloads::Refused;

pub(in crate::experiment) struct LaceLarger;

const SPLIT: &str = "split";

/// The paper's, and the plain one.
const PRIVATE: [&str; 2] = ["receiver-block", "receiver"];

/// Leaves of 1 us to 10 ms and more, on trees that take as long.
const LEAVES: [u64; 5] = [1 << 10, 1 << 14, 1 << 18, 1 << 21, 1 << 24];

/// All leaves of a workload together, in iterations.
const WORK: u64 = 1 << 27;

const HEIGHT: u32 = 3;

impl Experiment for LaceLarger {
    fn name(&self) -> &'static str {
        "lace-larger"
    }

    fn paper(&self) -> &'static Paper {
        &LACE
    }

    fn place(&self) -> &'static str {
        "section 5, open questions"
    }

    fn shows(&self) -> &'static str {
        "tasks from small to large on the split deque and on private deques, whose owners have to cooperate"
    }

    fn workloads(&self, request: &Request, _workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        let trees = |work: u64| {
            let tree = move |iterations: u64| {
                let trees = (work / (iterations << HEIGHT)).max(1);
                Stress { height: HEIGHT, iterations, trees }.into()
            };
            LEAVES.map(tree).to_vec()
        };
        Ok(asked_or(request, trees(WORK), trees(WORK << 5)))
    }

    fn contenders(&self, _instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let ours = lineup(workers, |workers| {
            [SPLIT, PRIVATE[0], PRIVATE[1]]
                .map(|name| Contender::setup(name, leapfrogging(name), workers))
        });
        [vec![Contender::serial()], ours].concat()
    }

    fn report(&self, results: &Results) -> Report {
        let note = "A workload is HEIGHTxITERATIONSxTREES: eight leaves a tree, of 1,024 iterations (about a microsecond) to 16 \
                    million (ten milliseconds).\nWaiting workers leapfrog only and nobody sleeps. A thief of ours exposes \
                    what the owner of a split deque keeps to itself in a long leaf,\nwhich the paper's does not: without \
                    (LYOCELL_EXPOSE=off) its private tasks wait for their owner as those of private deques do. The \
                    paper has no numbers.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }
}

fn over_split(results: &Results, job: &str, name: &str, workers: usize) -> Option<Measured> {
    let key = |contender| Key { job, contender, workers };
    results.ratio(key(name), key(SPLIT))
}

fn table(results: &Results) -> Table {
    let header = ["workload", "P", "T_S", "T_P split", "T_S/T_P", "receiver-block", "receiver"];
    let mut table = Table::new(2, &header);
    for job in results.jobs() {
        let row = |workers: usize| {
            let key = |contender, workers| Key { job: &job, contender, workers };
            let timed = |contender, workers| time(results.time(key(contender, workers)));
            let mut row = vec![job.clone(), workers.to_string()];
            row.extend([timed(SERIAL, 1), timed(SPLIT, workers)]);
            let speedup = results.ratio(key(SERIAL, 1), key(SPLIT, workers));
            row.push(ratio(speedup.map(|speedup| speedup.value)));
            row.extend(PRIVATE.map(|name| {
                ratio(over_split(results, &job, name, workers).map(|ratio| ratio.value))
            }));
            row
        };
        table.groups.push(results.workers_beside(SERIAL).into_iter().map(row).collect());
    }
    table
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.workers_beside(SERIAL).last().copied().unwrap_or(1);
    let ends = match &jobs[..] {
        [small, .., large] if most >= TWO_WORKERS => Some((small, large)),
        _ => None,
    };
    let slower = ends.and_then(|(_, large)| over_split(results, large, PRIVATE[0], most));
    let more = ends.and_then(|(small, large)| {
        results.each_round(|round| {
            let over = |job| {
                let key = |contender| Key { job, contender, workers: most };
                Some(round.seconds(key(PRIVATE[0]))? / round.seconds(key(SPLIT))?)
            };
            Some(over(large)? / over(small)?)
        })
    });
    let what = format!(
        "with {} the private deque takes, in times of the split deque on the largest tasks,",
        Count(most, "worker")
    );
    Finding::of(
        "larger tasks are to the disadvantage of private deques",
        &[
            Part::at_least(&what, &one(slower), 1.0),
            Part::at_least("and that over the same on the smallest", &one(more), 1.0),
        ],
        Some("more owners than one who have to cooperate"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    fn results(small: f64, large: f64) -> Results {
        let runs =
            [("stress:3x1024x9", small), ("stress:3x99999x1", large)].map(|(job, private)| {
                [
                    run(job, SERIAL, 1, 2.0),
                    run(job, SPLIT, 2, 1.0),
                    run(job, PRIVATE[0], 2, private),
                ]
            });
        twice(runs.concat())
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(1.0, 1.5)).verdict, Verdict::Holds);
        assert_eq!(finding(&results(1.6, 1.5)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.0, 0.9)).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
    }

    #[test]
    fn leaves_grow_and_the_work_stays() {
        let request = Request::of(crate::experiment::Size::Small, 2);
        let trees = LaceLarger.workloads(&request, &[2]).unwrap();
        for tree in &trees {
            let Instance::Stress(tree) = tree else { panic!("{tree}") };
            assert_eq!((tree.iterations << tree.height) * tree.trees, WORK);
        }
        let table = table(&results(1.0, 1.5));
        assert_eq!(table.groups[1][0][4..], ["2.00", "1.50", "-"]);
    }
}
