//! Groups: the tasks of one scope, which may be spawned anywhere and run anywhere.
//!
//! A task that is spawned at time `t` after the scope has begun, and whose span is `s`, ends at `t + s`; the scope ends when its
//! last task does. With a burden the tasks may also be run one after the other, if that is sooner.
//!
//! Departure: a task that is spawned from within a stolen task does not know where that one was forked. Its `t` is then counted from
//! the beginning of the stolen task, and may be too early.

use crate::spans::Spans;
use crate::tally::{Account, add};
use std::sync::{Mutex, PoisonError};

/// What the tasks of one scope add up to.
#[derive(Debug, Default)]
pub struct Group {
    pub(crate) id: u64,
    tasks: Mutex<Spawned>,
}

/// Where in the scope a task was spawned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start(pub(crate) Spans);

#[derive(Debug, Default)]
struct Spawned {
    /// When the last one ends.
    end: Spans,
    /// All of them one after the other.
    sum: Spans,
    account: Account,
}

impl Group {
    pub(crate) fn new(id: u64) -> Group {
        Group { id, tasks: Mutex::default() }
    }

    /// A task that was spawned there is over.
    pub(crate) fn add(&self, start: Spans, task: Account) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.end = tasks.end.max(start + task.tally.spans);
        tasks.sum += task.tally.spans;
        let account = &mut tasks.account;
        add(&mut account.tally.work, task.tally.work);
        account.tally.add_part(&task.tally);
        add(&mut account.tally.jobs, 1);
        account.regions.graft(task.regions);
    }

    /// When the scope ends, whose body ends there; and what its tasks were.
    pub(crate) fn end(&self, body: Spans, burdens: Spans) -> (Spans, Account) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let account = std::mem::take(&mut tasks.account);
        if account.tally.jobs == 0 {
            return (body, account);
        }
        let beside = body.max(tasks.end + burdens);
        (beside.min(body + tasks.sum), account)
    }
}
