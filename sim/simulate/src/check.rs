//! Programs under faults: by the seed, threads come late at any access, sleeps end for no reason, the barrier is refused.
//!
//! A run fails, and names its seed, when nobody can run and something waits, when it does not end, when the answer is wrong (a task
//! that ran twice or never), when the program panics, or when it is faster than can be.

use crate::pools::{DEQUES, Setup};
use crate::row::{Job, measure};
use lyocell::Wait;
use lyocell_virtual::{Faults, Machine, Memory, Options};
use std::time::Duration;

/// No checked run may be longer, in virtual time: they take milliseconds, and seconds where much comes late.
const LIMIT: Duration = Duration::from_secs(60);

/// What is checked.
const PROGRAMS: [&str; 3] = ["fib:12", "tree:5:3000", "tree:3:100000"];

/// What goes wrong in the run of this seed.
fn faults(seed: u64) -> Faults {
    let [a, b, c, d] = [seed % 4, seed / 4 % 3, seed / 12 % 5, seed / 60 % 4];
    Faults {
        delay_one_in: [20, 100, 500, 3000][a as usize],
        longest_delay_ns: [1_000, 50_000, 10_000_000][b as usize],
        spurious_one_in: [0, 0, 3, 10, 0][c as usize],
        refuse_barrier_from: [None, None, Some(2), Some(5)][d as usize],
        fail_thread: None,
    }
}

/// Runs every program on every deque under the faults of these seeds; how many runs there were. After each seed `told` hears how many
/// there have been, and says whether to go on.
///
/// # Errors
/// A run failed: which, and how.
pub fn check(
    machine: &Machine,
    memory: Memory,
    seeds: std::ops::Range<u64>,
    told: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, String> {
    let mut runs = 0;
    let jobs: Vec<Job> =
        PROGRAMS.iter().map(|words| Job::parse(words, machine)).collect::<Result<_, _>>()?;
    for seed in seeds.clone() {
        for deque in DEQUES {
            let mut options = Options::new(machine.clone());
            options.seed = seed;
            options.memory = memory;
            options.faults = faults(seed);
            options.limit = LIMIT;
            let job = &jobs[seed as usize % jobs.len()];
            let wait = Wait::ALL[seed as usize / jobs.len() % Wait::ALL.len()];
            measure(
                &options,
                job,
                deque,
                Setup { workers: 3 + seed as usize % 14, wait, search: None },
            )?;
            runs += 1;
        }
        if !told(seed - seeds.start + 1) {
            break;
        }
    }
    Ok(runs)
}
