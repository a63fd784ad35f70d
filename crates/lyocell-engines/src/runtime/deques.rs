//! The one table of deques: what each is called, where it is from, what it can rely on, which options it takes with
//! which default, which programs it runs, and how a pool on it is started.
//!
//! `lyocell list`, `--deque`, the checks of options and the pools are made from it. To add a deque: its entry.

use std::fmt;
use std::time::Duration;

use lyocell::deque::direct::{
    DirectAllPrivate, DirectBase, DirectNonePrivate, DirectPeek, DirectPrivate, DirectTask,
    DirectTaskJoin, DirectTripWire, DirectTryLock,
};
use lyocell::deque::{Acquire, Amount, Attempts, HandOver, ReceiverOptions, SenderOptions, Share};
use lyocell::{
    Abp, ChaseLev, DirectLocked, Exposing, Pinning, Receiver, Sender, Signals, Split, Wait,
};
use lyocell_workloads::{Everything, OfLace, OfWool};

use super::Setup;
use super::options::{self, Choice, RuntimeOption, Value};
use super::start::{Started, start};
use crate::Programs;

/// An entry of the table.
pub struct DequeEntry {
    /// On the command line.
    pub name: &'static str,
    /// What the paper calls it elsewhere; taken for the name.
    pub aliases: &'static [&'static str],
    /// What it is.
    pub summary: &'static str,
    /// The paper and where in it.
    pub source: &'static str,
    /// What its operations can rely on.
    pub guarantee: &'static str,
    /// The options that it takes beyond those that every deque does, and its own choice.
    takes: &'static [(Choice, Value)],
    pool: Pool,
}

/// A pool on a deque: which programs it runs, and how it starts.
struct Pool {
    programs: Programs,
    /// Starts it in a setup, with so many workers; or why this machine cannot.
    start: Result<fn(&Setup, usize) -> Started, &'static str>,
}

/// A pool on a deque for the programs of a roster.
macro_rules! on {
    ($deque:ty, $roster:ty) => {
        on!($deque, $roster, Default::default())
    };
    ($deque:ty, $roster:ty, $options:expr) => {
        Pool {
            programs: Programs::of::<$roster>(),
            start: Ok(|setup, workers| start::<$deque, $roster>($options, setup, workers)),
        }
    };
}

/// The options that every deque takes.
const COMMON: [(Choice, Value); 3] = [
    (&options::WAIT, Value::Wait(Wait::LeapRandom)),
    (&options::SEARCH, Value::Time(Duration::from_micros(100))),
    (&options::PINNING, Value::Pinning(Pinning::Off)),
];

const STEALS_ONE: (Choice, Value) = (&options::STEAL, Value::Amount(Amount::One));
const STEALS_HALF: (Choice, Value) = (&options::STEAL, Value::Amount(Amount::Half));
const SHARES_HALF: (Choice, Value) = (&options::SHARE, Value::Share(Share::Half));
const DEALS: (Choice, Value) = (&options::DELTA, Value::Time(Duration::from_micros(30)));
const ON_DEMAND: (Choice, Value) = (&options::ATTEMPTS, Value::Attempts(Attempts::OnDemand));
const NO_INTERRUPTS: (Choice, Value) = (&options::INTERRUPT, Value::Off);
const ASKED: (Choice, Value) = (&options::SIGNALS, Value::Signals(Signals::Asked));
const EXPOSES: (Choice, Value) = (&options::EXPOSING, Value::Exposing(Exposing::Allowed));

const SPLIT_GUARANTEE: &str =
    "owner and thieves lock-free; private tasks need the owner's cooperation";
const PRIVATE_GUARANTEE: &str = "every step wait-free; a steal needs the owner's cooperation";
const DIRECT_GUARANTEE: &str =
    "owner wait-free, thieves blocking; private tasks need the owner's cooperation";
const PUBLIC_DIRECT_GUARANTEE: &str = "owner wait-free, thieves blocking";
const LOCKED_THIEVES_GUARANTEE: &str =
    "thieves lock each other out; private tasks need the owner's cooperation";
const CONCURRENT_GUARANTEE: &str = "owner wait-free, thieves lock-free";

/// Every deque, in the order they are listed; the default first.
pub static DEQUES: [DequeEntry; 18] = [
    DequeEntry {
        name: "split",
        aliases: &[],
        summary: "Lace's split deque; the default",
        source: "van Dijk and van de Pol 2014, section 3",
        guarantee: SPLIT_GUARANTEE,
        takes: &[STEALS_ONE, SHARES_HALF, NO_INTERRUPTS, ASKED, EXPOSES],
        pool: on!(Split, Everything),
    },
    DequeEntry {
        name: "split-fence",
        aliases: &[],
        summary: "the same with the paper's shrink: store half a word, fence, read the tail again",
        source: "van Dijk and van de Pol 2014, Figure 4",
        guarantee: SPLIT_GUARANTEE,
        takes: &[STEALS_ONE, SHARES_HALF, EXPOSES],
        pool: SPLIT_FENCE,
    },
    DequeEntry {
        name: "direct",
        aliases: &["direct-private", "direct-nolock"],
        summary: "Wool's direct task stack with private tasks; Table II's private, Figure 4's nolock",
        source: "Faxén 2010, Figure 3, sections III-A and III-B",
        guarantee: DIRECT_GUARANTEE,
        takes: &[EXPOSES],
        pool: on!(DirectPrivate, Everything),
    },
    DequeEntry {
        name: "direct-locked",
        aliases: &[],
        summary: "a lock for each worker, taken to join and to steal",
        source: "Faxén 2010, Table II, base",
        guarantee: "blocking: a lock for each worker",
        takes: &[],
        pool: on!(DirectLocked, OfWool),
    },
    DequeEntry {
        name: "direct-task",
        aliases: &[],
        summary: "generic join, no private tasks",
        source: "Faxén 2010, Table II, synchronize on task",
        guarantee: PUBLIC_DIRECT_GUARANTEE,
        takes: &[],
        pool: on!(DirectTask, OfWool),
    },
    DequeEntry {
        name: "direct-task-join",
        aliases: &[],
        summary: "a join that knows its task, no private tasks",
        source: "Faxén 2010, Table II, task specific join",
        guarantee: PUBLIC_DIRECT_GUARANTEE,
        takes: &[],
        pool: on!(DirectTaskJoin, OfWool),
    },
    DequeEntry {
        name: "direct-none-private",
        aliases: &[],
        summary: "private tasks, of which there are none",
        source: "Faxén 2010, Table II, private tasks (no private)",
        guarantee: PUBLIC_DIRECT_GUARANTEE,
        takes: &[],
        pool: on!(DirectNonePrivate, OfWool),
    },
    DequeEntry {
        name: "direct-all-private",
        aliases: &[],
        summary: "private tasks and no others: one worker does all",
        source: "Faxén 2010, Table II, private tasks (all private)",
        guarantee: "nothing is ever stolen",
        takes: &[],
        pool: on!(DirectAllPrivate, OfWool),
    },
    DequeEntry {
        name: "direct-trip-wire",
        aliases: &[],
        summary: "as direct; only who steals the trip wire makes tasks public, not every thief that finds nothing",
        source: "Faxén 2010, section III-B",
        guarantee: DIRECT_GUARANTEE,
        takes: &[EXPOSES],
        pool: on!(DirectTripWire, OfWool),
    },
    DequeEntry {
        name: "direct-base",
        aliases: &[],
        summary: "as direct; a thief locks, then looks",
        source: "Faxén 2010, Figure 4, base",
        guarantee: LOCKED_THIEVES_GUARANTEE,
        takes: &[EXPOSES],
        pool: on!(DirectBase, OfWool),
    },
    DequeEntry {
        name: "direct-peek",
        aliases: &[],
        summary: "as direct; a thief looks, then locks",
        source: "Faxén 2010, Figure 4, peek",
        guarantee: LOCKED_THIEVES_GUARANTEE,
        takes: &[EXPOSES],
        pool: on!(DirectPeek, OfWool),
    },
    DequeEntry {
        name: "direct-trylock",
        aliases: &[],
        summary: "as direct; a thief looks, then locks if the lock is free",
        source: "Faxén 2010, Figure 4, trylock",
        guarantee: LOCKED_THIEVES_GUARANTEE,
        takes: &[EXPOSES],
        pool: on!(DirectTryLock, OfWool),
    },
    DequeEntry {
        name: "receiver",
        aliases: &[],
        summary: "private deque: thieves ask, owners answer",
        source: "Acar, Charguéraud and Rainey 2013, Figures 1 and 2",
        guarantee: PRIVATE_GUARANTEE,
        takes: &[STEALS_ONE, NO_INTERRUPTS, ASKED],
        pool: on!(Receiver, Everything),
    },
    DequeEntry {
        name: "receiver-block",
        aliases: &[],
        summary: "the same; a worker without tasks blocks its request cell",
        source: "Acar, Charguéraud and Rainey 2013, appendix C, Figure 8",
        guarantee: PRIVATE_GUARANTEE,
        takes: &[STEALS_ONE, NO_INTERRUPTS, ASKED],
        pool: on!(Receiver, Everything, ReceiverOptions::default().acquire(Acquire::Block)),
    },
    DequeEntry {
        name: "sender",
        aliases: &[],
        summary: "private deque: owners deal tasks to idle workers, every delta on average",
        source: "Acar, Charguéraud and Rainey 2013, Figures 1 and 3",
        guarantee: PRIVATE_GUARANTEE,
        takes: &[STEALS_HALF, DEALS, NO_INTERRUPTS, ASKED, ON_DEMAND],
        pool: on!(Sender, Everything),
    },
    DequeEntry {
        name: "sender-two-step",
        aliases: &[],
        summary: "the same; an owner first reserves the cell (INCOMING), then fills it",
        source: "Acar, Charguéraud and Rainey 2013, Figure 3",
        guarantee: PRIVATE_GUARANTEE,
        takes: &[STEALS_HALF, DEALS, NO_INTERRUPTS, ASKED, ON_DEMAND],
        pool: on!(Sender, Everything, SenderOptions::default().hand_over(HandOver::TwoStep)),
    },
    DequeEntry {
        name: "chase-lev",
        aliases: &[],
        summary: "growable concurrent deque, C11 orderings",
        source: "Chase and Lev 2005; Lê et al. 2013",
        guarantee: CONCURRENT_GUARANTEE,
        takes: &[],
        pool: on!(ChaseLev, Everything),
    },
    DequeEntry {
        name: "abp",
        aliases: &[],
        summary: "bounded concurrent deque with a tag against ABA; a full one runs joins in place",
        source: "Arora, Blumofe and Plaxton 2001",
        guarantee: CONCURRENT_GUARANTEE,
        takes: &[],
        pool: on!(Abp, Everything),
    },
];

#[cfg(target_arch = "x86_64")]
const SPLIT_FENCE: Pool = on!(lyocell::deque::SplitFence, OfLace);
#[cfg(not(target_arch = "x86_64"))]
const SPLIT_FENCE: Pool = Pool {
    programs: Programs::of::<OfLace>(),
    start: Err("its 32-bit store into a 64-bit word is defined for x86-64 only, by the processor"),
};

/// The deque of this name.
pub fn deque(name: &str) -> Option<&'static DequeEntry> {
    DEQUES.iter().find(|entry| entry.name == name || entry.aliases.contains(&name))
}

impl DequeEntry {
    /// Why this machine does not have it.
    pub fn absence(&self) -> Option<&'static str> {
        self.pool.start.err()
    }

    /// Which programs it runs.
    pub fn programs(&self) -> Programs {
        self.pool.programs
    }

    /// Starts a pool on it. The setup is [checked](Setup::checked) and names this deque.
    ///
    /// # Errors
    /// The threads or the memory cannot be had, or this machine lacks the deque.
    pub(super) fn start(&self, setup: &Setup, workers: usize) -> Started {
        (self.pool.start?)(setup, workers)
    }

    /// Its own choice, if it takes the option.
    pub fn default(&self, choice: Choice) -> Option<Value> {
        let options = COMMON.iter().chain(self.takes);
        options.into_iter().find(|(option, _)| *option == choice).map(|&(_, value)| value)
    }

    /// Whether it takes the option.
    pub fn takes(&self, choice: Choice) -> bool {
        self.default(choice).is_some()
    }

    /// The options that it takes beyond those that every deque does.
    pub fn own_options(&self) -> &'static [(Choice, Value)] {
        self.takes
    }
}

impl fmt::Debug for DequeEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl RuntimeOption {
    /// The deques that take the option.
    pub fn deques(&'static self) -> impl Iterator<Item = &'static str> {
        DEQUES.iter().filter(move |deque| deque.takes(self)).map(|deque| deque.name)
    }

    /// What is chosen by default, for the help: `half for sender and sender-two-step, one for the others`.
    pub fn defaults(&'static self) -> String {
        let taking = || DEQUES.iter().filter_map(move |deque| Some((deque, deque.default(self)?)));
        let Some((_, usual)) = taking().next() else { return String::new() };
        let others: Vec<_> = taking().filter(|&(_, value)| value != usual).collect();
        match others[..] {
            [] => usual.to_string(),
            [(_, other), ..] => {
                let names: Vec<&str> = others.iter().map(|(deque, _)| deque.name).collect();
                format!("{other} for {}, {usual} for the others", names.join(" and "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lyocell::Deque;
    use lyocell::deque::{Interrupts, SplitOptions};

    use super::*;

    #[test]
    fn every_name_and_alias_is_found_and_no_two_are_the_same() {
        let mut names = Vec::new();
        for entry in &DEQUES {
            for name in [&[entry.name], entry.aliases].concat() {
                assert!(std::ptr::eq(deque(name).unwrap(), entry), "{name}");
                names.push(name);
            }
        }
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(deque("deck").is_none());
    }

    #[test]
    fn the_defaults_told_are_those_of_the_runtime() {
        let (receiver, sender) = (ReceiverOptions::default(), SenderOptions::default());
        let split = SplitOptions::default();
        let default = |name: &str, choice| deque(name).unwrap().default(choice);
        let amount = |amount| Some(Value::Amount(amount));
        for name in ["split", "split-fence"] {
            assert_eq!(default(name, &options::STEAL), amount(split.amount));
            assert_eq!(default(name, &options::SHARE), Some(Value::Share(split.share)));
        }
        for name in ["receiver", "receiver-block"] {
            assert_eq!(default(name, &options::STEAL), amount(receiver.amount));
        }
        for name in ["sender", "sender-two-step"] {
            assert_eq!(default(name, &options::STEAL), amount(sender.amount));
            assert_eq!(default(name, &options::DELTA), Some(Value::Time(sender.delta)));
            assert_eq!(default(name, &options::ATTEMPTS), Some(Value::Attempts(sender.attempts)));
        }
        assert_eq!(default("abp", &options::WAIT), Some(Value::Wait(Wait::default())));
    }

    #[test]
    fn the_deques_that_take_interrupts_are_those_of_the_runtime() {
        let taking: Vec<&str> = options::INTERRUPT.deques().collect();
        let expected = ["split", "receiver", "receiver-block", "sender", "sender-two-step"];
        assert_eq!(taking, expected);
        assert!(options::SIGNALS.deques().eq(options::INTERRUPT.deques()));
        let ours = [Split::INTERRUPTS, Receiver::INTERRUPTS, Sender::INTERRUPTS];
        assert!(ours.into_iter().all(|answer| answer != Interrupts::Refused));
        let others = [DirectPrivate::INTERRUPTS, ChaseLev::INTERRUPTS, Abp::INTERRUPTS];
        assert!(others.into_iter().all(|answer| answer == Interrupts::Refused));
    }

    #[test]
    fn the_help_names_the_deques_with_a_choice_of_their_own() {
        let steal = options::STEAL.defaults();
        assert_eq!(steal, "half for sender and sender-two-step, one for the others");
        assert_eq!(options::SHARE.defaults(), "half");
        assert_eq!(options::DELTA.defaults(), "30us");
        assert_eq!(options::WAIT.defaults(), "leap+random");
        assert_eq!(options::SEARCH.defaults(), "100us");
    }
}
