//! Programs with known answers, for WebAssembly. Each is called by its number, or by its name from `main`, by `run.mjs`, which knows the
//! answers.
//!
//! | file | what | where |
//! |---|---|---|
//! | `forks` | joins, loops, sorts, each kind of deque | everywhere |
//! | `tasks` | scopes, detached tasks, broadcasts, handles, calls that are awaited | without threads |
//! | `pools` | what can be set about a pool, pools within pools, what is left when one is dropped | without threads |
//! | `rayons` | rayon's iterators and functions, on the drop-in | without threads |
//! | `threads` | several workers | with threads |

mod forks;
#[cfg(not(feature = "threads"))]
mod pools;
#[cfg(not(feature = "threads"))]
mod rayons;
#[cfg(not(feature = "threads"))]
mod tasks;
#[cfg(feature = "threads")]
mod threads;

/// A program and its name.
type Check = (&'static str, fn() -> u64);

/// What changes its thread for good comes last.
#[cfg(not(feature = "threads"))]
const CHECKS: &[&[Check]] =
    &[forks::CHECKS, tasks::CHECKS, pools::CHECKS, rayons::CHECKS, pools::LAST];

#[cfg(feature = "threads")]
const CHECKS: &[&[Check]] = &[forks::CHECKS, threads::CHECKS];

fn nth(number: usize) -> Check {
    *CHECKS.iter().copied().flatten().nth(number).expect("there are fewer")
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn count() -> usize {
    CHECKS.iter().copied().flatten().count()
}

/// Where the name of one is, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn name(number: usize) -> *const u8 {
    nth(number).0.as_ptr()
}

/// How many bytes its name has.
#[unsafe(no_mangle)]
pub extern "C" fn name_length(number: usize) -> usize {
    nth(number).0.len()
}

/// Runs the one of this name, if there is one, and returns its answer.
pub fn answer_of(name: &str) -> Option<u64> {
    let check = CHECKS.iter().copied().flatten().find(|check| check.0 == name)?;
    Some(check.1())
}

/// Runs one, and returns its answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer(number: usize) -> u64 {
    nth(number).1()
}
