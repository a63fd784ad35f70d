//! Wool's Table IV: a simple model of what steals cost, beside what is measured.
//!
//! With `p` processors a repetition takes about `C_p + (W + 2 (S_p - (p - 1)) C_2) / p`, where `C_2` and `C_p` are the costs
//! of Table III, `W` the sequential work and `S_p` the number of steals, which is taken from Wool for all systems: the
//! first `p - 1` steals distribute the work, and each of the others costs its thief and its victim.

use super::systems::{self, WOOL_HERE};
use super::table3::powers;
use super::workloads::{instance, times};
use crate::experiment::kit::*;
use crate::experiment::record::leaves;

pub(in crate::experiment) static TABLE4: Experiment = Experiment {
    name: "wool-table4",
    paper: &WOOL,
    place: "Table IV",
    shows: "a simple model of the cost of steals, computed and measured on the smallest mm",
    reps: 9,
    workers: Workers::Checked(|request| {
        let workers = request.workers.clone().unwrap_or_else(|| powers(request));
        // What the others cost is made of what two cost.
        let is_usable = |count: &usize| count.is_power_of_two() && *count >= TWO_WORKERS;
        if workers.iter().all(is_usable) && workers.first() == Some(&TWO_WORKERS) {
            return Ok(workers);
        }
        Err(Refused(
            "wool-table4 is about 2, 4, 8 and so on workers, and always about 2".to_owned(),
        ))
    }),
    workloads: Workloads::Made(workloads),
    contenders: |instance, workers| {
        let serial = vec![Contender::serial()];
        if let Instance::Stress(tree) = instance {
            return [serial, systems::contenders(&[1 << tree.height])].concat();
        }
        let setup = as_published(WOOL_HERE);
        let counted = lineup(workers, |workers| [Contender::counted(WOOL_HERE, setup, workers)]);
        [serial, systems::contenders(workers), counted].concat()
    },
    tables: &[table],
    notes: &[
        "Speedup over the serial program: that of the model, and the measured one. The model of a repetition: `C_p + (W + 2 (S_p - (p - \
1)) C_2) / p`,\nC_2 and C_p measured as in wool-table3, W the serial time, S_p the steals and leaps of direct, for all systems. In the paper the \
model\ntypically overestimates, since its assumptions are optimistic. Where a thief comes too late, the cost is that of a leaf.",
    ],
    finding,
    ..Experiment::USUAL
};

/// A row of the table: with 2, 4 and 8 processors the speedup of the model, and the measured one.
struct Published {
    system: &'static str,
    model: [f64; 3],
    measured: [f64; 3],
}

const PUBLISHED: [Published; 3] = [
    Published { system: "Wool", model: [2.0, 3.9, 7.1], measured: [2.2, 4.3, 6.8] },
    Published { system: "Cilk++", model: [1.9, 2.8, 3.2], measured: [1.4, 2.5, 3.1] },
    Published { system: "TBB", model: [2.0, 3.7, 5.9], measured: [1.9, 3.4, 5.2] },
];

/// The most that the paper's model is off: Cilk++ with two processors, 1.36.
const MOST_OFF: f64 = 1.9 / 1.4;

/// As for `wool-table3`.
const LEAF: Stress = Stress { height: 1, iterations: 16_384, trees: 8_192 };

const PROGRAM: &str = "mm:64";

fn workloads(request: &Request, workers: &[usize]) -> Result<Vec<Instance>, Refused> {
    let (mut program, mut leaf) = (instance(PROGRAM, request.size.of([1024, 16 << 10])), LEAF);
    for asked in request.workloads.iter().flatten() {
        match asked {
            Instance::Stress(asked) => leaf = *asked,
            Instance::Mm(_) => program = asked.clone(),
            other => {
                return Err(Refused(format!(
                    "wool-table4 runs mm:N and stress:HEIGHTxITERATIONSxTREES, not {other}"
                )));
            }
        }
    }
    let tree = |&workers: &usize| Stress { height: workers.ilog2(), ..leaf }.into();
    Ok([program].into_iter().chain(workers.iter().map(tree)).collect())
}

/// The cost of the steals that keep `workers` busy, in seconds.
fn steal_cost(round: &Round<'_>, jobs: &[String], system: &str, workers: usize) -> Option<f64> {
    let is_tree = |job: &&String| stress(job).is_some_and(|tree| 1 << tree.height == workers);
    let job = jobs.iter().find(is_tree)?;
    let tree = stress(job)?;
    let serial = round.seconds(Key { job, contender: SERIAL, workers: 1 })?;
    let leaf = serial / leaves(tree);
    let whole = round.seconds(Key { job, contender: system, workers })? / tree.trees as f64;
    Some(whole - leaf)
}

/// The job that the model is of.
fn program(jobs: &[String]) -> Option<&String> {
    jobs.iter().find(|job| stress(job).is_none())
}

/// What goes into the model, in seconds for a repetition.
struct Model {
    work: f64,
    steals: f64,
    cost_of_two: f64,
    cost: f64,
}

impl Model {
    /// The speedup that it says for so many workers.
    fn speedup(&self, workers: usize) -> f64 {
        let p = workers as f64;
        let further = (self.steals - (p - 1.0)).max(0.0);
        let time = self.cost + (self.work + 2.0 * further * self.cost_of_two) / p;
        self.work / time
    }
}

/// Steals and leaps of a repetition of the program.
fn moved(round: &Round<'_>, job: &str, workers: usize) -> Option<f64> {
    let label = watched_label(WOOL_HERE);
    let counted = round.run(Key { job, contender: &label, workers })?;
    Some(counted.moved()? as f64 / times(job) as f64)
}

fn model(round: &Round<'_>, jobs: &[String], system: &str, workers: usize) -> Option<f64> {
    let job = program(jobs)?;
    let model = Model {
        work: round.seconds(Key { job, contender: SERIAL, workers: 1 })? / times(job) as f64,
        steals: moved(round, job, workers)?,
        cost_of_two: steal_cost(round, jobs, system, TWO_WORKERS)?,
        cost: steal_cost(round, jobs, system, workers)?,
    };
    Some(model.speedup(workers))
}

fn measured(round: &Round<'_>, jobs: &[String], system: &str, workers: usize) -> Option<f64> {
    let job = program(jobs)?;
    let serial = Key { job, contender: SERIAL, workers: 1 };
    round.ratio(serial, Key { job, contender: system, workers })
}

fn table(results: &Results) -> Table {
    let titles =
        "system | P | model | measured | C_P cycles | steals/rep | paper | model | measured";
    let jobs = results.jobs();
    let row = |&workers: &usize, system: &&str| {
        let cycles = |round: &Round<'_>| {
            let job = jobs.iter().find(|job| stress(job).is_some())?;
            let clock = round.run(Key { job, contender: SERIAL, workers: 1 })?.gigahertz;
            Some(steal_cost(round, &jobs, system, workers)? * clock * 1e9)
        };
        let steals = |round: &Round<'_>| moved(round, program(&jobs)?, workers);
        let paper = PUBLISHED.first().filter(|_| *system == WOOL_HERE);
        let values = [
            ratio(results.middle(|round| model(round, &jobs, system, workers))),
            ratio(results.middle(|round| measured(round, &jobs, system, workers))),
            number(results.middle(cycles)),
            number(results.middle(steals)),
        ];
        let names = vec![(*system).to_owned(), workers.to_string()];
        [names, values.to_vec(), paper_cells(paper, workers)].concat()
    };
    let workers = results.workers_beside(SERIAL);
    let systems = results.that_ran(systems::all());
    let mut table = Table::titled(2, titles).filled(&workers, &systems, row);
    for (group, &workers) in table.groups.iter_mut().zip(&workers) {
        group.extend(PUBLISHED[1..].iter().map(|paper| {
            let gaps = vec![GAP.to_owned(); 4];
            let names = vec![String::new(), workers.to_string()];
            let cells = [names, gaps, paper_cells(Some(paper), workers)].concat();
            cells.into_iter().map(Into::into).collect::<Vec<_>>()
        }));
    }
    table
}

fn paper_cells(paper: Option<&Published>, workers: usize) -> Vec<String> {
    let column = [2, 4, 8].iter().position(|&count| count == workers);
    match paper.zip(column) {
        None => vec![GAP.to_owned(); 3],
        Some((row, column)) => vec![
            row.system.to_owned(),
            format!("{:.1}", row.model[column]),
            format!("{:.1}", row.measured[column]),
        ],
    }
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let over = |of: fn(f64) -> f64| -> Each {
        let each = |system: &'static str| {
            let jobs = &jobs;
            let ratio = move |workers: usize| {
                let ratio = results.each_round(|round| {
                    let model = model(round, jobs, system, workers)?;
                    Some(of(model / measured(round, jobs, system, workers)?))
                });
                Some((format!("{system} x{workers}"), ratio?))
            };
            results.workers_beside(SERIAL).into_iter().filter_map(ratio).collect::<Each>()
        };
        results.that_ran(systems::all()).into_iter().flat_map(each).collect()
    };
    Finding::of(
        "a simple model of what steals cost predicts speedup, and errs on the high side,",
        &[
            Part::at_most(
                "how far the model is off what is measured, as a ratio",
                over(|ratio| ratio.max(1.0 / ratio)),
                MOST_OFF,
            ),
            Part::at_least("what it says over what is measured", over(|ratio| ratio), 1.0),
        ],
        Some("the model with four and eight processors"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;

    const TREE: &str = "stress:1x100x1000";

    /// A thousand trees with two leaves of 5 us whose steals cost 0.5 us, and a thousand products of 100 us with five
    /// steals each, which take so many seconds on two workers.
    fn results(two: f64) -> Results {
        often(vec![
            run(TREE, SERIAL, 1, 10e-3),
            run(TREE, WOOL_HERE, 2, 5.5e-3),
            run("mm:64x1000", SERIAL, 1, 0.1),
            run("mm:64x1000", WOOL_HERE, 2, two),
            ExperimentRecord {
                steals: Some(4_000),
                leaps: Some(1_000),
                ..run("mm:64x1000", &watched_label(WOOL_HERE), 2, 0.06)
            },
        ])
    }

    /// 100 / (0.5 + (100 + 2 * 4 * 0.5) / 2) = 1.905
    #[test]
    fn the_model_is_the_papers() {
        let results = results(0.06);
        let jobs = results.jobs();
        let said = results.each_round(|round| model(round, &jobs, WOOL_HERE, 2)).unwrap();
        assert!((said.value - 100.0 / 52.5).abs() < 1e-9, "{}", said.value);
        let table = table(&results);
        let expected = ["direct", "2", "1.90", "1.67", "1000", "5.00", "Wool", "2.0", "2.2"];
        assert_eq!(table.groups[0][0], expected);
        assert_eq!(table.groups[0][1][6..], ["Cilk++", "1.9", "1.4"]);
    }

    #[test]
    fn the_finding_can_come_out_in_any_way() {
        assert_eq!(finding(&results(0.06)).verdict, Verdict::Holds);
        // Faster than the model, and far faster.
        assert_eq!(finding(&results(0.050)).verdict, Verdict::Partly);
        assert_eq!(finding(&results(0.030)).verdict, Verdict::Fails);
        assert_eq!(finding(&results(0.090)).verdict, Verdict::Partly);
        let no_trees = results(0.06).0.into_iter().filter(|run| run.job() != TREE);
        assert_eq!(finding(&Results(no_trees.collect())).verdict, Verdict::Open);
    }

    #[test]
    fn it_takes_two_workers_and_the_program_of_the_model() {
        let request = |workers| Request {
            workloads: Some(vec!["fib:9".parse().unwrap()]),
            workers,
            ..Request::of(Size::Small, 4)
        };
        assert_eq!(TABLE4.workers(&request(None)).unwrap(), [2, 4]);
        for workers in [vec![4], vec![1, 2], vec![2, 3]] {
            assert!(TABLE4.workers(&request(Some(workers))).is_err());
        }
        let Err(Refused(why)) = TABLE4.workloads(&request(None), &[2]) else { panic!("run") };
        assert!(why.contains("not fib:9"), "{why}");
    }
}
