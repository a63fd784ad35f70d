//! The concurrent deques: every task can be stolen as soon as it is pushed, and the owner pays for that at every pop.
//!
//! The index protocols are those of the queues of the same names, in `lyocell_queues::index`.

mod abp;
mod chase_lev;
#[cfg(all(test, not(loom)))]
mod tests;

pub use abp::Abp;
#[cfg(all(test, loom))]
pub(crate) use abp::Wide;
pub use chase_lev::ChaseLev;
