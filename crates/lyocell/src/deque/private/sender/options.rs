//! What can be chosen about a [`Sender`](super::Sender).

use crate::deque::Amount;
use std::time::Duration;

/// The options of a [`Sender`](super::Sender).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SenderOptions {
    /// How many tasks a deal moves. By default it is half, because a thief that gets one small task soon waits for
    /// `delta` again.
    pub amount: Amount,
    /// The mean time between two deals of one owner.
    pub delta: Duration,
    /// How tasks are handed over.
    pub hand_over: HandOver,
    /// When an owner tries to deal, and to whom.
    pub attempts: Attempts,
}

impl SenderOptions {
    /// These options, with this [`amount`](SenderOptions::amount).
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = amount;
        self
    }

    /// These options, with this [`delta`](SenderOptions::delta).
    #[must_use]
    pub fn delta(mut self, delta: Duration) -> Self {
        self.delta = delta;
        self
    }

    /// These options, with this [`hand_over`](SenderOptions::hand_over).
    #[must_use]
    pub fn hand_over(mut self, hand_over: HandOver) -> Self {
        self.hand_over = hand_over;
        self
    }

    /// These options, with this [`attempts`](SenderOptions::attempts).
    #[must_use]
    pub fn attempts(mut self, attempts: Attempts) -> Self {
        self.attempts = attempts;
        self
    }
}

/// The paper's choice (section 4).
const DELTA: Duration = Duration::from_micros(30);

/// Not the paper's choice. On the tree T3L of UTS, four of five tasks are leaves: two workers took 1.17 times
/// as long as on the split deque when each deal moved one task, and as long when it moved half.
const AMOUNT: Amount = Amount::Half;

impl Default for SenderOptions {
    fn default() -> Self {
        let (hand_over, attempts) = (HandOver::default(), Attempts::default());
        SenderOptions { amount: AMOUNT, delta: DELTA, hand_over, attempts }
    }
}

/// When an owner tries to deal tasks, and to whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Attempts {
    /// The owner tries when a thief asks and a date has passed, and looks round for a worker that waits. An owner that has
    /// not dealt for long deals at once, so a thief waits for less than `delta`.
    #[default]
    OnDemand,
    /// The owner tries at each of its dates, whether anybody waits or not, and tries one random worker only. A thief waits
    /// for about `delta`, however many owners there are. This is the paper's way. It costs a look at the clock at every push
    /// and pop.
    Blind,
}

/// How an owner puts tasks into a mailbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HandOver {
    /// The owner puts the tasks into the mailbox in one step. The paper can do this with one task only; here a parcel
    /// of any number of tasks is one word.
    #[default]
    Direct,
    /// The owner first reserves the mailbox (`INCOMING`), then puts the tasks there (Figure 3).
    TwoStep,
}
