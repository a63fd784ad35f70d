//! The deques of the runtime by their names on the command line, and what each leaves to choose.

use std::fmt;
use std::time::Duration;

use lyocell::deque::direct::{
    DirectAllPrivate, DirectBase, DirectNonePrivate, DirectPeek, DirectPrivate, DirectTask,
    DirectTaskJoin, DirectTryLock,
};
use lyocell::deque::{Acquire, Amount, HandOver, Interrupts, ReceiverOptions, SenderOptions};
use lyocell::{Abp, ChaseLev, Deque, DirectLocked, Receiver, Sender, Split};

use super::Setup;
use super::lyocell::{Started, start, start_ablation};

/// An entry of the registry.
pub(crate) struct DequeEntry {
    pub(crate) name: &'static str,
    /// What the paper calls it elsewhere; taken for the name.
    pub(crate) aliases: &'static [&'static str],
    /// What it is.
    pub(crate) summary: &'static str,
    /// The paper and where in it.
    pub(crate) source: &'static str,
    /// What its operations can rely on.
    pub(crate) guarantee: &'static str,
    pub(crate) choices: Choices,
    availability: Availability,
}

/// What a deque leaves to choose, with its own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choices {
    /// How many tasks a steal moves.
    pub(crate) amount: Option<Amount>,
    /// The mean time between two deals of one owner.
    pub(crate) delta: Option<Duration>,
    /// Whether owners in long tasks can be interrupted to share some.
    pub(crate) interrupts: Interrupts,
}

/// One thing to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Steal,
    Delta,
    Interrupt,
}

/// Starts a pool in a setup, with so many workers.
type Start = fn(&Setup, usize) -> Started;

enum Availability {
    Here(Start),
    #[cfg_attr(target_arch = "x86_64", expect(dead_code))]
    Absent(&'static str),
}

impl DequeEntry {
    /// Why this machine does not have it.
    pub(crate) fn absence(&self) -> Option<&'static str> {
        match self.availability {
            Availability::Here(_) => None,
            Availability::Absent(reason) => Some(reason),
        }
    }

    /// Starts a pool on it. The setup is [checked](Setup::checked) and names this deque.
    ///
    /// # Errors
    /// The threads or the memory cannot be had, or this machine lacks the deque.
    pub(super) fn start(&self, setup: &Setup, workers: usize) -> Started {
        match self.availability {
            Availability::Here(start) => start(setup, workers),
            Availability::Absent(reason) => Err(reason.to_owned()),
        }
    }
}

impl fmt::Debug for DequeEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Choices {
    const NONE: Choices = Choices { amount: None, delta: None, interrupts: Interrupts::Refused };

    const SPLIT: Choices =
        Choices { amount: Some(Amount::One), interrupts: Split::INTERRUPTS, ..Choices::NONE };

    const SPLIT_FENCE: Choices = Choices { amount: Some(Amount::One), ..Choices::NONE };

    const RECEIVER: Choices =
        Choices { amount: Some(Amount::One), interrupts: Receiver::INTERRUPTS, ..Choices::NONE };

    const SENDER: Choices = Choices {
        amount: Some(Amount::Half),
        delta: Some(Duration::from_micros(30)),
        interrupts: Sender::INTERRUPTS,
    };

    /// Whether it is for the user to choose.
    pub(crate) fn leave(&self, choice: Choice) -> bool {
        match choice {
            Choice::Steal => self.amount.is_some(),
            Choice::Delta => self.delta.is_some(),
            Choice::Interrupt => self.interrupts != Interrupts::Refused,
        }
    }
}

impl Choice {
    /// All.
    pub(crate) const ALL: [Choice; 3] = [Choice::Steal, Choice::Delta, Choice::Interrupt];

    /// The deques that leave it to the user.
    pub(crate) fn deques(self) -> impl Iterator<Item = &'static str> {
        DEQUES.iter().filter(move |deque| deque.choices.leave(self)).map(|deque| deque.name)
    }
}

impl fmt::Display for Choice {
    /// The option of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Choice::Steal => "--steal half",
            Choice::Delta => "--delta",
            Choice::Interrupt => "--interrupt",
        })
    }
}

/// The deque of this name.
pub(crate) fn deque(name: &str) -> Option<&'static DequeEntry> {
    let known_as = |entry: &&&DequeEntry| entry.name == name || entry.aliases.contains(&name);
    DEQUES.iter().find(known_as).copied()
}

/// Makes the registry: a name for each deque in the code, the deque with its options, and what is told of it.
macro_rules! deques {
    ($(
        $static:ident = $name:literal $(also $($alias:literal)*)?: $availability:expr, $choices:ident,
            $guarantee:expr, $source:literal, $summary:literal;
    )*) => {
        $(pub(crate) static $static: DequeEntry = DequeEntry {
            name: $name,
            aliases: &[$($($alias),*)?],
            summary: $summary,
            source: $source,
            guarantee: $guarantee,
            choices: Choices::$choices,
            availability: $availability,
        };)*

        /// Every deque, in the order they are listed.
        pub(crate) static DEQUES: &[&DequeEntry] = &[$(&$static),*];
    };
}

/// The availability of a deque that every machine has.
macro_rules! on {
    ($deque:ty) => {
        on!($deque, Default::default())
    };
    ($deque:ty, $options:expr) => {
        Availability::Here(|setup, workers| start::<$deque>($options, setup, workers))
    };
}

/// The same for a deque that is there to be compared with.
macro_rules! ablation {
    ($deque:ty) => {
        Availability::Here(|setup, workers| {
            start_ablation::<$deque>(Default::default(), setup, workers)
        })
    };
}

#[cfg(target_arch = "x86_64")]
const ON_SPLIT_FENCE: Availability = ablation!(lyocell::deque::SplitFence);
#[cfg(not(target_arch = "x86_64"))]
const ON_SPLIT_FENCE: Availability = Availability::Absent(
    "its 32-bit store into a 64-bit word is defined for x86-64 only, by the processor",
);

const SPLIT_GUARANTEE: &str =
    "owner and thieves lock-free; private tasks need the owner's cooperation";
const PRIVATE_GUARANTEE: &str = "every step wait-free; a steal needs the owner's cooperation";
const DIRECT_GUARANTEE: &str =
    "owner wait-free, thieves blocking; private tasks need the owner's cooperation";
const PUBLIC_DIRECT_GUARANTEE: &str = "owner wait-free, thieves blocking";
const LOCKED_THIEVES_GUARANTEE: &str =
    "thieves lock each other out; private tasks need the owner's cooperation";
const CONCURRENT_GUARANTEE: &str = "owner wait-free, thieves lock-free";

deques! {
    SPLIT = "split": on!(Split), SPLIT, SPLIT_GUARANTEE,
        "van Dijk and van de Pol 2014, section 3",
        "Lace's split deque; the default";
    SPLIT_FENCE = "split-fence": ON_SPLIT_FENCE, SPLIT_FENCE, SPLIT_GUARANTEE,
        "van Dijk and van de Pol 2014, Figure 4",
        "the same with the paper's shrink: store half a word, fence, read the tail again";
    DIRECT = "direct" also "direct-private" "direct-nolock": on!(DirectPrivate), NONE, DIRECT_GUARANTEE,
        "Faxén 2010, Figure 3, sections III-A and III-B",
        "Wool's direct task stack with private tasks; Table II's private, Figure 4's nolock";
    DIRECT_LOCKED = "direct-locked": ablation!(DirectLocked), NONE, "blocking: a lock for each worker",
        "Faxén 2010, Table II, base",
        "a lock for each worker, taken to join and to steal";
    DIRECT_TASK = "direct-task": ablation!(DirectTask), NONE, PUBLIC_DIRECT_GUARANTEE,
        "Faxén 2010, Table II, synchronize on task",
        "generic join, no private tasks";
    DIRECT_TASK_JOIN = "direct-task-join": ablation!(DirectTaskJoin), NONE, PUBLIC_DIRECT_GUARANTEE,
        "Faxén 2010, Table II, task specific join",
        "a join that knows its task, no private tasks";
    DIRECT_NONE_PRIVATE = "direct-none-private": ablation!(DirectNonePrivate), NONE, PUBLIC_DIRECT_GUARANTEE,
        "Faxén 2010, Table II, private tasks (no private)",
        "private tasks, of which there are none";
    DIRECT_ALL_PRIVATE = "direct-all-private": ablation!(DirectAllPrivate), NONE, "nothing is ever stolen",
        "Faxén 2010, Table II, private tasks (all private)",
        "private tasks and no others: one worker does all";
    DIRECT_BASE = "direct-base": ablation!(DirectBase), NONE, LOCKED_THIEVES_GUARANTEE,
        "Faxén 2010, Figure 4, base",
        "as direct; a thief locks, then looks";
    DIRECT_PEEK = "direct-peek": ablation!(DirectPeek), NONE, LOCKED_THIEVES_GUARANTEE,
        "Faxén 2010, Figure 4, peek",
        "as direct; a thief looks, then locks";
    DIRECT_TRYLOCK = "direct-trylock": ablation!(DirectTryLock), NONE, LOCKED_THIEVES_GUARANTEE,
        "Faxén 2010, Figure 4, trylock",
        "as direct; a thief looks, then locks if the lock is free";
    RECEIVER = "receiver": on!(Receiver), RECEIVER, PRIVATE_GUARANTEE,
        "Acar, Charguéraud and Rainey 2013, Figures 1 and 2",
        "private deque: thieves ask, owners answer";
    RECEIVER_BLOCK = "receiver-block":
        on!(Receiver, ReceiverOptions { acquire: Acquire::Block, ..Default::default() }),
        RECEIVER, PRIVATE_GUARANTEE,
        "Acar, Charguéraud and Rainey 2013, appendix C, Figure 8",
        "the same; a worker without tasks blocks its request cell";
    SENDER = "sender": on!(Sender), SENDER, PRIVATE_GUARANTEE,
        "Acar, Charguéraud and Rainey 2013, Figures 1 and 3",
        "private deque: owners deal tasks to idle workers, every delta on average";
    SENDER_TWO_STEP = "sender-two-step":
        on!(Sender, SenderOptions { hand_over: HandOver::TwoStep, ..Default::default() }),
        SENDER, PRIVATE_GUARANTEE,
        "Acar, Charguéraud and Rainey 2013, Figure 3",
        "the same; an owner first reserves the cell (INCOMING), then fills it";
    CHASE_LEV = "chase-lev": on!(ChaseLev), NONE, CONCURRENT_GUARANTEE,
        "Chase and Lev 2005; Lê et al. 2013",
        "growable concurrent deque, C11 orderings";
    ABP = "abp": on!(Abp), NONE, CONCURRENT_GUARANTEE,
        "Arora, Blumofe and Plaxton 2001",
        "bounded concurrent deque with a tag against ABA; a full one runs joins in place";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_alias_is_found_and_no_two_are_the_same() {
        let mut names = Vec::new();
        for entry in DEQUES {
            for name in [&[entry.name], entry.aliases].concat() {
                assert!(std::ptr::eq(deque(name).unwrap(), *entry), "{name}");
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
        assert_eq!(SPLIT.choices.amount, Some(Amount::default()));
        assert_eq!(RECEIVER.choices.amount, Some(receiver.amount));
        assert_eq!(SENDER.choices.amount, Some(sender.amount));
        assert_eq!(SENDER.choices.delta, Some(sender.delta));
    }
}
