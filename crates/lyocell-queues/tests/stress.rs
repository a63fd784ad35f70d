//! Real threads at each queue: nothing lost, nothing made up, and as often as promised.

#[path = "common/injected.rs"]
mod injected;

use injected::Injected;
use lyocell_queues::{
    Abp, AtLeastOnce, CentralLocked, ChaseLev, Duplicating, ExactlyOnce, Fifo,
    IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo, Injector, Locked, Owner, Promise,
    ShrinkingChaseLev, ShrinkingFifo, Steal, StealHalf,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

const ITEMS: usize = if cfg!(miri) { 60 } else { 100_000 };
const THIEVES: usize = 2;

/// Steals, one by one or by halves, until the owner is through and nothing is left.
fn steal_until<T: StealHalf>(
    thief: &T,
    by_halves: usize,
    over: &AtomicBool,
    mut sink: impl FnMut(T::Item),
) {
    loop {
        let last = over.load(Ordering::Acquire);
        let outcome = if by_halves == 0 {
            match thief.steal() {
                Steal::Taken(item) => {
                    sink(item);
                    Steal::Taken(1)
                }
                Steal::Empty => Steal::Empty,
                Steal::Busy => Steal::Busy,
            }
        } else {
            thief.steal_half(&mut sink)
        };
        match outcome {
            Steal::Taken(_) => {}
            Steal::Empty if last => break,
            Steal::Empty | Steal::Busy => std::hint::spin_loop(),
        }
    }
}

/// The owner pushes in bursts and takes some back, while thieves steal. Says how often each item came out.
fn stampede<Q>(make: fn(usize) -> Q::Item, number: fn(&Q::Item) -> usize) -> Vec<usize>
where
    Q: Owner,
    Q::Thief: StealHalf,
{
    let queue = Q::with_capacity(2);
    let counts: Vec<_> = (0..ITEMS).map(|_| AtomicUsize::new(0)).collect();
    let over = AtomicBool::new(false);
    let count = |item: Q::Item| {
        counts[number(&item)].fetch_add(1, Ordering::Relaxed);
    };
    thread::scope(|scope| {
        for number in 0..THIEVES {
            let thief = queue.thief();
            let (count, over) = (&count, &over);
            scope.spawn(move || steal_until(&thief, number, over, count));
        }
        for item in 0..ITEMS {
            let mut pending = make(item);
            while let Err(full) = queue.push(pending) {
                pending = full.item;
                queue.take().map(count);
            }
            if item % 7 < 3 {
                queue.take().map(count);
            }
            if item % 1000 == 0 {
                while let Some(item) = queue.take() {
                    count(item);
                }
            }
        }
        over.store(true, Ordering::Release);
    });
    while let Some(item) = queue.take() {
        count(item);
    }
    counts.into_iter().map(AtomicUsize::into_inner).collect()
}

fn exactly_once<Q>()
where
    Q: ExactlyOnce<Item = Box<usize>>,
    Q::Thief: StealHalf,
{
    for (item, count) in stampede::<Q>(Box::new, |item| **item).into_iter().enumerate() {
        assert_eq!(count, 1, "item {item}");
    }
}

fn at_least_once<Q>()
where
    Q: AtLeastOnce<Item = [usize; 3]>,
    Q::Thief: StealHalf,
{
    let number = |item: &[usize; 3]| {
        assert_eq!(item[1], !item[0], "a mixture of two items");
        assert_eq!(item[2], item[0], "a mixture of two items");
        item[0]
    };
    for (item, count) in stampede::<Q>(|item| [item, !item, item], number).into_iter().enumerate() {
        assert!(count > 0, "item {item} is lost");
        if let Promise::AtMost(most) = Q::PROMISE {
            assert!(count <= most, "item {item} came out {count} times");
        }
    }
}

#[test]
fn abp() {
    exactly_once::<Abp<_>>();
}

#[test]
fn chase_lev() {
    exactly_once::<ChaseLev<_>>();
}

#[test]
fn shrinking_chase_lev() {
    exactly_once::<ShrinkingChaseLev<_>>();
}

#[test]
fn fifo() {
    exactly_once::<Fifo<_>>();
}

#[test]
fn shrinking_fifo() {
    exactly_once::<ShrinkingFifo<_>>();
}

#[test]
fn injector() {
    exactly_once::<Injected<_>>();
}

#[test]
fn locked() {
    exactly_once::<Locked<_>>();
}

#[test]
fn central_locked() {
    exactly_once::<CentralLocked<_>>();
}

#[test]
fn idempotent_lifo() {
    at_least_once::<IdempotentLifo<_>>();
}

#[test]
fn idempotent_fifo() {
    at_least_once::<IdempotentFifo<_>>();
}

#[test]
fn idempotent_double_ended() {
    at_least_once::<IdempotentDoubleEnded<_>>();
}

#[test]
fn duplicating() {
    at_least_once::<Duplicating<_>>();
}

/// All thieves steal through one handle, at the same time.
fn one_handle<Q: ExactlyOnce<Item = Box<usize>>>()
where
    Q::Thief: StealHalf,
{
    let queue = Q::with_capacity(2);
    let thief = queue.thief();
    let counts: Vec<_> = (0..ITEMS).map(|_| AtomicUsize::new(0)).collect();
    let over = AtomicBool::new(false);
    let count = |item: Box<usize>| {
        counts[*item].fetch_add(1, Ordering::Relaxed);
    };
    thread::scope(|scope| {
        for number in 0..3 {
            let (thief, over) = (&thief, &over);
            scope.spawn(move || steal_until(thief, number % 2, over, count));
        }
        for item in 0..ITEMS {
            queue.push(Box::new(item)).unwrap();
            if item % 5 == 0 {
                queue.take().map(count);
            }
        }
        over.store(true, Ordering::Release);
    });
    assert!(counts.into_iter().all(|count| count.into_inner() == 1));
}

#[test]
fn many_threads_at_one_handle() {
    one_handle::<ChaseLev<_>>();
    one_handle::<ShrinkingChaseLev<_>>();
    one_handle::<Fifo<_>>();
    one_handle::<ShrinkingFifo<_>>();
    one_handle::<Locked<_>>();
}

/// Several push, several steal, into queues of their own; each item comes out once, and those of one pusher in its order
/// to each thief that takes them one by one.
#[test]
fn an_injector_with_many_pushers() {
    const PUSHERS: usize = 3;
    let injector = Injector::new();
    let left = AtomicUsize::new(PUSHERS);
    let counts: Vec<_> = (0..PUSHERS * ITEMS).map(|_| AtomicUsize::new(0)).collect();
    let count = |item: &usize| counts[*item].fetch_add(1, Ordering::Relaxed);
    thread::scope(|scope| {
        for pusher in 0..PUSHERS {
            let (injector, left) = (&injector, &left);
            scope.spawn(move || {
                injector.extend((pusher * ITEMS..(pusher + 1) * ITEMS).map(Box::new));
                left.fetch_sub(1, Ordering::Release);
            });
        }
        for batches in [false, true] {
            let (injector, left) = (&injector, &left);
            scope.spawn(move || {
                let own = ChaseLev::new();
                let mut last = [None; PUSHERS];
                loop {
                    let over = left.load(Ordering::Acquire) == 0;
                    let stolen =
                        if batches { injector.steal_batch_and_pop(&own) } else { injector.steal() };
                    match stolen {
                        Steal::Taken(item) => {
                            for item in
                                std::iter::once(item).chain(std::iter::from_fn(|| own.take()))
                            {
                                count(&item);
                                let before = last[*item / ITEMS].replace(*item);
                                assert!(before < Some(*item), "one pusher's items out of order");
                            }
                        }
                        Steal::Empty if over => break,
                        Steal::Empty | Steal::Busy => std::hint::spin_loop(),
                    }
                }
            });
        }
    });
    assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    assert!(injector.is_empty());
}

/// The published C11 Chase-Lev let a thief read a slot of the array that `grow` was just
/// making, before its items were copied (found by CDSChecker, Norris and Demsky, OOPSLA 2013). Here the
/// queue grows at almost every push, under thieves; an item read too early is not the one
/// pushed, which Miri and ThreadSanitizer see too.
#[test]
fn cdschecker_array_read_before_it_is_filled() {
    let rounds = if cfg!(miri) { 4 } else { 2000 };
    let most = if cfg!(miri) { 9 } else { 65 };
    for _ in 0..rounds {
        let queue = ChaseLev::with_capacity(1);
        let thief = queue.thief();
        let over = AtomicBool::new(false);
        let sum = AtomicUsize::new(0);
        let add = |item: Box<usize>| {
            sum.fetch_add(*item, Ordering::Relaxed);
        };
        thread::scope(|scope| {
            scope.spawn(|| steal_until(&{ thief }, 0, &over, add));
            (0..most).for_each(|item| queue.push(Box::new(item)).unwrap());
            over.store(true, Ordering::Release);
        });
        assert_eq!(sum.into_inner(), most * (most - 1) / 2);
    }
}
