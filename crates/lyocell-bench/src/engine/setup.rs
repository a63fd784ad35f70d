//! A setup of the runtime: which deque, how a waiting worker finds tasks, and what is left to choose about
//! the deque.
//!
//! A setup is an engine. The default one is called `lyocell`, any other `lyocell:DEQUE` with what differs from
//! the deque's defaults behind it, in a fixed order: the wait policy, how many tasks a steal moves, delta, the
//! period of interrupts. So `lyocell:sender+leap+one+100us` is the deque `sender` with `--wait leap
//! --steal one --delta 100us`.

use std::fmt;
use std::time::Duration;

use humantime::format_duration;
use lyocell::Wait;
use lyocell::deque::Amount;

use super::deques::{Choice, DequeEntry, SPLIT};
use super::lyocell::Lyocell;
use super::observed::Watch;
use super::{Engine, RUNTIME};

/// Everything that can be chosen about the runtime but the number of workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) deque: &'static DequeEntry,
    pub(crate) wait: Wait,
    /// How many tasks a steal moves; as the deque has it by default if not given.
    pub(crate) amount: Option<Amount>,
    /// The mean time between two deals of one owner; as the deque has it by default if not given.
    pub(crate) delta: Option<Duration>,
    /// How often workers in long tasks are interrupted; never if not given.
    pub(crate) interrupt: Option<Duration>,
    pub(crate) watch: Watch,
}

/// A choice that the deque of a setup does not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meaningless {
    pub(crate) deque: &'static str,
    pub(crate) choice: Choice,
}

impl Setup {
    /// What [`lyocell::Pool::new`] has, unwatched.
    pub(crate) const DEFAULT: Setup = Setup::of(&SPLIT);

    /// This deque with all that can be chosen as it is by default, unwatched.
    pub(crate) const fn of(deque: &'static DequeEntry) -> Setup {
        Setup {
            deque,
            wait: Wait::LeapRandom,
            amount: None,
            delta: None,
            interrupt: None,
            watch: Watch::Nothing,
        }
    }

    /// The same without what the deque has by default anyway.
    ///
    /// # Errors
    /// Something is chosen that the deque does not leave open.
    pub(crate) fn checked(mut self) -> Result<Setup, Meaningless> {
        let choices = self.deque.choices;
        // A deque that leaves no choice moves one task.
        if self.amount == Some(choices.amount.unwrap_or(Amount::One)) {
            self.amount = None;
        }
        if self.delta == choices.delta {
            self.delta = None;
        }
        let made = [
            (Choice::Steal, self.amount.is_some()),
            (Choice::Delta, self.delta.is_some()),
            (Choice::Interrupt, self.interrupt.is_some()),
        ];
        let meaningless = |&(choice, made): &(Choice, bool)| made && !choices.leave(choice);
        match made.into_iter().find(meaningless) {
            Some((choice, _)) => Err(Meaningless { deque: self.deque.name, choice }),
            None => Ok(self),
        }
    }

    /// The name in tables and in the column `engine`; of a [checked](Setup::checked) setup.
    pub(crate) fn name(&self) -> String {
        let wait = (self.wait != Wait::default()).then(|| self.wait.to_string());
        let amount = self.amount.map(|amount| amount_name(amount).to_owned());
        let delta = self.delta.map(duration_name);
        let interrupt = self.interrupt.map(|period| format!("interrupt-{}", duration_name(period)));
        let differences: Vec<String> =
            [wait, amount, delta, interrupt].into_iter().flatten().collect();
        match (self.deque.name, differences.as_slice()) {
            (name, []) if name == SPLIT.name => RUNTIME.to_owned(),
            (name, []) => format!("{RUNTIME}:{name}"),
            (name, differences) => format!("{RUNTIME}:{name}+{}", differences.join("+")),
        }
    }

    /// The engine that runs this setup. It lives as long as the program, as engines do.
    ///
    /// # Errors
    /// As for [`Setup::checked`].
    pub(crate) fn engine(self) -> Result<&'static dyn Engine, Meaningless> {
        let setup = self.checked()?;
        let name = Box::leak(setup.name().into_boxed_str());
        Ok(Box::leak(Box::new(Lyocell { name, setup })))
    }
}

/// What an amount is called on the command line.
pub(crate) fn amount_name(amount: Amount) -> &'static str {
    match amount {
        Amount::One => "one",
        Amount::Half => "half",
    }
}

/// As `--delta` takes it, without spaces.
pub(crate) fn duration_name(duration: Duration) -> String {
    format_duration(duration).to_string().replace(' ', "")
}

impl fmt::Display for Meaningless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Meaningless { deque, choice } = self;
        let deques = choice.deques().collect::<Vec<_>>().join(", ");
        write!(f, "{choice} means nothing to the deque {deque}: {deques} have it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::deques::deque;

    fn setup(name: &str) -> Setup {
        Setup::of(deque(name).unwrap())
    }

    fn micros(micros: u64) -> Option<Duration> {
        Some(Duration::from_micros(micros))
    }

    #[test]
    fn a_name_says_what_differs_from_the_defaults() {
        let name = |setup: Setup| setup.checked().unwrap().name();
        assert_eq!(name(Setup::DEFAULT), "lyocell");
        assert_eq!(name(setup("direct")), "lyocell:direct");
        assert_eq!(name(Setup { wait: Wait::Leap, ..Setup::DEFAULT }), "lyocell:split+leap");
        let half = |deque| Setup { amount: Some(Amount::Half), ..setup(deque) };
        assert_eq!(name(half("split")), "lyocell:split+half");
        assert_eq!(name(half("sender")), "lyocell:sender");
        let one = |deque| Setup { amount: Some(Amount::One), ..setup(deque) };
        assert_eq!(name(one("split")), "lyocell");
        assert_eq!(name(one("abp")), "lyocell:abp");
        let all = Setup { wait: Wait::Random, delta: micros(1500), ..one("sender") };
        assert_eq!(name(all), "lyocell:sender+random+one+1ms500us");
        assert_eq!(name(Setup { delta: micros(30), ..setup("sender") }), "lyocell:sender");
        let interrupted = Setup { interrupt: micros(200), ..Setup::DEFAULT };
        assert_eq!(name(interrupted), "lyocell:split+interrupt-200us");
    }

    #[test]
    fn what_the_deque_does_not_leave_open_is_refused() {
        let choice = |setup: Setup| setup.checked().unwrap_err().choice;
        let half = Setup { amount: Some(Amount::Half), ..setup("chase-lev") };
        assert_eq!(choice(half), Choice::Steal);
        assert_eq!(choice(Setup { delta: micros(30), ..Setup::DEFAULT }), Choice::Delta);
        assert_eq!(choice(Setup { interrupt: micros(30), ..setup("direct") }), Choice::Interrupt);
        let message = half.checked().unwrap_err().to_string();
        for word in ["--steal half", "chase-lev", "split", "receiver", "sender"] {
            assert!(message.contains(word), "{message}");
        }
    }
}
