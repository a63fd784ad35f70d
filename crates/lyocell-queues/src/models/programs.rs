//! Programs that queues of every promise run.

use super::{HalfInVain, One, Program, Push, Take};

/// Owner and thief want the same last item; of a relaxed queue both may get it.
pub(super) const LAST_ITEM: Program<'static> =
    Program { capacity: 2, before: &[Push], beside: &[Take], thieves: &[&[One]] };

/// One thief follows the owner into the second lap.
pub(super) const THIRD_ITEM: Program<'static> =
    Program { capacity: 2, before: &[Push, Push], beside: &[Push], thieves: &[&[One, One, One]] };

/// What the thief sees last of the ends is a take.
pub(super) const TAKEN_LAST: Program<'static> =
    Program { capacity: 2, before: &[], beside: &[Push, Push, Take], thieves: &[&[One]] };

/// What a sink that panicked left comes out all the same.
pub(super) const IN_VAIN: Program<'static> = Program {
    capacity: 4,
    before: &[Push, Push, Push, Push],
    beside: &[Take, Take],
    thieves: &[&[HalfInVain, One]],
};

/// Two thieves come back for more.
pub(super) const CROWD: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Take, Push],
    thieves: &[&[One, One], &[One]],
};
