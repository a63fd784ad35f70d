//! What the environment says about pools.

mod common;

use common::{part, play, text_of};

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
