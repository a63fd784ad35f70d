//! Whole workers: `join`, stealing, parking and waking as they ship; only the loops of the threads are the
//! models'.

use super::{Meeting, explore, race, role};
use crate::deque::{
    Deque, Direct, Receiver, ReceiverOptions, Share, Split, SplitOptions, Stealable,
};
use crate::idle::{Leaver, Offer, Searching};
use crate::jobs::{InFrame, Job};
use crate::pool::Pool;
use crate::probe::{Event, Probe};
use crate::scheduler::Worker;
use crate::scheduler::steal::Found;
use crate::scheduler::{Parts, Registry};
use crate::wait::payoff::{Appraiser, Payoff};
use crate::wait::{Goal, Latch, Subscribed};
use lyocell_sync::{HeavyBarrier, Issued, yield_now};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Tells whether a worker has gone to sleep, or has stolen, so that a model can wait for it.
#[derive(Default)]
struct Busy {
    settled: Meeting,
}

// SAFETY: the method counts under a lock of its own.
unsafe impl Probe for Busy {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn count(&self, event: Event) {
        if matches!(event, Event::Park | Event::Steal) {
            self.settled.arrive();
        }
    }
}

type Team = Arc<Registry<Split, Busy>>;
type Member = Worker<Split, Busy>;

/// Workers without threads, which park as soon as they find nothing.
fn team(workers: usize) -> Team {
    team_with(Some(HeavyBarrier::without_light()), workers)
}

fn team_with(barrier: Option<HeavyBarrier>, workers: usize) -> Team {
    registry(barrier, workers, &SplitOptions::default())
}

/// As [`team`], on any deque, where nobody can expose.
fn team_of<D: Deque>(workers: usize, options: &D::Options) -> Arc<Registry<D, Busy>> {
    registry(None, workers, options)
}

fn registry<D: Deque>(
    barrier: Option<HeavyBarrier>,
    workers: usize,
    options: &D::Options,
) -> Arc<Registry<D, Busy>> {
    let builder = Pool::builder().deque_capacity(3).search_time(Duration::ZERO);
    let parts = builder.config.parts::<D>(workers).expect("a few slots");
    Registry::new(Parts { barrier, ..parts }, options).0
}

/// A task, or a job, has been run here.
struct OneRun {
    done: Cell<bool>,
    payoff: Payoff,
}

impl OneRun {
    fn new(payoff: Payoff) -> OneRun {
        OneRun { done: Cell::new(false), payoff }
    }
}

impl Appraiser for OneRun {
    fn judge(&self, _took: Duration, _tasks: usize, _: &dyn Fn() -> bool) -> Payoff {
        self.done.set(true);
        self.payoff
    }
}

impl Goal for OneRun {
    fn reached(&self) -> bool {
        self.done.get()
    }

    fn subscribe(&self) -> Subscribed {
        if self.done.get() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}

/// Works until a task or a job has been run, and takes it to be worth so much.
fn run_one(worker: &Member, payoff: Payoff) {
    let run = OneRun::new(payoff);
    worker.work_until_appraised(&run, &run);
}

/// The goal of a worker that runs the last task itself.
struct When<F>(F);

impl<F: Fn() -> bool> Goal for When<F> {
    fn reached(&self) -> bool {
        (self.0)()
    }

    fn subscribe(&self) -> Subscribed {
        if self.reached() { Subscribed::Reached } else { Subscribed::WillUnpark }
    }
}

fn assert_all_awake(team: &Team) {
    let counts = team.idle.counts();
    assert_eq!((counts.parked(), counts.searching(), counts.backing_off()), (0, 0, 0));
}

/// A join with a thief: both halves run once, and the owner, asleep or not, gets the result.
#[test]
fn join_with_a_thief() {
    explore(2, || {
        let team = team(2);
        let thief = Arc::clone(&team);
        team.workers[0].owner.deque.request();
        let steals = role(move || {
            let worker = &thief.workers[1];
            if let Some(found) = worker.steal_from(0) {
                worker.execute(found);
            }
        });
        race([steals], || {
            assert_eq!(team.workers[0].join(|_| 1, |_| 2), (1, 2));
        });
        assert_all_awake(&team);
    });
}

/// A worker parks while another pushes. Once it sleeps, the next push wakes it: its request stands,
/// whatever the owner forgot meanwhile.
#[test]
fn sleeper_is_heard_at_the_next_push() {
    explore(2, || {
        let team = team(2);
        let stolen = Meeting::default();
        let idle = Arc::clone(&team);
        let sleeper = role(move || run_one(&idle.workers[1], Payoff::Unknown));
        race([sleeper], || {
            team.workers[0].join(
                |w: &Member| {
                    // It sleeps, or it has stolen the task below.
                    team.workers[1].owner.probe.get().settled.wait_for(1);
                    w.join(|_| stolen.wait_for(1), |_| ());
                },
                |_| stolen.arrive(),
            );
        });
        assert_all_awake(&team);
    });
}

/// While a worker backs off, owners forget requests. When it does so no more, whoever is parked is woken, or
/// its request stands again.
#[test]
fn worker_backing_off_leaves_no_sleeper_unheard() {
    explore(3, || {
        let team = team(3);
        let owner = &team.workers[0];
        // SAFETY: the job borrows nothing.
        team.inject(unsafe { Job::simple(None, |_: &Member| (), |_: &Member| ()) });
        team.idle.enter_search();
        team.idle.announce_parked(1);
        owner.owner.deque.request();
        let idle = Arc::clone(&team);
        let backs_off = role(move || run_one(&idle.workers[2], Payoff::TooSmall));
        race([backs_off], || {
            owner.join(|_| (), |_| ());
        });
        let unheard = team.idle.counts().parked() == 1 && !owner.owner.deque.is_asked();
        assert!(!unheard, "worker 1 sleeps, and its request is forgotten");
    });
}

/// Where nobody can expose, the oldest task can be stolen, whoever is idle and whoever has asked when (worker-5).
#[test]
fn owners_share_the_oldest_where_nobody_exposes() {
    fn check<D: Deque<Options: Default>>() {
        explore(3, || {
            let team = team_of::<D>(2, &D::Options::default());
            let asks = Arc::clone(&team);
            race([role(move || asks.workers[0].owner.deque.request())], || {
                let is_shared =
                    |w: &Worker<D, Busy>| assert!(w.owner.deque.stealable() == Stealable::Some);
                let leaf = |w: &Worker<D, Busy>| {
                    is_shared(w);
                    w.join(is_shared, |_| ());
                };
                (0..3).for_each(|_| _ = team.workers[0].join(leaf, |_| ()));
            });
        });
    }
    check::<Split>();
    check::<Direct>();
}

/// As above, with a thief that takes it: then the owner is asked for the next.
#[test]
fn owners_share_or_are_asked_where_nobody_exposes() {
    fn check<D: Deque<Options: Default>>() {
        explore(2, || {
            let team = team_of::<D>(2, &D::Options::default());
            let looked = Arc::new(Meeting::default());
            let (thieves, has_looked) = (Arc::clone(&team), Arc::clone(&looked));
            let thief = role(move || {
                let worker = &thieves.workers[1];
                let found = worker.steal_from(0).or_else(|| worker.steal_from(0));
                has_looked.arrive();
                found.into_iter().for_each(|found| worker.execute(found));
            });
            race([thief], || {
                let leaf = |w: &Worker<D, Busy>| {
                    looked.wait_for(1);
                    assert!(
                        w.owner.deque.stealable() == Stealable::Some || w.owner.deque.is_asked()
                    );
                };
                let forks = |w: &Worker<D, Busy>| {
                    w.join(|_| (), |_| ());
                    w.join(leaf, |_| ());
                };
                team.workers[0].join(forks, |_| ());
            });
        });
    }
    check::<Split>();
    check::<Direct>();
}

/// A worker is hungry while the owner answers, and forgets, requests: the owner is asked from then on (hunger-1).
#[test]
fn owners_are_asked_while_somebody_is_hungry() {
    fn check<D: Deque<Options: Default>>() {
        explore(3, || {
            let team = team_of::<D>(2, &D::Options::default());
            let noted = Arc::new(Meeting::default());
            let (hungry, tells) = (Arc::clone(&team), Arc::clone(&noted));
            let thief = role(move || {
                hungry.workers[1].note_hungry();
                tells.arrive();
            });
            race([thief], || {
                let leaf = |w: &Worker<D, Busy>| {
                    noted.wait_for(1);
                    assert!(w.owner.deque.is_asked());
                };
                let forks = |w: &Worker<D, Busy>| _ = w.join(leaf, |_| ());
                team.workers[0].join(|_| (), |_| ());
                team.workers[0].join(forks, |_| ());
            });
        });
    }
    check::<Split>();
    check::<Direct>();
}

/// Who sees that a stolen task is over sees that its thief has nothing to run (hunger-2).
#[test]
fn thieves_are_hungry_when_their_task_is_over() {
    explore(2, || {
        let team = team_of::<Split>(2, &SplitOptions::default());
        let steals = Arc::clone(&team);
        let thief = role(move || {
            let worker = &steals.workers[1];
            worker.steal_from(0).into_iter().for_each(|found| worker.execute(found));
        });
        race([thief], || {
            let (_, ran_by) = team.workers[0].join(|_| (), |w: &Member| w.index());
            assert!(ran_by == 0 || team.hungry.anybody());
        });
    });
}

/// The barrier is refused while the owner answers, and forgets, requests. When all know it, the oldest task can be stolen, or the
/// owner is asked for it (worker-6).
#[test]
fn owners_share_or_are_asked_when_the_barrier_is_refused() {
    explore(2, || {
        let team = team_with(Some(HeavyBarrier::refused_after(0)), 2);
        let (learns, told) = (Arc::clone(&team), Arc::new(Meeting::default()));
        let tells = Arc::clone(&told);
        let thief = role(move || {
            let (owner, worker) = (&learns.workers[0], &learns.workers[1]);
            worker.ask(owner);
            let barrier = learns.any_barrier().expect("there was one");
            assert_eq!(barrier.issue(), Issued::No);
            worker.tell_of_refusal(barrier);
            tells.arrive();
        });
        race([thief], || {
            let leaf = |w: &Member| {
                told.wait_for(1);
                assert!(w.owner.deque.stealable() == Stealable::Some || w.owner.deque.is_asked());
            };
            team.workers[0].join(|_| (), |_| ());
            team.workers[0].join(leaf, |_| ());
        });
    });
}

/// An owner answers a thief that searches, and forgets it: when that one parks, it asks once more.
#[test]
fn who_parks_asks_once_more() {
    explore(2, || {
        let team = team_with(HeavyBarrier::register(), 2);
        let (begun, over) = (Meeting::default(), Arc::new(AtomicBool::new(false)));
        let (idle, is_over) = (Arc::clone(&team), Arc::clone(&over));
        let until = When(move || is_over.load(Ordering::Relaxed));
        let thief = role(move || idle.workers[1].work_until(&until));
        race([thief], || {
            let owner = &team.workers[0];
            owner.join(|_| (), |_| ());
            let last = |_: &Member| {
                over.store(true, Ordering::Relaxed);
                begun.arrive();
            };
            owner.join(|_| begun.wait_for(1), last);
        });
        assert_all_awake(&team);
    });
}

/// An owner pushes while a thief parks that has not asked before: the push is seen, or finds the request (idle-6).
#[test]
fn who_parks_sees_what_is_pushed_meanwhile_or_has_asked() {
    explore(2, || {
        let team = team_with(HeavyBarrier::register(), 2);
        let (begun, over) = (Meeting::default(), Arc::new(AtomicBool::new(false)));
        let (idle, is_over) = (Arc::clone(&team), Arc::clone(&over));
        team.workers[0].forget_request();
        let thief = role(move || {
            let (owner, worker) = (&idle.workers[0], &idle.workers[1]);
            worker.park_until(&When(|| owner.has_tasks()));
            worker.work_until(&When(move || is_over.load(Ordering::Relaxed)));
        });
        race([thief], || {
            let last = |_: &Member| {
                over.store(true, Ordering::Relaxed);
                begun.arrive();
            };
            team.workers[0].join(|_| begun.wait_for(1), last);
        });
        assert_all_awake(&team);
    });
}

/// Worker 1 is parked, and the owner forgets its request while worker 2 backs off; then the owner parks above a task that ends
/// its wait, and worker 2 finds work. Somebody hears of that task.
#[test]
fn who_parks_above_tasks_of_its_own_offers_them() {
    explore(2, || {
        let team = team(3);
        let [owner, sleeper, backs_off] = &*team.workers else { unreachable!("a team of three") };
        let over = Arc::new(AtomicBool::new(false));
        let (sleeps, is_over) = (Arc::clone(&team), Arc::clone(&over));
        let until = When(move || is_over.load(Ordering::Relaxed));
        let sleeps = role(move || sleeps.workers[1].work_until(&until));
        let searches = Arc::clone(&team);
        let searches = role(move || {
            let [owner, _, worker] = &*searches.workers else { unreachable!("a team of three") };
            owner.owner.probe.get().settled.wait_for(1);
            assert_eq!(searches.idle.retract(2), Searching::Uncounted);
            searches.idle.enter_search();
            let found = worker.steal_from(0).expect("the oldest task is shared");
            let counted = Searching::Counted;
            let leaver = Leaver { counted, beside: None, owes_a_look: true };
            let (tasks, jobs) = (|| searches.has_tasks(), || searches.has_jobs());
            searches.idle.leave_search(leaver, tasks, jobs);
            worker.execute(found);
        });
        race([sleeps, searches], || {
            sleeper.owner.probe.get().settled.wait_for(1);
            team.idle.enter_search();
            team.idle.announce_backing_off(backs_off.index());
            let wait = |w: &Member, begun: &Latch| w.park_until(begun);
            owner.join(|w| wait_above(w, wait, || over.store(true, Ordering::Relaxed)), |_| ());
        });
        assert_all_awake(&team);
    });
}

/// Who parks takes back that a request was forgotten: after that nobody is woken for it.
#[test]
fn who_parks_takes_back_that_requests_were_forgotten() {
    explore(2, || {
        let team = team(3);
        (0..2).for_each(|_| team.idle.enter_search());
        team.idle.announce_parked(0);
        team.idle.announce_backing_off(2);
        assert!(team.idle.tasks_wanted().is_none());
        [0, 2].iter().for_each(|worker| _ = team.idle.retract(*worker));
        let over = Arc::new(AtomicBool::new(false));
        let (idle, is_over) = (Arc::clone(&team), Arc::clone(&over));
        let until = When(move || is_over.load(Ordering::Relaxed));
        let sleeper = role(move || idle.workers[1].work_until(&until));
        race([sleeper], || {
            team.workers[1].owner.probe.get().settled.wait_for(1);
            team.idle.enter_search();
            let counted = Searching::Counted;
            let leaver = Leaver { counted, beside: None, owes_a_look: true };
            team.idle.leave_search(leaver, || false, || false);
            assert_eq!(team.idle.counts().parked(), 1);
            over.store(true, Ordering::Relaxed);
            team.idle.unpark(1);
        });
    });
}

/// An owner without tasks turns a thief down that asked it while it had one. That a sleeper asks as well is not forgotten.
#[test]
fn who_answers_while_it_waits_remembers_a_sleeper() {
    explore(3, || {
        let team = team_of::<Receiver>(3, &ReceiverOptions::default());
        let owner = &team.workers[0];
        // The thief searches, so that nobody is woken for what the owner shares.
        (0..2).for_each(|_| team.idle.enter_search());
        team.idle.announce_parked(2);
        owner.owner.deque.request();
        let steals = Arc::clone(&team);
        let thief = role(move || {
            let worker = &steals.workers[1];
            worker.steal_from(0).into_iter().for_each(|found| worker.execute(found));
            worker.stop_asking();
        });
        race([thief], || {
            owner.join(|_| (), |_| ());
            owner.communicate();
            owner.stop_asking();
            assert!(owner.owner.deque.is_asked(), "worker 2's request is forgotten");
        });
    });
}

/// The owner of a task neither pushes nor pops, and the thief takes it all the same.
#[test]
fn a_thief_exposes_what_lies_below_a_long_leaf() {
    explore(2, || {
        let team = team_with(HeavyBarrier::register(), 2);
        let begun = Meeting::default();
        let idle = Arc::clone(&team);
        let thief = role(move || run_one(&idle.workers[1], Payoff::Unknown));
        race([thief], || {
            team.workers[0].join(|_| begun.wait_for(1), |_| begun.arrive());
        });
        assert_all_awake(&team);
    });
}

/// The owner waits, in the end asleep, above a task of its own that it does not run itself, that says so to its runner, and ends the wait.
fn wait_above(owner: &Member, wait: impl FnOnce(&Member, &Latch), ends: impl FnOnce() + Send) {
    let begun = Latch::new(&owner.own.parker);
    let latch = InFrame::new((&raw const begun).cast_mut());
    let end = move |_: &Member| {
        ends();
        // SAFETY: the latch is in this frame, which waits for the task.
        unsafe { Latch::set(latch.pointer()) }
    };
    owner.join(|w| wait(w, &begun), end);
}

/// The owner sleeps above a task that it alone can give, and that it waits for: whoever asks wakes it (worker-4).
#[test]
fn who_sleeps_above_tasks_of_its_own_is_woken() {
    explore(2, || {
        let team = team_with(None, 2);
        let idle = Arc::clone(&team);
        let thief = role(move || run_one(&idle.workers[1], Payoff::Unknown));
        race([thief], || wait_above(&team.workers[0], |w, begun| w.park_until(begun), || ()));
        assert_all_awake(&team);
    });
}

/// Until a task of worker 0 can be stolen, which this worker neither asks for nor exposes.
fn await_task(team: &Team) {
    while team.workers[0].owner.deque.stealable() == Stealable::None {
        yield_now();
    }
}

/// Worker 1 steals from worker 0 as soon as it can.
fn steal_task(team: &Team) -> Found<'_> {
    loop {
        await_task(team);
        // The owner may be in the middle of sharing more.
        if let Some(found) = team.workers[1].steal_from(0) {
            return found;
        }
    }
}

/// The owner sleeps above two tasks, and shares the oldest. Whoever takes that wakes it, so that it shares the next (worker-4,
/// worker-5).
#[test]
fn who_sleeps_and_is_robbed_shares_the_next() {
    explore(2, || {
        let team = team_with(None, 2);
        let steals = Arc::clone(&team);
        let thief = role(move || {
            let worker = &steals.workers[1];
            let found = steal_task(&steals);
            await_task(&steals);
            worker.execute(found);
        });
        race([thief], || {
            let wait = |w: &Member, begun: &Latch| _ = w.join(|w| w.park_until(begun), |_| ());
            wait_above(&team.workers[0], wait, || ());
        });
        assert_all_awake(&team);
    });
}

/// The owner sleeps above a task that thieves could expose, until they are refused the barrier. Whoever learns that wakes it
/// (worker-6).
#[test]
fn who_sleeps_is_woken_when_the_barrier_is_refused() {
    explore(2, || {
        let team = team_with(Some(HeavyBarrier::refused_after(1)), 2);
        let learns = Arc::clone(&team);
        let thief = role(move || {
            let (owner, worker) = (&learns.workers[0], &learns.workers[1]);
            while owner.owner.deque.stealable() == Stealable::None {
                let Some(barrier) = learns.barrier() else { break };
                worker.ask(owner);
                let _ = worker.expose(owner, barrier);
                yield_now();
            }
            worker.execute(steal_task(&learns));
        });
        race([thief], || wait_above(&team.workers[0], |w, begun| w.park_until(begun), || ()));
        assert_all_awake(&team);
    });
}

/// A worker that was woken for the one task of an owner, which has told it so, steals that and leaves, while the owner, which has seen it come
/// and wakes nobody, has yet to leave the request standing: it sees what the owner keeps all the same, and wakes the sleeper.
fn what_an_owner_keeps_is_seen(tasks: Option<usize>, counted: Searching) {
    explore(2, move || {
        let options = SplitOptions { share: Share::One, ..SplitOptions::default() };
        let team = registry(Some(HeavyBarrier::without_light()), 3, &options);
        team.idle.enter_search();
        team.idle.announce_parked(2);
        let wanted = team.idle.tasks_wanted().expect("one is parked");
        let _ = team.idle.notify(Offer { owner: 0, tasks }, wanted, &|_| true);
        let woken = team.idle.retract(2);
        assert_eq!(woken, counted);
        team.idle.enter_search();
        team.idle.announce_parked(1);
        let left = Arc::new(Meeting::default());
        let (searches, tells) = (Arc::clone(&team), Arc::clone(&left));
        let searcher = role(move || {
            let worker = &searches.workers[2];
            let found = worker.come(woken);
            tells.arrive();
            found.into_iter().for_each(|found| worker.execute(found));
        });
        race([searcher], || {
            let leaf = |w: &Member| {
                left.wait_for(1);
                let has_more = w.has_or_keeps_tasks();
                assert!(!has_more || w.registry().idle.counts().parked() == 0);
            };
            // Of two it shares one.
            let asked = |w: &Member| {
                w.owner.deque.request();
                w.join(leaf, |_| ());
            };
            let second = |w: &Member| _ = w.join(asked, |_| ());
            team.workers[0].join(second, |_| ());
        });
    });
}

/// As the last searcher (idle-5).
#[test]
fn who_leaves_the_search_sees_what_an_owner_keeps() {
    what_an_owner_keeps_is_seen(None, Searching::Counted);
}

/// As the only one that is on the way (idle-8).
#[test]
fn who_was_on_the_way_sees_what_an_owner_keeps() {
    what_an_owner_keeps_is_seen(Some(1), Searching::OnTheWay);
}
