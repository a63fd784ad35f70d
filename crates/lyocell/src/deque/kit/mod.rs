//! What several deques are built from: the words a thief asks by, the deques of a pool by their numbers, and how
//! many tasks a steal moves.

mod amount;
mod limits;
mod team;
#[cfg(all(test, not(loom)))]
pub(in crate::deque) mod test_kit;

pub use amount::{Amount, UnknownAmount};
pub(in crate::deque) use limits::{Asked, Limits};
pub use team::{Loot, Team};
