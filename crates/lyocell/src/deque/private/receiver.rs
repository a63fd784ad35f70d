//! Private deques, receiver-initiated: a thief asks, the owner answers at its next push or pop.
//!
//! ```text
//!   thief                                       owner
//!   opens its mailbox to the owner
//!   puts its name into the request cell ------> (a tripped limit makes it look)
//!   trips the owner's limits                    takes the name out of its request cell
//!   looks into its mailbox now and then <------ puts tasks into the mailbox, or closes it
//! ```
//! The [request cell](super::request_cell) of a worker is the paper's `r`, with its status flag `a`; the
//! [mailbox](super::mailbox) is its transfer cell `t`. No push or pop that nobody asked for writes anything shared.
//!
//! # Invariants
//! - receiver-1. A task is given away by the owner alone, into a mailbox that is open to it (mailbox-1); `tail`
//!   passes the task exactly when the mailbox accepted it.
//! - receiver-2. While the status flag says that there are tasks, there are: it is raised only on a slow path, and
//!   from then on the pop of the last task is slow, and lowers it. So the flag of a worker that waits for
//!   a stolen task, or of a seat that nobody sits in, is down. Up to the next slow path it may be down
//!   though there are tasks: a thief that finds it so trips the limits.
//! - receiver-3. A request is only a name. An owner that finds the mailbox of its thief closed forgets it; a thief
//!   that gets no answer closes its mailbox (mailbox-3) and goes. So no thief depends on an owner that works
//!   long, sleeps, or has left its seat.
//! - receiver-4. A request in the cell is seen: a thief that waits, and one that finds the cell in use, trips the
//!   limits each time it looks.
//! - receiver-5. An owner that has taken a name out of its request cell may answer it at any later moment at which it finds the
//!   thief's mailbox open to it again. So whoever opens its mailbox looks what has come when it closes it,
//!   whether its name got into the cell or not.
//!
//! # Orderings
//! Tasks travel by the mailbox. A request is released and acquired, so that the owner finds the mailbox open;
//! without that it would be turned down in vain, no more.
//!
//! Source: Acar, Charguéraud and Rainey 2013, Figures 1 and 2, appendix C (Figure 8) and section 5 (steal
//! half). Departures:
//! - The thief does not spin for the answer: `steal` is `Busy` and looks again at the next call, and after a
//!   while it withdraws (receiver-3). So the answer is a compare-and-swap where the paper stores.
//! - The status flag is raised on demand (receiver-2): keeping it up to date would cost each push a compare.
//! - In Figure 8 an idle worker blocks its request cell until it has a task; here also only until it stops
//!   waiting, and not while it has tasks to give (it may wait for other things than a stolen task).

use super::mailbox::{Change, Mail, Mailbox, Parcel};
use super::request_cell::RequestCell;
use super::{Private, Watch};
use crate::deque::kit::{Asked, Limits};
use crate::deque::{
    Amount, Deque, Fast, Interrupts, Loot, Pop, PrivateTasks, Push, Steal, Stealable, Team,
};
use crate::probe::{Event, Probe};
use crate::task::{Slot, Slots};
use crossbeam_utils::CachePadded;
use std::cell::Cell;

/// Private deque, receiver-initiated: thieves ask, owners answer.
///
/// # Guarantee
/// Needs the owner's cooperation. A steal succeeds only when the victim pushes or pops; an
/// owner in the middle of a long task gives nothing away, unless the pool has
/// [interrupts](crate::Builder::interrupt). Nobody ever waits for anybody inside an
/// operation: push, pop and a thief's every step are wait-free.
///
/// # Cost
/// An unasked push or pop is one compare, without fence or atomic read-modify-write. A steal
/// costs the owner one slow push or pop with two read-modify-writes, the thief one and the latency of the
/// owner's next push or pop.
///
/// # When to choose it
/// To move several tasks by one steal ([`Amount::Half`]), or to compare; where tasks may be long, choose
/// [`Split`](crate::Split).
///
/// # Source
/// Acar, Charguéraud and Rainey 2013, Figures 1 and 2, and appendix C.
///
/// # Examples
/// ```
/// use lyocell::deque::{Amount, Receiver, ReceiverOptions};
///
/// let options = ReceiverOptions::default().amount(Amount::Half);
/// let pool = lyocell::Pool::builder().workers(2).deque::<Receiver>().deque_options(options).build()?;
/// assert_eq!(pool.run(|w| w.join_range(0..100, 0, |_, i| i, |a, b| a + b)), 4950);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub struct Receiver {
    tasks: Private,
    acquire: Acquire,
    /// Whom the worker, as a thief, has asked and not heard of yet.
    asked: Cell<Option<Request>>,
    request_cell: CachePadded<RequestCell>,
    mailbox: CachePadded<Mailbox>,
}

/// The options of a [`Receiver`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReceiverOptions {
    /// How many tasks a steal moves.
    pub amount: Amount,
    /// How a worker without tasks treats requests.
    pub acquire: Acquire,
}

impl ReceiverOptions {
    /// These options, with this [`amount`](ReceiverOptions::amount).
    #[must_use]
    pub fn amount(mut self, amount: Amount) -> Self {
        self.amount = amount;
        self
    }

    /// These options, with this [`acquire`](ReceiverOptions::acquire).
    #[must_use]
    pub fn acquire(mut self, acquire: Acquire) -> Self {
        self.acquire = acquire;
        self
    }
}

/// How a worker that waits for tasks treats thieves that ask it for some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Acquire {
    /// The worker looks now and then whether a thief has asked, and turns it down (Figure 2).
    #[default]
    Communicate,
    /// The worker blocks its request cell, so that no thief can ask (appendix C, Figure 8).
    Block,
}

/// A request of a thief that is under way.
#[derive(Clone, Copy)]
struct Request {
    victim: usize,
    /// How many times more the thief looks before it withdraws.
    patience: usize,
}

/// How many rounds of looking at all workers a thief waits for an answer. An owner that is running answers
/// within a few; one that is not, or works long, should not keep the thief from the others. Untuned.
const PATIENCE_ROUNDS: usize = 64;

// SAFETY: deque-1 and deque-2 by receiver-1; deque-3 by the mailbox's Release and Acquire; deque-4 because `tail`
// moves back only in `retire`.
unsafe impl Deque for Receiver {
    const NAME: &'static str = "receiver";
    const MAX_CAPACITY: usize = Parcel::MAX_INDEX;
    const PRIVATE_TASKS: PrivateTasks = PrivateTasks::Sent;
    const INTERRUPTS: Interrupts = Interrupts::AnsweredToSearchers;

    type Requests = Limits;
    type Options = ReceiverOptions;

    fn new(slots: Slots, options: &ReceiverOptions) -> Receiver {
        Receiver {
            tasks: Private::new(slots, options.amount),
            acquire: options.acquire,
            asked: Cell::new(None),
            request_cell: CachePadded::new(RequestCell::new()),
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

    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop {
        if self.tasks.gave(head) {
            Pop::Stolen
        } else if self.tasks.has_tasks(head) == Stealable::Some {
            // private-2: what makes such a pop slow is a tripped limit.
            Pop::Asked
        } else {
            match self.update_status(head, probe) {
                Asked::Yes => Pop::Asked,
                Asked::No => Pop::Popped,
            }
        }
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
        // First forget the request, then answer it: one that comes meanwhile stands.
        self.tasks.forget_request();
        if let Some(thief) = self.request_cell.take_request(probe) {
            self.answer(head, team, me, thief, probe);
        }
        let _ = self.update_status(head, probe);
        self.tasks.has_tasks(head)
    }

    #[inline]
    fn requests(&self) -> &Limits {
        &self.tasks.limits
    }

    fn communicate(&self, head: *const Slot, team: &Team<Self>, me: usize, probe: &impl Probe) {
        let has_tasks = self.tasks.has_tasks(head);
        if self.acquire == Acquire::Block && has_tasks == Stealable::None {
            if let Some(thief) = self.request_cell.block(probe) {
                self.answer(head, team, me, thief, probe);
            }
        } else if self.request_cell.has_request() {
            self.share(head, team, me, probe);
        }
    }

    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        let me = team.deque(thief);
        let Some(request) = me.asked.get() else {
            return me.ask(team, victim, thief, probe);
        };
        match me.mailbox.take() {
            Mail::Tasks(parcel) => {
                me.asked.set(None);
                Steal::Task(team.deque(parcel.owner).tasks.loot(parcel))
            }
            Mail::Closed => {
                me.asked.set(None);
                me.ask(team, victim, thief, probe)
            }
            Mail::OpenTo(_) | Mail::OpenToAll | Mail::Incoming(_) => {
                me.wait_on(team, thief, request)
            }
        }
    }

    fn withdraw<'a>(team: &'a Team<Self>, thief: usize, _probe: &impl Probe) -> Option<Loot<'a>> {
        let me = team.deque(thief);
        me.request_cell.unblock();
        // Nobody answers for a while, maybe: up to the next slow path there is nothing to be had here.
        me.request_cell.set_status(Stealable::None);
        me.asked.get().and_then(|request| me.take_back(team, thief, request))
    }

    fn take_oldest<'a>(
        team: &'a Team<Self>,
        head: *const Slot,
        me: usize,
        probe: &impl Probe,
    ) -> Option<Loot<'a>> {
        let deque = team.deque(me);
        let loot = deque.tasks.take_oldest(head, me)?;
        // receiver-2; and private-2. A request that stood is not lost: it tripped the push limit too.
        let _ = deque.update_status(head, probe);
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

impl Receiver {
    /// Owner `me`: gives this thief its due, or turns it down.
    fn answer(
        &self,
        head: *const Slot,
        team: &Team<Self>,
        me: usize,
        thief: usize,
        probe: &impl Probe,
    ) {
        probe.count(Event::OwnerRmw);
        let mailbox = &team.deque(thief).mailbox;
        match self.tasks.offer(head, me) {
            None => match mailbox.change(Mail::OpenTo(me), Mail::Closed) {
                Change::Made => {}
                // The thief has gone already.
                Change::Refused => probe.count(Event::CasFailure),
            },
            Some(parcel) => match mailbox.change(Mail::OpenTo(me), Mail::Tasks(parcel)) {
                Change::Made => {
                    probe.count(Event::Deal);
                    self.tasks.give(parcel);
                }
                Change::Refused => probe.count(Event::CasFailure),
            },
        }
    }

    /// Owner: makes the status flag and the pop limit true again (receiver-2), and tells whether the limit was
    /// tripped.
    fn update_status(&self, head: *const Slot, probe: &impl Probe) -> Asked {
        let has_tasks = self.tasks.has_tasks(head);
        self.request_cell.set_status(has_tasks);
        let watch = match has_tasks {
            Stealable::Some => Watch::LastTask,
            Stealable::None => Watch::Off,
        };
        self.tasks.watch(watch, probe)
    }

    /// Thief: asks a victim that has something to offer.
    fn ask<'a>(
        &self,
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        probe: &impl Probe,
    ) -> Steal<Loot<'a>> {
        let other = team.deque(victim);
        if victim == thief || other.request_cell.status() == Stealable::None {
            return Steal::Empty;
        }
        self.mailbox.open_to(victim);
        if other.request_cell.put_request(thief) == Change::Made {
            probe.count(Event::DealRequest);
            let patience = PATIENCE_ROUNDS * team.size();
            self.asked.set(Some(Request { victim, patience }));
            other.request();
            return Steal::Busy;
        }
        // receiver-4.
        other.request();
        // receiver-5: an answer to an earlier request may have come.
        match self.mailbox.close() {
            Some(parcel) => Steal::Task(team.deque(parcel.owner).tasks.loot(parcel)),
            None => Steal::Busy,
        }
    }

    /// Thief: no answer yet.
    fn wait_on<'a>(&self, team: &'a Team<Self>, thief: usize, request: Request) -> Steal<Loot<'a>> {
        let Some(patience) = request.patience.checked_sub(1) else {
            return match self.take_back(team, thief, request) {
                Some(loot) => Steal::Task(loot),
                None => Steal::Busy,
            };
        };
        self.asked.set(Some(Request { patience, ..request }));
        team.deque(request.victim).request();
        Steal::Busy
    }

    /// Thief: withdraws its request, unless tasks have come (mailbox-3).
    fn take_back<'a>(
        &self,
        team: &'a Team<Self>,
        thief: usize,
        request: Request,
    ) -> Option<Loot<'a>> {
        self.asked.set(None);
        match self.mailbox.close() {
            Some(parcel) => Some(team.deque(parcel.owner).tasks.loot(parcel)),
            None => {
                team.deque(request.victim).request_cell.remove_request(thief);
                None
            }
        }
    }
}

// SAFETY: the cell, `asked`, is touched by the worker's occupant alone, as the methods for
// owner and thief demand (worker-1); all else is atomic or never changes.
unsafe impl Sync for Receiver {}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::kit::test_kit::TestKit;
    use crate::lines::hold_lines;

    #[test]
    fn no_line_has_two_writers() {
        hold_lines!(Receiver:
            tasks: Anybody,
            acquire: Owner,
            asked: Owner,
            request_cell: Thieves,
            mailbox: Anybody,
        );
    }

    /// A deque with so many tasks whose owner has been told that there are thieves.
    fn asked(options: &ReceiverOptions, tasks: usize) -> TestKit<Receiver> {
        let kit = TestKit::<Receiver>::with_options(8, options);
        assert_eq!(kit.steal(), Steal::Empty);
        kit.deque().request();
        assert_eq!(kit.push(), Push::Asked);
        (1..tasks).for_each(|_| assert_eq!(kit.push(), Push::Pushed));
        kit
    }

    const ONE: ReceiverOptions =
        ReceiverOptions { amount: Amount::One, acquire: Acquire::Communicate };
    const HALF: ReceiverOptions = ReceiverOptions { amount: Amount::Half, ..ONE };
    const BLOCK: ReceiverOptions = ReceiverOptions { acquire: Acquire::Block, ..ONE };

    #[test]
    fn a_request_is_answered_by_the_next_push_with_the_oldest_task() {
        let kit = asked(&ONE, 2);
        assert_eq!(kit.steal(), Steal::Busy);
        assert_eq!(kit.push(), Push::Asked);
        assert_eq!(kit.steal(), Steal::Task(0));
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.pop(), Pop::Stolen);
        kit.retire();
        assert_eq!(kit.push(), Push::Pushed);
    }

    #[test]
    fn a_request_is_answered_by_the_next_pop_with_what_is_below() {
        let kit = asked(&ONE, 2);
        assert_eq!(kit.steal(), Steal::Busy);
        assert_eq!(kit.pop(), Pop::Asked);
        assert_eq!(kit.steal(), Steal::Task(0));
        assert_eq!(kit.pop(), Pop::Stolen);
    }

    #[test]
    fn who_asks_for_the_last_task_too_late_is_turned_down() {
        let kit = asked(&ONE, 1);
        assert_eq!(kit.steal(), Steal::Busy);
        assert_eq!(kit.pop(), Pop::Asked);
        assert_eq!(kit.steal(), Steal::Empty);
    }

    #[test]
    fn the_flag_is_down_as_soon_as_the_last_task_is_popped() {
        let kit = asked(&ONE, 2);
        assert_eq!(kit.deque().request_cell.status(), Stealable::Some);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.deque().request_cell.status(), Stealable::Some);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.deque().request_cell.status(), Stealable::None);
        // And now the last task costs no more than any other.
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.steal(), Steal::Empty);
    }

    #[test]
    fn half_is_the_older_half() {
        let kit = asked(&HALF, 5);
        assert_eq!(kit.steal_many(), Steal::Busy);
        assert_eq!(kit.pop(), Pop::Asked);
        assert_eq!(kit.steal_many(), Steal::Task((0, 2)));
        assert_eq!(kit.steal_many(), Steal::Busy);
        kit.share();
        assert_eq!(kit.withdraw(), Some((2, 1)));
        assert_eq!(kit.pop(), Pop::Popped);
        assert_eq!(kit.pop(), Pop::Stolen);
    }

    #[test]
    fn a_thief_that_leaves_gets_nothing_and_the_owner_keeps_all() {
        let kit = asked(&ONE, 2);
        assert_eq!(kit.steal(), Steal::Busy);
        assert_eq!(kit.withdraw(), None);
        assert_eq!(kit.push(), Push::Asked);
        (0..3).for_each(|_| assert_eq!(kit.pop(), Pop::Popped));
    }

    #[test]
    fn a_thief_without_an_answer_takes_its_name_off_the_desk() {
        let kit = asked(&ONE, 1);
        let rounds = 2 * PATIENCE_ROUNDS;
        (0..=rounds).for_each(|_| assert_eq!(kit.steal(), Steal::Busy));
        assert!(kit.deque().request_cell.has_request());
        assert_eq!(kit.steal(), Steal::Busy);
        assert!(!kit.deque().request_cell.has_request());
    }

    #[test]
    fn an_owner_that_waits_gives_what_it_has_and_else_turns_thieves_down_or_blocks_them() {
        for options in [ONE, BLOCK] {
            let kit = asked(&options, 1);
            assert_eq!(kit.steal(), Steal::Busy);
            kit.communicate();
            assert_eq!(kit.steal(), Steal::Task(0));
            assert_eq!(kit.pop(), Pop::Stolen);
            kit.communicate();
            let cell = &kit.deque().request_cell;
            let blocked = cell.put_request(2) == Change::Refused;
            assert_eq!(blocked, options.acquire == Acquire::Block);
            cell.remove_request(2);
            assert_eq!(kit.steal(), Steal::Empty);
        }
    }

    #[test]
    fn two_slots_keep_two_tasks() {
        let kit = TestKit::<Receiver>::new(2);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.push(), Push::Pushed);
        assert_eq!(kit.push(), Push::Full);
    }
}
