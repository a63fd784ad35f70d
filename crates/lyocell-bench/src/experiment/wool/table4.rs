//! Wool's Table IV: a simple model of what steals cost, beside what is measured.
//!
//! With `p` processors a repetition takes about `C_p + (W + 2 (S_p - (p - 1)) C_2) / p`, where `C_2` and `C_p` are the costs
//! of Table III, `W` the sequential work and `S_p` the number of steals, which is taken from Wool for all systems: the
//! first `p - 1` steals distribute the work, and each of the others costs its thief and its victim.

use lyocell_workloads::{Instance, Stress};

use super::systems::{self, WOOL as WOOL_HERE, that_ran};
use super::workloads::{instance, times};
use crate::experiment::paper::{Paper, WOOL};
use crate::experiment::plan::watched_label;
use crate::experiment::record::{Key, Results, Round, stress};
use crate::experiment::report::{Finding, GAP, Report, Table, number, ratio};
use crate::experiment::verdict::{Each, Part};
use crate::experiment::{Experiment, Request, Size, TWO_WORKERS, all_processors};
use crate::measure::Contender;
use lyocell_engines::SERIAL;
use lyocell_engines::runtime::Watch;
use lyocell_workloads::Refused;

pub(in crate::experiment) struct WoolTable4;

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

/// A steal that costs as much of a leaf was none: its thief came too late. Untuned.
const IN_TIME: f64 = 0.5;

const PROGRAM: &str = "mm:64";

impl Experiment for WoolTable4 {
    fn name(&self) -> &'static str {
        "wool-table4"
    }

    fn paper(&self) -> &'static Paper {
        &WOOL
    }

    fn place(&self) -> &'static str {
        "Table IV"
    }

    fn shows(&self) -> &'static str {
        "a simple model of the cost of steals, computed and measured on mm with 64 rows"
    }

    fn reps(&self) -> usize {
        9
    }

    fn workers(&self, request: &Request) -> Result<Vec<usize>, Refused> {
        let most = all_processors(request);
        let powers = || (1..).map(|height| 1 << height).take_while(|&p| p <= most).collect();
        let workers: Vec<usize> = request.workers.clone().unwrap_or_else(powers);
        // What the others cost is made of what two cost.
        let usable = |count: &&usize| !count.is_power_of_two() || **count < TWO_WORKERS;
        match workers.iter().find(usable) {
            None if workers.first() == Some(&TWO_WORKERS) => Ok(workers),
            _ => Err(Refused(
                "wool-table4 is about 2, 4, 8 and so on workers, and always about 2".to_owned(),
            )),
        }
    }

    fn workloads(&self, request: &Request, workers: &[usize]) -> Result<Vec<Instance>, Refused> {
        let reps = match request.size {
            Size::Small => 1024,
            Size::Paper => 16 << 10,
        };
        let (mut program, mut leaf) = (instance(PROGRAM, reps), LEAF);
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

    fn contenders(&self, instance: &Instance, workers: &[usize]) -> Vec<Contender> {
        let job = instance.to_string();
        let here = match stress(&job) {
            Some(stress) => vec![1 << stress.height],
            None => workers.to_vec(),
        };
        let counted = match stress(&job) {
            Some(_) => Vec::new(),
            None => {
                let setup = super::as_published(WOOL_HERE).watched(Watch::Counts);
                let label = watched_label(WOOL_HERE);
                let one = |&workers: &usize| Contender::setup(label.clone(), setup, workers);
                here.iter().filter_map(one).collect()
            }
        };
        [vec![Contender::serial()], systems::contenders(&here), counted].concat()
    }

    fn report(&self, results: &Results) -> Report {
        let note = "Speedup over the serial program: that of the model, and the measured one. The model: C_p + (W + 2 (S_p - (p - \
                    1)) C_2) / p for a\nrepetition, C_2 and C_p measured as in wool-table3, W the serial time, S_p the \
                    steals and leaps of direct, for all systems.\nIn the paper the model typically overestimates, since \
                    its assumptions are optimistic. A gap: the thief of the tree of p leaves\ncame too late, so that \
                    there is no cost to put into the model.";
        let (tables, notes) = (vec![table(results)], vec![note.to_owned()]);
        Report { tables, notes, finding: finding(results) }
    }
}

/// The cost of the steals that keep `workers` busy, in seconds.
fn steal_cost(round: &Round<'_>, jobs: &[String], system: &str, workers: usize) -> Option<f64> {
    let is_tree = |job: &&String| stress(job).is_some_and(|tree| 1 << tree.height == workers);
    let job = jobs.iter().find(is_tree)?;
    let tree = stress(job)?;
    let serial = round.seconds(Key { job, contender: SERIAL, workers: 1 })?;
    let leaf = serial / (tree.trees << tree.height) as f64;
    let whole = round.seconds(Key { job, contender: system, workers })? / tree.trees as f64;
    let cost = whole - leaf;
    (0.0..IN_TIME * leaf).contains(&cost).then_some(cost)
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

fn model(round: &Round<'_>, jobs: &[String], system: &str, workers: usize) -> Option<f64> {
    let job = program(jobs)?;
    let label = watched_label(WOOL_HERE);
    let counted = round.run(Key { job, contender: &label, workers })?;
    let repetitions = times(job) as f64;
    let model = Model {
        work: round.seconds(Key { job, contender: SERIAL, workers: 1 })? / repetitions,
        steals: (counted.steals? + counted.leaps?) as f64 / repetitions,
        cost_of_two: steal_cost(round, jobs, system, TWO_WORKERS)?,
        cost: steal_cost(round, jobs, system, workers)?,
    };
    Some(model.speedup(workers))
}

fn measured(round: &Round<'_>, jobs: &[String], system: &str, workers: usize) -> Option<f64> {
    let job = program(jobs)?;
    let serial = round.seconds(Key { job, contender: SERIAL, workers: 1 })?;
    Some(serial / round.seconds(Key { job, contender: system, workers })?)
}

/// The numbers of workers of the program.
fn workers(results: &Results) -> Vec<usize> {
    results.workers_beside(SERIAL)
}

fn table(results: &Results) -> Table {
    let header = [
        "system",
        "P",
        "model",
        "measured",
        "C_P cycles",
        "steals/rep",
        "paper",
        "model",
        "measured",
    ];
    let mut table = Table::new(2, &header);
    let jobs = results.jobs();
    for workers in workers(results) {
        let row = |system: &&str| {
            let value = |of: &dyn Fn(&Round<'_>) -> Option<f64>| {
                results.each_round(of).map(|measured| measured.value)
            };
            let cycles = |round: &Round<'_>| {
                let job = jobs.iter().find(|job| stress(job).is_some())?;
                let clock = round.run(Key { job, contender: SERIAL, workers: 1 })?.gigahertz;
                Some(steal_cost(round, &jobs, system, workers)? * clock * 1e9)
            };
            let steals = |round: &Round<'_>| {
                let (job, label) = (program(&jobs)?, watched_label(WOOL_HERE));
                let run = round.run(Key { job, contender: &label, workers })?;
                Some((run.steals? + run.leaps?) as f64 / times(job) as f64)
            };
            let mut row = vec![(*system).to_owned(), workers.to_string()];
            row.push(ratio(value(&|round| model(round, &jobs, system, workers))));
            row.push(ratio(value(&|round| measured(round, &jobs, system, workers))));
            row.extend([number(value(&cycles)), number(value(&steals))]);
            let paper = PUBLISHED.first().filter(|_| *system == WOOL_HERE);
            row.extend(paper_cells(paper, workers));
            row
        };
        let mut rows: Vec<Vec<String>> = that_ran(results).iter().map(row).collect();
        rows.extend(PUBLISHED[1..].iter().map(|paper| {
            let gaps = [vec![String::new(), workers.to_string()], vec![GAP.to_owned(); 4]].concat();
            [gaps, paper_cells(Some(paper), workers)].concat()
        }));
        table.groups.push(rows);
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
            workers(results).into_iter().filter_map(ratio).collect::<Each>()
        };
        that_ran(results).into_iter().flat_map(each).collect()
    };
    Finding::of(
        "a simple model of what steals cost predicts speedup, and errs on the high side,",
        &[
            Part::at_most(
                "the model is off what is measured, as a ratio, by",
                &over(|ratio| ratio.max(1.0 / ratio)),
                MOST_OFF,
            ),
            Part::at_least("it says, in times of what is measured,", &over(|ratio| ratio), 1.0),
        ],
        Some("the model with four and eight processors"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::ExperimentRecord;
    use crate::experiment::record::tests::{run, twice};
    use crate::experiment::report::Verdict;

    const TREE: &str = "stress:1x100x1000";

    /// A thousand trees with two leaves of 5 us whose steals cost 0.5 us, and a thousand products of 100 us with five
    /// steals each, which take so many seconds on two workers.
    fn results(two: f64) -> Results {
        twice(vec![
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
        assert_eq!(WoolTable4.workers(&request(None)).unwrap(), [2, 4]);
        for workers in [vec![4], vec![1, 2], vec![2, 3]] {
            assert!(WoolTable4.workers(&request(Some(workers))).is_err());
        }
        let Err(Refused(why)) = WoolTable4.workloads(&request(None), &[2]) else { panic!("run") };
        assert!(why.contains("not fib:9"), "{why}");
    }
}
