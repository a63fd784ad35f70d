//! Models of the injector: blocks of one slot, where each push begins a block, and of three.

use super::check;
use crate::batch::half;
use crate::injector::Segments;
use crate::steal::Steal;
use loom::thread;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// What is left, once nobody else is at work.
fn rest<const SLOTS: usize>(injector: &Segments<Box<usize>, SLOTS>) -> Vec<usize> {
    std::iter::from_fn(|| injector.steal().taken()).map(|item| *item).collect()
}

/// A model of one queue, with blocks of one slot and of three.
macro_rules! models {
    ($($(#[$doc:meta])* $name:ident = $model:ident;)*) => {$(
        $(#[$doc])*
        mod $name {
            #[test]
            fn blocks_of_one() {
                super::$model::<1>();
            }
            #[test]
            fn blocks_of_three() {
                super::$model::<3>();
            }
        }
    )*};
}
models!(
    two_thieves_and_a_pusher = thieves;
    a_batch_beside_a_thief = batches;
    a_batch_in_vain = in_vain;
    last_handle_drops_the_rest = dropped;
);

/// Not with blocks of one slot: there a pusher and the thief wait for the other pusher at the same time, and loom follows
/// them as they yield to each other without end.
#[test]
fn two_pushers_and_a_thief() {
    const SLOTS: usize = 3;
    check(|| {
        let injector = Arc::new(Segments::<_, SLOTS>::new());
        let pushing = thread::spawn({
            let injector = Arc::clone(&injector);
            move || (0..2).for_each(|item| injector.push(Box::new(item)))
        });
        let stealing = thread::spawn({
            let injector = Arc::clone(&injector);
            move || [injector.steal().taken(), injector.steal().taken()]
        });
        injector.push(Box::new(2));
        pushing.join().unwrap();
        let mut out: Vec<_> =
            stealing.join().unwrap().into_iter().flatten().map(|item| *item).collect();
        out.extend(rest(&injector));
        assert_eq!(injector.len(), 0);
        let place = |item| out.iter().position(|&other| other == item);
        assert!(place(0) < place(1), "one pusher's items out of order");
        out.sort_unstable();
        assert_eq!(out, [0, 1, 2]);
    });
}

/// Each comes to the end of a block, and begins the next or waits for it: nobody writes where the other does.
#[test]
fn two_pushers_at_the_end_of_a_block() {
    check(|| {
        let injector = Arc::new(Segments::<_, 1>::new());
        let pushing = thread::spawn({
            let injector = Arc::clone(&injector);
            move || injector.push(Box::new(0))
        });
        injector.push(Box::new(1));
        pushing.join().unwrap();
        let mut out = rest(&injector);
        out.sort_unstable();
        assert_eq!(out, [0, 1]);
    });
}

fn thieves<const SLOTS: usize>() {
    check(|| {
        let injector = Arc::new(Segments::<_, SLOTS>::new());
        injector.push(Box::new(0));
        injector.push(Box::new(1));
        let steal = |injector: &Arc<Segments<Box<usize>, SLOTS>>| {
            let injector = Arc::clone(injector);
            move || [injector.steal().taken(), injector.steal().taken()]
        };
        let thieves = [thread::spawn(steal(&injector)), thread::spawn(steal(&injector))];
        injector.push(Box::new(2));
        let mut out = Vec::new();
        for thief in thieves {
            let stolen: Vec<usize> =
                thief.join().unwrap().into_iter().flatten().map(|item| *item).collect();
            assert!(stolen.is_sorted(), "a thief got a younger one first");
            out.extend(stolen);
        }
        out.extend(rest(&injector));
        out.sort_unstable();
        assert_eq!(out, [0, 1, 2]);
    });
}

fn batches<const SLOTS: usize>() {
    check(|| {
        let injector = Arc::new(Segments::<_, SLOTS>::new());
        (0..3).for_each(|item| injector.push(Box::new(item)));
        let batch = thread::spawn({
            let injector = Arc::clone(&injector);
            move || {
                let mut out = Vec::new();
                let stolen = injector.steal_some(|len| half(len, 2), |item| out.push(*item));
                assert_eq!(stolen.taken().unwrap_or(0), out.len());
                out
            }
        });
        let one = thread::spawn({
            let injector = Arc::clone(&injector);
            move || injector.steal().taken()
        });
        injector.push(Box::new(3));
        let mut out = batch.join().unwrap();
        out.extend(one.join().unwrap().map(|item| *item));
        out.extend(rest(&injector));
        out.sort_unstable();
        assert_eq!(out, [0, 1, 2, 3]);
    });
}

/// What the sink did not get is pushed again, beside another pusher.
fn in_vain<const SLOTS: usize>() {
    check(|| {
        let injector = Arc::new(Segments::<_, SLOTS>::new());
        (0..3).for_each(|item| injector.push(Box::new(item)));
        let batch = thread::spawn({
            let injector = Arc::clone(&injector);
            move || {
                let mut out = None;
                let panicked = catch_unwind(AssertUnwindSafe(|| {
                    injector.steal_some(
                        |len| half(len, 2),
                        |item| {
                            out = Some(*item);
                            resume_unwind(Box::new("the sink"));
                        },
                    )
                }));
                assert!(matches!(panicked, Err(_) | Ok(Steal::Busy)));
                out
            }
        });
        injector.push(Box::new(3));
        let mut out: Vec<_> = batch.join().unwrap().into_iter().collect();
        out.extend(rest(&injector));
        out.sort_unstable();
        assert_eq!(out, [0, 1, 2, 3]);
    });
}

/// What nobody stole goes with the queue; a second free, or none, is loom's to find.
fn dropped<const SLOTS: usize>() {
    check(|| {
        let injector = Arc::new(Segments::<_, SLOTS>::new());
        let item = loom::sync::Arc::new(());
        (0..2).for_each(|_| injector.push(loom::sync::Arc::clone(&item)));
        let thief = thread::spawn({
            let injector = Arc::clone(&injector);
            move || drop(injector.steal())
        });
        injector.push(loom::sync::Arc::clone(&item));
        thief.join().unwrap();
        drop(injector);
        assert!(loom::sync::Arc::try_unwrap(item).is_ok(), "an item is held");
    });
}
