//! How many tasks one steal moves.

use std::fmt;
use std::str::FromStr;

/// How many tasks one steal moves, where the deque leaves the choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Amount {
    /// The oldest task: in fork-join programs the largest piece of work there is.
    #[default]
    One,
    /// The older half of the tasks, rounded up: pays off where one task is soon used up (Hendler and Shavit
    /// 2002; Acar et al. 2013, section 5).
    Half,
}

impl Amount {
    /// All amounts.
    pub const ALL: &'static [Amount] = &[Amount::One, Amount::Half];

    /// The name by which it is parsed and shown.
    pub fn name(self) -> &'static str {
        match self {
            Amount::One => "one",
            Amount::Half => "half",
        }
    }

    /// How many of this number of tasks a steal moves.
    pub(in crate::deque) fn of(self, tasks: usize) -> usize {
        match self {
            Amount::One => tasks.min(1),
            Amount::Half => tasks.div_ceil(2),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No amount has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAmount(String);

impl fmt::Display for UnknownAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Amount::ALL.iter().map(|amount| amount.name()).collect::<Vec<_>>().join(", ");
        write!(f, "unknown amount {:?}: there are {names}", self.0)
    }
}

impl std::error::Error for UnknownAmount {}

impl FromStr for Amount {
    type Err = UnknownAmount;

    fn from_str(name: &str) -> Result<Amount, UnknownAmount> {
        let found = Amount::ALL.iter().copied().find(|amount| amount.name() == name);
        found.ok_or_else(|| UnknownAmount(name.to_owned()))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_parsed_as_it_is_shown() {
        for &amount in Amount::ALL {
            assert_eq!(amount.to_string().parse(), Ok(amount));
        }
        let error = "two".parse::<Amount>().unwrap_err().to_string();
        assert!(error.contains("\"two\"") && error.contains("one, half"), "{error}");
    }

    #[test]
    fn half_is_rounded_up_and_none_of_nothing() {
        assert_eq!([0, 1, 2, 7].map(|tasks| Amount::One.of(tasks)), [0, 1, 1, 1]);
        assert_eq!([0, 1, 2, 7].map(|tasks| Amount::Half.of(tasks)), [0, 1, 1, 4]);
    }
}
