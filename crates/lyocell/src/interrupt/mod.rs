//! Interrupts: a worker in the middle of a long task shares what it keeps from thieves.
//!
//! An owner answers thieves at its next push or pop. One that runs a long leaf does neither, and the tasks it
//! has not shared wait for it. With interrupts, a thread of the pool, the ticker, looks round at every
//! tick, and where tasks are wanted and withheld it sends the owner's thread a signal. The handler does what
//! the owner would do at a push: it shares.
//!
//! ```text
//!   thief                    ticker                       owner
//!   trips the limits  ---->  asked, and tasks withheld?
//!   parks                    signal  ------------------>  handler: share; leave the request standing;
//!                            next tick: an offer?  <----  say whether there is an offer
//!   <----  wakes one sleeper
//! ```
//! The handler runs on the owner's thread, between two instructions of the owner. So it is no other thread:
//! it sees all that the owner has written so far, in order, and the owner does nothing until it returns.
//! What can go wrong is that it comes in the middle of something, or that the compiler has moved a
//! write. Hence the invariants below.
//!
//! | file | what |
//! |---|---|
//! | [`gate`] | closed while the owner is in a slow path |
//! | [`target`] | what a worker is to the ticker and to its own handler |
//! | [`nap`] | the ticker's sleep |
//! | [`error`] | why a pool cannot have interrupts |
//! | [`lyocell_sync::signal`] | the signal, its handler, and sending it to a thread |
//! | `registry::ticker` | the ticker: whom to interrupt, and whom to wake |
//! | `worker::head` | the head of the deque, in the order that the handler needs |
//!
//! # Invariants
//! - interrupt-1. A task, and all that it refers to, is in memory before the head goes up over its slot
//!   (`Head::raise`).
//! - interrupt-2. The head is down on a slot before the pop looks at its limit, and before the slot is written again
//!   (`Head::lower`).
//! - interrupt-3. While the owner is in a slow path, the handler does nothing ([`gate`]). Nothing is lost: a slow
//!   path answers anyway, and there is another tick. Every method of a deque is a slow path but push, pop and steal.
//!   (A thief that steals changes another deque, and of its own nothing that `share` looks at: a sender's thief draws its
//!   date when it withdraws, which is a slow path. A worker that steals from itself, because it polls, does so in one too.)
//! - interrupt-4. Outside the slow paths all slots from the first that is not stolen up to the head are tasks that
//!   wait to be run, with two exceptions. The slot past the last is none, though a push that has no room raises
//!   the head over it: the handler looks no further than the end. And a pop that will be slow has lowered
//!   the head to a slot that is shared or stolen: then the head is one below the first private slot, and a
//!   deque that answers interrupts shares nothing.
//! - interrupt-5. The handler only reads and writes atomics, the owner's cells, the clock, and a thread-local pointer
//!   without destructor that the thread has used before; what it calls is written before it is installed. It takes no
//!   lock, allocates nothing, calls no probe
//!   but its own counters, and wakes nobody: that is left to the ticker. It saves `errno`. (A sender's clock starts
//!   with the deque, so the handler finds it started; and it uses floating point, which the system saves.)
//! - interrupt-6. A thread is sent a signal only under the lock of its worker's *occupant*, and removes itself there
//!   before it ceases to be the occupant. So the thread exists.
//! - interrupt-7. An offer is kept in the *signal state* of its worker until the ticker takes it, and the ticker
//!   does not sleep while a signal is under way or an offer is not taken.
//!
//! # Why a handler may come anywhere
//! Model checkers of threads do not help here; but there are few places. Let the head be at slot `s`:
//!
//! | the handler comes | it finds | and so |
//! |---|---|---|
//! | in a push, before the head goes up | head `s`; slot `s` half written | it shares below `s` only |
//! | after that, before the limit is read | head `s + 1`; slot `s` whole (interrupt-1) | it may share `s`; the push reads the new limit, or is slow for a request that is answered already |
//! | in a pop of `s`, before the head goes down | head `s + 1` | it may share `s`; then the pop limit is above `s`, and the pop, which reads it later (interrupt-2), is slow and contends with the thieves |
//! | after that | head `s` | it shares below `s` only; if the pop is fast, `s` was private and stays so |
//! | before a slow path | as at a fast one, or interrupt-4 | the slow path decides by what it reads itself, not by what made it slow |
//! | in a slow path | the gate closed | nothing (interrupt-3) |
//! | in a task, a search, a sleep | the owner between two operations | it shares as a push would |
//! | after the thread has left the worker | no entry in its `current` | nothing |
//!
//! A unit test does all this, with the handler called as a function (`handler_tests`).
//!
//! Here nothing looks the same again that has been away: between two instructions of the owner the handler comes and goes as a
//! whole, and what the owner reads after it is what it left. The *signal state* may: a signal that was sent to a thread which has left
//! the worker and entered it again may come late, and is taken for the next one, which then finds nothing to do; the handler
//! shares for either. The ticker's offer leaves `OFFERED` by the ticker's own hand, or with its occupant.
//!
//! To thieves it makes no difference who moves the split point, the owner or its handler: it is the same thread,
//! with the same orderings. The same for who answers a request or deals. A sleeper that relies on idle-3 meets in
//! the handler the fence that it would meet in the owner.
//!
//! # Thieves that must be awake
//! The private deques hand tasks to thieves that ask or wait at that moment, and a thief that sleeps does neither.
//! For a thief that searches, the tick comes in time, as it searches for two periods ([`Interrupts`]). For one
//! that sleeps, the first signal finds tasks and nobody to give them to; that is an offer, the ticker wakes the
//! thief, which asks, and the next signal delivers.
//!
//! [`Interrupts`]: crate::deque::Interrupts
//!
//! # An owner that sleeps
//! An owner that waits may be parked above tasks of its own, back off, or be the only one that searches, and it
//! cannot steal from itself. So an interrupted owner asks whether *another* worker is parked, and the ticker wakes
//! another, whoever else searches or backs off: one a tick at most.
//!
//! # The ticker's sleep
//! The ticker ticks while a worker searches, or one is asked and withholds tasks, or a signal is under way;
//! else it sleeps, and a pool that does nothing, or has no thief, is left alone. Whoever makes the first true wakes
//! it: a worker that begins to search or parks, and an owner that leaves a request standing and has private tasks.
//! Both fence between that and their look at the ticker's state, the ticker between its state and its second
//! look round.
//!
//! Source: Acar, Charguéraud and Rainey 2013, section 4 ("Handling of large sequential tasks"): a thread that issues
//! interrupts, and a local lock without atomic operations. Signals that expose private tasks: Rito and Paulino
//! 2023 (LCWS). Departures:
//! - Signals go only to owners that are asked and withhold something, not to all at every tick ([`Signals::All`] does).
//! - The gate is for the slow paths; push and pop need none, only their order (interrupt-1, interrupt-2).
//!
//! May import: probe, deque.
//! Never enters: whom to wake, and what is shared. The ticker decides the one (`registry`), the deque the other.

/// Who is interrupted at each period of [`Builder::interrupt`](crate::Builder::interrupt).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Signals {
    /// Who is asked for tasks and withholds some: a pool whose tasks are short is not disturbed.
    #[default]
    Asked,
    /// Every worker that runs in a thread, at every period, for as long as the pool is there: what the paper describes, to
    /// measure what that costs.
    All,
}

mod error;
mod gate;
pub(crate) mod nap;
mod target;

pub use error::InterruptError;
pub(crate) use target::{Open, Target};

#[cfg(all(test, not(loom)))]
mod handler_tests;
#[cfg(all(test, not(any(loom, miri)), target_os = "linux"))]
mod tests;
