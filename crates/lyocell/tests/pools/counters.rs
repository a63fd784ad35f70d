//! Counters over every deque: what they say is what happened.

use crate::common::{join_stolen, many};
use lyocell::deque::direct::{
    DirectBase, DirectNonePrivate, DirectPeek, DirectPrivate, DirectTask, DirectTaskJoin,
    DirectTripWire, DirectTryLock,
};
use lyocell::deque::{
    Acquire, Amount, HandOver, ReceiverOptions, SenderOptions, Share, SplitOptions,
};
use lyocell::probe::{Counters, Counts, Event, Phase, Spent, Times};
use lyocell::{Abp, Builder, ChaseLev, Deque, DirectLocked, Pool, Receiver, Sender, Split, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

macro_rules! tests {
    ($deque:ty, $options:expr; $($name:ident,)*) => {$(
        #[test]
        fn $name() {
            super::$name(|| {
                Pool::builder().deque::<$deque>().deque_options($options).probe::<Counters>()
            });
        }
    )*};
}

/// One line a deque: the module of its tests, the type, the options, and further tests of it.
macro_rules! deques {
    ($($(#[$attribute:meta])* $module:ident: $deque:ty = $options:expr $(, $also:ident)*;)*) => {$(
        $(#[$attribute])*
        mod $module {
            use super::*;

            tests!($deque, $options;
                every_task_is_counted_once,
                whoever_starts_again_starts_from_nothing,
                $($also,)*
            );
        }
    )*};
}

deques! {
    split: Split = SplitOptions::default(), steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt,
        shares_after_stolen_tasks_are_told_apart;
    split_half: Split = SplitOptions::default().amount(Amount::Half),
        nothing_is_dealt;
    split_shares_all: Split = SplitOptions::default().share(Share::All),
        steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt,
        shares_after_stolen_tasks_are_told_apart;
    chase_lev: ChaseLev = (), steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt;
    abp: Abp = (), steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt;
    receiver: Receiver = ReceiverOptions::default(),
        steals_are_the_tasks_that_ran_elsewhere, what_is_dealt_arrives, deals_are_asked_for;
    receiver_block: Receiver =
        ReceiverOptions::default().acquire(Acquire::Block),
        steals_are_the_tasks_that_ran_elsewhere, what_is_dealt_arrives, deals_are_asked_for;
    receiver_half: Receiver = ReceiverOptions::default().amount(Amount::Half),
        what_is_dealt_arrives, deals_are_asked_for;
    sender: Sender = SenderOptions::default(), what_is_dealt_arrives;
    sender_one: Sender = SenderOptions::default().amount(Amount::One),
        steals_are_the_tasks_that_ran_elsewhere, what_is_dealt_arrives;
    sender_two_steps: Sender =
        SenderOptions::default().hand_over(HandOver::TwoStep).delta(Duration::ZERO),
        what_is_dealt_arrives;
    direct: DirectPrivate = (), steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt;
    direct_locked: DirectLocked = (), steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt;
    direct_task: DirectTask = (), steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt;
    direct_task_join: DirectTaskJoin = (), steals_are_the_tasks_that_ran_elsewhere;
    direct_none_private: DirectNonePrivate = (), steals_are_the_tasks_that_ran_elsewhere;
    direct_base: DirectBase = (), steals_are_the_tasks_that_ran_elsewhere;
    direct_peek: DirectPeek = (), steals_are_the_tasks_that_ran_elsewhere;
    direct_trip_wire: DirectTripWire = (), steals_are_the_tasks_that_ran_elsewhere;
    direct_trylock: DirectTryLock = (), steals_are_the_tasks_that_ran_elsewhere;
    #[cfg(all(feature = "ablations", target_arch = "x86_64", not(miri)))]
    split_fence: lyocell::deque::SplitFence = SplitOptions::default(),
        steals_are_the_tasks_that_ran_elsewhere, nothing_is_dealt;
}

type Counted<D> = Pool<D, Counters>;

fn pool<D: Deque>(builder: &impl Fn() -> Builder<D, Counters>, workers: usize) -> Counted<D> {
    builder().workers(workers).build().expect("a small pool")
}

/// All workers together.
fn counts<D: Deque>(pool: &Counted<D>) -> Counts {
    pool.probes().map(Counters::counts).reduce(|sum, one| sum.merge(&one)).expect("a worker")
}

/// Steals and leaps.
fn taken(counts: &Counts) -> usize {
    counts.of(Event::Steal) + counts.of(Event::Leap)
}

/// A tree of joins; tells how many there were.
fn fork<D: Deque>(w: &Worker<D, Counters>, levels: usize) -> usize {
    if levels < 2 {
        return 0;
    }
    let (a, b) = w.join(|w| fork(w, levels - 1), |w| fork(w, levels - 2));
    1 + a + b
}

/// A tree of frames of three tasks each; tells how many tasks there were.
fn spread<D: Deque>(w: &Worker<D, Counters>, levels: usize) -> usize {
    if levels == 0 {
        return 0;
    }
    w.join_range(0..3, 0, |w, _| 1 + spread(w, levels - 1), |a, b| a + b)
}

fn every_task_is_counted_once<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    for workers in [1, 2, 3, 8] {
        let pool = pool(&builder, workers);
        let mut spawned = 0;
        for _ in 0..many(20, 2) {
            spawned += pool.run(|w| fork(w, many(16, 6)));
            spawned += pool.run(|w| spread(w, many(6, 3)));
            assert_eq!(counts(&pool).of(Event::Spawn), spawned, "{workers} workers");
        }
        assert!(counts(&pool).peak_depth > 2);
    }
    // Without room for them, tasks are still tasks.
    let pool = builder().workers(1).deque_capacity(2).build().unwrap();
    let spawned = pool.run(|w| spread(w, 4) + fork(w, 8));
    assert_eq!(counts(&pool).of(Event::Spawn), spawned);
}

fn whoever_starts_again_starts_from_nothing<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    let pool = pool(&builder, 2);
    for _ in 0..many(10, 2) {
        pool.probes().for_each(Counters::reset);
        let before = counts(&pool);
        assert_eq!((before.of(Event::Spawn), taken(&before), before.peak_depth), (0, 0, 0));
        let spawned = pool.run(|w| fork(w, 12));
        assert_eq!(counts(&pool).of(Event::Spawn), spawned);
    }
}

/// As [`fork`], and counts the tasks that a worker runs which did not spawn them.
fn fork_noting<D: Deque>(w: &Worker<D, Counters>, levels: usize, elsewhere: &AtomicUsize) {
    if levels < 2 {
        return;
    }
    let spawner = w.index();
    w.join(
        |w| fork_noting(w, levels - 1, elsewhere),
        |w| {
            if w.index() != spawner {
                elsewhere.fetch_add(1, Ordering::Relaxed);
            }
            fork_noting(w, levels - 2, elsewhere);
        },
    );
}

fn steals_are_the_tasks_that_ran_elsewhere<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    for workers in [2, 3, 8] {
        let pool = pool(&builder, workers);
        let elsewhere = AtomicUsize::new(0);
        for _ in 0..many(20, 2) {
            pool.run(|w| fork_noting(w, many(16, 6), &elsewhere));
        }
        // The one that must be stolen, and those that may be meanwhile.
        pool.run(|w| join_stolen_noting(w, &elsewhere));
        let elsewhere = elsewhere.into_inner();
        assert_eq!(taken(&counts(&pool)), elsewhere, "{workers} workers");
        assert!(elsewhere > 0);
    }
}

/// A join whose `b` runs elsewhere, and so may what `a` joins until then.
fn join_stolen_noting<D: Deque>(w: &Worker<D, Counters>, elsewhere: &AtomicUsize) {
    let started = AtomicUsize::new(0);
    w.join(
        |w| {
            while started.load(Ordering::Relaxed) == 0 {
                fork_noting(w, 2, elsewhere);
                std::thread::yield_now();
            }
        },
        |_| {
            elsewhere.fetch_add(1, Ordering::Relaxed);
            started.store(1, Ordering::Relaxed);
        },
    );
}

fn shares_after_stolen_tasks_are_told_apart<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    let pool = pool(&builder, 2);
    pool.run(|w| {
        for _ in 0..10 {
            join_stolen(w, |_| (), |_| ());
        }
    });
    let counts = counts(&pool);
    let [retires, grows, reshares] =
        [Event::Retire, Event::Grow, Event::Reshare].map(|event| counts.of(event));
    assert_eq!(retires, taken(&counts), "each stolen task is retired by its owner");
    // The push after each of the ten but the last; and no more than there are of either.
    assert!((9..=retires.min(grows)).contains(&reshares), "{retires} {grows} {reshares}");
}

fn nothing_is_dealt<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    let pool = pool(&builder, 2);
    pool.run(|w| join_stolen(w, |w| fork(w, many(16, 6)), |w| fork(w, many(16, 6))));
    let counts = counts(&pool);
    assert!(taken(&counts) > 0);
    assert_eq!((counts.of(Event::Deal), counts.of(Event::DealRequest)), (0, 0));
}

fn what_is_dealt_arrives<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    for workers in [2, 3, 8] {
        let pool = pool(&builder, workers);
        for _ in 0..many(20, 2) {
            pool.run(|w| join_stolen(w, |w| fork(w, many(14, 6)), |w| fork(w, many(14, 6))));
        }
        let counts = counts(&pool);
        assert!(counts.of(Event::Deal) > 0);
        assert_eq!(taken(&counts), counts.of(Event::Deal), "{workers} workers");
    }
}

fn deals_are_asked_for<D: Deque>(builder: impl Fn() -> Builder<D, Counters>) {
    let pool = pool(&builder, 3);
    for _ in 0..many(20, 2) {
        pool.run(|w| join_stolen(w, |w| fork(w, many(14, 6)), |w| fork(w, many(14, 6))));
    }
    let counts = counts(&pool);
    assert!(counts.of(Event::DealRequest) >= counts.of(Event::Deal), "{counts:?}");
}

#[test]
fn times_of_a_run_add_up_to_its_length_for_every_worker() {
    let pool = Pool::builder().workers(2).probe::<(Counters, Times)>().build().unwrap();
    let whole = |spent: &Spent| spent.total();
    for _ in 0..many(20, 2) {
        let before = Instant::now();
        pool.probes().for_each(|probe| probe.1.reset());
        let start = Instant::now();
        pool.run(|w| join_stolen(w, |_| (), |_| ()));
        let ran = start.elapsed();
        let spent: Vec<Spent> = pool.probes().map(|probe| probe.1.spent()).collect();
        let around = before.elapsed();
        for spent in &spent {
            assert!((ran..=around).contains(&whole(spent)), "{ran:?} to {around:?}: {spent:?}");
        }
        assert!(spent.iter().all(|spent| !spent.on(Phase::Application).is_zero()));
    }
}
