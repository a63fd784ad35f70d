//! Where a worker looks for tasks while it waits: a table, so that it can be read, compared and simulated
//! without threads.

use std::fmt;
use std::str::FromStr;

/// What a worker does while the task it waits for runs at a thief.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wait {
    /// Steals from the thief only: leapfrogging (Wagner and Calder 1993). The stack never grows deeper than
    /// in serial code, but work may trickle down slowly.
    Leap,
    /// Steals from the thief, then from the worker the thief waits for, and so on: transitive leapfrogging. It is of the
    /// distribution of Wool 0.1.5alpha, as van Dijk and van de Pol (2014, section 4.3) tell; the Wool of Faxén's paper
    /// (2010) leapfrogs only.
    Transitive,
    /// Steals from the thief, then from anybody (Lace: van Dijk and van de Pol 2014, section 4.3).
    #[default]
    LeapRandom,
    /// Steals from anybody.
    Random,
    /// Steals from nobody: the worker sleeps until the thief has finished.
    None,
}

/// A place where a waiting worker looks for tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Victims {
    /// The deque of the thief that runs the awaited task.
    Thief,
    /// The deque of the worker that the thief itself waits for, then of the one that this worker waits for, and so
    /// on.
    ThiefOfThief,
    /// Of a worker that does not wait for a stolen task, what was spawned on it and its own open joins. Then the deques of other
    /// workers, beginning with a random one, all of a small pool and six of a large one in each round; then detached tasks and calls
    /// from outside.
    Anybody,
    /// Detached tasks and calls from outside, the worker's own newest first; no deque of joins.
    Jobs,
    /// What has been spawned on this worker since it may run only what descends from one frame, the newest first.
    Spawned,
}

impl Wait {
    /// All policies, the default among them.
    pub const ALL: &'static [Wait] =
        &[Wait::Leap, Wait::Transitive, Wait::LeapRandom, Wait::Random, Wait::None];

    /// The name by which the policy is parsed and shown.
    pub fn name(self) -> &'static str {
        match self {
            Wait::Leap => "leap",
            Wait::Transitive => "transitive",
            Wait::LeapRandom => "leap+random",
            Wait::Random => "random",
            Wait::None => "none",
        }
    }

    /// The places where a waiting worker looks for tasks, in this order, in each round of its search.
    pub const fn victims(self) -> &'static [Victims] {
        match self {
            Wait::Leap => &[Victims::Thief],
            Wait::Transitive => &[Victims::Thief, Victims::ThiefOfThief],
            Wait::LeapRandom => &[Victims::Thief, Victims::Anybody],
            Wait::Random => &[Victims::Anybody],
            Wait::None => &[],
        }
    }

    /// The places where a waiting worker looks when little of its stack is left. Only the thief is robbed then: its
    /// tasks would have run on this stack anyway, and others may pile up frames.
    pub const fn on_short_stack(self) -> &'static [Victims] {
        match self {
            Wait::None => &[],
            _ => &[Victims::Thief],
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a [`Wait`] from a name that no policy has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWait(String);

impl fmt::Display for UnknownWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Wait::ALL.iter().map(|wait| wait.name()).collect::<Vec<_>>().join(", ");
        write!(f, "unknown wait policy {:?}: there are {names}", self.0)
    }
}

impl std::error::Error for UnknownWait {}

impl FromStr for Wait {
    type Err = UnknownWait;

    fn from_str(name: &str) -> Result<Wait, UnknownWait> {
        Wait::ALL
            .iter()
            .copied()
            .find(|wait| wait.name() == name)
            .ok_or_else(|| UnknownWait(name.to_owned()))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_found_by_its_name_and_no_other() {
        for &wait in Wait::ALL {
            assert_eq!(wait.to_string().parse(), Ok(wait));
        }
        let error = "leaps".parse::<Wait>().unwrap_err().to_string();
        assert!(error.contains("\"leaps\"") && error.contains("leap+random"), "{error}");
    }
}
