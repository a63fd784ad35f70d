//! What a deque is to the scheduler: push, pop, steal, retire, and the split request.
//!
//! The owner keeps its tasks in an array of [slots](crate::task), oldest first. `head` is where the
//! owner pushes next; it lives in the worker, not here, and is handed in. A deque decides which of
//! the tasks below `head` thieves may take, and decides who gets one that both want. It knows
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
//! | room | what |
//! |---|---|
//! | `split` | Lace's split deque, the default |
//! | [`direct`] | Wool's direct task stack, its ablations and its locked base line |
//! | `private` | the private deques: thieves ask (`receiver`), or owners deal (`sender`) |
//! | `concurrent` | Chase and Lev's deque, and that of Arora, Blumofe and Plaxton |
//! | `kit` | what several of them are built from |
//!
//! # Invariants that every deque keeps
//! - deque-1. Each pushed task is handed out once: to the owner by `pop`, or to one thief by `steal`.
//! - deque-2. Thieves take the oldest: the stolen tasks are a prefix `[0, tail)` of the array.
//! - deque-3. A slot's contents are visible to the thief that wins it.
//! - deque-4. A stolen slot stays below `head` until its owner retires it, newest first.
//!
//! # What is to be relied on
//! The names of the deques and their options, and [`Deque`] as a bound. The trait is sealed, and what it is made of are insides:
//! its methods and constants, [`Requests`], [`Team`], [`Loot`] and what the methods return may change with any release.

// May import: limits, probe, task.
// Never enters: threads, parking, closures; who a worker is but for its number.

mod concurrent;
pub mod direct;
#[cfg(all(test, not(loom)))]
mod event_tests;
mod kit;
pub(crate) mod private;
mod split;

use crate::probe::Probe;
use crate::task::{Slot, Slots};
#[cfg(all(test, loom))]
pub(crate) use concurrent::Wide;
pub use concurrent::{Abp, ChaseLev};
pub use direct::{Direct, DirectLocked};
pub use kit::{Amount, Loot, Team, UnknownAmount};
use lyocell_sync::{HeavyBarrier, Random};
pub use private::{Acquire, Attempts, HandOver, Receiver, ReceiverOptions, Sender, SenderOptions};
pub(crate) use split::SetAside;
#[cfg(all(feature = "ablations", target_arch = "x86_64"))]
#[doc(hidden)]
pub use split::SplitFence;
pub use split::{Share, Split, SplitOptions};

/// Where the limit of pushes is among the limits of a deque, for a header; that of pops is the next word.
pub(crate) const LIMIT_OF_PUSHES: usize = kit::Limits::PUSH;

/// How the fast path of a push or a pop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub enum Fast {
    /// The operation is complete.
    Done,
    /// The cold function of the same name has to finish the work.
    Slow,
}

/// How a push ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
pub enum Steal<T> {
    /// The thief owns this now.
    Task(T),
    /// There is nothing to take; a request may change that.
    Empty,
    /// Somebody else was faster. Another try may succeed.
    Busy,
}

/// Whether a deque has tasks that thieves can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stealable {
    /// At least one task can be stolen.
    Some,
    /// No task can be stolen without the owner's help.
    None,
}

/// Whether a deque shares tasks in a signal handler (see [`Builder::interrupt`](crate::Builder::interrupt)).
///
/// A deque that does so allows [`Deque::share`] to be called in a signal handler on the owner's thread, anywhere but
/// inside another slow method of the owner (all but `push`, `pop` and `steal`). Called there, `share` reads and
/// writes memory, may read the clock, and does nothing else. It shares nothing when the head is one below a slot
/// that is shared or stolen already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interrupts {
    /// The deque shares tasks in a signal handler, and thieves can steal them at any time after.
    Answered,
    /// The deque gives tasks in a signal handler, but only to thieves that search at that moment. So thieves should
    /// search for longer than it takes to interrupt an owner.
    AnsweredToSearchers,
    /// The deque shares nothing in a signal handler: it cannot, or all of its tasks are shared already.
    Refused,
}

/// How thieves get at tasks that an owner keeps to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrivateTasks {
    /// There are none: every task can be stolen as soon as it is pushed.
    None,
    /// The owner shares them at its next push or pop after it was asked; and a thief can [expose](Deque::expose) them
    /// without the owner.
    Exposed,
    /// The owner shares them at its next push or pop after it was asked, and there is no other way.
    Shared,
    /// The owner sends them to thieves that are awake.
    Sent,
}

/// Whether the array of a deque may begin small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Room {
    /// All slots are at hand from the start.
    Fixed,
    /// A slow push may ask for more, and [`Deque::give_back`] gives them back.
    Grows,
}

/// How an owner runs a task that it has taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Join {
    /// The owner takes the closure out of the slot, and calls it by its static type.
    Specific,
    /// The owner calls the function pointer in the slot, as a thief would, and takes the result from the slot.
    Generic,
}

pub(crate) mod sealed {
    use super::direct::Variant;
    use super::*;

    pub trait Deque {}
    pub trait Requests {}

    impl Deque for Split {}
    impl<V: Variant> Deque for Direct<V> {}
    impl Deque for DirectLocked {}
    impl Deque for Receiver {}
    impl Deque for Sender {}
    impl Deque for ChaseLev {}
    impl<const TAG_BITS: u32> Deque for Abp<TAG_BITS> {}
    #[cfg(all(feature = "ablations", target_arch = "x86_64"))]
    impl Deque for SplitFence {}

    impl Requests for kit::Limits {}
}

/// A work-stealing deque over the slots of one worker.
///
/// Methods that take `head` are called by the owner alone. Methods that involve other workers take the team and the
/// numbers of these workers. The probe is that of the calling worker; the deque tells it of the events that only the
/// deque knows: grows, shrinks, read-modify-writes, deals.
///
/// The trait is sealed: it cannot be implemented outside this crate.
///
/// # Safety
/// An implementation keeps deque-1 to deque-4.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be a deque",
    note = "a function for workers of every pool is written `fn f<D: Deque, P: Probe>(w: &Worker<D, P>)`"
)]
pub unsafe trait Deque: sealed::Deque + Sized + Send + Sync + 'static {
    /// The name of this deque in tables and messages.
    const NAME: &'static str;

    /// The greatest number of slots that the deque can index.
    const MAX_CAPACITY: usize;

    /// Whether the deque shares tasks in a signal handler.
    const INTERRUPTS: Interrupts = Interrupts::Refused;

    /// How thieves get at tasks that an owner keeps to itself.
    const PRIVATE_TASKS: PrivateTasks = PrivateTasks::None;

    /// Whether a thief of a large pool holds back that finds another one at it. Where that one keeps a lock, or a place for requests,
    /// it pays to come again at once.
    const LATE_THIEVES_HOLD_BACK: bool = false;

    /// Whether its array may begin small.
    const ROOM: Room = Room::Fixed;

    /// How the owner runs a task that it has taken back. [`Join::Generic`] is for baselines.
    const JOIN: Join = Join::Specific;

    /// The place where thieves leave their split requests.
    type Requests: Requests;

    /// The options of the deque, given to [`Builder::deque_options`](crate::Builder::deque_options).
    type Options: Clone + Default + std::fmt::Debug + Send + Sync + 'static;

    /// Makes an empty deque over these slots.
    fn new(slots: Slots, options: &Self::Options) -> Self;

    /// Before it is used: draws its random numbers, if it needs any, from here. They hang on the run and the worker.
    fn draw_from(&mut self, random: Random) {
        let _ = random;
    }

    /// Owner: adds the task that has been written below `head`.
    fn push(&self, head: *const Slot, probe: &impl Probe) -> Fast;

    /// Owner: completes a push that ended as [`Fast::Slow`].
    fn push_slow(&self, head: *const Slot, probe: &impl Probe) -> Push;

    /// Owner: takes back the task at `head`, to which the head has been lowered already.
    fn pop(&self, head: *const Slot, probe: &impl Probe) -> Fast;

    /// Owner: completes a pop that ended as [`Fast::Slow`].
    fn pop_slow(&self, head: *const Slot, probe: &impl Probe) -> Pop;

    /// Owner: forgets the stolen task at `head`, which is finished, and to which the head has been lowered already.
    fn retire(&self, head: *const Slot, probe: &impl Probe);

    /// Owner: tells whether it has memory that it had no need of at the start.
    fn has_grown(&self) -> bool {
        false
    }

    /// Owner, whose deque is empty: gives back the memory that it had no need of at the start.
    fn give_back(&self) {}

    /// Owner `me`: lets thieves have some of the tasks below `head`, and so answers the split request. Returns
    /// whether tasks can be stolen now.
    ///
    /// By default it only forgets the request, for deques of which every task can be stolen as it is.
    fn share(
        &self,
        head: *const Slot,
        team: &Team<Self>,
        me: usize,
        probe: &impl Probe,
    ) -> Stealable {
        let _ = (head, team, me);
        // First forget the request, then answer it: one that comes meanwhile stands.
        self.forget_request(probe);
        self.stealable()
    }

    /// Owner: a push above this head will be slow, and so will share, unless so many tasks can be stolen already.
    fn share_above(&self, head: *const Slot, enough: usize) {
        let _ = (head, enough);
    }

    /// Owner: forgets the split request, because it shares tasks, or is about to give the thief something that is not
    /// in the deque. A deque with a `share` of its own that forgets every request need not implement this.
    fn forget_request(&self, probe: &impl Probe) {
        let _ = probe;
    }

    /// The place where thieves leave their split requests.
    fn requests(&self) -> &Self::Requests;

    /// Tells whether somebody has asked for tasks and has not been answered yet.
    #[inline]
    fn is_asked(&self) -> bool {
        self.requests().is_asked()
    }

    /// Owner `me`: serves others that cannot help themselves. It is called again and again while the owner waits, and
    /// after the last call [`Deque::withdraw`].
    fn communicate(&self, head: *const Slot, team: &Team<Self>, me: usize, probe: &impl Probe) {
        let _ = (head, team, me, probe);
    }

    /// Thief: takes the oldest tasks of the victim.
    ///
    /// A deque that has to ask the victim for them returns [`Steal::Busy`] until the answer has come. It may then
    /// return what another victim, asked before, has sent.
    fn steal<'a>(
        team: &'a Team<Self>,
        victim: usize,
        thief: usize,
        probe: &impl Probe,
    ) -> Steal<Loot<'a>>;

    /// Thief: stops asking, and returns what has been sent to it meanwhile, which it must run. A worker calls this
    /// before it runs a task, sleeps, or ends its wait.
    fn withdraw<'a>(team: &'a Team<Self>, thief: usize, probe: &impl Probe) -> Option<Loot<'a>> {
        let _ = (team, thief, probe);
        None
    }

    /// Owner `me`: takes the oldest of its own tasks below `head`, as a thief would: the task is handed out, and its slot stays
    /// below the head until it is retired.
    fn take_oldest<'a>(
        team: &'a Team<Self>,
        head: *const Slot,
        me: usize,
        probe: &impl Probe,
    ) -> Option<Loot<'a>> {
        let _ = head;
        match Self::steal(team, me, me, probe) {
            Steal::Task(loot) => Some(loot),
            Steal::Empty | Steal::Busy => None,
        }
    }

    /// A hint that a task is about to be pushed by the owner, who is elsewhere.
    fn prefetch_for_owner(&self) {}

    /// A hint that a task is about to be stolen.
    fn prefetch_for_thief(&self) {}

    /// Tells whether a steal could succeed now, without the owner's help.
    fn stealable(&self) -> Stealable;

    /// How many tasks can be stolen now, if one look tells that. A hint.
    fn stealable_count(&self) -> Option<usize> {
        None
    }

    /// Tells whether the owner, whose head is at `head`, has tasks while thieves find none to steal. The answer is a
    /// hint. Where the pool has interrupts, an owner that is asked and withholds tasks is interrupted.
    fn withholds(&self, head: *const Slot) -> bool {
        let _ = head;
        self.stealable() == Stealable::None
    }

    /// Thief: shares some of the tasks that the owner keeps from thieves, without the owner, and tells whether tasks can
    /// be stolen now. The owner waits for nobody meanwhile, and may undo it.
    ///
    /// `head` reads the owner's head with Acquire. It is called after the barrier.
    fn expose(&self, barrier: &HeavyBarrier, head: impl FnOnce() -> *const Slot) -> Stealable {
        let _ = (barrier, head);
        self.stealable()
    }

    /// Asks the owner to share tasks at its next push or pop.
    fn request(&self) {
        self.requests().request();
    }
}

/// The place where thieves leave their split requests, and where an owner finds them at no cost: the words that the
/// fast paths of push and pop compare the head with.
pub trait Requests: sealed::Requests {
    /// Tells whether somebody has asked and has not been answered yet.
    fn is_asked(&self) -> bool;

    /// Leaves a request. The owner finds it at its next push or pop.
    fn request(&self);
}
