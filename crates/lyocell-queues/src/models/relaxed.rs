//! Models of the queues that may hand out an item more than once: none lost, none made up or mixed of two, none
//! more often than promised.

use super::programs::{CROWD, IN_VAIN, LAST_ITEM, TAKEN_LAST, THIRD_ITEM};
use super::{Half, One, Program, Push, Take, check, explore, models, thread};
use crate::idempotent::{IdempotentOwner, LifoEnds};
use crate::queue::{Owner, Thief};
use crate::steal::Steal;
use crate::{Duplicating, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo};

type Item = [usize; 2];

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

/// Half of the items in one step.
const BATCH: Program<'static> = Program {
    capacity: 4,
    before: &[Push, Push, Push],
    beside: &[Take, Push, Take],
    thieves: &[&[Half]],
};

/// All of the programs, on a queue.
macro_rules! all_models {
    ($($queue:ident as $module:ident),*) => {$(
        models!($queue as $module:
            last_item = LAST_ITEM,
            two_thieves = TWO_THIEVES,
            overwritten_under_a_reader = OVERWRITTEN,
            refilled = REFILLED,
            grow_during_a_steal = GROW,
            second_lap = SECOND_LAP,
            third_item = THIRD_ITEM,
            taken_last = TAKEN_LAST,
            crowd = CROWD,
            batch = BATCH,
            in_vain = IN_VAIN,
        );
    )*};
}

all_models!(
    IdempotentLifo as lifo,
    IdempotentFifo as fifo,
    IdempotentDoubleEnded as double_ended,
    Duplicating as duplicating
);

/// The array is full of what was taken without the lock and what a thief may have: it is settled, or grows.
const SETTLED: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Take, Push],
    beside: &[Push, Push, Take],
    thieves: &[&[One, One]],
};

/// The stamps of the models come to their end, with items in use of which one may be stolen.
const STAMPS_ANEW: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Take, Push, Push],
    beside: &[Take, Push, Take],
    thieves: &[&[One, One]],
};

/// Stamps come back to a slot that has the mark of an item of the same stamp, and under a thief that reads it.
const STAMPS_COME_BACK: Program<'static> = Program {
    capacity: 1,
    before: &[Push],
    beside: &[Take, Push, Take, Push, Take, Push],
    thieves: &[&[One, One]],
};

models!(Duplicating as duplicating_alone:
    settled = SETTLED,
    stamps_anew = STAMPS_ANEW,
    stamps_come_back = STAMPS_COME_BACK,
);

/// Thieves go on where stamps began anew, over items that were there before.
#[test]
fn duplicating_items_in_use_outlive_their_stamps() {
    check(|| {
        let queue = Duplicating::with_capacity(4);
        (0..4_usize).for_each(|item| queue.push(item).unwrap());
        let thief = queue.thief();
        (0..4).for_each(|item| assert_eq!(thief.steal(), Steal::Taken(item)));
        assert_eq!(queue.take(), None);
    });
}

/// The check can fail: without its tag the LIFO queue loses an item.
#[test]
#[should_panic(expected = "is lost")]
fn lifo_aba_without_the_tag_is_found() {
    explore::<IdempotentOwner<Item, LifoEnds<0>>>(OVERWRITTEN);
}

/// The property that the study is about is there: an item comes out twice if owner and thief are at it together.
#[test]
fn duplicating_may_give_an_item_out_twice() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    // No atomic of the model: what any of its runs has seen.
    let twice = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&twice);
    check(move || {
        let queue = Duplicating::with_capacity(2);
        queue.push(7_usize).unwrap();
        let thief = queue.thief();
        let stealing = thread::spawn(move || thief.steal() == Steal::Taken(7));
        let taken = queue.take() == Some(7);
        let stolen = stealing.join().unwrap();
        assert!(taken || stolen, "it is lost");
        if taken && stolen {
            seen.store(true, Ordering::Relaxed);
        }
    });
    assert!(twice.load(Ordering::Relaxed), "no run gave it out twice");
}
