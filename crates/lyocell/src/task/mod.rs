//! Tasks: where one is kept, what it goes through, what it leaves.
//!
//! A task lives in its [slot], in an [array](mod@array) that is its owner's. The slot has two words besides the
//! task: the [state] tells the owner of a stolen task how far it is; the [claim] is where the direct task stack
//! decides who gets the task. Whose tasks they are is told by their [ancestors](ancestor). A task that [panics](mod@panic) leaves its panic in the place of its result.
//!
//! May import: nothing.
//! Never enters: which tasks thieves may take (that is the deque's), who the worker is that runs one, how its owner
//! waits.

mod ancestor;
mod array;
pub(crate) mod claim;
pub(crate) mod panic;
mod slot;
mod state;

pub(crate) use ancestor::Ancestor;
pub(crate) use array::{Grown, SlotPtr, Slots};
pub(crate) use slot::Run;
pub use slot::Slot;
pub(crate) use state::{Finished, Unpark};
