//! Work-stealing queues, exactly-once and idempotent.
//!
//! See [`Owner`] and [`Thief`].

mod array;
mod board;
mod chase_lev;
mod idempotent;
mod index;
mod locked;
mod plain;
mod queue;
mod sync;

pub use chase_lev::{
    ChaseLev, ChaseLevOwner, ChaseLevThief, Growing, Resize, Shrinking, ShrinkingChaseLev,
};
pub use idempotent::{
    DoubleEndedEnds, Ends, FifoEnds, IdempotentDoubleEnded, IdempotentFifo, IdempotentLifo,
    IdempotentOwner, IdempotentThief, LifoEnds,
};
pub use locked::{CentralLocked, Locked, LockedThief};
pub use plain::{Plain, Pod};
pub use queue::{
    AtLeastOnce, ExactlyOnce, Footprint, Full, Owner, Promise, Steal, StealHalf, Thief,
};
