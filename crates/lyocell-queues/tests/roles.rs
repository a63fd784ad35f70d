//! Who may do what, as the compiler sees it, and what the bounds are.

use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, Duplicating, Full, IdempotentDoubleEnded, IdempotentFifo,
    IdempotentLifo, Locked, Owner, ShrinkingChaseLev, Thief,
};
use std::cell::Cell;

/// Has one impl for every type and a second for the shareable ones, so that naming it for a
/// shareable type does not compile.
trait NotSync<Marker> {
    fn check() {}
}
impl<T: ?Sized> NotSync<()> for T {}
impl<T: ?Sized + Sync> NotSync<u8> for T {}

fn moves<T: Send>() {}

macro_rules! roles {
    ($($queue:ty),* $(,)?) => {$(
        <$queue as NotSync<_>>::check();
        moves::<$queue>();
        moves::<<$queue as Owner>::Thief>();
    )*};
}

#[test]
fn owners_and_thieves_move_and_owners_are_not_shared() {
    roles!(
        Abp<u32>,
        ChaseLev<u32>,
        ShrinkingChaseLev<u32>,
        Locked<u32>,
        CentralLocked<u32>,
        IdempotentLifo<u32>,
        IdempotentFifo<u32>,
        IdempotentDoubleEnded<u32>,
        Duplicating<u32>,
    );
}

/// A `Cell` may move to a thief, though it may not be shared.
#[test]
fn items_need_not_be_sync() {
    let queue = ChaseLev::with_capacity(4);
    queue.push(Cell::new(1)).unwrap();
    let thief = queue.thief();
    let stolen = std::thread::spawn(move || thief.steal().taken().map(Cell::into_inner));
    assert_eq!(stolen.join().unwrap(), Some(1));
}

/// Fills until full, and says after how many.
fn fill<Q: Owner<Item = u32>>(queue: &Q) -> usize {
    for number in 0.. {
        if let Err(Full { item, capacity }) = queue.push(number) {
            assert_eq!(item, number);
            assert_eq!(capacity, queue.len());
            return capacity;
        }
    }
    unreachable!("a bounded queue fills");
}

#[test]
fn abp_is_full_at_its_capacity_and_starts_again_when_empty() {
    let queue = Abp::with_capacity(5);
    assert_eq!(fill(&queue), 8);
    // Thieves empty it; the owner has not taken since, and pushes again all the same.
    let thief = queue.thief();
    while thief.steal().taken().is_some() {}
    assert_eq!(fill(&queue), 8);
}

#[cfg(not(miri))] // half a million items
#[test]
fn idempotent_double_ended_is_full_when_its_anchor_is() {
    let queue = IdempotentDoubleEnded::with_capacity(2);
    let most = fill(&queue);
    assert!(most >= 1 << 9);
    // It is still whole, and round the corner of its head.
    let thief = queue.thief();
    for number in 0..most as u32 {
        assert_eq!(thief.steal().taken(), Some(number));
    }
    assert_eq!(fill(&queue), most);
    assert_eq!(queue.take(), Some(most as u32 - 1));
}

#[test]
#[should_panic(expected = "holds at most")]
fn idempotent_double_ended_says_what_it_cannot_hold() {
    drop(IdempotentDoubleEnded::<u32>::with_capacity(1 << 30));
}

#[test]
fn full_says_what_to_do() {
    let full = Full { item: "item", capacity: 7 };
    assert_eq!(
        full.to_string(),
        "no room in a work-stealing queue of capacity 7: work on the item now, or make the queue with a larger capacity"
    );
}
