//! Who runs when: one warm-up of each contender, then repetitions in turn (a b c a b c …), so that a
//! machine that drifts drifts for all alike and ratios hold. Whoever has the turn is alone: its threads are started
//! before and gone after.
//!
//! | file | what |
//! |---|---|
//! | `plan.rs` | a workload and its contenders |
//! | `turns.rs` | the turns |
//! | `record.rs` | a timed run |
//! | `summary.rs` | medians and ratios |
//! | `progress.rs` | bars on the standard error |

mod plan;
mod progress;
mod record;
mod summary;
mod turns;

pub(crate) use crate::stats::{Timing, distinct};
pub(crate) use plan::{Contender, Plan, lineup};
pub(crate) use progress::{Progress, Stages};
pub(crate) use record::{Columns, RunRecord};
pub(crate) use summary::Summary;
pub(crate) use turns::{measure, take_figures, take_turns};
