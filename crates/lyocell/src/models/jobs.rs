//! Jobs that wait beside the tasks of joins: in a worker's lane, on the way to another one, and in the mail.

use super::{Meeting, explore, race, role};
use crate::deque::{Deque, Split, SplitOptions};
use crate::jobs::{InFrame, Job, SpawnOrder};
use crate::pool::{Builder, Caller, Pool};
use crate::probe::{NoProbe, Phase};
use crate::scheduler::Registry;
use crate::wait::payoff::{Appraiser, Payoff};
use crate::wait::{Latch, Wait};
use lyocell_sync::{AtomicUsize, Ordering, RaceCell as UnsafeCell, forget_limits};
use std::sync::Arc;
use std::time::Duration;

type Team = Arc<Registry<Split, NoProbe>>;
type Member = crate::scheduler::Worker<Split, NoProbe>;

/// Workers without threads, which park as soon as they find nothing.
fn team(workers: usize) -> Team {
    team_of(workers, Pool::builder().search_time(Duration::ZERO))
}

fn team_of(workers: usize, builder: Builder<Split>) -> Team {
    let builder = builder.deque_capacity(3).caller(Caller::Sleeps);
    let parts = builder.config.parts::<Split>(workers).expect("a few slots");
    Registry::new(parts, &SplitOptions::default()).0
}

/// How often each of a few jobs has run.
#[derive(Clone)]
struct Runs(Arc<[AtomicUsize]>);

impl Runs {
    fn of(jobs: usize) -> Runs {
        Runs((0..jobs).map(|_| AtomicUsize::new(0)).collect())
    }

    /// A job that brings what its owner has written before it was pushed.
    fn job(&self, number: usize) -> Job {
        let runs = Arc::clone(&self.0);
        let brought = UnsafeCell::new(0);
        // SAFETY: nobody else has it yet.
        brought.with_mut(|brought| unsafe { *brought = number });
        let task = move |_: &Member| {
            // SAFETY: the job's.
            brought.with(|brought| assert_eq!(unsafe { *brought }, number));
            runs[number].fetch_add(1, Ordering::Relaxed);
        };
        // SAFETY: nothing is borrowed, and workers of this type run it. What it brings goes with it.
        unsafe { Job::simple(None, Movable(task).call(), |_: &Member| ()) }
    }

    fn assert_once(&self) {
        assert!(self.0.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
    }
}

/// A closure with a cell of loom's in it, which goes to another thread as a whole.
struct Movable<F>(F);

// SAFETY: this is what the models check.
unsafe impl<F> Send for Movable<F> {}

impl<F: FnOnce(&Member)> Movable<F> {
    fn call(self) -> impl FnOnce(&Member) + Send {
        move |worker| {
            let whole = self;
            (whole.0)(worker);
        }
    }
}

/// A thief takes two of four at once while the owner takes the newest and spawns another.
#[test]
fn a_batch_leaves_while_the_owner_takes_and_spawns() {
    explore(2, || {
        let team = team(2);
        let runs = Runs::of(5);
        let [owner, thief] = &*team.workers else { unreachable!("a team of two") };
        (0..4).for_each(|number| owner.lane.push(runs.job(number)));
        let steals = Arc::clone(&team);
        let steals = role(move || {
            let [owner, thief] = &*steals.workers else { unreachable!("a team of two") };
            if let Some((job, _)) = owner.lane.steal_oldest(&thief.lane, SpawnOrder::Fair) {
                job.run::<Member>(thief);
            }
        });
        race([steals], || {
            owner.lane.pop_newest().into_iter().for_each(|job| job.run::<Member>(owner));
            owner.lane.push(runs.job(4));
            owner.lane.pop_newest().into_iter().for_each(|job| job.run::<Member>(owner));
        });
        for worker in [owner, thief] {
            while let Some(job) = worker.lane.pop_newest() {
                job.run::<Member>(worker);
            }
        }
        runs.assert_once();
    });
}

/// A thief keeps a job that the owner waits for, and does not come to it: the owner hears of it (worker_lane-4). With two
/// preemptions that it does not is not found.
#[test]
fn who_parks_between_two_lanes_hears_of_the_job() {
    explore(3, || {
        let team = team(2);
        let owner = &team.workers[0];
        let awaited = Latch::new(&owner.own.parker);
        let latch = InFrame::new((&raw const awaited).cast_mut());
        let over = Arc::new(Meeting::default());
        let (waits, sets) = (Arc::clone(&over), Arc::clone(&over));
        // SAFETY: what they borrow is in this frame, which waits for both; workers of this type run them.
        let jobs = unsafe {
            [
                Job::simple(None, move |_: &Member| waits.wait_for(1), |_: &Member| ()),
                Job::simple(
                    None,
                    move |_: &Member| sets.arrive(),
                    move |_: &Member| Latch::set(latch.pointer()),
                ),
                Job::simple(None, |_: &Member| (), |_: &Member| ()),
                Job::simple(None, |_: &Member| (), |_: &Member| ()),
            ]
        };
        jobs.into_iter().for_each(|job| owner.lane.push(job));
        let thief = Arc::clone(&team);
        let steals = role(move || {
            let worker = &thief.workers[1];
            if let Some(job) = thief.find_job_elsewhere(worker) {
                job.run::<Member>(worker);
            }
        });
        // The oldest waits for the awaited one: the owner may not come to it first.
        race([steals], || owner.work_until(&awaited));
        for worker in team.workers.iter() {
            while let Some(job) = team.find_job(worker) {
                job.run::<Member>(worker);
            }
        }
    });
}

/// A job that says so to whoever waits.
fn answers(waits: &Latch) -> Job {
    let latch = InFrame::new(std::ptr::from_ref(waits).cast_mut());
    // SAFETY: the latch is in the frame of another role, which waits for it.
    unsafe { Job::simple(None, |_: &Member| (), move |_: &Member| Latch::set(latch.pointer())) }
}

/// A worker waits in this way for a job that another thread leaves for it, in this way.
fn hears_of_a_job(
    wait: fn(&Member, &Latch),
    leave: fn(&Registry<Split, NoProbe>, Job),
) -> impl Fn() + Send + Sync + 'static {
    move || {
        let team = team(2);
        let worker = &team.workers[1];
        let answered = Latch::new(&worker.own.parker);
        let job = answers(&answered);
        let leaves = Arc::clone(&team);
        race([role(move || leave(&leaves, job))], || wait(worker, &answered));
    }
}

/// To all workers.
fn inject(team: &Registry<Split, NoProbe>, job: Job) {
    team.inject(job);
    team.announce_job();
}

/// To whoever comes, as a task that worker 0 has spawned and does not come to itself.
fn spawn(team: &Registry<Split, NoProbe>, job: Job) {
    team.workers[0].queue(job);
}

/// To the worker that waits.
fn post(team: &Registry<Split, NoProbe>, job: Job) {
    team.post(1, job);
}

/// A worker that sleeps is woken by what is left in its mail (registry-5), whatever else it waits for.
#[test]
fn mail_wakes_the_worker_that_it_is_for() {
    explore(3, hears_of_a_job(|worker, goal| worker.work_until(goal), post));
}

/// Who leaps only, and never sleeps, reads its mail: the thief that it waits for waits for that.
#[test]
fn who_leaps_only_reads_its_mail() {
    explore(2, || {
        let builder = Pool::builder().wait(Wait::Leap).search_time(Duration::MAX);
        let team = team_of(2, builder);
        let [owner, _] = &*team.workers else { unreachable!("a team of two") };
        owner.owner.deque.request();
        let steals = Arc::clone(&team);
        let thief = role(move || {
            let worker = &steals.workers[1];
            let Some(found) = worker.steal_from(0) else { return };
            let read = Arc::new(Meeting::default());
            let reads = Arc::clone(&read);
            // SAFETY: nothing is borrowed.
            let mail =
                unsafe { Job::simple(None, move |_: &Member| reads.arrive(), |_: &Member| ()) };
            steals.post(0, mail);
            read.wait_for(1);
            worker.execute(found);
        });
        race([thief], || _ = owner.join(|_| (), |_| ()));
    });
}

/// Who sleeps for one goal alone looks at its mail whenever it is woken: it is woken when there is some.
#[test]
fn mail_wakes_who_sleeps_for_one_goal() {
    explore(3, hears_of_a_job(|worker, goal| worker.sleep_until(goal, Phase::Leaping), post));
}

/// Who has no stack to spare parks for jobs, and its mail is among them.
#[test]
fn who_is_short_of_stack_hears_of_jobs() {
    fn wait(worker: &Member, goal: &Latch) {
        worker.own.stack.exhaust();
        worker.work_until(goal);
    }
    explore(3, hears_of_a_job(wait, inject));
    explore(3, hears_of_a_job(wait, post));
}

struct TooSmall;

impl Appraiser for TooSmall {
    fn judge(&self, _took: Duration, _tasks: usize, _: &dyn Fn() -> bool) -> Payoff {
        Payoff::TooSmall
    }
}

/// Waits as a thread of the pool for which what it had at first was not worth being awake.
fn wait_backing_off(worker: &Member, goal: &Latch) {
    // SAFETY: nothing is borrowed.
    worker.registry().inject(unsafe { Job::simple(None, |_: &Member| (), |_: &Member| ()) });
    worker.work_until_appraised(goal, &TooSmall);
}

/// Who backs off hears of jobs before its moment is over.
#[test]
fn who_backs_off_hears_of_jobs() {
    fn wait(worker: &Member, goal: &Latch) {
        forget_limits();
        wait_backing_off(worker, goal);
    }
    explore(3, hears_of_a_job(wait, inject));
}

/// Who parks hears of what another worker spawns.
#[test]
fn who_parks_hears_of_spawned_jobs() {
    explore(3, hears_of_a_job(|worker, goal| worker.work_until(goal), spawn));
}

/// Nobody ends the moment of a worker that backs off for what another worker has spawned; it comes to that all the same.
#[test]
fn who_backs_off_comes_to_spawned_jobs() {
    explore(3, hears_of_a_job(wait_backing_off, spawn));
}

/// Somebody leaves mail for a worker whose thread is about to end: all that was made has its end once, and is run at most
/// once (registry-6).
#[test]
fn mail_for_a_worker_that_leaves_has_its_end() {
    explore(3, || {
        let team = team(1);
        let counts = || Arc::new(AtomicUsize::new(0));
        let (made, ran, ended) = (counts(), counts(), counts());
        let (sender, makes, runs, ends) =
            (Arc::clone(&team), Arc::clone(&made), Arc::clone(&ran), Arc::clone(&ended));
        let sender = role(move || {
            sender.post_to_each(None, |_, _| {
                let (runs, ends) = (Arc::clone(&runs), Arc::clone(&ends));
                makes.fetch_add(1, Ordering::Relaxed);
                let count = |count: Arc<AtomicUsize>| {
                    move |_: &Member| _ = count.fetch_add(1, Ordering::Relaxed)
                };
                // SAFETY: nothing is borrowed.
                unsafe { Job::simple(None, count(runs), count(ends)) }
            });
        });
        race([sender], || {
            let worker = &team.workers[0];
            worker.mail.pop_oldest().into_iter().for_each(|job| job.run::<Member>(worker));
            team.note_absent(0);
        });
        let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        assert!(count(&made) == count(&ended) && count(&ran) <= count(&ended));
        assert!(team.workers[0].mail.is_empty());
    });
}

/// The worker waits for another pool: its call is over there, and somebody posts to it here, at the same time. It hears of
/// both.
#[test]
fn who_waits_for_another_pool_hears_of_mail_and_of_the_end() {
    explore(2, || {
        let team = team(1);
        let worker = &team.workers[0];
        let (ended, posted) = (Latch::new(&worker.own.parker), Meeting::default());
        let latch = InFrame::new((&raw const ended).cast_mut());
        let posted = Arc::new(posted);
        let (reads, posts) = (Arc::clone(&posted), Arc::clone(&team));
        let elsewhere = role(move || {
            // SAFETY: nothing is borrowed.
            posts.post(0, unsafe {
                Job::simple(None, move |_: &Member| reads.arrive(), |_: &Member| ())
            });
            // The call of the other pool goes on until the mail has been read here.
            posted.wait_for(1);
            // SAFETY: the latch is in the frame of the other role, which waits for it.
            unsafe { Latch::set(latch.pointer()) };
        });
        race([elsewhere], || worker.work_until(&ended));
    });
}
