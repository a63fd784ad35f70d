//! An experiment on virtual processors: what of it can be simulated, and the runs as any other's, a seed in the place of a round. Its
//! tables, its finding and the rule of its verdict stay as they are.
//!
//! Left out is who is no deque of `lyocell simulate` or chooses options that it has not (pinning), and what is none of its programs.

use lyocell::Wait;
use lyocell::probe::{Event, Phase};
use lyocell_workloads::Instance;

use super::plan::{Prepared, is_watched};
use super::record::{ExperimentRecord, Results};
use super::{Context, Paper};
use crate::measure::{Contender, Plan, Progress};
use crate::simulate::{About, Answer, CaseRow, Failed, Request, Row};
use crate::stats::distinct;
use lyocell_engines::{RUNTIME, SERIAL};
use lyocell_queue_study::CasePlan;

/// The word for the machine of each paper.
const THE_PAPERS: &str = "paper";

/// What `lyocell simulate` has; the first is the default.
const DEQUES: [&str; 16] = [
    "split",
    "direct",
    "direct-locked",
    "direct-task",
    "direct-task-join",
    "direct-none-private",
    "direct-all-private",
    "direct-trip-wire",
    "direct-base",
    "direct-peek",
    "direct-trylock",
    "receiver",
    "receiver-block",
    "sender",
    "chase-lev",
    "abp",
];

/// The machine called `name` for an experiment of this paper.
fn machine<'a>(name: &'a str, paper: &Paper) -> &'a str {
    if name == THE_PAPERS { paper.simulated } else { name }
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
        // Depths are told of the split deque alone, and to look at them takes time.
        let looks = is_watched(&contender.label) && deque == DEQUES[0];
        let further = looks.then(|| "--depths".to_owned()).into_iter().collect();
        let pool = Pool { deque, wait: Wait::LeapRandom, search: None, further };
        words.try_fold(pool, |pool, word| match (word, word.split_once('-')) {
            ("one" | "half", _) => Some(pool.with("--steal", word)),
            ("blind", _) => Some(pool.with("--attempts", word)),
            (_, Some(("search", time))) => Some(Pool { search: Some(time.to_owned()), ..pool }),
            (_, Some(("share", share))) => Some(pool.with("--share", share)),
            (_, Some(("exposing", whether))) => Some(pool.with("--exposing", whether)),
            (_, Some(("interrupt", period))) => Some(pool.with("--interrupt", period)),
            (_, Some(("signals", who))) => Some(pool.with("--signals", who)),
            _ if word.starts_with(|first: char| first.is_ascii_digit()) => {
                Some(pool.with("--delta", word))
            }
            _ => word.parse().ok().map(|wait| Pool { wait, ..pool }),
        })
    }

    /// The same with an option, which its deque takes: else there were no such engine.
    fn with(mut self, option: &str, value: &str) -> Pool {
        self.further.extend([option, value].map(str::to_owned));
        self
    }
}

/// What an instance is called there.
fn program(instance: &Instance) -> Option<String> {
    let words = instance.to_string();
    let is_there = match words.split_once(':')? {
        ("fib", parameter) => parameter.chars().all(|sign| sign == ',' || sign.is_ascii_digit()),
        ("uts" | "stress", parameter) => parameter.chars().all(|sign| sign.is_ascii_alphanumeric()),
        ("dfs", graph) => graph.starts_with("grid,"),
        ("mm", parameter) => parameter.starts_with("64x"),
        _ => false,
    };
    is_there.then_some(words)
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
    let machine = self::machine(machine, prepared.experiment.paper);
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
                request(machine, &program, &pool, &workers, seeds).rows(None, &progress)?;
            let ran = records_of(plan, &pool, &answer, name);
            let gigahertz = answer.machine.gigahertz;
            records.extend(ran.into_iter().map(|run| ExperimentRecord { gigahertz, ..run }));
            about = Some(answer.machine);
        }
    }
    for plan in prepared.cases() {
        let ran = cases(machine, plan, seeds, name, &mut left_out)?;
        if let Some((runs, machine)) = ran {
            records.extend(runs);
            about = Some(machine);
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

/// The case of the queue study that `lyocell simulate` has: what the nodes of the others take is memory traffic of their own.
const CASE: &str = "raw:";

/// The queues there.
const QUEUES: [&str; 7] = [
    "abp",
    "chase-lev",
    "chase-lev-shrinking",
    "idempotent-lifo",
    "idempotent-fifo",
    "idempotent-double-ended",
    "duplicating",
];

/// The runs of a case, and what they ran on; `None` if it is not there.
fn cases(
    machine: &str,
    plan: &CasePlan,
    seeds: usize,
    experiment: &'static str,
    left_out: &mut Vec<String>,
) -> Result<Option<(Vec<ExperimentRecord>, About)>, Failed> {
    let (job, queues) = plan.queues();
    let Some(parameter) = job.strip_prefix(CASE) else {
        left_out.push(job);
        return Ok(None);
    };
    let (here, others): (Vec<_>, Vec<_>) =
        queues.into_iter().partition(|(queue, _)| QUEUES.contains(queue));
    left_out.extend(others.into_iter().map(|(queue, _)| queue.to_owned()));
    let names = distinct(here.iter().map(|(queue, _)| *queue));
    let counts = distinct(here.iter().map(|(_, workers)| *workers));
    let progress = Progress::new(names.len() * counts.len() * seeds);
    let (mut records, mut about) = (Vec::new(), None);
    for queue in names {
        let pool = Pool {
            deque: queue.to_owned(),
            wait: Wait::default(),
            search: None,
            further: Vec::new(),
        };
        let answer = request(machine, &job, &pool, &counts, seeds).rows(None, &progress)?;
        let is_first = records.is_empty();
        for row in answer.cases {
            let run = ExperimentRecord::simulated_case(parameter, queue, experiment, &row);
            let serial = (is_first && row.workers == counts[0]).then(|| ExperimentRecord {
                contender: SERIAL.to_owned(),
                workers: 1,
                seconds: row.serial_ns / 1e9,
                ..run.clone()
            });
            records.extend(serial.into_iter().chain([run]));
        }
        about = Some(answer.machine);
    }
    Ok(about.map(|about| (records, about)))
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
    let spent = |phase: Phase| row.spent(phase.name()).map(|ns| ns / 1e9);
    ExperimentRecord {
        seconds: row.took_ns / 1e9,
        steals: count(Event::Steal),
        leaps: count(Event::Leap),
        grows: count(Event::Grow),
        shrinks: count(Event::Shrink),
        reshares: count(Event::Reshare),
        peak_depth: row.peak_depth.map(|depth| depth as usize),
        waiting_seconds: Some((row.searching_ns + row.idle_ns) / 1e9),
        start_stop_seconds: spent(Phase::StartStop),
        application_seconds: spent(Phase::Application),
        leap_application_seconds: spent(Phase::LeapApplication),
        stealing_seconds: spent(Phase::Stealing),
        leaping_seconds: spent(Phase::Leaping),
        idle_seconds: spent(Phase::Idle),
        bound_seconds: row.bounds.dealing_ns.map(|ns| ns / 1e9),
        ..ExperimentRecord::simulated(&plan.instance, contender, experiment, row.seed)
    }
}

impl ExperimentRecord {
    /// Of a run on virtual processors, without what came of it.
    fn simulated(
        instance: &Instance,
        contender: &Contender,
        experiment: &'static str,
        seed: u64,
    ) -> ExperimentRecord {
        ExperimentRecord {
            experiment: experiment.into(),
            workload: instance.workload().name.into(),
            param: instance.parameter(),
            contender: contender.label.clone(),
            workers: contender.workers,
            rep: seed as usize + 1,
            tasks: instance.tasks(),
            ..ExperimentRecord::default()
        }
    }

    /// Of a run of a case on a queue, on virtual processors.
    fn simulated_case(
        parameter: &str,
        queue: &str,
        experiment: &'static str,
        row: &CaseRow,
    ) -> ExperimentRecord {
        ExperimentRecord {
            experiment: experiment.into(),
            workload: "raw".into(),
            param: parameter.to_owned(),
            contender: queue.to_owned(),
            workers: row.workers,
            rep: row.seed as usize + 1,
            seconds: row.took_ns / 1e9,
            tasks: Some(row.nodes),
            steals: Some(row.steals as usize),
            repeats: Some(row.repeats),
            ..ExperimentRecord::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lyocell::Signals;
    use lyocell::deque::{Amount, Attempts};
    use lyocell_engines::runtime::options::{ATTEMPTS, DELTA, INTERRUPT, SIGNALS, STEAL};
    use lyocell_engines::runtime::{Setup, Value};
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
            further: ["--exposing", "asked"].map(str::to_owned).into(),
        };
        assert_eq!(pool, expected);
        let exposing = Contender::setup("split exposing", leaping("split"), 2).unwrap();
        assert_eq!(Pool::of(&exposing), Some(Pool { further: Vec::new(), ..expected.clone() }));
        let watched = Pool::of(&contender(&watched_label("split"), "split")).unwrap();
        let further = ["--depths", "--exposing", "asked"].map(str::to_owned).into();
        assert_eq!(watched, Pool { further, ..expected });
        let half = |deque| {
            let setup = leaping(deque).with(&STEAL, Value::Amount(Amount::Half));
            Pool::of(&Contender::setup("half", setup, 2).unwrap()).unwrap().further
        };
        assert_eq!(
            (half("split"), half("sender")),
            (vec!["--steal".to_owned(), "half".to_owned()], Vec::new())
        );
        let deal = Setup::on("sender").with(&STEAL, Value::Amount(Amount::One));
        let deal = deal.with(&ATTEMPTS, Value::Attempts(Attempts::Blind));
        let deal = deal.with(&DELTA, Value::Time(Duration::from_millis(3)));
        let deal = Pool::of(&Contender::setup("blind", deal, 2).unwrap()).unwrap();
        let expected = ["--steal", "one", "--delta", "3ms", "--attempts", "blind"];
        assert_eq!(deal.further, expected);
        let interrupted = Setup::on("sender")
            .with(&INTERRUPT, Value::Time(Duration::from_millis(1)))
            .with(&SIGNALS, Value::Signals(Signals::All));
        let interrupted = Pool::of(&Contender::setup("1ms", interrupted, 2).unwrap()).unwrap();
        assert_eq!(interrupted.further, ["--interrupt", "1ms", "--signals", "all"]);
        assert_eq!(Pool::of(&contender("split-fence", "split-fence")), None);
        assert_eq!(Pool::of(&Contender::serial()), None);
    }

    #[test]
    fn programs_without_a_declared_cost_are_left_out() {
        let words = |words: &str| program(&words.parse().unwrap());
        assert_eq!(words("fib:30").as_deref(), Some("fib:30"));
        assert_eq!(words("stress:3x4096x2").as_deref(), Some("stress:3x4096x2"));
        assert_eq!(words("uts:T3").as_deref(), Some("uts:T3"));
        assert_eq!(words("fib:30,12").as_deref(), Some("fib:30,12"));
        assert_eq!(words("dfs:grid,1000").as_deref(), Some("dfs:grid,1000"));
        assert_eq!(words("mm:64x3").as_deref(), Some("mm:64x3"));
        assert_eq!(
            (words("dfs:rmat,1024"), words("mm:128x3"), words("queens:8")),
            (None, None, None)
        );
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
    fn the_cases_of_queues_whose_nodes_touch_memory_are_left_out() {
        assert_eq!(machine(THE_PAPERS, EXPERIMENTS[0].paper), "opteron-48");
        assert_eq!(machine("opteron-8", EXPERIMENTS[0].paper), "opteron-8");
        let queues = EXPERIMENTS.into_iter().find(|one| one.name == "queues-xml").unwrap();
        let prepared = Prepared::new(queues, &Asked::of(Size::Small, 2)).unwrap();
        let Err(Failed::Refused(why)) = simulate(&prepared, "abacus", 1) else {
            panic!("it runs no programs")
        };
        assert!(why.contains("nothing of queues-xml"), "{why}");
    }
}
