//! The deques of the library, and tests that run on each of them.

// Not all programs have all rows.
#![allow(unused_imports)]

pub(crate) use lyocell::deque::direct::{
    DirectBase, DirectNonePrivate, DirectPeek, DirectPrivate, DirectTask, DirectTaskJoin,
    DirectTripWire, DirectTryLock,
};
pub(crate) use lyocell::deque::{
    Acquire, Amount, Attempts, HandOver, ReceiverOptions, SenderOptions, Share, SplitOptions,
};
pub(crate) use lyocell::{Abp, ChaseLev, DirectLocked, Pool, Receiver, Sender, Split};
pub(crate) use std::time::Duration;

/// Runs a test in this process: one of the things that the macros are given for `$run`.
// Not all programs do.
#[allow(dead_code)]
pub(crate) fn here(test: impl FnOnce()) {
    test();
}

/// A module for each deque, in it a `#[test]` for each of these functions, which makes its pools with the builder
/// it is given. `$run` calls it.
///
/// A direct task stack whose tasks are all private is left out: nobody ever steals from it.
macro_rules! on_each_deque {
    ($run:path: $($test:ident),+ $(,)?) => {
        on_each_deque! { @kinds $run, [$($test)+] }
        on_each_deque! { @locked $run, [$($test)+] }
        on_each_deque! { @others $run, [$($test)+] }
    };
    (@kinds $run:path, $tests:tt) => {
        on_each_deque! { @modules $run, $tests
            split: Split = SplitOptions::default();
            chase_lev: ChaseLev = ();
            receiver: Receiver = ReceiverOptions::default();
            sender: Sender = SenderOptions::default();
            direct: DirectPrivate = ();
        }
    };
    (@locked $run:path, $tests:tt) => {
        on_each_deque! { @modules $run, $tests direct_locked: DirectLocked = (); }
    };
    (@others $run:path, $tests:tt) => {
        on_each_deque! { @modules $run, $tests
            split_half: Split = SplitOptions::default().amount(Amount::Half);
            split_shares_one: Split = SplitOptions::default().share(Share::One);
            split_shares_all: Split = SplitOptions::default().share(Share::All);
            abp: Abp = ();
            receiver_block: Receiver =
                ReceiverOptions::default().acquire(Acquire::Block);
            receiver_half: Receiver =
                ReceiverOptions::default().amount(Amount::Half);
            sender_one: Sender = SenderOptions::default().amount(Amount::One);
            sender_two_steps: Sender = SenderOptions::default().hand_over(HandOver::TwoStep).delta(Duration::ZERO);
            sender_blind: Sender = SenderOptions::default().attempts(Attempts::Blind).amount(Amount::One);
        }
        on_each_deque! { @ablations $run, $tests }
    };
    (@ablations $run:path, $tests:tt) => {
        on_each_deque! { @modules $run, $tests
            direct_task: DirectTask = ();
            direct_task_join: DirectTaskJoin = ();
            direct_none_private: DirectNonePrivate = ();
            direct_base: DirectBase = ();
            direct_peek: DirectPeek = ();
            direct_trip_wire: DirectTripWire = ();
            direct_trylock: DirectTryLock = ();
            #[cfg(all(feature = "ablations", target_arch = "x86_64", not(miri)))]
            split_fence: lyocell::deque::SplitFence = SplitOptions::default();
        }
    };
    (@modules $run:path, $tests:tt
        $($(#[$attribute:meta])* $module:ident: $deque:ty = $options:expr;)+
    ) => {$(
        $(#[$attribute])*
        mod $module {
            #[allow(unused_imports)]
            use {crate::each_deque::*, super::*};

            on_each_deque! { @tests $run, $deque, $options, $tests }
        }
    )+};
    (@tests $run:path, $deque:ty, $options:expr, [$($test:ident)+]) => {$(
        #[test]
        fn $test() {
            // One type for all options of a deque, so that the body is compiled once for each deque.
            let builder: fn() -> lyocell::Builder<$deque> =
                || Pool::builder().deque::<$deque>().deque_options($options);
            $run(|| super::$test(builder));
        }
    )+};
}

/// As [`on_each_deque`], on one deque of each kind with its default options: what a fault, a token, an observer or a task that polls
/// meets there is the scheduler. What a fork meets it meets on the locked one too, whose owner shares a lock with thieves. With
/// `--cfg every_deque`, as `.ci/long` has it, on all.
// Most programs have no faults.
#[allow(unused_macros)]
macro_rules! on_each_kind_of_deque {
    ($run:path: $($test:ident),+ $(,)?) => {
        on_each_deque! { @kinds $run, [$($test)+] }
        #[cfg(every_deque)]
        on_each_deque! { @locked $run, [$($test)+] }
        #[cfg(every_deque)]
        on_each_deque! { @others $run, [$($test)+] }
    };
    ($run:path, the locked one too: $($test:ident),+ $(,)?) => {
        on_each_deque! { @kinds $run, [$($test)+] }
        on_each_deque! { @locked $run, [$($test)+] }
        #[cfg(every_deque)]
        on_each_deque! { @others $run, [$($test)+] }
    };
}
