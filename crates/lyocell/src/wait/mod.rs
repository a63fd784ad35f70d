//! Waiting for a stolen task, and for anything else: work meanwhile, sleep last.
//!
//! ```text
//!   leapfrog: steal from the thief  ->  a random victim  ->  yield  ->  park on the slot
//! ```
//! What the thief has left to steal are parts of the very task that is waited for, so leapfrogging
//! shortens the wait and needs no more stack than running the task here would have. When the thief has
//! nothing, a random victim is next (Lace's extension); tasks from there may pile up frames, so below a
//! reserve of stack only the thief is robbed.
//!
//! | file | what |
//! |---|---|
//! | [`goal`] | the condition that a worker waits for, and nothing else |
//! | [`outside`] | how a thread that is no worker waits for one |
//! | [`policy`] | whom to rob meanwhile: tables, by which a pool is set up |
//! | [`payoff`] | whether what is stolen is worth being awake for |
//! | [`latch`] | the goal of whoever waits for another thread |
//!
//! # Invariants
//! - wait-1. A goal, once reached, stays reached; [`Goal::subscribe`] asks for an unpark at that moment, and says
//!   so if it has passed already. With the parker's token no end of a wait is lost.
//! - wait-2. A worker that parks while it could run any task is announced (idle-3), and so is one that may run jobs only,
//!   for want of stack, as that; one that could run neither (by policy, or because it unwinds) is not. So nobody is woken
//!   in vain, and none sleeps beside a job that it may be waiting for. One that may rob its thief only sleeps for moments: that one
//!   may have tasks again.
//!
//! Source: leapfrogging (Wagner and Calder 1993); leapfrogging, then random stealing: van Dijk and van de
//! Pol 2014, section 4.3. Departure: the papers draw a victim at random for each try; here a search begins with a random
//! victim and goes on with the next ones in order, six in a round, in a small pool all: there whoever has tasks is found within one round. With
//! two workers that is the same. Workers sleep in the end, and back off from tasks that are not worth it, where those of the papers spin
//! ([`Builder::search_time`](crate::Builder::search_time) turns both off).
//!
//! The loop itself, find a task, run it, search on, sleep, is the scheduler's ([`search`](crate::scheduler)).
//!
//! May import: task.
//! Never enters: who waits, and what may be waited for, which each goal tells where it is defined; who else sleeps, which
//! `idle` knows.

mod goal;
mod latch;
mod outside;
pub(crate) mod payoff;
mod policy;

pub(crate) use goal::{Goal, Subscribed, TaskBack, look_until};
pub(crate) use latch::Latch;
pub(crate) use outside::sleep_until;
pub(crate) use payoff::RecentSteals;
pub use policy::{UnknownWait, Victims, Wait};
