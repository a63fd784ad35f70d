//! The handler at every point of the owner's operations, one after the other, and a thief that makes use of it.
//!
//! A [`Prodded`] deque and a [`Prodding`] probe count the points that a small program passes: before and after
//! whatever the worker asks of its deque, and inside, where the probe hears of it. At the chosen ones the handler
//! runs, called as a function, and a second worker steals what it can. All of it is one thread, so a run can be
//! repeated exactly, with the next point.

use super::target::{IDLE, SENT};
use crate::current;
use crate::deque::{
    Acquire, Amount, Attempts, Deque, Fast, HandOver, Interrupts, Join, Loot, Pop, PrivateTasks,
    Push, Receiver, ReceiverOptions, Sender, SenderOptions, Share, Split, SplitOptions, Steal,
    Stealable, Team,
};
use crate::pool::Pool;
use crate::probe::{Event, Probe};
use crate::scheduler::Registry;
use crate::scheduler::Worker;
use crate::scheduler::steal::Found;
use crate::task::{Slot, Slots};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What happens at the points of one run.
struct Script {
    passed: usize,
    /// Whether the handler comes at the point of this number.
    chosen: Box<dyn Fn(usize) -> bool>,
    prod: Rc<dyn Fn()>,
}

thread_local! {
    /// None also while the handler and the thief run: their own points do not count.
    static SCRIPT: RefCell<Option<Script>> = const { RefCell::new(None) };
}

/// The program is at a point where a signal may come.
fn point() {
    let Some(mut script) = SCRIPT.take() else { return };
    if (script.chosen)(script.passed) {
        (script.prod)();
    }
    script.passed += 1;
    SCRIPT.set(Some(script));
}

/// Calls `operation` between two points.
fn between_points<R>(operation: impl FnOnce() -> R) -> R {
    point();
    let result = operation();
    point();
    result
}

/// Points inside the slow paths, and one between a push and what it has to do if it is slow.
#[derive(Default)]
struct Prodding;

// SAFETY: the script calls signal handlers, as the system may at any moment, and they do not unwind.
unsafe impl Probe for Prodding {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn count(&self, _event: Event) {
        point();
    }

    fn spawned(&self, _depth: impl FnOnce() -> usize) {
        point();
    }
}

/// Points around each operation of the owner; else the deque inside.
struct Prodded<D: Deque> {
    inner: D,
    /// The inner deques of the pool.
    team: OnceLock<Team<D>>,
}

impl<D: Deque> Prodded<D> {
    fn inner(team: &Team<Self>) -> &Team<D> {
        team.deque(0).team.get_or_init(|| {
            // SAFETY: the inner deques are where the outer ones are.
            unsafe { Team::new((0..team.size()).map(|worker| &team.deque(worker).inner)) }
        })
    }
}

impl<D: Deque> crate::deque::sealed::Deque for Prodded<D> {}

// SAFETY: by the deque inside.
unsafe impl<D: Deque> Deque for Prodded<D> {
    const NAME: &'static str = D::NAME;
    const MAX_CAPACITY: usize = D::MAX_CAPACITY;
    const INTERRUPTS: Interrupts = D::INTERRUPTS;
    const PRIVATE_TASKS: PrivateTasks = D::PRIVATE_TASKS;
    const JOIN: Join = D::JOIN;

    type Requests = D::Requests;
    type Options = D::Options;

    fn new(slots: Slots, options: &D::Options) -> Self {
        Prodded { inner: D::new(slots, options), team: OnceLock::new() }
    }

    fn push(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        between_points(|| self.inner.push(head, probe))
    }

    fn push_slow(&self, head: *const Slot, probe: &impl Probe) -> Push {
        between_points(|| self.inner.push_slow(head, probe))
    }

    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast {
        between_points(|| self.inner.pop(head, probe))
    }

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        between_points(|| self.inner.pop_slow(head, probe))
    }

    fn retire(&self, head: *const Slot, probe: &impl Probe) {
        between_points(|| self.inner.retire(head, probe));
    }

    fn share(
        &self,
        head: *const Slot,
        team: &Team<Self>,
        me: usize,
        probe: &impl Probe,
    ) -> Stealable {
        between_points(|| self.inner.share(head, Self::inner(team), me, probe))
    }

    fn requests(&self) -> &D::Requests {
        self.inner.requests()
    }

    fn is_asked(&self) -> bool {
        self.inner.is_asked()
    }

    fn communicate(&self, head: *const Slot, team: &Team<Self>, me: usize, probe: &impl Probe) {
        between_points(|| self.inner.communicate(head, Self::inner(team), me, probe));
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        between_points(|| D::steal(Self::inner(team), victim, thief, probe))
    }

    fn withdraw<'a>(team: &'a Team<Self>, thief: usize, probe: &impl Probe) -> Option<Loot<'a>> {
        between_points(|| D::withdraw(Self::inner(team), thief, probe))
    }

    fn take_oldest<'a>(
        team: &'a Team<Self>,
        head: *const Slot,
        me: usize,
        probe: &impl Probe,
    ) -> Option<Loot<'a>> {
        between_points(|| D::take_oldest(Self::inner(team), head, me, probe))
    }

    fn stealable(&self) -> Stealable {
        self.inner.stealable()
    }

    fn withholds(&self, head: *const Slot) -> bool {
        self.inner.withholds(head)
    }

    fn request(&self) {
        self.inner.request();
    }
}

type Stage<D> = Registry<Prodded<D>, Prodding>;
type Actor<D> = Worker<Prodded<D>, Prodding>;

const OWNER: usize = 0;
const THIEF: usize = 1;

/// A thief needs to be told of tasks, to ask for them, and to get them.
const ROUNDS: usize = 3;

/// The thief asks, the owner's handler answers, the thief runs what it gets.
fn prod<D: Deque>(stage: &Stage<D>) {
    let (owner, thief) = (&stage.workers[OWNER], &stage.workers[THIEF]);
    for _ in 0..ROUNDS {
        if let Some(found) = thief.steal_from(OWNER) {
            thief.execute(found);
        }
        owner.owner.interrupt.signal_state.store(SENT, Ordering::Relaxed);
        current::interrupted();
        assert_eq!(
            owner.owner.interrupt.signal_state.swap(IDLE, Ordering::Relaxed),
            IDLE,
            "nobody sleeps"
        );
    }
    while let Some(loot) = thief.withdraw() {
        thief.execute(Found::Stolen(loot));
    }
}

const NODES: usize = 7;
const BRANCHES: usize = 3;
const RUNS: usize = NODES + BRANCHES + 1;

/// Counts the runs of each task, and how many of them were a thief's.
#[derive(Default)]
struct Account {
    runs: [AtomicUsize; RUNS],
    stolen: AtomicUsize,
}

impl Account {
    fn run<D: Deque>(&self, w: &Actor<D>, task: usize) {
        self.runs[task].fetch_add(1, Ordering::Relaxed);
        if w.index() == THIEF {
            self.stolen.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn count(&self, task: usize) -> usize {
        self.runs[task].load(Ordering::Relaxed)
    }
}

fn visit<D: Deque>(w: &Actor<D>, account: &Account, node: usize) -> usize {
    if node >= NODES {
        return 0;
    }
    account.run(w, node);
    if node == NODES / 2 {
        // The deepest node of all on the left: it runs one of those on the right, if the thief has left any.
        w.yield_local();
    }
    let (a, b) = w.join(|w| visit(w, account, 2 * node + 1), |w| visit(w, account, 2 * node + 2));
    1 + a + b
}

/// Joins, a range, and a join whose first half panics, each task of which counts itself.
fn program<D: Deque>(w: &Actor<D>, account: &Account) {
    assert_eq!(visit(w, account, 0), NODES);
    let branch = |w: &Actor<D>, index| {
        account.run(w, NODES + index);
        index
    };
    assert_eq!(w.join_range(0..BRANCHES, 0, branch, |a, b| a + b), BRANCHES * (BRANCHES - 1) / 2);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        w.join(
            |_| {
                point();
                std::panic::resume_unwind(Box::new("the first half"))
            },
            |w| account.run(w, RUNS - 1),
        )
    }));
    let panic = outcome.expect_err("the first half panics");
    assert_eq!(panic.downcast_ref(), Some(&"the first half"));
}

/// Runs the program with handlers at the chosen points. Tells how many points there were, and how many tasks
/// the thief got.
fn run<D: Deque>(
    options: &D::Options,
    capacity: usize,
    chosen: impl Fn(usize) -> bool + 'static,
) -> (usize, usize) {
    let builder = Pool::builder().deque_capacity(capacity);
    let parts = builder.config.parts::<D>(2).expect("a few slots");
    let (stage, _) = Stage::<D>::new(parts, options);
    let (account, prodded) = (Account::default(), Arc::clone(&stage));
    let prod: Rc<dyn Fn()> = Rc::new(move || prod::<D>(&prodded));
    let passed = current::occupy(&*stage.workers[OWNER], |w| {
        SCRIPT.set(Some(Script { passed: 0, chosen: Box::new(chosen), prod }));
        program::<D>(w, &account);
        SCRIPT.take().expect("it was set before").passed
    });
    (0..RUNS - 1).for_each(|task| assert_eq!(account.count(task), 1, "runs of task {task}"));
    assert!(account.count(RUNS - 1) <= 1);
    assert_eq!(stage.workers[OWNER].owner.depth(), 0);
    (passed, account.stolen.into_inner())
}

/// More points than any run has.
const MANY: usize = 10_000;

/// From one point with a handler to that of the next run. Miri takes its time.
const STRIDE: usize = if cfg!(miri) { 101 } else { 1 };

/// How far apart they are at most where there are several in a run.
const MOST_DISTANT: usize = if cfg!(miri) { 1 } else { 7 };

/// One handler at each point in turn, then one at every `n`-th.
fn at_every_point<D: Deque>(options: &D::Options) {
    for capacity in [2, 8] {
        let (undisturbed, _) = run::<D>(options, capacity, |_| false);
        let mut stolen = 0;
        let mut chosen = 0;
        let mut passed = undisturbed;
        while chosen < passed {
            assert!(passed < MANY);
            let (now_passed, now_stolen) =
                run::<D>(options, capacity, move |point| point == chosen);
            passed = passed.max(now_passed);
            stolen += now_stolen;
            chosen += STRIDE;
        }
        assert!(stolen > undisturbed / STRIDE / 4, "{stolen} tasks stolen, {undisturbed} points");
        for distance in 1..=MOST_DISTANT {
            for first in 0..distance {
                let (_, stolen) =
                    run::<D>(options, capacity, move |point| point % distance == first);
                assert!(stolen > 0);
            }
        }
    }
}

#[test]
fn handler_at_every_point_of_the_split_deque() {
    at_every_point::<Split>(&SplitOptions { amount: Amount::Half, ..Default::default() });
    for share in [Share::One, Share::Half, Share::All] {
        at_every_point::<Split>(&SplitOptions { share, ..Default::default() });
    }
}

#[test]
fn handler_at_every_point_of_the_receiver() {
    for acquire in [Acquire::Communicate, Acquire::Block] {
        at_every_point::<Receiver>(&ReceiverOptions { amount: Amount::One, acquire });
        at_every_point::<Receiver>(&ReceiverOptions { amount: Amount::Half, acquire });
    }
}

#[test]
fn handler_at_every_point_of_the_sender() {
    for hand_over in [HandOver::Direct, HandOver::TwoStep] {
        for amount in [Amount::One, Amount::Half] {
            // Deals whenever somebody waits.
            let delta = Duration::ZERO;
            let options = SenderOptions { amount, hand_over, delta, ..Default::default() };
            at_every_point::<Sender>(&options);
            at_every_point::<Sender>(&SenderOptions { attempts: Attempts::Blind, ..options });
        }
    }
}
