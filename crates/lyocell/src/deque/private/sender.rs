//! Private deques, sender-initiated: an idle worker says so, and a busy one deals it tasks.
//!
//! ```text
//!   thief                                       owner
//!   opens its mailbox
//!   sees that the owner is due,
//!   and trips its limits                ------> next push or pop: finds the open mailbox
//!   looks into its mailbox now and then <------ puts tasks into it, draws the next date
//! ```
//! The [mailbox](super::mailbox) is the paper's communication cell `s`: open is its null, closed its
//! `DUMMY_TASK`. The [schedule](super::schedule) has the owner's dates `d`.
//!
//! # Invariants
//! - sender-1. A task is given away by the owner alone, into a mailbox that is open to it (mailbox-1); `tail` passes
//!   the task exactly when the mailbox accepted it.
//! - sender-2. A worker that has tasks it could deal, and no date ahead, deals or announces them at its next push
//!   or pop once its limits are tripped; and it leaves them tripped while its date is ahead, and while anybody sleeps. So
//!   nobody who sleeps is forgotten.
//! - sender-3. A mailbox is open only while its worker waits: it is closed before the worker runs anything, sleeps,
//!   or leaves its seat.
//!
//! # Orderings
//! Tasks travel by the mailbox. All else is hints.
//!
//! Source: Acar, Charguéraud and Rainey 2013, Figures 1 and 3, and section 5 (steal half). Departures:
//! - Idle workers trip the limits of those that are due. In the paper a busy processor looks at the clock at
//!   every push and pop; here the idle one does, which has the time. An owner that nobody disturbs never
//!   reads it, and one that has not dealt for long deals at once.
//! - A date is used up by an attempt at an open mailbox only, and the owner looks round, from a random
//!   worker on, for one that is open: in the paper all processors spin, here most of the idle ones may
//!   sleep, and a blind draw would seldom hit one that does not. One that finds none open looks again after a moment,
//!   not at its next push: among 64 workers a look costs more than most tasks.
//! - A thief may close its mailbox again, so tasks are put in by compare-and-swap, also in the second step
//!   of the two-step hand-over.
//! - A thief that, for want of stack, may only leapfrog, opens its mailbox to the one worker it asked.

use super::mailbox::{Change, Mail, Mailbox, Parcel};
use super::schedule::{Moment, Schedule};
use super::{Private, Watch};
use crate::deque::kit::Limits;
use crate::deque::{
    Amount, Deque, Fast, Interrupts, Loot, Pop, PrivateTasks, Push, Steal, Stealable, Team,
};
use crate::outside::Random;
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::time::Duration;

/// Private deque, sender-initiated: owners deal tasks to idle workers.
///
/// # Guarantee
/// Needs the owner's cooperation. Tasks move only when their owner pushes or pops, or is
/// [interrupted](crate::Builder::interrupt), and each owner deals every [`delta`](SenderOptions::delta) on average
/// at most. Nobody ever waits for anybody inside an operation: every step is wait-free.
///
/// # Cost
/// An unasked push or pop is one compare, without fence or atomic read-modify-write. One that is asked before the owner may
/// deal again costs a look at the clock. A deal costs the owner one slow push or pop, a look at the other mailboxes and one or two compare-and-swaps. An idle
/// worker waits for up to `delta` or so; a `delta` beyond the pool's search time lets it sleep in between.
///
/// # When to choose it
/// To compare; and where thieves must not be able to disturb owners at will.
///
/// # Waiting
/// Who deals is not the thief's choice, so all wait policies but [`Wait::None`](crate::Wait::None) take tasks
/// from whoever offers some, except that [`Wait::Leap`](crate::Wait::Leap) and a worker on a short stack take
/// the thief's only.
///
/// # Source
/// Acar, Charguéraud and Rainey 2013, Figures 1 and 3.
///
/// # Examples
/// ```
/// use lyocell::deque::{Sender, SenderOptions};
/// use std::time::Duration;
///
/// let options = SenderOptions { delta: Duration::from_micros(100), ..Default::default() };
/// let pool = lyocell::Pool::builder().workers(2).deque::<Sender>().deque_options(options).build()?;
/// assert_eq!(pool.run(|w| w.join_range(0..100, 0, |_, i| i, |a, b| a + b)), 4950);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct Sender {
    tasks: Private,
    hand_over: HandOver,
    schedule: CachePadded<Schedule>,
    /// What the time was when the worker, as a thief, last looked.
    glance: Cell<Option<Glance>>,
    mailbox: CachePadded<Mailbox>,
}

/// A look at the clock that serves for one round of the other workers.
#[derive(Clone, Copy)]
struct Glance {
    now: Moment,
    /// How many victims more it serves for.
    victims: usize,
}

/// The options of a [`Sender`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderOptions {
    /// How many tasks a deal moves. By default it is half, because a thief that gets one small task soon waits for
    /// `delta` again.
    pub amount: Amount,
    /// The mean time between two deals of one owner.
    pub delta: Duration,
    /// How tasks are handed over.
    pub hand_over: HandOver,
}

/// The paper's choice (section 4).
const DELTA: Duration = Duration::from_micros(30);

/// Not the paper's choice. On the tree T3L of UTS, four of five tasks are leaves: two workers took 1.17 times
/// as long as on the split deque when each deal moved one task, and as long when it moved half.
const AMOUNT: Amount = Amount::Half;

impl Default for SenderOptions {
    fn default() -> Self {
        SenderOptions { amount: AMOUNT, delta: DELTA, hand_over: HandOver::default() }
    }
}

/// How an owner puts tasks into a mailbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HandOver {
    /// The owner puts the tasks into the mailbox in one step. The paper can do this with one task only; here a parcel
    /// of any number of tasks is one word.
    #[default]
    Direct,
    /// The owner first reserves the mailbox (`INCOMING`), then puts the tasks there (Figure 3).
    TwoStep,
}

/// How a round of looking for an open mailbox ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    /// One was open: it has the tasks now, or somebody was faster, or it was closed again.
    Made,
    /// None was open.
    NobodyIdle,
}

// SAFETY: deque-1 and deque-2 by sender-1; deque-3 by the mailbox's Release and Acquire; deque-4 because `tail`
// moves back only in `retire`.
unsafe impl Deque for Sender {
    const NAME: &'static str = "sender";
    const MAX_CAPACITY: usize = Parcel::MAX_INDEX;
    const PRIVATE_TASKS: PrivateTasks = PrivateTasks::Sent;
    const INTERRUPTS: Interrupts = Interrupts::AnsweredToSearchers;

    type Requests = Limits;
    type Options = SenderOptions;

    fn new(slots: Slots, options: &SenderOptions) -> Sender {
        // Slots lie apart, so each deque draws numbers of its own.
        let random = Random::for_address(slots.first().addr() / size_of::<Slot>());
        Sender {
            tasks: Private::new(slots, options.amount),
            hand_over: options.hand_over,
            schedule: CachePadded::new(Schedule::new(options.delta, random)),
            glance: Cell::new(None),
            mailbox: CachePadded::new(Mailbox::new()),
        }
    }

    #[inline(always)]
    fn push(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        self.tasks.push(head)
    }

    fn push_slow(&self, head: *const Slot, _probe: &impl Probe) -> Push {
        self.tasks.push_slow(head)
    }

    #[inline(always)]
    fn pop(&self, head: *const Slot, _probe: &impl Probe) -> Fast {
        self.tasks.pop(head)
    }

    fn pop_slow(&self, head: *const Slot, _probe: &impl Probe) -> Pop {
        // private-2: what makes the pop of a task that is still here slow is a tripped limit.
        if self.tasks.gave(head) { Pop::Stolen } else { Pop::Asked }
    }

    fn retire(&self, head: *const Slot, probe: &impl Probe) {
        self.tasks.retire(head, probe);
    }

    fn share(
        &self,
        head: *const Slot,
        team: &Team<Self>,
        me: usize,
        probe: &impl Probe,
    ) -> Stealable {
        let now = Moment::now();
        if !self.schedule.is_due(now) {
            // The request stands until the date (sender-2).
            return Stealable::None;
        }
        // First forget the request, then deal: one that comes meanwhile stands (sender-2).
        self.tasks.forget_request();
        if let Some(parcel) = self.tasks.offer(head, me) {
            match self.deal(parcel, team, probe) {
                Attempt::Made => self.schedule.draw(now),
                Attempt::NobodyIdle => self.schedule.look_again_soon(now),
            }
        }
        let _ = self.tasks.watch(Watch::Off, probe);
        self.tasks.has_tasks(head)
    }

    #[inline]
    fn requests(&self) -> &Limits {
        &self.tasks.limits
    }

    fn communicate(&self, head: *const Slot, team: &Team<Self>, me: usize, probe: &impl Probe) {
        if self.tasks.has_tasks(head) == Stealable::Some && self.is_asked() {
            self.share(head, team, me, probe);
        }
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        _probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        if victim == thief {
            return Steal::Empty;
        }
        let mailbox = &team.deque(thief).mailbox;
        match mailbox.take() {
            Mail::Tasks(parcel) => {
                return Steal::Task(team.deque(parcel.owner).tasks.loot(parcel));
            }
            Mail::Closed => mailbox.open_to(victim),
            Mail::OpenTo(other) if other != victim => mailbox.widen(other),
            Mail::OpenTo(_) | Mail::OpenToAll | Mail::Incoming(_) => {}
        }
        let other = team.deque(victim);
        if other.is_asked() || other.schedule.is_due(team.deque(thief).glance(team.size())) {
            Steal::Empty
        } else {
            Steal::Busy
        }
    }

    fn withdraw<'a>(team: &'a Team<Self>, thief: usize, _probe: &impl Probe) -> Option<Loot<'a>> {
        team.deque(thief).glance.set(None);
        // sender-3.
        let parcel = team.deque(thief).mailbox.close()?;
        Some(team.deque(parcel.owner).tasks.loot(parcel))
    }

    /// Nothing can be taken without the owner, which announces what it has when it finds its limits tripped.
    fn stealable(&self) -> Stealable {
        Stealable::None
    }

    fn withholds(&self, head: *const Slot) -> bool {
        self.tasks.tasks(head) > 0
    }
}

impl Sender {
    /// Thief: what time it is, looked up once in a round of so many workers.
    fn glance(&self, workers: usize) -> Moment {
        let last = self.glance.get().filter(|glance| glance.victims > 0);
        let Glance { now, victims } =
            last.unwrap_or_else(|| Glance { now: Moment::now(), victims: workers - 1 });
        self.glance.set(Some(Glance { now, victims: victims - 1 }));
        now
    }

    /// Owner: looks for a worker that waits, from a random one on, and deals it the parcel.
    fn deal(&self, parcel: Parcel, team: &Team<Self>, probe: &impl Probe) -> Attempt {
        let first = self.schedule.target(team.size());
        let targets = (first..team.size()).chain(0..first);
        for target in targets.filter(|target| *target != parcel.owner) {
            let mailbox = &team.deque(target).mailbox;
            let seen = mailbox.peek();
            if seen.welcomes(parcel.owner) {
                match self.hand_over(mailbox, seen, parcel, probe) {
                    Change::Made => {
                        probe.count(Event::Deal);
                        self.tasks.give(parcel);
                    }
                    Change::Refused => probe.count(Event::CasFailure),
                }
                return Attempt::Made;
            }
        }
        Attempt::NobodyIdle
    }

    /// Owner: puts the parcel into a mailbox that was seen open.
    fn hand_over(
        &self,
        mailbox: &Mailbox,
        seen: Mail,
        parcel: Parcel,
        probe: &impl Probe,
    ) -> Change {
        let change = |seen, to| {
            probe.count(Event::OwnerRmw);
            mailbox.change(seen, to)
        };
        match self.hand_over {
            HandOver::Direct => change(seen, Mail::Tasks(parcel)),
            HandOver::TwoStep => {
                let incoming = Mail::Incoming(parcel.owner);
                match change(seen, incoming) {
                    Change::Made => change(incoming, Mail::Tasks(parcel)),
                    Change::Refused => Change::Refused,
                }
            }
        }
    }
}

// SAFETY: the cells, `glance` and that in `schedule`, are touched by the worker's occupant alone, as the methods
// for the owner demand (worker-1); all else is atomic or never changes.
unsafe impl Sync for Sender {}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::TestKit;
    use crate::lines::hold_lines;
    use crate::probe::NoProbe;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Sender:
            tasks: Anybody,
            hand_over: Owner,
            schedule: Owner,
            glance: Owner,
            mailbox: Anybody,
        );
    }

    /// Deals whenever somebody waits.
    fn eager(amount: Amount, hand_over: HandOver) -> SenderOptions {
        SenderOptions { amount, hand_over, delta: Duration::ZERO }
    }

    /// Deals once, and then not before the test is over.
    fn lazy() -> SenderOptions {
        SenderOptions { amount: Amount::One, delta: Duration::MAX, ..Default::default() }
    }

    #[test]
    fn whoever_waits_is_dealt_the_oldest_task() {
        for hand_over in [HandOver::Direct, HandOver::TwoStep] {
            let kit = TestKit::<Sender>::with_options(8, &eager(Amount::One, hand_over));
            assert_eq!(kit.push(), Push::Pushed);
            assert_eq!(kit.steal(), Steal::Empty);
            kit.deque().request();
            assert_eq!(kit.push(), Push::Asked);
            assert_eq!(kit.steal(), Steal::Task(0));
            assert_eq!(kit.pop(), Pop::Popped);
            assert_eq!(kit.pop(), Pop::Stolen);
            kit.retire();
            assert_eq!(kit.push(), Push::Pushed);
        }
    }

    #[test]
    fn half_is_the_older_half() {
        for hand_over in [HandOver::Direct, HandOver::TwoStep] {
            let kit = TestKit::<Sender>::with_options(8, &eager(Amount::Half, hand_over));
            (0..5).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
            assert_eq!(kit.steal_many(), Steal::Empty);
            kit.share();
            assert_eq!(kit.steal_many(), Steal::Task((0, 3)));
            assert_eq!(kit.steal_many(), Steal::Empty);
            kit.share();
            assert_eq!(kit.withdraw(), Some((3, 1)));
        }
    }

    #[test]
    fn an_owner_deals_no_more_than_its_dates_allow() {
        let kit = TestKit::<Sender>::with_options(8, &lazy());
        (0..3).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
        // Nobody waits: the date is not used up, but put off for a moment.
        kit.share();
        // The thief opens its mailbox. Whether the moment is over by now does not matter.
        assert!(matches!(kit.steal(), Steal::Busy | Steal::Empty));
        kit.until_due();
        kit.share();
        assert_eq!(kit.steal(), Steal::Task(0));
        assert_eq!(kit.steal(), Steal::Busy);
        kit.share();
        assert_eq!(kit.withdraw(), None);
    }

    impl TestKit<Sender> {
        fn until_due(&self) {
            while !self.deque().schedule.is_due(Moment::now()) {}
        }
    }

    #[test]
    fn a_request_before_the_date_costs_the_owner_no_atomic_step_and_stands() {
        let kit = TestKit::<Sender>::with_options(8, &lazy());
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Empty);
        kit.share();
        assert_eq!(kit.steal(), Steal::Task(0));
        kit.deque().request();
        let before = kit.counts();
        for _ in 0..5 {
            assert_eq!(kit.push(), Push::Asked);
            assert_eq!(kit.pop(), Pop::Asked);
        }
        assert_eq!(kit.counts(), before);
        assert!(kit.deque().is_asked());
        assert_eq!(kit.pop(), Pop::Stolen);
    }

    #[test]
    fn a_thief_looks_at_the_clock_once_a_round() {
        let kit = TestKit::<Sender>::new(2);
        let thief = kit.deque();
        let first = thief.glance(3);
        while Moment::now() == first {}
        assert_eq!(thief.glance(3), first);
        assert_ne!(thief.glance(3), first);
    }

    #[test]
    fn a_thief_that_left_is_dealt_nothing() {
        let kit = TestKit::<Sender>::with_options(8, &eager(Amount::One, HandOver::Direct));
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Empty);
        assert_eq!(kit.withdraw(), None);
        kit.share();
        assert_eq!(kit.withdraw(), None);
        assert_eq!(kit.pop(), Pop::Popped);
    }

    #[test]
    fn an_owner_that_waits_deals_what_it_has() {
        let kit = TestKit::<Sender>::with_options(8, &eager(Amount::One, HandOver::Direct));
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.steal(), Steal::Empty);
        kit.communicate();
        assert_eq!(kit.withdraw(), None);
        assert_eq!(kit.steal(), Steal::Empty);
        kit.deque().request();
        kit.communicate();
        assert_eq!(kit.steal(), Steal::Task(0));
    }

    #[test]
    fn a_thief_that_asks_one_victim_is_dealt_tasks_by_no_other() {
        let options = eager(Amount::One, HandOver::Direct);
        let deques = [0, 1, 2].map(|_| Sender::new(Slots::new(4).unwrap(), &options));
        // SAFETY: the deques outlive the team.
        let team = unsafe { Team::new(deques.iter()) };
        // The victim has nothing; the other has one task.
        let (victim, other, thief) = (0, 1, 2);
        let head = deques[other].tasks.loot(Parcel { owner: other, first: 1, count: 1 }).first;
        let deal = || deques[other].share(head.pointer(), &team, other, &NoProbe);
        let steal = |from| Sender::steal(&team, from, thief, &NoProbe);
        assert!(matches!(steal(victim), Steal::Empty));
        assert_eq!(deal(), Stealable::Some);
        assert!(matches!(steal(victim), Steal::Empty));
        // Once it asks both, it is anybody's.
        assert!(matches!(steal(other), Steal::Empty));
        assert_eq!(deal(), Stealable::None);
        assert!(matches!(steal(victim), Steal::Task(Loot { owner: 1, count: 1, .. })));
    }

    #[test]
    fn nobody_steals_from_itself() {
        let deque = Sender::new(Slots::new(4).unwrap(), &SenderOptions::default());
        // SAFETY: the deque outlives the team.
        let team = unsafe { Team::new([&deque].into_iter()) };
        assert!(matches!(Sender::steal(&team, 0, 0, &NoProbe), Steal::Empty));
        assert!(Sender::withdraw(&team, 0, &NoProbe).is_none());
    }
}
