//! How many tasks one steal moves.

/// How many tasks one steal moves, where the deque leaves the choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Amount {
    /// The oldest task: in fork-join programs the largest piece of work there is.
    #[default]
    One,
    /// The older half of the tasks, rounded up: pays off where one task is soon used up (Hendler and Shavit
    /// 2002; Acar et al. 2013, section 5).
    Half,
}

impl Amount {
    /// Of so many tasks.
    pub(in crate::deque) fn of(self, tasks: usize) -> usize {
        match self {
            Amount::One => tasks.min(1),
            Amount::Half => tasks.div_ceil(2),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn half_is_rounded_up_and_none_of_nothing() {
        assert_eq!([0, 1, 2, 7].map(|tasks| Amount::One.of(tasks)), [0, 1, 1, 1]);
        assert_eq!([0, 1, 2, 7].map(|tasks| Amount::Half.of(tasks)), [0, 1, 1, 4]);
    }
}
