//! An experiment on virtual processors: what of it can be simulated, and the runs as any other's, a seed in the place of a round. Its
//! tables, its finding and the rule of its verdict stay as they are.
//!
//! Left out is who is no deque of `lyocell simulate` or chooses options that it has not, and what is none of its programs.

use lyocell::Wait;
use lyocell::probe::Event;
use lyocell_workloads::{Instance, Refused};

use super::plan::{Prepared, is_watched};
use super::record::{ExperimentRecord, Results};
use super::{Context, Paper};
use crate::measure::{Contender, Plan, Progress};
use crate::simulate::{About, Answer, Failed, Request, Row};
use crate::stats::distinct;
use lyocell_engines::{RUNTIME, SERIAL};

/// The word for the machine of each paper.
const THE_PAPERS: &str = "paper";

/// What `lyocell simulate` has.
const DEQUES: [&str; 7] =
    ["split", "direct", "direct-locked", "receiver", "sender", "chase-lev", "abp"];

/// The machine called `name` for an experiment of this paper.
///
/// # Errors
/// It is to be the paper's, and there is no file of that one.
pub(super) fn machine(name: &str, paper: &Paper) -> Result<String, Refused> {
    if name != THE_PAPERS {
        return Ok(name.to_owned());
    }
    let simulated = paper.simulated.map(str::to_owned);
    simulated.ok_or_else(|| {
        Refused(format!("there is no file of the machine of {}: name another", paper.citation))
    })
}

/// A pool that can be simulated.
#[derive(Clone, Debug, PartialEq)]
struct Pool {
    deque: String,
    wait: Wait,
    search: Option<String>,
    /// What else, as the program has it.
    further: Vec<String>,
}

impl Pool {
    /// What a contender is, by the name of its engine: `lyocell:split+leap+exposing-asked+search-forever`.
    fn of(contender: &Contender) -> Option<Pool> {
        let setup = contender.engine.name().strip_prefix(RUNTIME)?;
        let mut words = setup.strip_prefix(':').unwrap_or(DEQUES[0]).split('+');
        let deque = words.next().filter(|deque| DEQUES.contains(deque))?.to_owned();
        let further = is_watched(&contender.label).then(|| "--depths".to_owned());
        let further = further.into_iter().collect();
        let pool = Pool { deque, wait: Wait::LeapRandom, search: None, further };
        words.try_fold(pool, |pool, word| match word {
            "half" => pool.split("--steal", word),
            _ => match word.split_once('-') {
                Some(("search", time)) => Some(Pool { search: Some(time.to_owned()), ..pool }),
                Some(("share", share)) => pool.split("--share", share),
                Some(("exposing", whether)) => Some(pool.with("--exposing", whether)),
                _ => word.parse().ok().map(|wait| Pool { wait, ..pool }),
            },
        })
    }

    /// The same with an option.
    fn with(mut self, option: &str, value: &str) -> Pool {
        self.further.extend([option, value].map(str::to_owned));
        self
    }

    /// The same with one that the split deque alone has there.
    fn split(self, option: &str, value: &str) -> Option<Pool> {
        (self.deque == DEQUES[0]).then(|| self.with(option, value))
    }
}

/// What an instance is called there.
fn program(instance: &Instance) -> Option<String> {
    let words = instance.to_string();
    let plain = |word: &str| word.chars().all(|letter| letter.is_ascii_alphanumeric());
    match words.split_once(':')? {
        ("fib" | "uts" | "stress", parameter) if plain(parameter) => Some(words),
        _ => None,
    }
}

/// What came of an experiment.
pub(crate) struct Simulated {
    pub(crate) results: Results,
    pub(crate) context: Context,
    /// What was left out, in words.
    left_out: Vec<String>,
}

impl Simulated {
    /// What is to be known by who reads the tables.
    pub(crate) fn note(&self) -> String {
        let all = "Every number of ours is simulated: it shows a protocol, no seconds, and its interval is over seeds.";
        match &*self.left_out {
            [] => all.to_owned(),
            left_out => format!("{all} Left out: {}.", left_out.join(", ")),
        }
    }
}

/// Runs with so many seeds on this machine, or the paper's.
///
/// # Errors
/// See [`Failed`]; or nothing of the experiment can be simulated.
pub(crate) fn simulate(
    prepared: &Prepared,
    machine: &str,
    seeds: usize,
) -> Result<Simulated, Failed> {
    let name = prepared.experiment.name;
    let refused = |Refused(message)| Failed::Refused(message);
    let machine = self::machine(machine, prepared.experiment.paper).map_err(refused)?;
    let (mut records, mut left_out, mut about) = (Vec::new(), Vec::new(), None);
    for plan in prepared.plans() {
        let Some(program) = program(&plan.instance) else {
            left_out.push(plan.instance.to_string());
            continue;
        };
        let others = plan.contenders.iter().filter(|one| Pool::of(one).is_none());
        let others = others.filter(|one| one.engine.name() != SERIAL);
        left_out.extend(others.map(|one| one.label.clone()));
        let pools = distinct_pools(plan);
        let progress = Progress::new(pools.iter().map(|(_, workers)| workers.len() * seeds).sum());
        for (pool, workers) in pools {
            let answer =
                request(&machine, &program, &pool, &workers, seeds).rows(None, &progress)?;
            records.extend(records_of(plan, &pool, &answer, name));
            about = Some(answer.machine);
        }
    }
    let About { title, processors, .. } = about.ok_or_else(|| {
        Failed::Refused(format!("nothing of {name} can be simulated: {}", left_out.join(", ")))
    })?;
    let version = env!("CARGO_PKG_VERSION");
    let machine = format!("lyocell {version} on {processors} x simulated processor: {title}");
    let left_out = distinct(left_out.into_iter());
    Ok(Simulated { results: Results(records), context: Context { machine, processors }, left_out })
}

/// Each pool of a plan once, with its numbers of workers in ascending order.
fn distinct_pools(plan: &Plan) -> Vec<(Pool, Vec<usize>)> {
    let mut pools: Vec<(Pool, Vec<usize>)> = Vec::new();
    for contender in &plan.contenders {
        let Some(pool) = Pool::of(contender) else { continue };
        let place = pools.iter().position(|(other, _)| *other == pool).unwrap_or_else(|| {
            pools.push((pool, Vec::new()));
            pools.len() - 1
        });
        pools[place].1.push(contender.workers);
    }
    for (_, workers) in &mut pools {
        workers.sort_unstable();
        workers.dedup();
    }
    pools
}

fn request(machine: &str, program: &str, pool: &Pool, workers: &[usize], seeds: usize) -> Request {
    Request {
        programs: vec![program.to_owned()],
        machine: machine.to_owned(),
        workers: workers.iter().map(|&workers| workers as u64).collect(),
        deques: vec![pool.deque.clone()],
        waits: vec![pool.wait.to_string()],
        search: pool.search.clone(),
        further: pool.further.clone(),
        seeds: seeds as u64,
        tso: false,
        spread: false,
        trace: None,
    }
}

/// The runs of those contenders that are this pool; and of the serial program, if there are none yet, what it declares.
fn records_of(
    plan: &Plan,
    pool: &Pool,
    answer: &Answer,
    experiment: &'static str,
) -> Vec<ExperimentRecord> {
    let mut records = Vec::new();
    for contender in &plan.contenders {
        let is_serial = contender.engine.name() == SERIAL;
        let is_it = Pool::of(contender).as_ref() == Some(pool);
        let rows = answer.rows.iter().filter(|row| row.workers == contender.workers);
        if is_it {
            records.extend(rows.map(|row| record(plan, contender, row, experiment)));
        } else if is_serial && distinct_pools(plan).first().is_some_and(|(first, _)| first == pool)
        {
            let seeds = distinct(answer.rows.iter().map(|row| row.seed));
            let serial = |seed| {
                let row =
                    answer.rows.iter().find(|row| row.seed == seed).expect("it has this seed");
                let seconds = row.serial_ns / 1e9;
                ExperimentRecord {
                    seconds,
                    ..ExperimentRecord::simulated(&plan.instance, contender, experiment, seed)
                }
            };
            records.extend(seeds.into_iter().map(serial));
        }
    }
    records
}

fn record(
    plan: &Plan,
    contender: &Contender,
    row: &Row,
    experiment: &'static str,
) -> ExperimentRecord {
    let count = |event: Event| row.count(event.name()).map(|count| count as usize);
    ExperimentRecord {
        seconds: row.took_ns / 1e9,
        steals: count(Event::Steal),
        leaps: count(Event::Leap),
        grows: count(Event::Grow),
        shrinks: count(Event::Shrink),
        reshares: count(Event::Reshare),
        peak_depth: row.peak_depth.map(|depth| depth as usize),
        ..ExperimentRecord::simulated(&plan.instance, contender, experiment, row.seed)
    }
}

#[cfg(test)]
mod tests {
    use lyocell::deque::Amount;
    use lyocell_engines::runtime::Value;
    use lyocell_engines::runtime::options::STEAL;
    use lyocell_workloads::Fib;

    use super::*;
    use crate::experiment::plan::{as_published, leaping, watched_label};
    use crate::experiment::{EXPERIMENTS, Request as Asked, Size};
    use crate::simulate::tests::{answer, row};

    fn contender(label: &str, deque: &str) -> Contender {
        Contender::setup(label, as_published(deque), 2).unwrap()
    }

    #[test]
    fn a_contender_is_simulated_as_its_engine_is_called() {
        let pool = Pool::of(&contender("split", "split")).unwrap();
        let expected = Pool {
            deque: "split".to_owned(),
            wait: Wait::Leap,
            search: Some("forever".to_owned()),
            further: Vec::new(),
        };
        assert_eq!(pool, expected);
        let exposing = Contender::setup("split exposing", leaping("split"), 2).unwrap();
        assert_eq!(Pool::of(&exposing), Some(expected.clone()));
        let watched = Pool::of(&contender(&watched_label("split"), "split")).unwrap();
        assert_eq!(watched, Pool { further: vec!["--depths".to_owned()], ..expected });
        let half = |deque| {
            let setup = leaping(deque).with(&STEAL, Value::Amount(Amount::Half));
            Pool::of(&Contender::setup("half", setup, 2).unwrap())
        };
        assert_eq!(half("split").unwrap().further, ["--steal", "half"]);
        assert_eq!(half("receiver"), None, "it is not told there how much it gives");
        assert_eq!(Pool::of(&contender("receiver-block", "receiver-block")), None);
        assert_eq!(Pool::of(&Contender::serial()), None);
    }

    #[test]
    fn programs_with_a_cut_off_and_unknown_ones_are_left_out() {
        let words = |words: &str| program(&words.parse().unwrap());
        assert_eq!(words("fib:30").as_deref(), Some("fib:30"));
        assert_eq!(words("stress:3x4096x2").as_deref(), Some("stress:3x4096x2"));
        assert_eq!(words("uts:T3").as_deref(), Some("uts:T3"));
        assert_eq!((words("fib:30,12"), words("queens:8")), (None, None));
    }

    #[test]
    fn a_row_is_a_record_of_each_contender_that_is_its_pool_and_of_the_serial_program() {
        let contenders =
            vec![Contender::serial(), contender("split", "split"), contender("direct", "direct")];
        let plan = Plan::new(Fib::new(20).into(), contenders);
        let pool = Pool::of(&plan.contenders[1]).unwrap();
        let answer = answer(vec![row("split", 2, 0, 4100.0), row("split", 2, 1, 4200.0)]);
        let records = records_of(&plan, &pool, &answer, "lace-fig5");
        let told: Vec<_> =
            records.iter().map(|run| (&*run.contender, run.rep, run.seconds)).collect();
        let expected =
            [(SERIAL, 1, 8e-6), (SERIAL, 2, 8e-6), ("split", 1, 4.1e-6), ("split", 2, 4.2e-6)];
        assert_eq!(told, expected);
        assert_eq!((records[2].steals, records[2].peak_depth), (Some(0), None));
    }

    #[test]
    fn each_paper_has_its_machine_but_for_that_of_the_queues() {
        for experiment in EXPERIMENTS {
            let has = machine(THE_PAPERS, experiment.paper).is_ok();
            assert_eq!(has, !experiment.name.starts_with("queues-"), "{}", experiment.name);
        }
        let queues = EXPERIMENTS.into_iter().find(|one| one.name == "queues-raw").unwrap();
        let prepared = Prepared::new(queues, &Asked::of(Size::Small, 2)).unwrap();
        let Err(Failed::Refused(why)) = simulate(&prepared, "abacus", 1) else {
            panic!("it runs no programs")
        };
        assert!(why.contains("nothing of queues-raw"), "{why}");
    }
}
