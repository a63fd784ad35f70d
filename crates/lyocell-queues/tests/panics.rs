//! A sink that panics: the item that it was given is its own, and the rest of the batch still comes out.

#[path = "common/injected.rs"]
mod injected;

use injected::Injected;
use lyocell_queues::{
    Abp, CentralLocked, ChaseLev, Duplicating, Fifo, IdempotentDoubleEnded, IdempotentFifo,
    IdempotentLifo, Locked, Owner, ShrinkingChaseLev, ShrinkingFifo, Steal, StealHalf, Thief,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

const ITEMS: usize = 16;

/// Steals half, with a sink that panics at its third item, and says what it had by then.
fn steal_and_panic<T: StealHalf<Item = usize>>(thief: &T) -> Vec<usize> {
    let mut out = Vec::new();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _: Steal<usize> = thief.steal_half(|item| {
            out.push(item);
            if out.len() == 3 {
                std::panic::resume_unwind(Box::new("the sink"));
            }
        });
    }));
    assert!(caught.is_err() && out.len() == 3, "half of the items are more than three");
    out
}

/// What is left comes out by `rest`, each item once: with one thread nothing is duplicated.
fn nothing_is_lost<Q: Owner<Item = usize>>(rest: impl Fn(&Q) -> Option<usize>)
where
    Q::Thief: StealHalf,
{
    let queue = Q::with_capacity(4);
    (0..ITEMS).for_each(|item| queue.push(item).unwrap());
    // The handle goes with the thread that unwound.
    let mut out = steal_and_panic(&queue.thief());
    assert_eq!(queue.len(), ITEMS - out.len());
    out.extend(std::iter::from_fn(|| rest(&queue)));
    out.sort_unstable();
    assert_eq!(out, (0..ITEMS).collect::<Vec<_>>());
    assert!(queue.is_empty());
}

fn by_all_ways<Q: Owner<Item = usize>>()
where
    Q::Thief: StealHalf,
{
    nothing_is_lost::<Q>(|queue| queue.take());
    nothing_is_lost::<Q>(|queue| queue.thief().steal().taken());
    nothing_is_lost::<Q>(|queue| {
        let mut stolen = Vec::new();
        queue.thief().steal_half(|item| stolen.push(item)).taken()?;
        let item = stolen.pop();
        // What came along is pushed again.
        stolen.into_iter().for_each(|item| queue.push(item).unwrap());
        item
    });
}

macro_rules! nothing_is_lost {
    ($($name:ident = $queue:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            by_all_ways::<$queue<usize>>();
        }
    )*};
}

nothing_is_lost!(
    chase_lev = ChaseLev,
    shrinking_chase_lev = ShrinkingChaseLev,
    fifo = Fifo,
    shrinking_fifo = ShrinkingFifo,
    injector = Injected,
    locked = Locked,
    central_locked = CentralLocked,
    idempotent_lifo = IdempotentLifo,
    idempotent_fifo = IdempotentFifo,
    idempotent_double_ended = IdempotentDoubleEnded,
    duplicating = Duplicating,
);

#[test]
fn abp() {
    let queue = Abp::with_capacity(ITEMS);
    (0..ITEMS).for_each(|item| queue.push(item).unwrap());
    let mut out = steal_and_panic(&queue.thief());
    out.extend(std::iter::from_fn(|| queue.take()));
    out.sort_unstable();
    assert_eq!(out, (0..ITEMS).collect::<Vec<_>>());
}

#[test]
#[should_panic(expected = "give a limit of 1 or more")]
fn a_batch_of_nothing() {
    let own = Fifo::<u32>::new();
    let _: Steal<usize> = own.thief().steal_batch_with_limit(&own, 0);
}
