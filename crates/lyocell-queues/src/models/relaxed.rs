//! Models of the queues that may hand out an item more than once: none lost, none made up or mixed of two, none
//! more often than promised.

use super::{Half, One, Program, Push, Take, explore};
use crate::idempotent::{IdempotentOwner, LifoEnds};
use crate::{Duplicating, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo};

type Item = [usize; 2];

/// Owner and thief want the same last item; both may get it.
const LAST_ITEM: Program<'static> =
    Program { capacity: 2, before: &[Push], beside: &[Take], thieves: &[&[One]] };

/// Two thieves take what the owner brings back.
const TWO_THIEVES: Program<'static> =
    Program { capacity: 2, before: &[Push, Push], beside: &[Take], thieves: &[&[One], &[One]] };

/// A slot is overwritten under a thief that reads it.
const OVERWRITTEN: Program<'static> =
    Program { capacity: 2, before: &[Push], beside: &[Take, Push, Take, Push], thieves: &[&[One]] };

/// As before, with a second steal that meets what became of the first.
const REFILLED: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Take, Push, Push],
    thieves: &[&[One, One]],
};

/// The array is replaced by a larger one while a thief reads.
const GROW: Program<'static> =
    Program { capacity: 1, before: &[Push], beside: &[Push, Push, Take], thieves: &[&[One, One]] };

/// Every slot of the ring is used a second time.
const SECOND_LAP: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Push, Take, Push],
    thieves: &[&[One, One]],
};

/// One thief follows the owner into the second lap.
const THIRD_ITEM: Program<'static> =
    Program { capacity: 2, before: &[Push, Push], beside: &[Push], thieves: &[&[One, One, One]] };

/// What the thief sees last of the ends is a take.
const TAKEN_LAST: Program<'static> =
    Program { capacity: 2, before: &[], beside: &[Push, Push, Take], thieves: &[&[One]] };

/// Two thieves come back for more.
const CROWD: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Take, Push],
    thieves: &[&[One, One], &[One]],
};

/// Half of the items in one step.
const BATCH: Program<'static> = Program {
    capacity: 4,
    before: &[Push, Push, Push],
    beside: &[Take, Push, Take],
    thieves: &[&[Half]],
};

macro_rules! models {
    ($($queue:ident as $module:ident),*) => {$(
        mod $module {
            use super::*;

            #[test]
            fn last_item() {
                explore::<$queue<Item>>(LAST_ITEM);
            }
            #[test]
            fn two_thieves() {
                explore::<$queue<Item>>(TWO_THIEVES);
            }
            #[test]
            fn overwritten_under_a_reader() {
                explore::<$queue<Item>>(OVERWRITTEN);
            }
            #[test]
            fn refilled() {
                explore::<$queue<Item>>(REFILLED);
            }
            #[test]
            fn grow_during_a_steal() {
                explore::<$queue<Item>>(GROW);
            }
            #[test]
            fn second_lap() {
                explore::<$queue<Item>>(SECOND_LAP);
            }
            #[test]
            fn third_item() {
                explore::<$queue<Item>>(THIRD_ITEM);
            }
            #[test]
            fn taken_last() {
                explore::<$queue<Item>>(TAKEN_LAST);
            }
            #[test]
            fn crowd() {
                explore::<$queue<Item>>(CROWD);
            }
            #[test]
            fn batch() {
                explore::<$queue<Item>>(BATCH);
            }
        }
    )*};
}

models!(
    IdempotentLifo as lifo,
    IdempotentFifo as fifo,
    IdempotentDoubleEnded as double_ended,
    Duplicating as duplicating
);

/// The check can fail: without its tag the LIFO queue loses an item.
#[test]
#[should_panic(expected = "is lost")]
fn lifo_aba_without_the_tag_is_found() {
    explore::<IdempotentOwner<Item, LifoEnds<0>>>(OVERWRITTEN);
}
