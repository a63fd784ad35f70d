//! Who may do what, as the compiler sees it, and what the bounds are.

use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, ChaseLevWatcher, Duplicating, Fifo, Full, IdempotentDoubleEnded,
    IdempotentFifo, IdempotentLifo, Injector, Locked, Owner, ShrinkingChaseLev, ShrinkingFifo,
    Steal, StealHalf, Thief,
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
fn shared<T: Send + Sync>() {}

macro_rules! roles {
    ($($queue:ty),* $(,)?) => {$(
        <$queue as NotSync<_>>::check();
        moves::<$queue>();
        shared::<<$queue as Owner>::Thief>();
    )*};
}

#[test]
fn owners_move_and_are_not_shared_and_thieves_are() {
    roles!(
        Abp<u32>,
        ChaseLev<u32>,
        ShrinkingChaseLev<u32>,
        Fifo<u32>,
        ShrinkingFifo<u32>,
        Locked<u32>,
        CentralLocked<u32>,
        IdempotentLifo<u32>,
        IdempotentFifo<u32>,
        IdempotentDoubleEnded<u32>,
        Duplicating<u32>,
    );
}

/// Also of items that are not shared themselves.
#[test]
fn injectors_and_watchers_are_shared() {
    shared::<Injector<Cell<u32>>>();
    shared::<ChaseLevWatcher<Cell<u32>>>();
    shared::<<ChaseLev<Cell<u32>> as Owner>::Thief>();
}

fn begins_empty<Q: Owner<Item = u32> + Default>() {
    let queue = Q::default();
    assert!(queue.is_empty() && queue.thief().is_empty());
    assert!(queue.capacity() >= 64);
    queue.extend(0..100).unwrap();
    assert_eq!((queue.len(), queue.thief().len()), (100, 100));
}

#[test]
fn queues_that_grow_are_made_without_a_capacity() {
    begins_empty::<ChaseLev<_>>();
    begins_empty::<ShrinkingChaseLev<_>>();
    begins_empty::<Fifo<_>>();
    begins_empty::<ShrinkingFifo<_>>();
    begins_empty::<Locked<_>>();
    begins_empty::<CentralLocked<_>>();
    begins_empty::<IdempotentLifo<_>>();
    begins_empty::<IdempotentFifo<_>>();
    begins_empty::<IdempotentDoubleEnded<_>>();
    begins_empty::<Duplicating<_>>();
}

/// A batch comes out of any queue as its own owner would have taken it; `first` is the one that is returned.
fn batch_between<Q, P>(first: u32, then: [u32; 2])
where
    Q: Owner<Item = u32>,
    Q::Thief: StealHalf,
    P: Owner<Item = u32>,
{
    let (queue, own) = (Q::with_capacity(16), P::with_capacity(16));
    queue.extend(1..=6).unwrap();
    assert_eq!(queue.thief().steal_batch_and_pop(&own), Steal::Taken(first));
    assert_eq!([own.take(), own.take()], then.map(Some));
    assert_eq!((own.take(), queue.len()), (None, 3));
    queue.extend(7..=9).unwrap();
    let others: Vec<_> = std::iter::from_fn(|| queue.take()).collect();
    queue.extend(1..=6).unwrap();
    assert_eq!((others.len(), queue.thief().steal_batch(&own)), (6, Steal::Taken(3)));
    assert_eq!([own.take(), own.take(), own.take()], [first, then[0], then[1]].map(Some));
}

#[test]
fn a_batch_keeps_the_order_of_the_queue_it_is_from() {
    batch_between::<ChaseLev<_>, Abp<_>>(3, [2, 1]);
    batch_between::<Abp<_>, Fifo<_>>(3, [2, 1]);
    batch_between::<Fifo<_>, ChaseLev<_>>(1, [2, 3]);
    batch_between::<Fifo<_>, ShrinkingFifo<_>>(1, [2, 3]);
    batch_between::<Locked<_>, IdempotentFifo<_>>(3, [2, 1]);
    batch_between::<IdempotentLifo<_>, ChaseLev<_>>(6, [5, 4]);
    batch_between::<IdempotentLifo<_>, Fifo<_>>(6, [5, 4]);
    batch_between::<IdempotentDoubleEnded<_>, Duplicating<_>>(3, [2, 1]);
}

/// Nothing leaves a queue for one that has no room for it.
#[test]
fn a_batch_has_room() {
    let (queue, own) = (ChaseLev::new(), Abp::with_capacity(2));
    queue.extend(1..=20).unwrap();
    let thief = queue.thief();
    assert_eq!(thief.steal_batch(&own), Steal::Taken(2));
    assert_eq!((own.room(), thief.steal_batch(&own)), (0, Steal::Taken(0)));
    assert_eq!(thief.steal_batch_and_pop(&own), Steal::Taken(3));
    assert_eq!((own.len(), queue.len()), (2, 17));
    // Thieves of its own make room, when there are none left.
    while own.thief().steal().is_taken() {}
    assert_eq!((own.room(), thief.steal_batch_and_pop(&own)), (2, Steal::Taken(6)));
}

#[test]
fn an_injector_is_a_thief_by_reference_and_counted() {
    fn oldest<T: Thief>(thief: &T) -> Option<T::Item> {
        thief.steal().taken()
    }
    let injector: Injector<_> = (0..200).collect();
    assert_eq!((injector.len(), Thief::len(&&injector)), (200, 200));
    assert_eq!(oldest(&&injector), Some(0));
    assert_eq!(oldest(&std::sync::Arc::new(injector)), Some(1));
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
