//! What the environment says about pools.

mod common;

use common::{part, play, text_of};
use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

#[test]
fn the_number_of_threads() {
    if let Some(expected) = part() {
        let threads = match expected.as_str() {
            "all" => std::thread::available_parallelism().map_or(1, usize::from),
            number => number.parse().unwrap(),
        };
        let pool = rayon_core::ThreadPoolBuilder::new().build().unwrap();
        assert_eq!(
            (pool.current_num_threads(), rayon_core::current_num_threads()),
            (threads, threads)
        );
        let chosen = rayon_core::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
        assert_eq!(chosen.current_num_threads(), 5);
        return;
    }
    let new = "RAYON_NUM_THREADS";
    let old = "RAYON_RS_NUM_CPUS";
    for (expected, variables) in [
        ("all", &[][..]),
        ("3", &[(new, "3")]),
        ("all", &[(new, "0")]),
        ("all", &[(new, "")]),
        ("all", &[(new, "many")]),
        ("4", &[(old, "4")]),
        ("3", &[(new, "3"), (old, "4")]),
        ("4", &[(new, "many"), (old, "4")]),
        ("all", &[(new, "0"), (old, "4")]),
        // Lyocell's own variable is for Lyocell's own pools.
        ("3", &[(new, "3"), ("LYOCELL_WORKERS", "7")]),
        ("all", &[("LYOCELL_WORKERS", "7")]),
    ] {
        let output = play("the_number_of_threads", expected, variables);
        assert!(output.status.success(), "{variables:?}: {}", text_of(&output));
    }
}

/// Takes a mebibyte of stack for each level.
fn deep(levels: usize) -> usize {
    let frame = [levels; (1 << 20) / std::mem::size_of::<usize>()];
    let frame = std::hint::black_box(&frame);
    if levels == 0 {
        0
    } else {
        1 + deep(frame[levels] - 1)
    }
}

#[test]
fn the_stack() {
    if let Some(levels) = part() {
        let levels = levels.parse().unwrap();
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| deep(levels)), levels);
        return;
    }
    for (levels, variables, fits) in [
        ("2", &[][..], true),
        ("2", &[("RUST_MIN_STACK", "2097152")], false),
        ("90", &[("RUST_MIN_STACK", "134217728")], true),
    ] {
        let output = play("the_stack", levels, variables);
        assert_eq!(output.status.success(), fits, "{levels} {variables:?}: {}", text_of(&output));
    }
}

/// How many tasks that were spawned before run on the thread that is in `install`, while that waits: until there is one, if that
/// is expected.
fn strangers_beneath_an_install(expected: bool) -> usize {
    thread_local!(static IS_IN_INSTALL: Cell<bool> = const { Cell::new(false) });
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.unwrap_or_else(|error| panic!("{error}"));
    let (strangers, forked) = (AtomicUsize::new(0), AtomicBool::new(false));
    let stranger = || {
        // So that the other thread is kept by the first of them, and has not had all before it finds what is forked.
        std::thread::sleep(Duration::from_micros(20));
        while !forked.load(Relaxed) {
            std::thread::yield_now();
        }
        strangers.fetch_add(usize::from(IS_IN_INSTALL.get()), Relaxed);
    };
    pool.scope(|s| {
        (0..500).for_each(|_| s.spawn(|_| stranger()));
        IS_IN_INSTALL.set(true);
        pool.install(|| {
            let begun = AtomicBool::new(false);
            let wait = || {
                forked.store(true, Relaxed);
                while !begun.load(Relaxed) {
                    rayon_core::join(|| (), || ());
                }
            };
            let keep_waiting = || {
                begun.store(true, Relaxed);
                let start = Instant::now();
                // Whoever is to run some of them has all the time that it needs; that nobody does is seen in a while.
                while start.elapsed() < Duration::from_millis(5)
                    || expected && strangers.load(Relaxed) == 0
                {
                    std::thread::sleep(Duration::from_millis(1));
                }
            };
            rayon_core::join(wait, keep_waiting);
        });
        IS_IN_INSTALL.set(false);
    });
    strangers.into_inner()
}

#[test]
fn what_is_installed_is_isolated_if_asked() {
    if let Some(part) = part() {
        let expected = part == "not isolated";
        assert_eq!(strangers_beneath_an_install(expected) > 0, expected);
        return;
    }
    let name = "LYOCELL_ISOLATED_INSTALLS";
    for (part, value) in [("not isolated", ""), ("isolated", "1")] {
        let output = play("what_is_installed_is_isolated_if_asked", part, &[(name, value)]);
        assert!(output.status.success(), "{part}: {}", text_of(&output));
    }
    let output = play("what_is_installed_is_isolated_if_asked", "isolated", &[(name, "yes")]);
    assert!(!output.status.success());
    let expected = format!("{name} is \"yes\", which is not `1`: set it to that, or unset it");
    assert!(text_of(&output).contains(&expected), "{}", text_of(&output));
}
