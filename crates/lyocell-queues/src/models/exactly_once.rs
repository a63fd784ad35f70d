//! Models of the queues that hand out every item once.

use super::programs::{CROWD, IN_VAIN, LAST_ITEM, TAKEN_LAST, THIRD_ITEM};
use super::{Anew, Half, One, Program, Push, Take, check, explore, models};
use crate::abp::AbpOwner;
use crate::attempts::Attempts;
use crate::index::abp::{Ends, Retract};
use crate::index::tagged::{Tag, Wide};
use crate::queue::{Owner, StealHalf, Thief};
use crate::steal::Steal;
use crate::{Abp, ChaseLev, Fifo, Locked, ShrinkingChaseLev, ShrinkingFifo};
use loom::thread;
use lyocell_sync::{AtomicWord, Handshake, replace_first};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

type Item = Box<usize>;

// Tags for the models only: one that comes back after two restarts, and none.
impl Wide for Tag<1> {}
impl Wide for Tag<0> {}

/// Two thieves and the owner at two items, the second pushed while they look.
const TWO_THIEVES: Program<'static> =
    Program { capacity: 2, before: &[Push], beside: &[Push, Take], thieves: &[&[One], &[One]] };

/// Every slot is used again while a thief may still read it.
const SECOND_LAP: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Take, Push, Push, Take],
    thieves: &[&[One, One]],
};

/// The queue runs empty and is filled again under a thief that looked before.
const EMPTY_AND_REFILLED: Program<'static> = Program {
    capacity: 2,
    before: &[Push],
    beside: &[Take, Push, Take, Push, Take],
    thieves: &[&[One]],
};

/// The array is replaced by a larger one, twice the second time round.
const GROW: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Push, Take, Take],
    thieves: &[&[One, One]],
};

/// A thief follows close behind the copying into a larger array, which the published C11 code let it see too early
/// (found by CDSChecker, Norris and Demsky, OOPSLA 2013).
const GROW_AHEAD: Program<'static> =
    Program { capacity: 2, before: &[Push, Push], beside: &[Push, Push], thieves: &[&[One]] };

/// The array is replaced by a smaller one, then by a larger one again.
const SHRINK: Program<'static> = Program {
    capacity: 1,
    before: &[Push, Push, Push],
    beside: &[Take, Take, Take, Push],
    thieves: &[&[One, One]],
};

/// Notices are linked in and handed on while the owner reads the board.
const NEW_HANDLES: Program<'static> = Program {
    capacity: 2,
    before: &[Push, Push],
    beside: &[Push, Push, Take],
    thieves: &[&[Anew], &[Anew]],
};

/// A batch beside takes, which need no claim while they see other items.
const BATCH: Program<'static> = Program {
    capacity: 4,
    before: &[Push, Push, Push],
    beside: &[Take, Take],
    thieves: &[&[Half]],
};

/// A batch that is read while the owner comes round to its slots, and another thief wants one of its items.
const BATCHES: Program<'static> = Program {
    capacity: 4,
    before: &[Push, Push, Push, Push],
    beside: &[Take, Push, Push],
    thieves: &[&[Half], &[One]],
};

/// Takes from an empty queue, whose indices have not moved (crossbeam issue 33: the length of an empty queue,
/// computed without a sign, underflowed).
const EMPTY_TAKE: Program<'static> =
    Program { capacity: 2, before: &[Take, Take], beside: &[Take, Push, Take], thieves: &[&[One]] };

models!(ChaseLev as chase_lev:
    last_item = LAST_ITEM,
    two_thieves = TWO_THIEVES,
    second_lap = SECOND_LAP,
    third_item = THIRD_ITEM,
    taken_last = TAKEN_LAST,
    crowd = CROWD,
    new_handles = NEW_HANDLES,
    empty_and_refilled = EMPTY_AND_REFILLED,
    rustsec_2021_0093_buffer_swapped_during_a_steal = GROW,
    cdschecker_array_read_before_it_is_filled = GROW_AHEAD,
    batch = BATCH,
    crossbeam_33_empty_take = EMPTY_TAKE,
);
models!(ShrinkingChaseLev as shrinking_chase_lev:
    last_item = LAST_ITEM,
    two_thieves = TWO_THIEVES,
    second_lap = SECOND_LAP,
    third_item = THIRD_ITEM,
    taken_last = TAKEN_LAST,
    crowd = CROWD,
    new_handles = NEW_HANDLES,
    empty_and_refilled = EMPTY_AND_REFILLED,
    grow_during_a_steal = GROW,
    cdschecker_array_read_before_it_is_filled = GROW_AHEAD,
    rustsec_2021_0093_buffer_swapped_during_a_steal = SHRINK,
    batch = BATCH,
    crossbeam_33_empty_take = EMPTY_TAKE,
);
models!(Fifo as fifo:
    last_item = LAST_ITEM,
    two_thieves = TWO_THIEVES,
    second_lap = SECOND_LAP,
    third_item = THIRD_ITEM,
    crowd = CROWD,
    grow = GROW,
    batch = BATCH,
    batches = BATCHES,
    in_vain = IN_VAIN,
    crossbeam_33_empty_take = EMPTY_TAKE,
);
models!(ShrinkingFifo as shrinking_fifo:
    last_item = LAST_ITEM,
    second_lap = SECOND_LAP,
    crowd = CROWD,
    shrink = SHRINK,
    batch = BATCH,
    in_vain = IN_VAIN,
);
models!(Abp as abp:
    last_item = LAST_ITEM,
    two_thieves = TWO_THIEVES,
    second_lap = SECOND_LAP,
    third_item = THIRD_ITEM,
    taken_last = TAKEN_LAST,
    crowd = CROWD,
    new_handles = NEW_HANDLES,
    empty_and_refilled = EMPTY_AND_REFILLED,
    used_up = USED_UP,
    batch = BATCH,
    crossbeam_33_empty_take = EMPTY_TAKE,
);
models!(Locked as locked:
    in_vain = IN_VAIN,
    last_item = LAST_ITEM,
    two_thieves = TWO_THIEVES,
    batch = BATCH,
);

/// Two threads steal through one handle, while the owner comes round to slots that they may still read.
fn one_handle<Q: Owner<Item = Item> + 'static>()
where
    Q::Thief: StealHalf + 'static,
{
    check(|| {
        let queue = Q::with_capacity(2);
        queue.push(Box::new(0)).unwrap();
        queue.push(Box::new(1)).unwrap();
        let thief = Arc::new(queue.thief());
        let other = thread::spawn({
            let thief = Arc::clone(&thief);
            move || thief.steal().taken()
        });
        let third = thread::spawn(move || thief.steal().taken());
        queue.push(Box::new(2)).unwrap();
        let mut out: Vec<_> =
            [other.join().unwrap(), third.join().unwrap()].into_iter().flatten().collect();
        out.extend(std::iter::from_fn(|| queue.take()));
        out.sort_unstable();
        assert_eq!(out, [0, 1, 2].map(Box::new));
    });
}

#[test]
fn one_handle_of_chase_lev() {
    one_handle::<ChaseLev<_>>();
}

#[test]
fn one_handle_of_shrinking_chase_lev() {
    one_handle::<ShrinkingChaseLev<_>>();
}

#[test]
fn one_handle_of_fifo() {
    one_handle::<Fifo<_>>();
}

/// A full array is begun anew by a push, while a thief may still read it.
const USED_UP: Program<'static> = Program {
    capacity: 1,
    before: &[Push],
    beside: &[Push, Push, Push],
    thieves: &[&[One, One], &[One]],
};

/// Two restarts bring a tag of one bit back, and here are three: no thief looks before the first of two and claims after
/// the second (abp-4).
#[test]
fn abp_with_a_tag_that_comes_back() {
    explore::<AbpOwner<Item, 1>>(EMPTY_AND_REFILLED);
    explore::<AbpOwner<Item, 1>>(USED_UP);
}

/// What the count of steals is for (attempts-3), with versions in place of tags: whose claim meets the newest version has
/// seen that or the one before.
#[test]
fn abp_count_of_steals_keeps_the_owner_from_a_second_change() {
    check(|| {
        let shared = Arc::new((Attempts::new(), AtomicWord::new(0)));
        let thief = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                let (attempts, end) = &*shared;
                attempts.during(|| {
                    let seen = end.load_first();
                    let newest = end.fetch_add(0, loom::sync::atomic::Ordering::AcqRel);
                    assert!(newest <= seen + 1, "the end changed twice");
                });
            }
        });
        let (attempts, end) = &*shared;
        let mut version = 0;
        for _ in 0..2 {
            if attempts.none() {
                assert!(replace_first(end, version, version + 1));
                version += 1;
            }
        }
        thief.join().unwrap();
    });
}

/// A thief that sees the tag of a restart sees where `bottom` is since then, and not an index that the owner took.
#[test]
fn abp_new_tag_comes_with_the_new_bottom() {
    check(|| {
        let queue = Abp::with_capacity(2);
        queue.push(Box::new(0)).unwrap();
        queue.push(Box::new(1)).unwrap();
        assert_eq!(queue.thief().steal(), Steal::Taken(Box::new(0)));
        let thief = queue.thief();
        let thief = thread::spawn(move || thief.steal().taken());
        let taken = queue.take();
        let stolen = thief.join().unwrap();
        assert_eq!([taken, stolen].into_iter().flatten().collect::<Vec<_>>(), [Box::new(1)]);
    });
}

/// ABP's ends without the queue's count of steals: three items, one after the other, in the one slot there is.
fn abp_uncounted<const TAG_BITS: u32>() {
    check(|| {
        let ends = Arc::new(Ends::<TAG_BITS>::new(0));
        // Not one of loom's: what is wrong is what the ends say.
        let slot = Arc::new(AtomicUsize::new(0));
        let thief = thread::spawn({
            let (ends, slot) = (Arc::clone(&ends), Arc::clone(&slot));
            move || {
                let won = ends.look().is_some_and(|sight| ends.claim(sight.age));
                won.then(|| slot.load(Ordering::Relaxed))
            }
        });
        let mut out = Vec::new();
        for number in 0..3 {
            slot.store(number, Ordering::Relaxed);
            ends.publish(1);
            if ends.retract(0) == Retract::Last {
                out.push(number);
            }
            ends.restart(0);
        }
        out.extend(thief.join().unwrap());
        out.sort_unstable();
        assert_eq!(out, [0, 1, 2], "an item came out twice");
    });
}

#[test]
fn abp_uncounted_with_a_tag_that_does_not_come_back() {
    abp_uncounted::<2>();
}

/// The check can fail: a tag that comes back between a thief's look and its claim does not help.
#[test]
#[should_panic(expected = "an item came out twice")]
fn abp_uncounted_with_a_tag_that_comes_back_is_found() {
    abp_uncounted::<1>();
}

/// The check can fail: without the tag, a thief that looked before a restart wins an index that
/// means another item, or none.
#[test]
#[should_panic(expected = "an item came out twice")]
fn abp_aba_without_the_tag_is_found() {
    abp_uncounted::<0>();
}

/// Counts its drops.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The last handle to go, whichever it is, drops what is left, once.
fn rest_is_dropped_once<Q: Owner<Item = Dropped> + 'static>()
where
    Q::Thief: 'static,
{
    loom::model(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        let queue = Q::with_capacity(2);
        for _ in 0..3 {
            // A bounded queue gives the third back, which drops it here.
            drop(queue.push(Dropped(Arc::clone(&drops))));
        }
        let thief = queue.thief();
        let thief = thread::spawn(move || drop(thief.steal()));
        drop(queue);
        thief.join().unwrap();
        assert_eq!(drops.load(Ordering::Relaxed), 3);
    });
}

#[test]
fn rest_is_dropped_once_by_the_last_handle() {
    rest_is_dropped_once::<ChaseLev<_>>();
    rest_is_dropped_once::<ShrinkingChaseLev<_>>();
    rest_is_dropped_once::<Fifo<_>>();
    rest_is_dropped_once::<Abp<_>>();
    rest_is_dropped_once::<Locked<_>>();
}
