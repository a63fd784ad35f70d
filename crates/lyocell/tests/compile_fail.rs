//! What the types refuse, so that no run can go wrong: each file in `tests/refused` fails to compile, for the
//! reason kept beside it. And the same in the ways that are right, which compiles and runs.
//!
//! The reasons are in the words of one compiler. With another one the programs must fail all the same, in
//! whatever words; CONTRIBUTING.md tells how to keep those.
#![cfg(not(any(miri, loom)))]

#[path = "common/process.rs"]
mod process;

use lyocell::{Pool, Worker};
use process::isolated_with;
use std::cell::Cell;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// Whose words the reasons are in.
const WORDED_BY: &str = "rustc 1.95.";

#[test]
fn what_is_unsound_does_not_compile() {
    let same_words = compiler().starts_with(WORDED_BY);
    isolated_with(
        |command| {
            if !same_words {
                // New reasons are written, to copies, and none are compared.
                command.env("TRYBUILD", "overwrite");
            }
        },
        || {
            let refused = Path::new("tests/refused");
            let programs = if same_words { refused } else { &copy_of_programs(refused) };
            trybuild::TestCases::new().compile_fail(programs.join("*.rs"));
        },
    );
}

fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("a compiler");
    String::from_utf8_lossy(&version.stdout).into_owned()
}

/// The programs without the reasons.
fn copy_of_programs(refused: &Path) -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    fs::create_dir_all(&copy).expect("a directory for the programs");
    for entry in fs::read_dir(refused).expect("the programs") {
        let program = entry.expect("a program").path();
        if program.extension().is_some_and(|extension| extension == "rs") {
            let name = program.file_name().expect("a file has a name");
            fs::copy(&program, copy.join(name)).expect("a copy of a program");
        }
    }
    copy
}

#[test]
fn a_keeps_what_must_not_leave_its_thread() {
    let pool = Pool::new().unwrap();
    let (count, index) = pool.run(|w| {
        let (index, here) = (Cell::new(usize::MAX), Rc::new(1));
        let (kept, ()) = w.join(
            |_| {
                index.set(w.index());
                Rc::clone(&here)
            },
            |w| {
                w.join(|_| (), |_| ());
            },
        );
        (Rc::strong_count(&kept), index.get())
    });
    assert_eq!((count, index), (2, 0));
}

#[test]
fn tasks_of_a_scope_borrow_what_is_outside_and_the_scope() {
    let pool = Pool::new().unwrap();
    let (text, mut length) = (String::from("outside"), 0);
    pool.scope(|s| {
        s.spawn(|_| length = text.len());
        s.spawn(|_| s.spawn(|_| assert_eq!(text, "outside")));
    });
    assert_eq!(length, 7);
}

#[test]
fn results_borrow_from_outside() {
    let pool = Pool::new().unwrap();
    let text = String::from("outside");
    let (first, second) = pool.run(|w| w.join(|_| &text[..3], |_| &text[3..]));
    assert_eq!((first, second), ("out", "side"));
}

#[test]
fn the_handle_goes_where_the_task_goes() {
    fn depth(w: &Worker, left: u32) -> u32 {
        if left == 0 { 0 } else { w.join(|w| depth(w, left - 1), |_| 1).0 + 1 }
    }
    assert_eq!(Pool::new().unwrap().run(|w| depth(w, 9)), 9);
}
