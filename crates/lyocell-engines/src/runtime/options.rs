//! The one table of options: what can be chosen about the runtime beside its deque and the number of workers.
//!
//! The command line, its help, the checks, the names of setups and `lyocell list` are made from it. To add an
//! option: its row with what it applies to a pool, its place in [`OPTIONS`], and the deques that take it (`deques.rs`).

use std::fmt;
use std::ptr;
use std::time::Duration;

use humantime::{format_duration, parse_duration};
use lyocell::deque::{Amount, Attempts, Share};
use lyocell::{Exposing, Pinning, Signals, Wait};

/// An option: a row of the table.
pub struct RuntimeOption {
    /// On the command line, behind `--`.
    pub name: &'static str,
    /// What stands for a value in the help.
    pub value_name: &'static str,
    /// What it chooses, without the default.
    pub help: &'static str,
    /// What messages call it where it is used for more than [`RuntimeOption::idle`].
    pub used: &'static str,
    /// Its values, for the list.
    pub values: &'static str,
    /// In the name of a setup, before the value.
    pub prefix: &'static str,
    /// The value that asks for nothing, of a deque that does not take the option.
    pub idle: Option<Value>,
    /// The value of a word.
    pub parse: fn(&str) -> Result<Value, String>,
    /// What a value does to a pool that is to be built.
    pub(super) apply: fn(Value, &mut Tuning),
}

/// Which option: a row of the table, told apart by where it is.
pub type Choice = &'static RuntimeOption;

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// What a waiting worker does.
    Wait(Wait),
    /// How many tasks a steal moves.
    Amount(Amount),
    /// How far the split point moves.
    Share(Share),
    /// A period, or how long something lasts.
    Time(Duration),
    /// When an owner tries to deal.
    Attempts(Attempts),
    /// Who is interrupted.
    Signals(Signals),
    /// Whether thieves expose.
    Exposing(Exposing),
    /// Where a worker stays.
    Pinning(Pinning),
    /// Not at all.
    Off,
}

/// What options set of a pool and of its deque; what is `None` is as the deque has it by default.
#[derive(Default)]
pub(super) struct Tuning {
    pub(super) wait: Option<Wait>,
    pub(super) amount: Option<Amount>,
    pub(super) share: Option<Share>,
    /// The mean time between two deals of one owner.
    pub(super) delta: Option<Duration>,
    /// How often workers in long tasks are interrupted.
    pub(super) interrupt: Option<Duration>,
    pub(super) attempts: Option<Attempts>,
    pub(super) signals: Option<Signals>,
    pub(super) exposing: Option<Exposing>,
    pub(super) pinning: Option<Pinning>,
    /// How long a worker without tasks searches.
    pub(super) search: Option<Duration>,
}

impl Value {
    fn wait(self) -> Option<Wait> {
        if let Value::Wait(wait) = self { Some(wait) } else { None }
    }

    fn amount(self) -> Option<Amount> {
        if let Value::Amount(amount) = self { Some(amount) } else { None }
    }

    fn share(self) -> Option<Share> {
        if let Value::Share(share) = self { Some(share) } else { None }
    }

    fn time(self) -> Option<Duration> {
        if let Value::Time(time) = self { Some(time) } else { None }
    }

    fn attempts(self) -> Option<Attempts> {
        if let Value::Attempts(attempts) = self { Some(attempts) } else { None }
    }

    fn signals(self) -> Option<Signals> {
        if let Value::Signals(signals) = self { Some(signals) } else { None }
    }

    fn exposing(self) -> Option<Exposing> {
        if let Value::Exposing(exposing) = self { Some(exposing) } else { None }
    }

    fn pinning(self) -> Option<Pinning> {
        if let Value::Pinning(pinning) = self { Some(pinning) } else { None }
    }
}

const ON_DEMAND: &str = "on-demand";
const BLIND: &str = "blind";
const ASKED: &str = "asked";
const EVERYBODY: &str = "all";
const ALLOWED: &str = "on";
const WHEN_ASKED: &str = "asked";
const COMPACT: &str = "compact";
const NODE: &str = "node";
const NEAR: &str = "near";
const OFF: &str = "off";
/// What a search is called that never ends: neither parking nor backing off.
const FOR_EVER: &str = "forever";
const SHARES: &str = "one, quarter, half, three-quarters or all";

/// What a worker does that waits for a stolen task.
pub static WAIT: RuntimeOption = RuntimeOption {
    name: "wait",
    value_name: "POLICY",
    help: "What a worker does that waits for a stolen task: leap, transitive, leap+random, random, none",
    used: "--wait",
    values: "POLICY",
    prefix: "",
    idle: None,
    parse: |word| word.parse().map(Value::Wait).map_err(|error| format!("{error}")),
    apply: |value, tuning| tuning.wait = value.wait(),
};

/// How many tasks a steal moves.
pub static STEAL: RuntimeOption = RuntimeOption {
    name: "steal",
    value_name: "AMOUNT",
    help: "How many tasks a steal moves: one, the oldest, or half, the older half",
    used: "--steal half",
    values: "one or half",
    prefix: "",
    idle: Some(Value::Amount(Amount::One)),
    parse: |word| word.parse().map(Value::Amount).map_err(|error| format!("{error}")),
    apply: |value, tuning| tuning.amount = value.amount(),
};

/// How far the split point moves.
pub static SHARE: RuntimeOption = RuntimeOption {
    name: "share",
    value_name: "SHARE",
    help: "Of the private tasks, how many an owner shares that is asked, and of the shared ones, how many it takes back, for \
           split: one, quarter, half, three-quarters, all",
    used: "--share",
    values: SHARES,
    prefix: "share-",
    idle: None,
    parse: |word| {
        let share = Share::ALL.iter().copied().find(|share| share.name() == word);
        share.map(Value::Share).ok_or_else(|| format!("a share is {SHARES}"))
    },
    apply: |value, tuning| tuning.share = value.share(),
};

/// The mean time between two deals of one owner.
pub static DELTA: RuntimeOption = RuntimeOption {
    name: "delta",
    value_name: "TIME",
    help: "The mean time between two deals of one owner, for sender, such as 30us or 1ms",
    used: "--delta",
    values: "",
    prefix: "",
    idle: None,
    parse: |word| {
        let time = parse_duration(word);
        time.map(Value::Time).map_err(|error| format!("a delta is such as 30us or 1ms: {error}"))
    },
    apply: |value, tuning| tuning.delta = value.time(),
};

/// How often workers in long tasks are interrupted.
pub static INTERRUPT: RuntimeOption = RuntimeOption {
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
    apply: |value, tuning| tuning.interrupt = value.time(),
};

/// When an owner tries to deal.
pub static ATTEMPTS: RuntimeOption = RuntimeOption {
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
    apply: |value, tuning| {
        tuning.attempts = value.attempts();
        // Blind owners do not hit who sleeps, and in the paper nobody does.
        if tuning.attempts == Some(Attempts::Blind) {
            tuning.search.get_or_insert(Duration::MAX);
        }
    },
};

/// How long a worker without tasks searches.
pub static SEARCH: RuntimeOption = RuntimeOption {
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
    apply: |value, tuning| tuning.search = value.time(),
};

/// Who is interrupted at a tick.
pub static SIGNALS: RuntimeOption = RuntimeOption {
    name: "signals",
    value_name: "WHO",
    help: "Who is interrupted, with --interrupt: asked, owners that withhold what they are asked for; or all, as in the paper, \
           at every period",
    used: "--signals all",
    values: "asked or all",
    prefix: "signals-",
    idle: Some(Value::Signals(Signals::Asked)),
    parse: |word| match word {
        ASKED => Ok(Value::Signals(Signals::Asked)),
        EVERYBODY => Ok(Value::Signals(Signals::All)),
        _ => Err(format!("signals go to {ASKED} or {EVERYBODY}")),
    },
    apply: |value, tuning| tuning.signals = value.signals(),
};

/// Whether a thief may take what an owner keeps to itself.
pub static EXPOSING: RuntimeOption = RuntimeOption {
    name: "exposing",
    value_name: "WHETHER",
    help: "Whether a thief that was not answered shares private tasks in the owner's stead: on; off, where an owner shares some ahead \
           of being asked; or asked, where it does not, as in the papers",
    used: "--exposing",
    values: "on, off or asked",
    prefix: "exposing-",
    idle: Some(Value::Exposing(Exposing::Allowed)),
    parse: |word| match word {
        ALLOWED => Ok(Value::Exposing(Exposing::Allowed)),
        OFF => Ok(Value::Exposing(Exposing::Off)),
        WHEN_ASKED => Ok(Value::Exposing(Exposing::WhenAsked)),
        _ => Err(format!("exposing is {ALLOWED}, {OFF} or {WHEN_ASKED}")),
    },
    apply: |value, tuning| tuning.exposing = value.exposing(),
};

/// Where a worker stays.
pub static PINNING: RuntimeOption = RuntimeOption {
    name: "pinning",
    value_name: "WHERE",
    help: "Where each worker stays: off, where the system places it; compact, on one processor; node, on those of one node of the \
           memory; near, the same, and those of its own node are robbed first",
    used: "--pinning",
    values: "off, compact, node or near",
    prefix: "pinning-",
    idle: None,
    parse: |word| match word {
        OFF => Ok(Value::Pinning(Pinning::Off)),
        COMPACT => Ok(Value::Pinning(Pinning::Compact)),
        NODE => Ok(Value::Pinning(Pinning::Node)),
        NEAR => Ok(Value::Pinning(Pinning::NearFirst)),
        _ => Err(format!("pinning is {OFF}, {COMPACT}, {NODE} or {NEAR}")),
    },
    apply: |value, tuning| tuning.pinning = value.pinning(),
};

/// Every option, in the order of the help and of the names of setups.
pub static OPTIONS: [Choice; 10] =
    [&WAIT, &STEAL, &SHARE, &DELTA, &INTERRUPT, &SIGNALS, &ATTEMPTS, &EXPOSING, &SEARCH, &PINNING];

impl RuntimeOption {
    /// Its place in [`OPTIONS`].
    pub(super) fn place(&self) -> usize {
        let place = OPTIONS.iter().position(|option| *option == self);
        place.expect("every option stands in the table")
    }
}

impl PartialEq for RuntimeOption {
    fn eq(&self, other: &RuntimeOption) -> bool {
        ptr::eq(self, other)
    }
}

impl Eq for RuntimeOption {}

impl fmt::Debug for RuntimeOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A value for each option that is chosen.
pub(super) type Chosen = [Option<Value>; OPTIONS.len()];

pub(super) const NOTHING_CHOSEN: Chosen = [None; OPTIONS.len()];

impl fmt::Display for Value {
    /// As the command line takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Wait(wait) => wait.fmt(f),
            Value::Amount(amount) => amount.fmt(f),
            Value::Share(share) => share.fmt(f),
            Value::Time(Duration::MAX) => f.write_str(FOR_EVER),
            Value::Time(time) => f.write_str(&duration_name(*time)),
            Value::Attempts(Attempts::Blind) => f.write_str(BLIND),
            Value::Attempts(_) => f.write_str(ON_DEMAND),
            Value::Signals(Signals::All) => f.write_str(EVERYBODY),
            Value::Signals(_) => f.write_str(ASKED),
            Value::Exposing(Exposing::Off) => f.write_str(OFF),
            Value::Exposing(Exposing::WhenAsked) => f.write_str(WHEN_ASKED),
            Value::Exposing(_) => f.write_str(ALLOWED),
            Value::Pinning(Pinning::Compact) => f.write_str(COMPACT),
            Value::Pinning(Pinning::Node) => f.write_str(NODE),
            Value::Pinning(Pinning::NearFirst) => f.write_str(NEAR),
            Value::Pinning(_) => f.write_str(OFF),
            Value::Off => f.write_str(OFF),
        }
    }
}

/// As options take it, without spaces.
pub fn duration_name(duration: Duration) -> String {
    format_duration(duration).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_finds_its_own_place() {
        assert!(OPTIONS.iter().enumerate().all(|(place, option)| option.place() == place));
        let names = OPTIONS.map(|option| option.name);
        let expected = [
            "wait",
            "steal",
            "share",
            "delta",
            "interrupt",
            "signals",
            "attempts",
            "exposing",
            "search",
            "pinning",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_value_is_shown_as_it_is_parsed() {
        let values: [(Choice, &[&str]); 10] = [
            (&WAIT, &["leap", "leap+random"]),
            (&STEAL, &["one", "half"]),
            (&SHARE, &["one", "quarter", "half", "three-quarters", "all"]),
            (&DELTA, &["30us", "1ms500us"]),
            (&INTERRUPT, &["200us", "off"]),
            (&ATTEMPTS, &["on-demand", "blind"]),
            (&SIGNALS, &["asked", "all"]),
            (&EXPOSING, &["on", "off", "asked"]),
            (&SEARCH, &["1ms", "forever"]),
            (&PINNING, &["off", "compact", "node", "near"]),
        ];
        for (choice, words) in values {
            for word in words {
                assert_eq!((choice.parse)(word).unwrap().to_string(), *word);
            }
            let nonsense = (choice.parse)("two");
            assert!(nonsense.is_err(), "{choice:?}: {nonsense:?}");
        }
        assert!((INTERRUPT.parse)("0ms").is_err());
    }
}
