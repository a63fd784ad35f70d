//! `LYOCELL_WORKERS`, each value in a process of its own.
#![cfg(not(miri))]

mod common;
#[path = "common/process.rs"]
mod process;

use common::panic_of;
use lyocell::{BuildError, Pool};
use process::isolated_with;
use std::process::Command;

/// The variable with this value.
fn set(value: &'static str) -> impl FnOnce(&mut Command) {
    move |command| {
        command.env("LYOCELL_WORKERS", value);
    }
}

#[test]
fn a_number_is_the_default() {
    isolated_with(set("3"), || {
        assert_eq!(Pool::new().unwrap().workers(), 3);
        assert_eq!(lyocell::global().unwrap().workers(), 3);
        assert_eq!(lyocell::join(|| 1, || 2), (1, 2));
    });
}

#[test]
fn spaces_around_it_do_not_matter() {
    isolated_with(set(" 5\n"), || assert_eq!(Pool::new().unwrap().workers(), 5));
}

#[test]
fn the_builder_overrules_it() {
    isolated_with(set("3"), || {
        assert_eq!(Pool::builder().workers(2).build().unwrap().workers(), 2);
    });
}

#[test]
fn the_builder_overrules_even_nonsense() {
    isolated_with(set("nonsense"), || {
        assert_eq!(Pool::builder().workers(2).build().unwrap().workers(), 2);
        assert!(Pool::new().is_err());
    });
}

#[test]
fn unset_the_processors_count() {
    let unset = |command: &mut Command| {
        command.env_remove("LYOCELL_WORKERS");
    };
    isolated_with(unset, || every_way_in_has(processors()));
}

/// As shells and containers leave it that pass on a variable that is not set.
#[test]
fn empty_it_counts_as_unset() {
    isolated_with(set(""), || every_way_in_has(processors()));
}

/// Those that this process may use, as far as there can be workers.
fn processors() -> usize {
    std::thread::available_parallelism().unwrap().get().min(1023)
}

fn every_way_in_has(workers: usize) {
    assert_eq!(Pool::new().unwrap().workers(), workers);
    assert_eq!(lyocell::global().unwrap().workers(), workers);
}

/// The pool is refused with this value named, by every way in.
fn is_refused(value: &str) {
    let error = Pool::new().unwrap_err();
    assert!(matches!(&error, BuildError::Environment { value: told, .. } if told == value));
    let expected = format!(
        "LYOCELL_WORKERS is {value:?}, which is not a number from 1 to 1023: \
         set it to that, or unset it"
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(lyocell::global().unwrap_err().to_string(), expected);
    let text = panic_of(|| lyocell::join(|| (), || ()));
    assert_eq!(text, format!("lyocell has no global pool: {expected}"));
    assert_eq!(panic_of(|| lyocell::spawn_detached(|| ())), text);
    assert_eq!(panic_of(|| lyocell::scope(|_| ())), text);
    assert_eq!(panic_of(|| lyocell::par::for_each(0..3, |_| ())), text);
}

fn expose(value: &'static str) -> impl FnOnce(&mut Command) {
    move |command| {
        command.env("LYOCELL_EXPOSE", value);
    }
}

fn a_pool_is_built() {
    let pool = Pool::builder().workers(2).build().unwrap();
    assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
}

/// It is no word that is passed over.
#[test]
fn a_word_that_exposing_does_not_know_is_refused() {
    isolated_with(expose("banana"), || {
        let error = Pool::builder().workers(2).build().unwrap_err().to_string();
        assert_eq!(
            error,
            "LYOCELL_EXPOSE is \"banana\", which is not `off`: set it to that, or unset it"
        );
    });
}

#[test]
fn exposing_is_off_by_the_word_for_it() {
    isolated_with(expose("off"), || {
        a_pool_is_built();
    });
}

#[test]
fn exposing_is_as_the_builder_says_without_a_word() {
    isolated_with(expose(""), || {
        a_pool_is_built();
    });
}

#[test]
fn zero_is_refused() {
    isolated_with(set("0"), || is_refused("0"));
}

#[test]
fn one_too_many_is_refused() {
    isolated_with(set("1024"), || is_refused("1024"));
}

#[test]
fn a_negative_number_is_refused() {
    isolated_with(set("-2"), || is_refused("-2"));
}

#[test]
fn a_word_is_refused() {
    isolated_with(set("all"), || is_refused("all"));
}

#[test]
fn spaces_alone_are_refused() {
    isolated_with(set(" "), || is_refused(" "));
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = |command: &mut Command| {
        command.env("LYOCELL_WORKERS", std::ffi::OsStr::from_bytes(b"\xff4"));
    };
    isolated_with(bytes, || is_refused("\u{fffd}4"));
}

fn check_locks(value: &'static str) -> impl FnOnce(&mut Command) {
    move |command| {
        command.env("LYOCELL_CHECK_LOCKS", value);
    }
}

#[test]
fn a_word_that_looking_for_locks_does_not_know_is_refused() {
    isolated_with(check_locks("yes"), || {
        let error = Pool::builder().workers(2).build().unwrap_err().to_string();
        assert_eq!(
            error,
            "LYOCELL_CHECK_LOCKS is \"yes\", which is not `1`: set it to that, or unset it"
        );
    });
}

#[test]
fn locks_are_not_looked_for_without_a_word() {
    isolated_with(check_locks(""), || {
        a_pool_is_built();
    });
}
