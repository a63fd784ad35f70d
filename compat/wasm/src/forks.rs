//! Joins, loops and sorts.

use crate::Check;
use lyocell::{
    Abp, ChaseLev, Deque, Direct, DirectLocked, NoProbe, Pool, Probe, Receiver, Sender, Split,
    Worker, par,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) const CHECKS: &[Check] = &[
    ("join", || global().run(|w| fib(w, 20))),
    ("join without a handle", || {
        fn fib(n: u64) -> u64 {
            if n < 2 {
                return n;
            }
            let (a, b) = lyocell::join(|| fib(n - 1), || fib(n - 2));
            a + b
        }
        fib(15)
    }),
    ("join3, join4", || {
        let (a, b, c) = lyocell::join3(|| 1, || 2, || 3);
        let (d, e, f, g) = lyocell::join4(|| 4, || 5, || 6, || 7);
        a + b + c + d + e + f + g
    }),
    ("join_range", || global().run(|w| w.join_range(0..100, 0, |_, i| i as u64, |a, b| a + b))),
    ("join_context", || {
        let (a, b) = global().run(|w| w.join_context(|_, c| c.migrated(), |_, c| c.migrated()));
        u64::from(a) * 2 + u64::from(b)
    }),
    ("try_join", || {
        let failed = global().run(|w| w.try_join(|_| Err::<u64, u64>(7), |_| Ok::<u64, u64>(1)));
        let joined = global().run(|w| w.try_join(|_| Ok::<u64, u64>(30), |_| Ok(5)));
        failed.unwrap_err() + joined.map(|(a, b)| a + b).unwrap()
    }),
    ("isolated", || {
        let held = Mutex::new(0);
        global().run(|w| {
            w.for_each_with(0..10_u64, |w, i| {
                *held.lock().unwrap() += w.isolated(|w| w.sum(0..=i, |j| j));
            });
        });
        held.into_inner().unwrap()
    }),
    ("loops", || {
        let mut squares: Vec<u64> = (0..1000).collect();
        par::for_each(&mut squares, |x| *x *= *x);
        let sum = par::sum(&squares, |x| *x);
        let folded = par::fold(0..1000_u64, || 0, |sum, i| sum + i, |a, b| a + b);
        let mapped = par::map(0..10_u64, |i| i * 10);
        sum + folded + mapped.iter().sum::<u64>()
    }),
    ("loops that end early", || {
        let found = par::find_any(2..91_u64, |d| *d == 7).unwrap();
        let first = par::find_first(0..10_000_u64, |i| *i > 4_999).unwrap();
        let failed = par::try_for_each(0..1_000_u64, |i| if i == 400 { Err(i) } else { Ok(()) });
        found + first + failed.unwrap_err()
    }),
    ("a deterministic sum", || {
        let sum =
            par::map_reduce_deterministic(1..1001_u64, |i| 1.0 / i as f64, || 0.0, |a, b| a + b);
        (sum * 1000.0) as u64
    }),
    ("sorts", || {
        let mut values: Vec<u64> = (0..20_000).map(|i| i * 2_654_435_761 % 1_000_003).collect();
        par::sort(&mut values);
        let sorted = values.is_sorted();
        values.reverse();
        par::sort_unstable(&mut values);
        u64::from(sorted && values.is_sorted())
    }),
    ("coalesce", || {
        let sum = AtomicU64::new(0);
        global().run(|w| {
            w.coalesce([10_u64], 4, |_, n, bag| {
                sum.fetch_add(1, Ordering::Relaxed);
                if n > 0 {
                    bag.add(n - 1);
                    bag.add(n - 1);
                }
            });
        });
        sum.into_inner()
    }),
    ("split", || fib_on::<Split>()),
    ("direct", || fib_on::<Direct>()),
    ("direct, locked", || fib_on::<DirectLocked>()),
    ("receiver", || fib_on::<Receiver>()),
    ("sender", || fib_on::<Sender>()),
    ("chase-lev", || fib_on::<ChaseLev>()),
    ("abp", || fib_on::<Abp>()),
    ("without a cut-off", || {
        // A recursion as deep as it is wide, with little stack.
        fn depth<D: Deque, P: Probe>(w: &Worker<D, P>, n: u64) -> u64 {
            match n {
                0 => 0,
                n => w.join(move |w| depth(w, n - 1), |_| 1).0 + 1,
            }
        }
        global().run(|w| depth(w, 1_000))
    }),
    ("a loop within a loop, broken off", || {
        let row = |sum, i: u64| match par::any(0..i, |j| j == 50) {
            true => Err(i),
            false => Ok(sum + 1),
        };
        par::try_fold(0..100_u64, || 0_u64, row, |a, b| Ok(a + b)).unwrap_err()
    }),
];

pub(crate) fn global() -> &'static Pool {
    lyocell::global().expect("a pool of one worker")
}

pub(crate) fn fib<D: Deque, P: Probe>(w: &Worker<D, P>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = w.join(move |w| fib(w, n - 1), move |w| fib(w, n - 2));
    a + b
}

/// On a deque that is soon full, too.
fn fib_on<D: Deque>() -> u64 {
    let run = |capacity| {
        let pool = Pool::builder().deque::<D>().probe::<NoProbe>().deque_capacity(capacity).build();
        pool.unwrap().run(|w| fib(w, 12))
    };
    run(1 << 10) * 1_000 + run(2)
}
