//! The one table of options: what can be chosen about the runtime beside its deque and the number of workers.
//!
//! The command line, its help, the checks, the names of setups and `lyocell list` are made from it. To add an
//! option: its [`Choice`], its entry in [`OPTIONS`] at the same place, the deques that take it (`deques.rs`), and what
//! it does to the pool (`start.rs`).

use std::fmt;
use std::time::Duration;

use humantime::{format_duration, parse_duration};
use lyocell::Wait;
use lyocell::deque::{Amount, Attempts, Share};

/// An option.
pub(crate) struct RuntimeOption {
    /// On the command line, behind `--`.
    pub(crate) name: &'static str,
    /// What stands for a value in the help.
    pub(crate) value_name: &'static str,
    /// What it chooses, without the default.
    pub(crate) help: &'static str,
    /// What messages call it where it is used for more than [`RuntimeOption::idle`].
    pub(crate) used: &'static str,
    /// Its values, for the list.
    pub(crate) values: &'static str,
    /// In the name of a setup, before the value.
    pub(crate) prefix: &'static str,
    /// The value that asks for nothing, of a deque that does not take the option.
    pub(crate) idle: Option<Value>,
    /// The value of a word.
    pub(crate) parse: fn(&str) -> Result<Value, String>,
}

/// Which option; its place in [`OPTIONS`], and in the names of setups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Wait,
    Steal,
    Share,
    Delta,
    Interrupt,
    Attempts,
    Search,
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Wait(Wait),
    Amount(Amount),
    Share(Share),
    Time(Duration),
    Attempts(Attempts),
    Off,
}

const COUNT: usize = 7;

const ON_DEMAND: &str = "on-demand";
const BLIND: &str = "blind";
/// What a search is called that never ends: neither parking nor backing off.
const FOR_EVER: &str = "forever";
const SHARES: &str = "one, quarter, half, three-quarters or all";

pub(crate) static OPTIONS: [RuntimeOption; COUNT] = [
    RuntimeOption {
        name: "wait",
        value_name: "POLICY",
        help: "What a worker does that waits for a stolen task: leap, transitive, leap+random, random, none",
        used: "--wait",
        values: "POLICY",
        prefix: "",
        idle: None,
        parse: |word| word.parse().map(Value::Wait).map_err(|error| format!("{error}")),
    },
    RuntimeOption {
        name: "steal",
        value_name: "AMOUNT",
        help: "How many tasks a steal moves: one, the oldest, or half, the older half",
        used: "--steal half",
        values: "one or half",
        prefix: "",
        idle: Some(Value::Amount(Amount::One)),
        parse: |word| word.parse().map(Value::Amount).map_err(|error| format!("{error}")),
    },
    RuntimeOption {
        name: "share",
        value_name: "SHARE",
        help: "Of the private tasks, how many an owner shares that is asked, and of the shared ones, how many it takes back, for \
               split: one, quarter, half, three-quarters, all",
        used: "--share",
        values: SHARES,
        prefix: "share-",
        idle: None,
        parse: |word| {
            let share = Share::ALL.into_iter().find(|share| share.name() == word);
            share.map(Value::Share).ok_or_else(|| format!("a share is {SHARES}"))
        },
    },
    RuntimeOption {
        name: "delta",
        value_name: "TIME",
        help: "The mean time between two deals of one owner, for sender, such as 30us or 1ms",
        used: "--delta",
        values: "",
        prefix: "",
        idle: None,
        parse: |word| {
            let time = parse_duration(word);
            time.map(Value::Time)
                .map_err(|error| format!("a delta is such as 30us or 1ms: {error}"))
        },
    },
    RuntimeOption {
        name: "interrupt",
        value_name: "PERIOD",
        help: "How often workers in long tasks are interrupted to share what thieves wait for, such as 500us; or off",
        used: "--interrupt",
        values: "",
        prefix: "interrupt-",
        idle: Some(Value::Off),
        parse: |word| match parse_duration(word) {
            _ if word == "off" => Ok(Value::Off),
            Ok(Duration::ZERO) => Err("a period is longer than nothing, such as 500us".to_owned()),
            Ok(period) => Ok(Value::Time(period)),
            Err(error) => Err(format!("a period is such as 500us or 2ms, or off: {error}")),
        },
    },
    RuntimeOption {
        name: "attempts",
        value_name: "WHEN",
        help: "When an owner tries to deal, for sender: on-demand, when it is asked, to whoever waits; or blind, as in the \
               paper, every delta, to one random worker, while idle workers search for ever",
        used: "--attempts blind",
        values: "on-demand or blind",
        prefix: "",
        idle: Some(Value::Attempts(Attempts::OnDemand)),
        parse: |word| match word {
            ON_DEMAND => Ok(Value::Attempts(Attempts::OnDemand)),
            BLIND => Ok(Value::Attempts(Attempts::Blind)),
            _ => Err(format!("attempts are {ON_DEMAND} or {BLIND}")),
        },
    },
    RuntimeOption {
        name: "search",
        value_name: "TIME",
        help: "How long a worker without tasks searches before it sleeps, such as 1ms; forever, as in the papers, is without any sleep or backing off",
        used: "--search",
        values: "",
        prefix: "search-",
        idle: None,
        parse: |word| match parse_duration(word) {
            _ if word == FOR_EVER => Ok(Value::Time(Duration::MAX)),
            Ok(time) => Ok(Value::Time(time)),
            Err(error) => Err(format!("a search takes such as 100us or 1ms, or forever: {error}")),
        },
    },
];

impl Choice {
    /// All, in the order of [`OPTIONS`].
    pub(crate) const ALL: [Choice; COUNT] = [
        Choice::Wait,
        Choice::Steal,
        Choice::Share,
        Choice::Delta,
        Choice::Interrupt,
        Choice::Attempts,
        Choice::Search,
    ];

    pub(crate) fn option(self) -> &'static RuntimeOption {
        &OPTIONS[self as usize]
    }
}

/// A value for each option that is chosen.
pub(super) type Chosen = [Option<Value>; COUNT];

pub(super) const NOTHING_CHOSEN: Chosen = [None; COUNT];

impl fmt::Display for Value {
    /// As the command line takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Wait(wait) => wait.fmt(f),
            Value::Amount(amount) => amount.fmt(f),
            Value::Share(share) => share.fmt(f),
            Value::Time(Duration::MAX) => f.write_str(FOR_EVER),
            Value::Time(time) => f.write_str(&duration_name(*time)),
            Value::Attempts(Attempts::OnDemand) => f.write_str(ON_DEMAND),
            Value::Attempts(Attempts::Blind) => f.write_str(BLIND),
            Value::Off => f.write_str("off"),
        }
    }
}

/// As options take it, without spaces.
pub(crate) fn duration_name(duration: Duration) -> String {
    format_duration(duration).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_finds_its_own_entry() {
        let names = Choice::ALL.map(|choice| choice.option().name);
        assert_eq!(names, ["wait", "steal", "share", "delta", "interrupt", "attempts", "search"]);
    }

    #[test]
    fn a_value_is_shown_as_it_is_parsed() {
        for (choice, words) in [
            (Choice::Wait, &["leap", "leap+random"][..]),
            (Choice::Steal, &["one", "half"]),
            (Choice::Share, &["one", "quarter", "half", "three-quarters", "all"]),
            (Choice::Delta, &["30us", "1ms500us"]),
            (Choice::Interrupt, &["200us", "off"]),
            (Choice::Attempts, &["on-demand", "blind"]),
            (Choice::Search, &["1ms", "forever"]),
        ] {
            for word in words {
                assert_eq!((choice.option().parse)(word).unwrap().to_string(), *word);
            }
            let nonsense = (choice.option().parse)("two");
            assert!(nonsense.is_err(), "{choice:?}: {nonsense:?}");
        }
        assert!((Choice::Interrupt.option().parse)("0ms").is_err());
    }
}
