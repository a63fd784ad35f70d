//! Work-stealing queues, exactly-once and idempotent.
//!
//! See [`Owner`] and [`Thief`].

mod abp;
mod array;
mod board;
mod chase_lev;
mod duplicating;
mod idempotent;
#[doc(hidden)]
pub mod index;
mod locked;
#[cfg(all(test, loom))]
mod models;
mod plain;
mod queue;
mod sync;

pub use abp::{Abp, AbpOwner, AbpThief};
pub use chase_lev::{
    ChaseLev, ChaseLevOwner, ChaseLevThief, Growing, Resize, Shrinking, ShrinkingChaseLev,
};
pub use duplicating::{Duplicating, DuplicatingThief};
pub use idempotent::{
    DoubleEndedEnds, Ends, FifoEnds, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo,
    IdempotentOwner, IdempotentThief, LifoEnds,
};
pub use locked::{CentralLocked, Locked, LockedThief};
pub use plain::{Plain, Pod};
pub use queue::{
    AtLeastOnce, ExactlyOnce, Footprint, Full, Owner, Promise, Steal, StealHalf, Thief,
};
