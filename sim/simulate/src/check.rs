//! Programs under faults: by the seed, threads come late at any access, sleeps end for no reason, the barrier is refused, a thread
//! cannot be had.
//!
//! A run fails, and names its seed, when nobody can run and something waits, when it does not end, when the answer is wrong (a task
//! that ran twice or never), when the program panics or reads what is gone, or when it is faster than can be. Where nothing comes very
//! late, it fails too when a worker sleeps in one stretch longer than greed allows, though somebody has a task to give away; and where
//! nobody wakes for no reason, when a pool whose work is done touches a shared word.

use crate::last_words;
use crate::pools::{DEQUES, Ran, Setup, Tuning};
use crate::row::{Job, measure};
use lyocell::deque::Share;
use lyocell::probe::Phase;
use lyocell::{Exposing, Signals, Wait};
use lyocell_virtual::{Faults, Machine, Memory, Options, Report};
use std::time::Duration;

/// No checked run may be longer, in virtual time: they take milliseconds, and seconds where much comes late.
const LIMIT: Duration = Duration::from_secs(60);

/// What is checked, unless somebody names programs.
const PROGRAMS: [&str; 15] = [
    "fib:12",
    "tree:5:3000",
    "background:6",
    "tree:8:100000",
    "phases:3:3000000:24",
    "phases:2:3000000:16",
    "scopes:6",
    "broadcasts:8",
    "detached:30",
    "callers:4:6",
    "blocking:24",
    "panics:8",
    "ragged:2:60000:60",
    "ragged:3:30000:120",
    "ragged:5:20000:24",
];

/// The deques that answer interrupts, and how often they are interrupted.
const INTERRUPTED: [&str; 3] = ["split", "receiver", "sender"];
const PERIOD: Duration = Duration::from_micros(100);

/// What comes later than this, in nanoseconds, lets a worker sleep while there are tasks.
const LATE_NS: u64 = 1_000;

/// What comes later than this, in nanoseconds, keeps a pool from falling asleep in time.
const LATER_NS: u64 = 50_000;

/// No worker sleeps longer in one stretch while somebody has a task to give away (greed-1), in picoseconds: a moment of backing
/// off, and what it takes to wake up.
const GREED_PS: u64 = 1_200_000_000;

/// The worker that slept too long beside tasks, in words. One that may take tasks from one other only, or from nobody, is no greedy one.
fn lazy(report: &Report<Ran>, wait: Wait) -> Option<String> {
    if !matches!(wait, Wait::LeapRandom | Wait::Random) {
        return None;
    }
    // The thread of worker 0 sleeps while another one sits on its seat.
    let workers = report.threads.iter().filter(|thread| {
        thread.name == "main" || thread.name.starts_with("lyocell-") && thread.name != "lyocell-0"
    });
    for thread in workers.filter(|thread| thread.name != "lyocell-ticker") {
        let ends = thread.entered.iter().skip(1).map(|(at, _)| *at).chain([thread.lived.1]);
        for (&(begin, phase), end) in thread.entered.iter().zip(ends) {
            let beside = |(from, to): &(u64, u64)| end.min(*to).saturating_sub(begin.max(*from));
            let slept = report.value.trees.iter().map(beside).max().unwrap_or(0);
            if phase == Phase::Idle as usize && slept > GREED_PS {
                let slept = slept as f64 / 1e9;
                let name = &thread.name;
                return Some(format!(
                    "{name} slept {slept:.2} ms while there were tasks to be had"
                ));
            }
        }
    }
    None
}

/// What goes wrong in the run of this seed, on a pool of so many workers.
fn faults(seed: u64, workers: usize) -> Faults {
    let [a, b, c, d, e] = [seed % 4, seed / 4 % 3, seed / 12 % 5, seed / 60 % 4, seed / 240 % 3];
    // One of the pool's own, or of those that its callers start.
    let thread = 1 + seed / 66 % (workers as u64 + 2);
    Faults {
        delay_one_in: [20, 100, 500, 3000][a as usize],
        longest_delay_ns: [1_000, 50_000, 10_000_000][b as usize],
        late_accesses: [1, 2, 8][e as usize],
        spurious_one_in: [0, 0, 3, 10, 0][c as usize],
        refuse_barrier_from: [None, None, Some(2), Some(5)][d as usize],
        fail_thread: (seed / 11 % 6 == 5).then_some(thread),
    }
}

/// The programs that these words name; the usual ones where there are none.
///
/// # Errors
/// Words name no program, or one without a declared cost for the machine.
pub fn programs(words: &[String], machine: &Machine) -> Result<Vec<Job>, String> {
    if words.is_empty() {
        return PROGRAMS.iter().map(|words| Job::parse(words, machine)).collect();
    }
    words.iter().map(|words| Job::parse(words, machine)).collect()
}

/// Runs these programs, one for each seed in turn, on every deque under the seed's faults; how many runs there were. After each seed
/// `told` hears how many there have been, and says whether to go on.
///
/// # Panics
/// There is no program.
///
/// # Errors
/// A run failed: which, and how.
pub fn check(
    machine: &Machine,
    memory: Memory,
    jobs: &[Job],
    seeds: impl IntoIterator<Item = u64>,
    told: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, String> {
    let mut runs = 0;
    for (before, seed) in (0..).zip(seeds) {
        for deque in DEQUES {
            let mut options = Options::new(machine.clone());
            options.seed = seed;
            options.memory = memory;
            let workers = 3 + seed as usize % 14;
            options.faults = faults(seed, workers);
            options.limit = LIMIT;
            options.keep_trace = true;
            let job = &jobs[seed as usize % jobs.len()];
            let wait = Wait::ALL[seed as usize / jobs.len() % Wait::ALL.len()];
            let Faults { spurious_one_in, longest_delay_ns, late_accesses, .. } = options.faults;
            // With longer delays, falling asleep takes as long as the look.
            let looks_after = spurious_one_in == 0 && longest_delay_ns * late_accesses <= LATER_NS;
            let exposing = match seed / 7 % 8 {
                6 => Exposing::Off,
                7 => Exposing::WhenAsked,
                _ => Exposing::Allowed,
            };
            let signals = if seed % 2 == 0 { Signals::Asked } else { Signals::All };
            let is_interrupted = seed / 17 % 5 == 4 && INTERRUPTED.contains(&deque.0);
            let interrupt = is_interrupted.then_some((PERIOD, signals));
            // A ticker that signals all is never quiet.
            let looks_after =
                looks_after && interrupt.is_none_or(|(_, whom)| whom == Signals::Asked);
            // All that is kept, so that the task is among it that the owner takes up next.
            let share = if seed / 5 % 2 == 0 { Share::Half } else { Share::All };
            let tuning = Tuning { share: Some(share), ..Tuning::default() };
            let setup =
                Setup { looks_after, exposing, interrupt, tuning, ..Setup::new(workers, wait) };
            let run = format!("{} on {}, {wait}, x{workers}, seed {seed}", job.words(), deque.0);
            let (_, report) = last_words::during(&run, || measure(&options, job, deque, setup))?;
            let here = |what: String| Err(format!("{run}: {what}"));
            if let Some(accesses @ 1..) = report.value.stirred {
                return here(format!("{accesses} accesses, long after all was done"));
            }
            let on_time = longest_delay_ns <= LATE_NS;
            // Who keeps tasks that nobody else can share promises nothing while it runs one (see `Exposing`).
            let exposes = match deque.0 {
                "receiver" | "sender" => false,
                "split" | "direct" => {
                    exposing == Exposing::Allowed && options.faults.refuse_barrier_from.is_none()
                }
                _ => true,
            };
            let is_greedy = on_time && exposes;
            if let Some(lazy) = is_greedy.then(|| lazy(&report, wait)).flatten() {
                return here(lazy);
            }
            runs += 1;
        }
        if !told(before + 1) {
            break;
        }
    }
    Ok(runs)
}
