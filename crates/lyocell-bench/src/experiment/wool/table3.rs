//! Wool's Table III: the cost of a task that nobody steals, and of stealing enough to keep 2, 4 and 8 workers busy.
//!
//! The method of Podobas, Brorsson and Faxén (2010): the time of a binary tree with `p` leaves on `p` workers, less the
//! time of one leaf. The smallest tree, two leaves on two workers, costs one steal and a join with its thief.

use lyocell_workloads::Fib;

use crate::experiment::kit::*;
use crate::experiment::record::leaves;

pub(in crate::experiment) static TABLE3: Experiment = Experiment {
    name: "wool-table3",
    paper: &WOOL,
    place: "Table III",
    shows: "the cost of an inlined task, and of the steals that keep 2, 4, ... workers busy",
    reps: 9,
    // Costs are differences of times, so it takes more of them.
    workers: Workers::Checked(|request| {
        let workers = request.workers.clone().unwrap_or_else(|| powers(request));
        match workers.iter().find(|count| !count.is_power_of_two() || **count < TWO_WORKERS) {
            None => Ok(workers),
            Some(count) => Err(Refused(format!(
                "wool-table3 gives each worker a leaf of a binary tree: --workers takes 2, 4, 8 and so on, not {count}"
            ))),
        }
    }),
    workloads: Workloads::Made(workloads),
    contenders: |instance, _| {
        let workers = workers_for(&instance.to_string());
        let setup = |name| match name {
            WOOL_HERE => as_published(name),
            _ => Setup::on(name).never_sleeping(),
        };
        let ours = DEQUES.map(|name| Contender::setup(name, setup(name), workers));
        let rivals = RIVALS.map(|name| Contender::rival(name, workers));
        [Contender::serial()].into_iter().chain(ours.into_iter().chain(rivals).flatten()).collect()
    },
    tables: &[table],
    notes: &[
        "All in cycles of the measured clock. Inlined: (T_1 - T_S) / tasks on fib. Steals of p workers: a tree of p leaves on p workers \
less\none leaf, whose cycles stand in the last row. Our own deques stand first, Wool itself and other systems below; what is not built has no \
row.",
        "The paper's range for Wool is from all tasks private to none. direct leapfrogs only, as in the paper; no worker of ours sleeps.\nWhere \
the cost is near that of the leaf or larger, it is the leaf that was lost: nobody came in time, and the steal was not measured. A \
system whose\nmedian is over half a leaf is not compared with; no round of another is left out.",
    ],
    finding,
    ..Experiment::USUAL
};

/// Ours, in the order of the table.
const DEQUES: [&str; 6] = ["direct", "split", "receiver", "sender", "chase-lev", "abp"];

/// Wool itself, where it is built; then other systems, those of the paper first.
const RIVALS: [&str; 6] = [ORIGINAL, "tbb", "openmp", "lace", "rayon", "chili"];

/// The first of them.
const ORIGINAL: &str = "wool";

/// Ours that stands for the paper's.
const WOOL_HERE: &str = DEQUES[0];

/// A row of the table, in cycles: inlined, as printed; on 2, 4 and 8 processors.
struct Published {
    system: &'static str,
    here: Option<&'static str>,
    inlined: &'static str,
    steals: [u64; 3],
}

const PUBLISHED: [Published; 4] = [
    published("Wool", Some(WOOL_HERE), "3-19", [2_200, 5_600, 10_400]),
    published("Cilk++", None, "134", [31_050, 73_600, 110_400]),
    published("TBB", None, "323", [5_800, 14_000, 30_000]),
    published("OpenMP", None, "878", [4_830, 9_200, 20_240]),
];

const fn published(
    system: &'static str,
    here: Option<&'static str>,
    inlined: &'static str,
    steals: [u64; 3],
) -> Published {
    Published { system, here, inlined, steals }
}

/// The paper's introduction: "at most half of that of state of the art systems".
const HALF: f64 = 0.5;

/// Several times the cost of a steal, so that the thief is in time, and short enough that the difference of two
/// times is not lost in their noise.
const LEAF_ITERATIONS: u64 = 16_384;

const TREES: u64 = 8_192;

/// What a task costs that nobody steals is measured on this.
const INLINED: &str = "fib";

/// 2, 4, 8 and so on, as far as there are processors.
pub(super) fn powers(request: &Request) -> Vec<usize> {
    let most = all_processors(request);
    (1..).map(|height| 1 << height).take_while(|&power| power <= most).collect()
}

fn workloads(request: &Request, workers: &[usize]) -> Result<Vec<Instance>, Refused> {
    let mut fib = Fib::new(request.size.of([36, 42]));
    let mut stress = Stress { height: 1, iterations: LEAF_ITERATIONS, trees: TREES };
    for asked in request.workloads.iter().flatten() {
        match asked {
            Instance::Fib(asked) => fib = *asked,
            Instance::Stress(asked) => stress = *asked,
            other => {
                return Err(Refused(format!(
                    "wool-table3 runs fib:N and stress:HEIGHTxITERATIONSxTREES, not {other}"
                )));
            }
        }
    }
    let tree = |&workers: &usize| Stress { height: workers.ilog2(), ..stress }.into();
    Ok([fib.into()].into_iter().chain(workers.iter().map(tree)).collect())
}

/// A worker for each leaf; one for what is not stress.
fn workers_for(job: &str) -> usize {
    stress(job).map_or(1, |stress| 1 << stress.height)
}

/// Of a task that nobody steals, in cycles.
fn inlined(results: &Results, contender: &str) -> Option<f64> {
    let jobs = results.jobs();
    let job = jobs.iter().find(|job| job.starts_with(INLINED))?;
    let seconds = |contender| results.seconds(Key { job, contender, workers: 1 });
    let tasks = Some(results.tasks(job)).filter(|&tasks| tasks > 0)?;
    let overhead = seconds(contender)? - seconds(SERIAL)?;
    Some(overhead / tasks as f64 * results.gigahertz()?.median * 1e9)
}

fn leaf_cycles(results: &Results) -> Option<f64> {
    let leaf = results.jobs().iter().find_map(|job| results.leaf(job))?;
    Some(leaf * results.gigahertz()?.median * 1e9)
}

/// Of the steals that a tree for `workers` takes, in cycles.
fn steals(results: &Results, contender: &str, workers: usize) -> Option<f64> {
    let jobs = results.jobs();
    let job = jobs.iter().find(|job| stress(job).is_some() && workers_for(job) == workers)?;
    let trees = stress(job)?.trees as f64;
    let tree = results.seconds(Key { job, contender, workers })? / trees;
    Some((tree - results.leaf(job)?) * results.gigahertz()?.median * 1e9)
}

fn cycles(value: Option<f64>) -> String {
    cell(value, |value| match value {
        value if value >= 100.0 => count(value.round() as u64),
        value => three_digits(value),
    })
}

fn table(results: &Results) -> Table {
    let workers = results.several();
    let titles: String = workers.iter().map(|count| format!("{count} workers | ")).collect();
    let mut table =
        Table::titled(1, &format!("system | inlined | {titles}paper | inlined | 2 | 4 | 8"));
    let ours = |name: &'static str| {
        let mut row = vec![name.to_owned(), cycles(inlined(results, name))];
        row.extend(workers.iter().map(|&count| cycles(steals(results, name, count))));
        let paper = PUBLISHED.iter().find(|row| row.here == Some(name));
        row.extend(paper.map_or_else(|| vec![GAP.to_owned(); 5], paper_cells));
        row
    };
    table.push(results.that_ran(DEQUES).into_iter().map(ours));
    table.push(results.that_ran(RIVALS).into_iter().map(ours));
    let blank = |row: &Published| {
        let gaps = vec![GAP.to_owned(); workers.len() + 1];
        [vec![String::new()], gaps, paper_cells(row)].concat()
    };
    let others = PUBLISHED.iter().filter(|row| row.here.is_none());
    table.push(others.map(blank));
    let leaf = vec!["(a leaf)".to_owned(), cycles(leaf_cycles(results))];
    let clock = vec!["(the clock)".to_owned(), results.clock()];
    table.push([leaf, clock].map(|row| [row, vec![GAP.to_owned(); workers.len() + 5]].concat()));
    table
}

/// What steals cost the direct task stack, beside the paper's Wool.
pub(crate) fn steals_beside(results: &Results) -> Table {
    let wool = PUBLISHED.iter().find(|row| row.here == Some(WOOL_HERE));
    let row = |(&paper, workers): (&u64, usize)| {
        let ours = steals(results, WOOL_HERE, workers)?;
        let off = 100.0 * (ours / paper as f64 - 1.0);
        Some(vec![workers.to_string(), cycles(Some(ours)), count(paper), format!("{off:+.0} %")])
    };
    let rows = wool.into_iter().flat_map(|wool| wool.steals.iter().zip([2, 4, 8])).filter_map(row);
    Table::titled(1, "P | cycles, simulated | the paper's | off by").of(rows)
}

fn paper_cells(row: &Published) -> Vec<String> {
    let mut cells = vec![row.system.to_owned(), row.inlined.to_owned()];
    cells.extend(row.steals.map(count));
    cells
}

/// What the steal of two workers costs in one round, in cycles.
fn round_steal(round: &Round<'_>, job: &str, contender: &str) -> Option<f64> {
    let stress = stress(job)?;
    let leaf = round.cycles(Key { job, contender: SERIAL, workers: 1 })? / leaves(stress);
    let tree = round.cycles(Key { job, contender, workers: TWO_WORKERS })? / stress.trees as f64;
    Some(tree - leaf)
}

/// As a share of the leaf. Untuned: a thief that comes too late for one tree of two has lost half a leaf. A system that loses
/// as much has no steals to be measured; rounds of one that does not are never left out.
const IN_TIME: f64 = 0.5;

/// Whether the thieves of a system come in time, by the median of its rounds.
fn is_in_time(results: &Results, contender: &str) -> bool {
    let cost = steals(results, contender, TWO_WORKERS);
    cost.zip(leaf_cycles(results)).is_some_and(|(cost, leaf)| cost < IN_TIME * leaf)
}

/// By how many cycles a steal costs one system more than half of what it costs each of the others whose thieves come in time: a
/// difference, as a cost that is lost in the noise has no ratio.
fn over_half(results: &Results, job: &str, contender: &str) -> Each {
    let others = RIVALS.iter().filter(|name| **name != ORIGINAL && is_in_time(results, name));
    let difference = |other: &&str| {
        let difference = results.each_round(|round| {
            Some(round_steal(round, job, contender)? - HALF * round_steal(round, job, other)?)
        })?;
        Some(((*other).to_owned(), difference))
    };
    others.filter_map(difference).collect()
}

fn finding(results: &Results) -> Finding {
    let jobs = results.jobs();
    let of_two = |job: &&String| stress(job).is_some() && workers_for(job) == TWO_WORKERS;
    let job = jobs.iter().find(of_two).map(String::as_str).unwrap_or_default();
    let part = |name: &'static str| {
        let what = format!("cycles of a steal of {name}, less half of those of another system");
        Part::at_most(&what, over_half(results, job, name), 0.0)
    };
    let wools = results.that_ran([WOOL_HERE, ORIGINAL]);
    Finding::of(
        "a steal costs the direct task stack at most half of what it costs other systems",
        &wools.into_iter().map(part).collect::<Vec<_>>(),
        Some("how the cost grows with more workers"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::{often, run};
    use crate::experiment::report::Verdict;
    use lyocell_workloads::Queens;

    const TREE: &str = "stress:1x100x1000";

    /// A thousand trees with two leaves of 5 us, at 2 GHz, stolen at these costs in nanoseconds.
    fn results(costs: &[(&'static str, f64)]) -> Results {
        let mut runs = vec![run(TREE, SERIAL, 1, 2.0 * 5e-3)];
        runs.extend(costs.iter().map(|(name, cost)| run(TREE, name, 2, 5e-3 + cost * 1e-6)));
        often(runs)
    }

    #[test]
    fn a_cost_is_the_tree_less_a_leaf() {
        let cost = steals(&results(&[("direct", 1100.0)]), "direct", 2).unwrap();
        assert!((cost - 2200.0).abs() < 1e-6, "{cost}");
        assert!((leaf_cycles(&results(&[])).unwrap() - 10_000.0).abs() < 1e-6);
        let runs = vec![run("fib:30", SERIAL, 1, 0.01), run("fib:30", "direct", 1, 0.02)];
        assert!((inlined(&Results(runs), "direct").unwrap() - 20.0).abs() < 1e-6);
    }

    #[test]
    fn the_finding_is_of_other_systems_and_not_of_our_own_deques() {
        let runs = [("direct", 1000.0), ("split", 900.0), ("lace", 2100.0), ("rayon", 2400.0)];
        let holds = finding(&results(&runs));
        assert_eq!(holds.verdict, Verdict::Holds);
        // 2,000 cycles less half of 4,200.
        assert!(
            holds.evidence().contains("-100 (-100 to -100) on lace, to be at most 0"),
            "{}",
            holds.evidence()
        );
        let fails = finding(&results(&[("direct", 1000.0), ("lace", 2100.0), ("rayon", 1500.0)]));
        assert_eq!(fails.verdict, Verdict::Fails);
    }

    #[test]
    fn wool_itself_is_judged_beside_ours() {
        let of = |wool| {
            let runs = [("direct", 1000.0), ("wool", wool), ("rayon", 2500.0)];
            finding(&results(&runs)).verdict
        };
        assert_eq!(of(900.0), Verdict::Holds);
        assert_eq!(of(1500.0), Verdict::Partly);
    }

    #[test]
    fn a_system_whose_thieves_come_too_late_is_not_compared_with() {
        let late = finding(&results(&[("direct", 1000.0), ("rayon", 4900.0)]));
        assert_eq!(late.verdict, Verdict::Open, "the leaf was lost, not a steal");
        let one_late =
            finding(&results(&[("direct", 1000.0), ("rayon", 4900.0), ("lace", 2200.0)]));
        assert_eq!(one_late.verdict, Verdict::Holds);
    }

    #[test]
    fn without_another_system_the_finding_is_open() {
        assert_eq!(finding(&results(&[("direct", 1000.0)])).verdict, Verdict::Open);
    }

    #[test]
    fn what_steals_cost_stands_beside_the_papers_wool() {
        let table = steals_beside(&results(&[("direct", 1650.0)]));
        assert_eq!(table.groups[0], [["2", "3,300", "2,200", "+50 %"]]);
    }

    #[test]
    fn each_number_of_workers_gets_a_tree_with_as_many_leaves() {
        let stress = Stress { height: 9, iterations: 100, trees: 10 };
        let workloads = vec![Fib::new(20).into(), stress.into()];
        let mut request = Request { workloads: Some(workloads), ..Request::of(Size::Small, 9) };
        let workers = TABLE3.workers(&request).unwrap();
        assert_eq!(workers, [2, 4, 8]);
        let instances = TABLE3.workloads(&request, &workers).unwrap();
        let names: Vec<String> = instances.iter().map(Instance::to_string).collect();
        assert_eq!(names, ["fib:20", "stress:1x100x10", "stress:2x100x10", "stress:3x100x10"]);
        request.workloads = Some(vec![Queens::new(8).into()]);
        let Err(Refused(why)) = TABLE3.workloads(&request, &workers) else { panic!("run") };
        assert!(why.contains("queens:8"));
        request.workers = Some(vec![2, 3]);
        assert!(TABLE3.workers(&request).unwrap_err().0.contains("not 3"));
    }

    #[test]
    fn the_papers_numbers_stand_beside_ours() {
        let table = table(&results(&[("direct", 1100.0), ("rayon", 2500.0)]));
        let expected = ["direct", "-", "2,200", "Wool", "3-19", "2,200", "5,600", "10,400"];
        assert_eq!(table.groups[0][0], expected);
        assert_eq!(table.groups[2][1][3..], ["TBB", "323", "5,800", "14,000", "30,000"]);
        let row: &ExperimentRecord = &results(&[]).0[0];
        assert_eq!(row.workers, 1);
    }
}
