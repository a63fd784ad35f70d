//! Lace's open question of larger tasks: they "may be disadvantageous for the private deque algorithm, since it requires
//! owner cooperation on every steal".

use crate::experiment::kit::*;

pub(in crate::experiment) static LARGER: Experiment = Experiment {
    name: "lace-larger",
    place: "section 5, open questions",
    shows: "tasks from small to large on the split deque and on private deques, whose owners have to cooperate",
    workloads: Workloads::Made(|request, _| {
        let work = request.size.of([WORK, WORK << 5]);
        let tree = |iterations: u64| {
            let trees = (work / (iterations << HEIGHT)).max(1);
            Stress { height: HEIGHT, iterations, trees }.into()
        };
        Ok(asked_or(request, || LEAVES.map(tree).to_vec()))
    }),
    contenders: |_, workers| {
        let ours = lineup(workers, |workers| {
            [SPLIT, PRIVATE[0], PRIVATE[1]]
                .map(|name| Contender::setup(name, as_published(name), workers))
        });
        [vec![Contender::serial()], ours].concat()
    },
    tables: &[table],
    notes: &[Note::Text(
        "A workload is HEIGHTxITERATIONSxTREES: eight leaves a tree, of 1,024 iterations (about a microsecond) to 16 \
                    million (ten milliseconds).\nWaiting workers leapfrog only and nobody sleeps. A thief of ours exposes \
                    what the owner of a split deque keeps to itself in a long leaf,\nwhich the paper's does not: without \
                    (LYOCELL_EXPOSE=off) its private tasks wait for their owner as those of private deques do. The \
                    paper has no numbers.",
    )],
    finding,
    ..Experiment::USUAL
};

const SPLIT: &str = "split";

/// The paper's, and the plain one.
const PRIVATE: [&str; 2] = ["receiver-block", "receiver"];

/// Leaves of 1 us to 10 ms and more, on trees that take as long.
const LEAVES: [u64; 5] = [1 << 10, 1 << 14, 1 << 18, 1 << 21, 1 << 24];

/// All leaves of a workload together, in iterations.
const WORK: u64 = 1 << 27;

const HEIGHT: u32 = 3;

fn over_split(round: &Round<'_>, job: &str, name: &str, workers: usize) -> Option<f64> {
    let key = |contender| Key { job, contender, workers };
    round.ratio(key(name), key(SPLIT))
}

fn table(results: &Results) -> Table {
    let titles = "workload | P | T_S | T_P split | T_S/T_P | receiver-block | receiver";
    let workers = results.workers_beside(SERIAL);
    Table::titled(2, titles).filled(&results.jobs(), &workers, |job, &workers| {
        let key = |contender, workers| Key { job, contender, workers };
        let timed = |contender, workers| time(results.time(key(contender, workers)));
        let mut row = vec![job.clone(), workers.to_string()];
        row.extend([timed(SERIAL, 1), timed(SPLIT, workers)]);
        row.push(ratio_of(results.ratio(key(SERIAL, 1), key(SPLIT, workers))));
        let over = |name| results.middle(|round| over_split(round, job, name, workers));
        row.extend(PRIVATE.map(|name| ratio(over(name))));
        row
    })
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let most = results.most_workers();
    let ends = match &jobs[..] {
        [small, .., large] if most >= TWO_WORKERS => Some((small, large)),
        _ => None,
    };
    let over = |round: &Round<'_>, job: &str| over_split(round, job, PRIVATE[0], most);
    let (small, large) = ends.unzip();
    let slower = results.each_round(|round| over(round, large?));
    let more = results.each_round(|round| Some(over(round, large?)? / over(round, small?)?));
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
        let request = Request::of(Size::Small, 2);
        let trees = LARGER.workloads(&request, &[2]).unwrap();
        for tree in &trees {
            let Instance::Stress(tree) = tree else { panic!("{tree}") };
            assert_eq!((tree.iterations << tree.height) * tree.trees, WORK);
        }
        let table = table(&results(1.0, 1.5));
        assert_eq!(table.groups[1][0][4..], ["2.00", "1.50", "-"]);
    }
}
