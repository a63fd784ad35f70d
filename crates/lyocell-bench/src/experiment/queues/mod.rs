//! The study of work-stealing queues by Alkærsig, Didriksen and Harrington (2014): its four cases.
//!
//! | file | what |
//! |---|---|
//! | `published.rs` | the means and deviations of its appendix |
//! | `study.rs` | what the four have in common: what runs, the tables |
//! | `claims.rs` | what it found of each case, and whether that is found here |

mod claims;
mod published;
mod study;

pub(super) use study::QueueStudy;

pub(super) static RAW: QueueStudy = QueueStudy { case: &published::RAW, claim: &claims::RAW };
pub(super) static QUICKSORT: QueueStudy =
    QueueStudy { case: &published::QUICKSORT, claim: &claims::QUICKSORT };
pub(super) static SPANNING_TREE: QueueStudy =
    QueueStudy { case: &published::SPANNING_TREE, claim: &claims::SPANNING_TREE };
pub(super) static XML: QueueStudy = QueueStudy { case: &published::XML, claim: &claims::XML };
