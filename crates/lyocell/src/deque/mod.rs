//! What a deque is to the scheduler: push, pop, steal, retire, and the split request.
//!
//! The owner keeps its tasks in an array of [slots](crate::task), oldest first. `head` is where the
//! owner pushes next; it lives in the worker, not here, and is handed in. A deque decides which of
//! the tasks below `head` thieves may take, and settles who gets one that both want. It knows
//! nothing of threads, parking or closures.
//!
//! ```text
//!   0                 tail                              head
//!   | stolen          | still here                      | free
//!                       <- thieves take              owner pushes and pops ->
//! ```
//!
//! The ends have other names elsewhere:
//!
//! | here | Lace | Wool | Cilk | Chase-Lev, ABP | crossbeam |
//! |---|---|---|---|---|---|
//! | head, the owner's end | head | top | T | bottom | back |
//! | tail, the thieves' end | tail | bot | H | top | front |
//!
//! # Invariants that every deque keeps
//! - deque-1. Each pushed task is handed out once: to the owner by `pop`, or to one thief by `steal`.
//! - deque-2. Thieves take the oldest: the stolen tasks are a prefix `[0, tail)` of the array.
//! - deque-3. A slot's contents are visible to the thief that wins it.
//! - deque-4. A stolen slot stays below `head` until its owner retires it, newest first.
//!
//! May import: limits, sync, outside, probe, task.
//! Never enters: threads, parking, closures; who a worker is but for its number.

mod concurrent;
pub mod direct;
#[cfg(all(test, not(loom)))]
mod event_tests;
mod kit;
pub(crate) mod private;
mod split;

use crate::probe::Probe;
use crate::task::Slot;
use crate::task::Slots;
#[cfg(all(test, loom))]
pub(crate) use concurrent::Wide;
pub use concurrent::{Abp, ChaseLev};
pub use direct::{Direct, DirectLocked};
pub use kit::{Amount, Loot, Team, UnknownAmount};
pub use private::{Acquire, HandOver, Receiver, ReceiverOptions, Sender, SenderOptions};
pub use split::Split;
#[cfg(all(feature = "ablations", target_arch = "x86_64"))]
#[doc(hidden)]
pub use split::SplitFence;

/// Whether the fast path was all there was to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Fast {
    /// It was.
    Done,
    /// The cold function of the same name has to finish the work.
    Slow,
}

/// How a push ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Push {
    /// The task is in.
    Pushed,
    /// The task is in, and somebody asks for work.
    Asked,
    /// There is no room. The deque is as before the push.
    Full,
}

/// How a pop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Pop {
    /// The task is the owner's.
    Popped,
    /// The task is the owner's, and somebody asks for work.
    Asked,
    /// A thief has it. The slot stays below the head until it is retired.
    Stolen,
}

/// How a steal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Steal<T> {
    /// The thief owns this now.
    Task(T),
    /// There is nothing to take; a request may change that.
    Empty,
    /// Somebody else was faster. Another try may succeed.
    Busy,
}

/// Whether there is something for thieves to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stealable {
    /// There is.
    Some,
    /// There is not.
    None,
}

/// Whether a deque shares tasks in a signal handler (see [`Builder::interrupt`](crate::Builder::interrupt)).
///
/// If it does, [`Deque::share`] may be called in a signal handler on the owner's thread, anywhere but inside
/// another slow method of the owner (all but `push`, `pop` and `steal`). It then reads and writes memory, and
/// perhaps the clock, and nothing else; and it shares nothing when the head is one below a slot that is shared
/// or stolen already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupts {
    /// It does, and what it shares may be stolen at any time after.
    Answered,
    /// It does, and gives tasks only to thieves that search at that moment: so these should search for longer
    /// than it takes to interrupt an owner.
    AnsweredToSearchers,
    /// It does not, or there would be no point: everything is shared as it is.
    Refused,
}

/// How an owner runs a task that it has popped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// By its static type, from the copy in its own frame.
    Specific,
    /// As a thief would: through the function pointer in the slot, which the result is left in.
    Generic,
}

/// A work-stealing deque over the slots of one worker.
///
/// The methods of the owner take `head`, which is the owner's alone; that is what makes them the
/// owner's. What involves others takes the team and their indices. The probe is that of the worker that
/// calls, and hears of the events only the deque knows: grows, shrinks, RMWs, deals. Slots cannot be made
/// outside this crate, so nor can deques.
///
/// # Safety
/// An implementation keeps deque-1 to deque-4.
pub unsafe trait Deque: Sized + Send + Sync + 'static {
    /// The name the papers and the command line know it by.
    const NAME: &'static str;

    /// The most slots its indices can tell apart.
    const MAX_CAPACITY: usize;

    /// Whether it shares tasks in a signal handler.
    const INTERRUPTS: Interrupts = Interrupts::Refused;

    /// How the owner runs what it has popped. [`Join::Generic`] is for baselines.
    const JOIN: Join = Join::Specific;

    /// Where thieves leave their split requests.
    type Requests: Requests;

    /// What can be chosen about it.
    type Options: Clone + Default + std::fmt::Debug + Send + Sync + 'static;

    /// An empty deque.
    fn new(slots: Slots, options: &Self::Options) -> Self;

    /// Owner: a task has been written below `head`.
    fn push(&self, head: *const Slot, probe: &impl Probe) -> Fast;

    /// Owner: finishes a push that was [`Fast::Slow`].
    fn push_slow(&self, head: *const Slot, probe: &impl Probe) -> Push;

    /// Owner: wants the task at `head`; the head has been lowered to it already.
    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast;

    /// Owner: finishes a pop that was [`Fast::Slow`].
    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop;

    /// Owner: the stolen task at `head` is finished, and the head has been lowered to it.
    fn retire(&self, head: *const Slot, probe: &impl Probe);

    /// Owner `me`: shares what may be shared of the tasks below `head`, and answers the split request.
    fn share(
        &self,
        head: *const Slot,
        team: &Team<Self>,
        me: usize,
        probe: &impl Probe,
    ) -> Stealable;

    /// Owner: is about to answer the split request with something that is not in the deque, and `share` would
    /// leave a request standing that it cannot answer.
    fn forget_request(&self, probe: &impl Probe) {
        let _ = probe;
    }

    /// Where thieves leave their split requests.
    fn requests(&self) -> &Self::Requests;

    /// Owner: whether a split request stands.
    #[inline]
    fn is_asked(&self) -> bool {
        self.requests().is_asked()
    }

    /// Owner `me`, again and again while it waits: looks what others want of it, where they cannot help
    /// themselves.
    fn communicate(&self, head: *const Slot, team: &Team<Self>, me: usize, probe: &impl Probe) {
        let _ = (head, team, me, probe);
    }

    /// Thief: takes the oldest tasks of the victim. A deque that has to ask the victim is `Busy` until the
    /// answer is there, and may then hand out what another victim, asked before, has sent.
    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        probe: &impl Probe,
    ) -> Steal<Loot<'a>>;

    /// Thief: stops asking, as it must before it runs anything, sleeps, or ends its wait. What has been sent
    /// to it meanwhile it must run.
    fn withdraw<'a>(team: &'a Team<Self>, thief: usize, probe: &impl Probe) -> Option<Loot<'a>> {
        let _ = (team, thief, probe);
        None
    }

    /// Thief: whether a steal could succeed now, without the owner.
    fn stealable(&self) -> Stealable;

    /// Anybody: whether the owner, whose head is there, keeps tasks from thieves that find nothing to steal. A
    /// hint; an owner that is asked and does is interrupted, where the pool has interrupts.
    fn withholds(&self, head: *const Slot) -> bool {
        let _ = head;
        self.stealable() == Stealable::None
    }

    /// Anybody: asks the owner to share at its next push or pop.
    fn request(&self) {
        self.requests().request();
    }
}

/// Where thieves leave their split requests: what the fast paths of push and pop look at.
pub trait Requests {
    /// Owner: whether a request stands.
    fn is_asked(&self) -> bool;

    /// Anybody: asks.
    fn request(&self);
}
