//! What both concurrent deques do alike, one step at a time.

use crate::deque::kit::test_kit::TestKit;
use crate::deque::{Abp, ChaseLev, Deque, Pop, Push, Steal, Stealable};

fn every_task_can_be_stolen_at_once_oldest_first<D: Deque>() {
    let kit = TestKit::<D>::new(8);
    for task in 0..3 {
        assert_eq!(kit.push(), Push::Pushed, "task {task}");
    }
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.steal(), Steal::Task(1));
    assert_eq!(kit.steal(), Steal::Empty);
    assert_eq!(kit.pop(), Pop::Stolen);
    kit.retire();
    kit.retire();
    assert_eq!(kit.push(), Push::Pushed);
    assert_eq!(kit.steal(), Steal::Task(0));
}

fn a_request_is_answered_by_the_next_push_and_by_the_next_pop<D: Deque>() {
    let kit = TestKit::<D>::new(8);
    kit.deque().request();
    assert_eq!(kit.push(), Push::Asked);
    assert!(!kit.deque().is_asked());
    assert_eq!(kit.push(), Push::Pushed);
    kit.deque().request();
    assert_eq!(kit.pop(), Pop::Asked);
    assert!(!kit.deque().is_asked());
    assert_eq!(kit.pop(), Pop::Popped);
    assert_eq!(kit.deque().stealable(), Stealable::None);
}

fn what_was_pushed_when_full_is_not_to_be_stolen<D: Deque>() {
    let kit = TestKit::<D>::new(1);
    assert_eq!(kit.push(), Push::Pushed);
    assert_eq!(kit.push(), Push::Full);
    assert_eq!(kit.steal(), Steal::Task(0));
    assert_eq!(kit.steal(), Steal::Empty);
}

macro_rules! tests {
    ($($test:ident,)*) => {$(
        #[test]
        fn $test() {
            super::$test::<Subject>();
        }
    )*};
}

mod abp {
    type Subject = super::Abp;

    tests!(
        every_task_can_be_stolen_at_once_oldest_first,
        a_request_is_answered_by_the_next_push_and_by_the_next_pop,
        what_was_pushed_when_full_is_not_to_be_stolen,
    );
}

mod chase_lev {
    type Subject = super::ChaseLev;

    tests!(
        every_task_can_be_stolen_at_once_oldest_first,
        a_request_is_answered_by_the_next_push_and_by_the_next_pop,
        what_was_pushed_when_full_is_not_to_be_stolen,
    );
}
