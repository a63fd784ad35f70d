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
//!   reads it, and one that has not dealt for long deals at once. One that was dealt a task itself draws a new date. The paper
//!   does not: "as an optimization, we do not reset the date" (section 2), so that there who was dealt a task deals at once,
//!   mostly, which distributes the first tasks of a computation sooner.
//! - A date is used up by an attempt at an open mailbox only, and the owner looks round, from a random
//!   worker on, for one that is open: in the paper all processors spin, here most of the idle ones may
//!   sleep, and a blind draw would seldom hit one that does not. One that finds none open looks again after a moment,
//!   not at its next push: among 64 workers a look costs more than most tasks.
//! - These two are the default only ([`Attempts::OnDemand`]). With [`Attempts::Blind`], whoever was asked once stays
//!   asked: it looks at the clock at every push and pop, and at each date tries one random worker; and who is dealt a task keeps
//!   its date: as in the paper. Then
//!   workers should [search](crate::Builder::search_time) for as long as the program runs, as the paper's spin.
//! - A thief may close its mailbox again, so tasks are put in by compare-and-swap, also in the second step
//!   of the two-step hand-over.
//! - A thief that, for want of stack, may only leapfrog, opens its mailbox to the one worker it asked.

mod options;
#[cfg(all(test, not(loom)))]
mod tests;

pub use options::{Attempts, HandOver, SenderOptions};

use super::mailbox::{Change, Mail, Mailbox, Parcel};
use super::schedule::{Moment, Schedule};
use super::{Private, Watch};
use crate::deque::kit::Limits;
use crate::deque::{
    Deque, Fast, Interrupts, Loot, Pop, PrivateTasks, Push, Steal, Stealable, Team,
};
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use lyocell_sync::{Random, Seed};
use std::cell::Cell;

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
/// let options = SenderOptions::default().delta(Duration::from_micros(100));
/// let pool = lyocell::Pool::builder().workers(2).deque::<Sender>().deque_options(options).build()?;
/// assert_eq!(pool.run(|w| w.join_range(0..100, 0, |_, i| i, |a, b| a + b)), 4950);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct Sender {
    tasks: Private,
    hand_over: HandOver,
    attempts: Attempts,
    schedule: CachePadded<Schedule>,
    /// What the time was when the worker, as a thief, last looked.
    glance: Cell<Option<Glance>>,
    /// Whether the worker, as a thief, has taken tasks out of its mailbox since it last withdrew.
    received: Cell<bool>,
    mailbox: CachePadded<Mailbox>,
}

/// A look at the clock that serves for one round of the other workers.
#[derive(Clone, Copy)]
struct Glance {
    now: Moment,
    /// How many victims more it serves for.
    victims: usize,
}

/// How a look at one mailbox, or a round of looks, ended.
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
        // Until it is told whose it is, by `draw_from`.
        let random = Random::of_worker(Seed::of_this_run(), 0);
        Sender {
            tasks: Private::new(slots, options.amount),
            hand_over: options.hand_over,
            attempts: options.attempts,
            schedule: CachePadded::new(Schedule::new(options.delta, random)),
            glance: Cell::new(None),
            received: Cell::new(false),
            mailbox: CachePadded::new(Mailbox::new()),
        }
    }

    fn draw_from(&mut self, random: Random) {
        self.schedule.draw_from(random);
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
        self.stay_asked();
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
        match self.attempts {
            Attempts::OnDemand => self.deal_on_demand(head, now, team, me, probe),
            Attempts::Blind => self.deal_blindly(head, now, team, me, probe),
        }
        self.tasks.has_tasks(head)
    }

    #[inline]
    fn requests(&self) -> &Limits {
        &self.tasks.limits
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
        let Sender { mailbox, received, .. } = team.deque(thief);
        match mailbox.take() {
            Mail::Tasks(parcel) => {
                // Its date it draws when it withdraws: in a steal a signal handler may come in between (interrupt-3).
                received.set(true);
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
        let me = team.deque(thief);
        me.glance.set(None);
        // sender-3.
        let parcel = me.mailbox.close();
        me.note_received(parcel);
        parcel.map(|parcel| team.deque(parcel.owner).tasks.loot(parcel))
    }

    fn take_oldest<'a>(
        team: &'a Team<Self>,
        head: *const Slot,
        me: usize,
        probe: &impl Probe,
    ) -> Option<Loot<'a>> {
        let deque = team.deque(me);
        let loot = deque.tasks.take_oldest(head, me)?;
        // private-2. A request that stood is not lost: it tripped the push limit too.
        let _ = deque.tasks.watch(Watch::Off, probe);
        deque.stay_asked();
        Some(loot)
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
    /// Owner: the pop limit has been reset. A blind one that was asked once stays so, as it has to find its dates.
    fn stay_asked(&self) {
        if self.attempts == Attempts::Blind && self.is_asked() {
            self.request();
        }
    }

    /// Thief, which withdraws, perhaps with this parcel: if it has taken tasks out of its mailbox, it draws the date of its own next deal. Else a task that is handed on
    /// from worker to worker would be at every date of any of them, and more often the more workers there are. A blind one
    /// keeps the date that it has, as in the paper.
    fn note_received(&self, last: Option<Parcel>) {
        let received = self.received.take() || last.is_some();
        if received && self.attempts == Attempts::OnDemand {
            self.schedule.draw(Moment::now());
        }
    }

    /// Thief: what time it is, looked up once in a round of so many workers.
    fn glance(&self, workers: usize) -> Moment {
        let last = self.glance.get().filter(|glance| glance.victims > 0);
        let Glance { now, victims } =
            last.unwrap_or_else(|| Glance { now: Moment::now(), victims: workers - 1 });
        self.glance.set(Some(Glance { now, victims: victims - 1 }));
        now
    }

    /// Owner, asked and due: deals to a worker that waits, if there is one.
    fn deal_on_demand(
        &self,
        head: *const Slot,
        now: Moment,
        team: &Team<Self>,
        me: usize,
        probe: &impl Probe,
    ) {
        // First forget the request, then deal: one that comes meanwhile stands (sender-2).
        self.tasks.forget_request();
        if let Some(parcel) = self.tasks.offer(head, me) {
            let first = self.schedule.target(team.size());
            let mut targets = (first..team.size()).chain(0..first).filter(|target| *target != me);
            let attempt = targets.find_map(|target| match self.deal(target, parcel, team, probe) {
                Attempt::Made => Some(Attempt::Made),
                Attempt::NobodyIdle => None,
            });
            match attempt.unwrap_or(Attempt::NobodyIdle) {
                Attempt::Made => self.schedule.draw(now),
                Attempt::NobodyIdle => self.schedule.look_again_soon(now),
            }
        }
        let _ = self.tasks.watch(Watch::Off, probe);
    }

    /// Owner, at its date: deals to one random other worker if that waits, and draws the next date whatever came of it. It
    /// stays asked (sender-2).
    fn deal_blindly(
        &self,
        head: *const Slot,
        now: Moment,
        team: &Team<Self>,
        me: usize,
        probe: &impl Probe,
    ) {
        let others = team.size() - 1;
        if let Some(parcel) = self.tasks.offer(head, me).filter(|_| others > 0) {
            let target = self.schedule.target(others);
            self.deal(if target < me { target } else { target + 1 }, parcel, team, probe);
        }
        self.schedule.draw(now);
        // Pops find that a task was given away (private-2), and the next push or pop looks at the clock.
        self.request();
    }

    /// Owner: deals the parcel to this worker if it waits.
    fn deal(
        &self,
        target: usize,
        parcel: Parcel,
        team: &Team<Self>,
        probe: &impl Probe,
    ) -> Attempt {
        let mailbox = &team.deque(target).mailbox;
        let seen = mailbox.peek();
        if !seen.welcomes(parcel.owner) {
            return Attempt::NobodyIdle;
        }
        match self.hand_over(mailbox, seen, parcel, probe) {
            Change::Made => {
                probe.count(Event::Deal);
                self.tasks.give(parcel);
            }
            Change::Refused => probe.count(Event::CasFailure),
        }
        Attempt::Made
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

// SAFETY: the cells, `glance`, `received` and that in `schedule`, are touched by the worker's occupant alone, as the methods
// for the owner demand (worker-1); all else is atomic or never changes.
unsafe impl Sync for Sender {}
