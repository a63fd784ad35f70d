//! Memory: what a queue holds depends on how many items are in it, not on how they left.

use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, Duplicating, IdempotentFifo, Locked, Owner, ShrinkingChaseLev,
    StealHalf, Thief,
};

const MANY: u32 = if cfg!(miri) { 200 } else { 10_000 };

/// Thieves take what the owner pushes, one item at a time, after the owner took one itself.
fn stays_small_as_thieves_drain<Q: Owner<Item = u32>>() {
    let queue = Q::with_capacity(16);
    let thief = queue.thief();
    queue.push(0).unwrap();
    assert_eq!(queue.take(), Some(0));
    for item in 0..MANY {
        queue.push(item).unwrap();
        assert_eq!(thief.steal().taken(), Some(item));
    }
    assert_eq!(queue.take(), None);
    assert_eq!(queue.capacity(), 16);
    assert_eq!(queue.footprint().growths, 0);
}

#[test]
fn no_queue_grows_while_thieves_drain_it() {
    stays_small_as_thieves_drain::<Abp<_>>();
    stays_small_as_thieves_drain::<ChaseLev<_>>();
    stays_small_as_thieves_drain::<ShrinkingChaseLev<_>>();
    stays_small_as_thieves_drain::<Locked<_>>();
    stays_small_as_thieves_drain::<IdempotentFifo<_>>();
    stays_small_as_thieves_drain::<Duplicating<_>>();
}

/// As above, with one old item that nobody wants; the room is then for half of the slots at least.
#[test]
fn duplicating_settles_above_an_item_that_stays() {
    let queue = Duplicating::with_capacity(4);
    let thief = queue.thief();
    queue.push(0).unwrap();
    queue.push(1).unwrap();
    assert_eq!(queue.take(), Some(1));
    for item in 1..MANY {
        queue.push(item).unwrap();
        assert_eq!(thief.steal().taken(), Some(item - 1));
    }
    assert_eq!(queue.capacity(), 4);
    assert_eq!((queue.take(), queue.take()), (Some(MANY - 1), None));
}

/// Pushed once, stolen by thieves.
fn flooded() -> (ShrinkingChaseLev<u32>, usize) {
    let queue = ShrinkingChaseLev::with_capacity(4);
    (0..MANY).for_each(|item| queue.push(item).unwrap());
    let thief = queue.thief();
    (0..MANY).for_each(|item| assert_eq!(thief.steal().taken(), Some(item)));
    let bytes = queue.footprint().bytes;
    (queue, bytes)
}

#[test]
fn a_flood_that_thieves_drained_is_given_back_by_takes_of_nothing() {
    let (queue, large) = flooded();
    (0..usize::BITS).for_each(|_| assert_eq!(queue.take(), None));
    assert_eq!(queue.capacity(), 4);
    assert!(queue.footprint().bytes < large / 8);
}

#[test]
fn a_flood_that_thieves_drained_is_given_back_by_pushes() {
    let (queue, large) = flooded();
    let thief = queue.thief();
    for item in 0..4 * MANY {
        queue.push(item).unwrap();
        assert_eq!(thief.steal().taken(), Some(item));
    }
    assert_eq!(queue.capacity(), 4);
    assert!(queue.footprint().bytes < large / 8);
}

fn keeps_its_buffer<Q: Owner<Item = u32>>()
where
    Q::Thief: StealHalf,
{
    let queue = Q::with_capacity(64);
    let room = queue.capacity();
    let thief = queue.thief();
    for round in 1..if cfg!(miri) { 8 } else { 100 } {
        (0..32).for_each(|item| queue.push(item).unwrap());
        while thief.steal_half(|_| ()).taken().is_some() {}
        assert_eq!((queue.capacity(), queue.footprint().growths), (room, 0), "round {round}");
    }
}

#[test]
fn a_thief_of_half_leaves_the_owner_its_buffer() {
    keeps_its_buffer::<Locked<_>>();
    keeps_its_buffer::<CentralLocked<_>>();
}

/// Room for thieves' handles is used again, whoever made them.
#[test]
fn handles_that_come_and_go_take_no_more_room_than_those_at_once() {
    let queue = ChaseLev::with_capacity(4);
    for item in 0..MANY {
        queue.push(item).unwrap();
        let thieves = [queue.thief(), queue.thief()];
        let clone = thieves[1].clone();
        assert_eq!(clone.steal().taken(), Some(item));
    }
}
