//! What can be chosen about a [`Split`](super::Split).

use crate::deque::Amount;
use std::fmt;

/// The options of a [`Split`](super::Split).
///
/// # Examples
/// ```
/// use lyocell::deque::{Share, SplitOptions};
/// use lyocell::Pool;
///
/// let options = SplitOptions::default().share(Share::Quarter);
/// let pool = Pool::builder().workers(2).deque_options(options).build()?;
/// assert_eq!(pool.run(|w| w.join_range(0..10, 0, |_, i| i, |a, b| a + b)), 45);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SplitOptions {
    /// How many of the shared tasks a steal moves.
    pub amount: Amount,
    /// How far the split point moves.
    pub share: Share,
}

impl SplitOptions {
    /// These options, with this [`amount`](SplitOptions::amount).
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = amount;
        self
    }

    /// These options, with this [`share`](SplitOptions::share).
    #[must_use]
    pub fn share(mut self, share: Share) -> Self {
        self.share = share;
        self
    }
}

/// How far the split point moves: over which share of the tasks between it and the end that it moves towards.
///
/// It is the share of the private tasks that an owner makes public when it grows, or a thief in its stead when it exposes
/// them; and the share of the public ones that an owner takes back when it shrinks. It is rounded up, so a move is over
/// one task at least: who asks for tasks gets one if there is one.
///
/// A large share makes moves fewer, if nobody wants the next task for a while: an owner that pops on takes all back in
/// fewer steps, and a thief need not ask as often. A small one leaves more tasks private, which cost the owner nothing.
///
/// # Source
/// Van Dijk and van de Pol 2014, section 3.2, where it is half; section 5 has it as an open question "whether more optimal
/// strategies exist".
///
/// # Examples
/// ```
/// use lyocell::deque::Share;
///
/// assert_eq!(Share::default(), Share::Half);
/// assert_eq!(Share::ThreeQuarters.to_string(), "three-quarters");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Share {
    /// One task.
    One,
    /// A quarter of the tasks.
    Quarter,
    /// Half of the tasks, as in the paper.
    #[default]
    Half,
    /// Three quarters of the tasks.
    ThreeQuarters,
    /// All tasks.
    All,
}

impl Share {
    /// All shares, the smallest first.
    pub const ALL: &'static [Share] =
        &[Share::One, Share::Quarter, Share::Half, Share::ThreeQuarters, Share::All];

    /// The name by which it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Share::One => "one",
            Share::Quarter => "quarter",
            Share::Half => "half",
            Share::ThreeQuarters => "three-quarters",
            Share::All => "all",
        }
    }

    /// How many of this number of tasks it is: one at least, unless there is none.
    pub(super) fn of(self, tasks: usize) -> usize {
        match self {
            Share::One => tasks.min(1),
            Share::Quarter => tasks.div_ceil(4),
            Share::Half => tasks.div_ceil(2),
            Share::ThreeQuarters => tasks - tasks / 4,
            Share::All => tasks,
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_up_and_none_of_nothing() {
        let of = |share: Share| [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(|tasks| share.of(tasks));
        assert_eq!(of(Share::One), [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(of(Share::Quarter), [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
        assert_eq!(of(Share::Half), [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(of(Share::ThreeQuarters), [0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8]);
        assert_eq!(of(Share::All), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }

    #[test]
    fn shares_have_names_of_their_own() {
        for (index, share) in Share::ALL.iter().copied().enumerate() {
            assert!(Share::ALL[..index].iter().all(|other| other.name() != share.name()));
        }
    }
}
