//! Jobs: what a pool runs beside the tasks of joins, and where it waits until then.
//!
//! | file | what |
//! |---|---|
//! | [`job`] | detached tasks, and calls |
//! | [`boxes`] | the memory of those that are in boxes |
//! | [`slab`] | of what that is cut |
//! | [`lane`] | the queues that anybody adds to: calls from outside, mail, tasks in the order of their spawns |
//! | [`worker_lane`] | a worker's own queue, which others rob |
//! | [`used_lanes`] | which of these may hold jobs |
//! | [`turns`] | which of them comes first now and then, so that no job waits for ever |
//! | [`background`] | what waits until nothing else does |
//! | [`drain`] | how many are not over, and whether the pool ends with them |
//!
//! May import: limits, owner, task.
//! Never enters: what a worker is; a job is made for one type of runner, and is run by that.

mod background;
mod boxes;
pub(crate) mod drain;
mod job;
mod lane;
mod slab;
mod turns;
mod used_lanes;
mod worker_lane;

pub(crate) use background::{Background, Room};
pub(crate) use boxes::Boxes;
pub(crate) use job::{Fifo, FrameJob, InFrame, Job, Maker, Runner, Unbegun};
pub(crate) use lane::{Busy, Lane, Ticket};
pub use turns::SpawnOrder;
pub(crate) use turns::{JobSource, Turns};
pub(crate) use used_lanes::UsedLanes;
pub(crate) use worker_lane::{LaneHeight, WorkerLane};
