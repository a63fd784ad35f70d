//! Frames: everybody runs each once, nobody a task of before meanwhile, and what was done before a meeting is seen after it.

use super::{explore, race, role};
use crate::Caller;
use crate::deque::{Split, SplitOptions};
use crate::jobs::InFrame;
use crate::pool::Pool;
use crate::probe::NoProbe;
use crate::scheduler::frame::{FrameBody, Meeting, run_frame};
use crate::scheduler::{Registry, Worker};
use crate::wait::{Goal, Latch};
use lyocell_sync::{RaceCell as UnsafeCell, yield_now};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

type Member = Worker<Split, NoProbe>;

/// Workers without threads, all of whom frames can have, and what each has done in frames.
struct Team {
    registry: Arc<Registry<Split, NoProbe>>,
    /// A word of each, which only it touches in a body, and the others outside of frames.
    done: [UnsafeCell<usize>; 2],
    /// How many bodies have begun.
    bodies: AtomicUsize,
}

// SAFETY: this is what the models check.
unsafe impl Sync for Team {}
// SAFETY: as above.
unsafe impl Send for Team {}

impl Team {
    fn new() -> Arc<Team> {
        let builder = Pool::builder().deque_capacity(3).search_time(Duration::ZERO);
        let builder = builder.caller(Caller::Sleeps);
        let parts = builder.config.parts::<Split>(2).expect("a few slots");
        let registry = Registry::new(parts, &SplitOptions::default()).0;
        Arc::new(Team { registry, done: [0, 0].map(UnsafeCell::new), bodies: AtomicUsize::new(0) })
    }

    /// The body of a frame.
    fn work(&self, worker: &Member) {
        self.bodies.fetch_add(1, Ordering::Relaxed);
        // SAFETY: in a frame each has its own.
        self.done[worker.index()].with_mut(|done| unsafe { *done += 1 });
    }

    fn frame(&self, worker: &Member) {
        let body = FrameBody { run: &|worker| self.work(worker), tell: &|_| () };
        run_frame(worker, &body).expect("there is no seat");
    }

    /// Outside of frames, by one who is seen by the others in the next.
    fn assert_done(&self, times: usize) {
        for done in &self.done {
            // SAFETY: nobody is in a frame.
            done.with_mut(|done| assert_eq!(unsafe { *done }, times));
        }
    }

    /// The life of worker 1, until the latch is set: it searches, steals and sleeps.
    fn serve(&self, latch: *const Latch) {
        // SAFETY: the latch outlasts this thread.
        self.registry.workers[1].work_until(unsafe { &*latch });
    }
}

/// Worker 0 plays, worker 1 is idle until that is over.
fn beside_an_idle_worker(play: impl FnOnce(&Team, &Member)) {
    let team = Team::new();
    let over = Box::into_raw(Box::new(Latch::new(&team.registry.workers[1].own.parker)));
    let (idle, latch) = (Arc::clone(&team), InFrame::new(over));
    race([role(move || idle.serve(latch.pointer()))], || {
        play(&team, &team.registry.workers[0]);
        // SAFETY: freed below.
        unsafe { Latch::set(over) };
    });
    // SAFETY: all are gone.
    drop(unsafe { Box::from_raw(over) });
}

/// Who sleeps, or is about to, comes to a frame that another begins, and sees what was done before.
#[test]
fn an_idle_worker_comes_to_each_frame() {
    explore(2, || {
        beside_an_idle_worker(|team, worker| {
            team.assert_done(0);
            team.frame(worker);
            team.assert_done(1);
            team.frame(worker);
            team.assert_done(2);
        });
    });
}

/// A task that lies there when a frame begins is stolen before, or by nobody until all have left.
#[test]
fn no_task_of_before_begins_in_a_frame() {
    explore(2, || {
        beside_an_idle_worker(|team, worker| {
            let look =
                |worker: &Member| (worker.is_in_frame(), team.bodies.load(Ordering::Relaxed));
            let (_, (in_frame, bodies)) = worker.join(|worker| team.frame(worker), look);
            assert!(!in_frame, "it runs in a frame");
            assert!(bodies == 0 || bodies == 2, "{bodies} bodies had begun");
            team.assert_done(1);
        });
    });
}

/// Both begin a frame: one after the other, and both are in both.
#[test]
fn two_begin_a_frame() {
    explore(2, || {
        let team = Team::new();
        let other = Arc::clone(&team);
        let play = |team: &Team, worker: usize| {
            let worker = &team.registry.workers[worker];
            team.frame(worker);
            while team.bodies.load(Ordering::Relaxed) < 4 {
                worker.poll_frame();
                yield_now();
            }
        };
        race([role(move || play(&other, 1))], || play(&team, 0));
        team.assert_done(2);
    });
}

/// Whoever comes last, all see what both have done before; without a lock, or a sleep, that would show it too.
#[test]
fn all_who_meet_see_what_each_has_done() {
    explore(3, || {
        let (team, meeting) = (Team::new(), Arc::new(Meeting::default()));
        let (other, there) = (Arc::clone(&team), Arc::clone(&meeting));
        let play = |team: &Team, meeting: &Meeting, worker: usize| {
            team.work(&team.registry.workers[worker]);
            let at_the_end = || team.assert_done(1);
            meeting.arrive(&team.registry, at_the_end);
            while !meeting.reached() {
                yield_now();
            }
            // SAFETY: both have worked, and nobody does any more.
            team.done.iter().for_each(|done| done.with(|done| assert_eq!(unsafe { *done }, 1)));
        };
        race([role(move || play(&other, &there, 1))], || play(&team, &meeting, 0));
    });
}
