//! Real threads at each queue: nothing lost, nothing made up, and as often as promised.

use lyocell_queues::{
    CentralLocked, ChaseLev, ExactlyOnce, Locked, ShrinkingChaseLev, Steal, StealHalf, Thief,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

const ITEMS: usize = if cfg!(miri) { 100 } else { 100_000 };
const THIEVES: usize = 2;

/// Pushes in bursts, takes some back, while thieves steal; every item comes out once.
fn stampede<Q>()
where
    Q: ExactlyOnce<Item = Box<usize>>,
    Q::Thief: StealHalf,
{
    let queue = Q::with_capacity(2);
    let seen: Vec<_> = (0..ITEMS).map(|_| AtomicUsize::new(0)).collect();
    let pushed_all = AtomicBool::new(false);
    let count = |item: Box<usize>| {
        seen[*item].fetch_add(1, Ordering::Relaxed);
    };
    thread::scope(|scope| {
        for number in 0..THIEVES {
            let thief = queue.thief();
            let (count, pushed_all) = (&count, &pushed_all);
            scope.spawn(move || {
                loop {
                    let over = pushed_all.load(Ordering::Acquire);
                    let outcome = if number % 2 == 0 {
                        match thief.steal() {
                            Steal::Taken(item) => {
                                count(item);
                                Steal::Taken(1)
                            }
                            Steal::Empty => Steal::Empty,
                            Steal::Busy => Steal::Busy,
                        }
                    } else {
                        thief.steal_half(count)
                    };
                    if over && outcome == Steal::Empty {
                        break;
                    }
                }
            });
        }
        for item in 0..ITEMS {
            while let Err(full) = queue.push(Box::new(item)) {
                assert_eq!(*full.item, item);
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
        pushed_all.store(true, Ordering::Release);
    });
    assert!(queue.is_empty());
    for (item, count) in seen.iter().enumerate() {
        assert_eq!(count.load(Ordering::Relaxed), 1, "item {item}");
    }
}

#[test]
fn stampede_chase_lev() {
    stampede::<ChaseLev<_>>();
}

#[test]
fn stampede_shrinking_chase_lev() {
    stampede::<ShrinkingChaseLev<_>>();
}

#[test]
fn stampede_locked() {
    stampede::<Locked<_>>();
    stampede::<CentralLocked<_>>();
}
