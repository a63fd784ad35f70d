//! The study of work-stealing queues by Alkærsig, Didriksen and Harrington (2014): its four cases.
//!
//! | file | what |
//! |---|---|
//! | `published.rs` | the means and deviations of its appendix |
//! | `study.rs` | what the four have in common: what runs, the tables |
//! | `claims.rs` | what it found of each case, and whether that is found here |

use super::Experiment;

mod claims;
mod published;
mod study;

pub(super) use published::Published;

pub(super) static RAW: Experiment = study::of::<0>();
pub(super) static QUICKSORT: Experiment = study::of::<1>();
pub(super) static SPANNING_TREE: Experiment = study::of::<2>();
pub(super) static XML: Experiment = study::of::<3>();
