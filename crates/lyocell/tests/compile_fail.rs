//! What the types refuse, so that no run can go wrong: each file in `tests/refused` fails to compile, for the
//! reason kept beside it. And the same in the ways that are right, which compiles and runs.
//!
//! The reasons are in the words of one compiler; CONTRIBUTING.md tells what to do when another one words them
//! differently.
#![cfg(not(any(miri, loom)))]

use lyocell::{Pool, Worker};
use std::cell::Cell;
use std::rc::Rc;

#[test]
fn what_is_unsound_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
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
