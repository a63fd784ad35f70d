//! Who sits out: it leaves its search as any other does, and comes again.

use super::{explore, race, role};
use crate::deque::{Split, SplitOptions};
use crate::jobs::{InFrame, Job};
use crate::pool::{Caller, Pool};
use crate::probe::{NoProbe, Phase};
use crate::scheduler::Registry;
use crate::scheduler::active::{UntilDismissed, UntilRecalled};
use crate::wait::Latch;
use std::sync::Arc;
use std::time::Duration;

type Team = Arc<Registry<Split, NoProbe>>;
type Member = crate::scheduler::Worker<Split, NoProbe>;

/// Workers without threads, which park as soon as they find nothing.
fn team(workers: usize) -> Team {
    let builder =
        Pool::builder().search_time(Duration::ZERO).deque_capacity(3).caller(Caller::Sleeps);
    let parts = builder.config.parts::<Split>(workers).expect("a few slots");
    Registry::new(parts, &SplitOptions::default()).0
}

/// A worker that searches is dismissed, and a job comes that was left to it: another one hears of that, which is parked.
#[test]
fn who_is_dismissed_leaves_jobs_to_others() {
    explore(2, || {
        let team = team(2);
        let stays = &team.workers[0];
        let run = Latch::new(&stays.own.parker);
        let latch = InFrame::new(std::ptr::from_ref(&run).cast_mut());
        // SAFETY: the latch is in this frame, which waits for the job; workers of this type run it.
        let job = unsafe {
            Job::simple(None, |_: &Member| (), move |_: &Member| Latch::set(latch.pointer()))
        };
        let (dismissed, dismisses) = (Arc::clone(&team), Arc::clone(&team));
        let dismissed = role(move || {
            let worker = &dismissed.workers[1];
            worker.work_until(&UntilDismissed(worker));
        });
        let dismisses = role(move || {
            dismisses.set_active(1);
            dismisses.inject(job);
        });
        race([dismissed, dismisses], || stays.work_until(&run));
    });
}

/// Who sits out hears that it has not to any more.
#[test]
fn who_sits_out_hears_that_it_is_recalled() {
    explore(3, || {
        let team = team(2);
        team.set_active(1);
        let recalls = Arc::clone(&team);
        let recalls = role(move || _ = recalls.set_active(2));
        let worker = &team.workers[1];
        race([recalls], || worker.sleep_until(&UntilRecalled(worker), Phase::Idle));
        assert_eq!(team.active.most(), 2);
    });
}
