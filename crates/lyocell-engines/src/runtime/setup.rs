//! A setup of the runtime: which deque, and what is chosen of its options.
//!
//! A setup is an engine. The default one is called `lyocell`, any other `lyocell:DEQUE` with what differs from
//! the deque's defaults behind it, in the order of the options. So `lyocell:sender+leap+one+100us` is the deque
//! `sender` with `--wait leap --steal one --delta 100us`.

use std::fmt;
use std::time::Duration;

use lyocell::Exposing;

use super::deques::{DEQUES, DequeEntry, deque};
use super::options::{Choice, Chosen, EXPOSING, NOTHING_CHOSEN, OPTIONS, SEARCH, Tuning, Value};
use super::{Lyocell, Watch};
use crate::{Engine, RUNTIME};

/// Everything that can be chosen about the runtime but the number of workers.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The deque.
    pub deque: &'static DequeEntry,
    chosen: Chosen,
    /// What its probes look at.
    pub watch: Watch,
}

/// An option that the deque of a setup does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedOption {
    /// By name.
    pub deque: &'static str,
    /// The option.
    pub choice: Choice,
}

impl Setup {
    /// What [`lyocell::Pool::new`] has, unwatched.
    pub const DEFAULT: Setup = Setup::of(&DEQUES[0]);

    /// This deque with all that can be chosen as it is by default, unwatched.
    pub const fn of(deque: &'static DequeEntry) -> Setup {
        Setup { deque, chosen: NOTHING_CHOSEN, watch: Watch::Nothing }
    }

    /// The same for the deque of this name.
    ///
    /// # Panics
    /// If there is none.
    pub fn on(name: &str) -> Setup {
        Setup::of(deque(name).unwrap_or_else(|| panic!("no deque is called {name}")))
    }

    /// The same with this value of an option.
    #[must_use]
    pub fn with(mut self, choice: Choice, value: Value) -> Setup {
        self.chosen[choice.place()] = Some(value);
        self
    }

    /// The same, watched.
    #[must_use]
    pub fn watched(self, watch: Watch) -> Setup {
        Setup { watch, ..self }
    }

    fn value(&self, choice: Choice) -> Option<Value> {
        self.chosen[choice.place()]
    }

    /// What all that is chosen does to a pool.
    pub(super) fn tuning(&self) -> Tuning {
        let mut tuning = Tuning::default();
        for option in OPTIONS {
            if let Some(value) = self.value(option) {
                (option.apply)(value, &mut tuning);
            }
        }
        tuning
    }

    /// The same as the papers wait: workers spin for as long as it takes.
    #[must_use]
    pub fn never_sleeping(self) -> Setup {
        self.with(&SEARCH, Value::Time(Duration::MAX))
    }

    /// The same as the papers have it: what an owner keeps to itself waits for it, and it shares when it is asked only. Nothing changes
    /// for a deque whose thieves do not expose anyway.
    #[must_use]
    pub fn sharing_when_asked(self) -> Setup {
        if !self.deque.takes(&EXPOSING) {
            return self;
        }
        self.with(&EXPOSING, Value::Exposing(Exposing::WhenAsked))
    }

    /// The same without what the deque has by default anyway.
    ///
    /// # Errors
    /// Something is chosen that the deque does not take.
    pub fn checked(mut self) -> Result<Setup, UnsupportedOption> {
        for choice in OPTIONS {
            let value = &mut self.chosen[choice.place()];
            let default = self.deque.default(choice);
            if *value == default.or(choice.idle) {
                *value = None;
            }
            if value.is_some() && default.is_none() {
                return Err(UnsupportedOption { deque: self.deque.name, choice });
            }
        }
        Ok(self)
    }

    /// The name in tables and in the column `engine`; of a [checked](Setup::checked) setup.
    pub fn name(&self) -> String {
        let difference = |choice: Choice| Some(format!("{}{}", choice.prefix, self.value(choice)?));
        let differences: Vec<String> = OPTIONS.into_iter().filter_map(difference).collect();
        match (self.deque.name, differences.as_slice()) {
            (name, []) if name == DEQUES[0].name => RUNTIME.to_owned(),
            (name, []) => format!("{RUNTIME}:{name}"),
            (name, differences) => format!("{RUNTIME}:{name}+{}", differences.join("+")),
        }
    }

    /// The engine that runs this setup. It lives as long as the program, as engines do.
    ///
    /// # Errors
    /// As for [`Setup::checked`].
    pub fn engine(self) -> Result<&'static dyn Engine, UnsupportedOption> {
        let setup = self.checked()?;
        let name = Box::leak(setup.name().into_boxed_str());
        Ok(Box::leak(Box::new(Lyocell { name, setup })))
    }
}

impl fmt::Display for UnsupportedOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnsupportedOption { deque, choice } = self;
        let deques = choice.deques().collect::<Vec<_>>().join(", ");
        let used = choice.used;
        write!(f, "{used} means nothing to the deque {deque}: {deques} have it")
    }
}

#[cfg(test)]
mod tests {
    use lyocell::Wait;
    use lyocell::deque::{Amount, Attempts, Share};

    use super::super::options::{ATTEMPTS, DELTA, INTERRUPT, SHARE, STEAL, WAIT};
    use super::*;

    const HALF: Value = Value::Amount(Amount::Half);
    const ONE: Value = Value::Amount(Amount::One);

    fn micros(micros: u64) -> Value {
        Value::Time(Duration::from_micros(micros))
    }

    #[test]
    fn a_name_says_what_differs_from_the_defaults() {
        let name = |setup: Setup| setup.checked().unwrap().name();
        assert_eq!(name(Setup::DEFAULT), "lyocell");
        assert_eq!(name(Setup::on("direct")), "lyocell:direct");
        let leap = Setup::DEFAULT.with(&WAIT, Value::Wait(Wait::Leap));
        assert_eq!(name(leap), "lyocell:split+leap");
        let half = |deque| Setup::on(deque).with(&STEAL, HALF);
        assert_eq!(name(half("split")), "lyocell:split+half");
        assert_eq!(name(half("sender")), "lyocell:sender");
        let one = |deque| Setup::on(deque).with(&STEAL, ONE);
        assert_eq!(name(one("split")), "lyocell");
        assert_eq!(name(one("abp")), "lyocell:abp");
        let share = |share| half("split").with(&SHARE, Value::Share(share));
        assert_eq!(name(share(Share::Quarter)), "lyocell:split+half+share-quarter");
        assert_eq!(name(share(Share::Half)), "lyocell:split+half");
        let all = one("sender").with(&WAIT, Value::Wait(Wait::Random));
        let all = all.with(&DELTA, micros(1500));
        assert_eq!(name(all), "lyocell:sender+random+one+1ms500us");
        assert_eq!(name(Setup::on("sender").with(&DELTA, micros(30))), "lyocell:sender");
        let interrupted = Setup::DEFAULT.with(&INTERRUPT, micros(200));
        assert_eq!(name(interrupted), "lyocell:split+interrupt-200us");
        let blind = one("sender").with(&ATTEMPTS, Value::Attempts(Attempts::Blind));
        assert_eq!(name(blind), "lyocell:sender+one+blind");
        assert_eq!(name(leap.never_sleeping()), "lyocell:split+leap+search-forever");
        let published = leap.sharing_when_asked();
        assert_eq!(name(published), "lyocell:split+leap+exposing-asked");
        assert_eq!(name(Setup::on("abp").sharing_when_asked()), "lyocell:abp");
        let off = Setup::on("direct").with(&INTERRUPT, Value::Off);
        assert_eq!(name(off), "lyocell:direct");
    }

    #[test]
    fn what_the_deque_does_not_take_is_refused() {
        let choice = |setup: Setup| setup.checked().unwrap_err().choice;
        let half = Setup::on("chase-lev").with(&STEAL, HALF);
        assert_eq!(choice(half), &STEAL);
        assert_eq!(choice(Setup::DEFAULT.with(&DELTA, micros(30))), &DELTA);
        let shares = Setup::on("receiver").with(&SHARE, Value::Share(Share::Half));
        assert_eq!(choice(shares), &SHARE);
        let interrupted = Setup::on("direct").with(&INTERRUPT, micros(30));
        assert_eq!(choice(interrupted), &INTERRUPT);
        let message = half.checked().unwrap_err().to_string();
        for word in ["--steal half", "chase-lev", "split", "receiver", "sender"] {
            assert!(message.contains(word), "{message}");
        }
    }
}
