//! A token that is set while a worker forks, and a thief that asks which token what it has won is under.

use super::confined::team;
use super::{explore, race, role};
use crate::cancel::{Cancel, Token};
use crate::deque::{Deque, Direct, Split};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A worker that was asked already when the token is set, and forgets that, sees the flag; or it is asked still (token-2).
#[test]
fn who_goes_on_under_a_set_token_is_asked_still() {
    fn check<D: Deque<Options: Default>>() {
        explore(3, || {
            let team = team::<D>();
            let owner = &team.workers[0];
            let cancel = Cancel::new();
            // SAFETY: dropped below, while the pool is there.
            let listening = unsafe { owner.listen_to(&cancel) };
            owner.owner.deque.request();
            let cancels = cancel.clone();
            let canceller = role(move || cancels.cancel());
            let goes_on = Cell::new(false);
            race([canceller], || {
                let token = Token::within(&cancel, None);
                let forks = || {
                    owner.join(|_| (), |_| ());
                    goes_on.set(true);
                };
                let _ = catch_unwind(AssertUnwindSafe(|| owner.under(Some(token), forks)));
            });
            drop(listening);
            assert!(!goes_on.get() || owner.owner.deque.is_asked());
        });
    }
    check::<Split>();
    check::<Direct>();
}

/// Entries come and go above the task that a thief asks about, and the one that it is under stands (entries-2).
#[test]
fn a_thief_runs_its_task_under_the_token_of_its_owner() {
    fn check<D: Deque<Options: Default>>() {
        explore(3, || {
            let team = team::<D>();
            let owner = &team.workers[0];
            owner.owner.deque.request();
            let steals = Arc::clone(&team);
            let thief = role(move || {
                let thief = &steals.workers[1];
                thief.steal_from(0).into_iter().for_each(|found| thief.execute(found));
                thief.stop_asking();
            });
            race([thief], || {
                let token = Token::within(&Cancel::new(), None);
                owner.under(Some(token), || {
                    owner.under(None, || ());
                    let (_, is_under) =
                        owner.join(|w| w.under(None, || ()), |w| w.token().is_some());
                    assert!(is_under);
                });
                assert!(owner.token().is_none());
            });
        });
    }
    check::<Split>();
    check::<Direct>();
}
