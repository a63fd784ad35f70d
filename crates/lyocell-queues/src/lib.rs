//! Work-stealing queues, exactly-once and idempotent.
//!
//! See [`Owner`] and [`Thief`].

mod array;
mod board;
mod chase_lev;
mod index;
mod locked;
mod queue;
mod sync;

pub use chase_lev::{
    ChaseLev, ChaseLevOwner, ChaseLevThief, Growing, Resize, Shrinking, ShrinkingChaseLev,
};
pub use locked::{CentralLocked, Locked, LockedThief};
pub use queue::{
    AtLeastOnce, ExactlyOnce, Footprint, Full, Owner, Promise, Steal, StealHalf, Thief,
};
