//! Lace's open question of larger tasks: they "may be disadvantageous for the private deque algorithm, since it requires
//! owner cooperation on every steal".

use super::EXPOSING;
use crate::experiment::kit::*;

pub(in crate::experiment) static LARGER: Experiment = Experiment {
    name: "lace-larger",
    place: "section 5, open questions",
    shows: "tasks from small to large on the split deque and on private deques, whose owners have to cooperate",
    workloads: Workloads::Made(|request, _| {
        let times = request.size.of([1, 8]);
        let tree = |&iterations: &u64| {
            let trees = (WORK / (iterations << HEIGHT)).max(1) * times;
            Stress { height: HEIGHT, iterations, trees }.into()
        };
        let own = || {
            let trees: Vec<Instance> = LEAVES.iter().map(tree).collect();
            [trees, named(request.size.of(IRREGULAR))].concat()
        };
        Ok(asked_or(request, own))
    }),
    contenders: |_, workers| {
        let ours = lineup(workers, |workers| {
            let papers = [SPLIT, PRIVATE[0], PRIVATE[1]]
                .map(|name| Contender::setup(name, as_published(name), workers));
            papers.into_iter().chain([Contender::setup(EXPOSING, leaping(SPLIT), workers)])
        });
        [vec![Contender::serial()], ours].concat()
    },
    tables: &[table],
    notes: &[
        "A tree is HEIGHTxITERATIONSxTREES; its leaves are of one size, and so many that no worker does a large share of a tree \
         more than another by the shape alone. fib with a\ncut-off is a tree without symmetry. Waiting workers leapfrog \
         only and nobody sleeps. On split, as in the paper, private tasks wait for their owner;\non split exposing, \
         which is ours, a thief takes them from an owner in a long leaf. The paper has no numbers.",
    ],
    finding,
    ..Experiment::USUAL
};

const SPLIT: &str = "split";

/// The paper's, and the plain one.
const PRIVATE: [&str; 2] = ["receiver-block", "receiver"];

/// Leaves of half a microsecond to one millisecond.
const LEAVES: [u64; 4] = [1 << 10, 1 << 14, 1 << 18, 1 << 21];

/// All leaves of a workload together, in iterations.
const WORK: u64 = 1 << 28;

/// A hundred and twenty-eight leaves a tree.
const HEIGHT: u32 = 7;

/// Leaves of ten microseconds to some milliseconds, at depths that differ by half.
const IRREGULAR: [&[&str]; 2] =
    [&["fib:41,18", "fib:41,26", "fib:41,32"], &["fib:45,18", "fib:45,26", "fib:45,36"]];

fn over_split(round: &Round<'_>, job: &str, name: &str, workers: usize) -> Option<f64> {
    let key = |contender| Key { job, contender, workers };
    round.ratio(key(name), key(SPLIT))
}

fn table(results: &Results) -> Table {
    let titles =
        "workload | P | T_S | T_P split | T_S/T_P | split exposing | receiver-block | receiver";
    let workers = results.workers_beside(SERIAL);
    Table::titled(2, titles).filled(&results.jobs(), &workers, |job, &workers| {
        let key = |contender, workers| Key { job, contender, workers };
        let timed = |contender, workers| time(results.time(key(contender, workers)));
        let mut row = vec![job.clone(), workers.to_string()];
        row.extend([timed(SERIAL, 1), timed(SPLIT, workers)]);
        row.push(ratio_of(results.ratio(key(SERIAL, 1), key(SPLIT, workers))));
        let over = |name| results.middle(|round| over_split(round, job, name, workers));
        row.extend([EXPOSING, PRIVATE[0], PRIVATE[1]].map(|name| ratio(over(name))));
        row
    })
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let kinds = jobs.chunk_by(|one, next| kind(one) == kind(next));
    // From the smallest tasks of a kind to its largest.
    let ends = kinds.filter_map(|jobs| match jobs {
        [small, .., large] if most >= TWO_WORKERS => Some((small, large)),
        _ => None,
    });
    let ends: Vec<_> = ends.collect();
    let over = |round: &Round<'_>, job: &str| over_split(round, job, PRIVATE[0], most);
    let large = ends.iter().map(|(_, large)| *large);
    let slower = results.on_each(large, over);
    let more = ends.iter().filter_map(|(small, large)| {
        let more = results.each_round(|round| Some(over(round, large)? / over(round, small)?));
        Some(((*large).clone(), more?))
    });
    let what = format!(
        "T_P of the private deque, with {}, over that of the split deque on the largest tasks",
        Count(most, "worker")
    );
    Finding::of(
        "larger tasks are to the disadvantage of private deques",
        &[
            Part::at_least(&what, slower, 1.0),
            Part::at_least("that over the same on the smallest", more.collect(), 1.0),
        ],
        Some("more owners than one who have to cooperate"),
    )
}

/// The program of a job.
fn kind(job: &str) -> &str {
    job.split(':').next().unwrap_or(job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
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
        often(runs.concat())
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(1.0, 1.5)).verdict, Verdict::Holds);
        assert_eq!(finding(&results(1.6, 1.5)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(1.0, 0.9)).verdict, Verdict::Fails);
        assert_eq!(finding(&Results(Vec::new())).verdict, Verdict::Open);
    }

    #[test]
    fn leaves_grow_the_work_stays_and_no_tree_is_of_few_leaves() {
        let request = Request::of(Size::Small, 2);
        let jobs = LARGER.workloads(&request, &[2]).unwrap();
        let trees = jobs.iter().filter_map(|job| match job {
            Instance::Stress(tree) => Some(tree),
            _ => None,
        });
        for tree in trees {
            assert_eq!((tree.iterations << tree.height) * tree.trees, WORK);
            assert!(
                tree.height >= 7,
                "with eight leaves on two workers times are 5/4 or 4/4 of each other"
            );
        }
        assert!(jobs.iter().any(|job| job.to_string().starts_with("fib:")), "irregular ones too");
        let table = table(&results(1.0, 1.5));
        assert_eq!(table.groups[1][0][4..], ["2.00", "-", "1.50", "-"]);
    }

    #[test]
    fn each_kind_of_tree_is_compared_with_its_own() {
        let mut runs = results(1.0, 1.5).0;
        runs.extend(
            often(vec![
                run("fib:9,2", SPLIT, 2, 1.0),
                run("fib:9,2", PRIVATE[0], 2, 1.0),
                run("fib:9,7", SPLIT, 2, 1.0),
                run("fib:9,7", PRIVATE[0], 2, 0.9),
            ])
            .0,
        );
        assert_eq!(finding(&Results(runs)).verdict, Verdict::Fails);
    }
}
