#![doc = include_str!("../README.md")]
//!
//! # Names of the ends
//! Each queue's file uses its paper's words:
//!
//! | here | the owner's end | the thieves' end |
//! |---|---|---|
//! | elsewhere in Lyocell | head | tail |
//! | [`Abp`], [`ChaseLev`] | bottom | top |
//! | [`Fifo`] | bottom (push), top (take) | top |
//! | [`Injector`] | tail (push) | head |
//! | [`IdempotentLifo`] | tail | tail |
//! | [`IdempotentFifo`] | tail (push), head (take) | head |
//! | [`IdempotentDoubleEnded`] | head + size | head |
//! | [`Duplicating`] | tail | head |
//! | crossbeam-deque | back | front |

mod abp;
mod array;
#[doc(hidden)]
pub mod attempts;
mod batch;
mod board;
mod chase_lev;
mod duplicating;
mod idempotent;
#[doc(hidden)]
pub mod index;
mod injector;
mod locked;
#[cfg(all(test, loom))]
mod models;
mod plain;
mod queue;
mod returned;
mod steal;

pub use abp::{Abp, AbpOwner, AbpThief};
pub use chase_lev::{
    ChaseLev, ChaseLevOwner, ChaseLevThief, ChaseLevWatcher, Fifo, Growing, OldestFirst, Resize,
    Shrinking, ShrinkingChaseLev, ShrinkingFifo, TakeOrder, YoungestFirst,
};
pub use duplicating::{Duplicating, DuplicatingThief};
pub use idempotent::{
    DoubleEndedEnds, Ends, FifoEnds, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo,
    IdempotentOwner, IdempotentThief, LifoEnds,
};
pub use injector::Injector;
pub use locked::{CentralLocked, Locked, LockedThief};
pub use plain::Plain;
pub use queue::{
    AtLeastOnce, BATCH, End, ExactlyOnce, Footprint, Full, Owner, Promise, StealHalf, Thief,
};
pub use steal::Steal;
