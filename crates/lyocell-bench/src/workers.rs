//! Numbers of workers, as a command line gives them or leaves them to the machine.

use std::env;
use std::ffi::OsStr;

use lyocell_engines::MAX_WORKERS;
use lyocell_engines::parallelism;
use lyocell_workloads::Refused;

/// As the runtime has it.
const VARIABLE: &str = "LYOCELL_WORKERS";

/// The number of workers that `word` names.
///
/// # Errors
/// It names none, in words.
pub(crate) fn parse(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| (1..=MAX_WORKERS).contains(number));
    number.ok_or_else(|| format!("the number of workers is 1 to {MAX_WORKERS}"))
}

/// As many as the environment says, or as there are CPUs.
///
/// # Errors
/// The environment says something else than a number of workers.
pub(crate) fn by_default() -> Result<usize, Refused> {
    said(env::var_os(VARIABLE).as_deref())
}

fn said(value: Option<&OsStr>) -> Result<usize, Refused> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(parallelism()) };
    let value = value.to_string_lossy();
    parse(value.trim()).map_err(|why| Refused(format!("{VARIABLE} is {value:?}: {why}")))
}

/// In ascending order, without repeats.
pub(crate) fn sorted(mut workers: Vec<usize>) -> Vec<usize> {
    workers.sort_unstable();
    workers.dedup();
    workers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_a_number_nothing_or_nonsense() {
        assert_eq!(said(Some(" 7 ".as_ref())), Ok(7));
        assert_eq!(said(None), Ok(parallelism()));
        assert_eq!(said(Some("".as_ref())), Ok(parallelism()));
        for nonsense in ["zebra", "0", "-1", "257", "1.5"] {
            let Refused(message) = said(Some(nonsense.as_ref())).unwrap_err();
            for word in ["LYOCELL_WORKERS", nonsense, "1 to 256"] {
                assert!(message.contains(word), "{message}");
            }
        }
    }

    #[test]
    fn numbers_of_workers_ascend_and_do_not_repeat() {
        assert_eq!(sorted(vec![4, 1, 4, 2]), [1, 2, 4]);
    }
}
