//! The study "Work-stealing Queues In Practice" (Alkærsig, Didriksen and Harrington 2014), repeated: its pool of
//! workers, generic over the queue; its cases and two more; its table and its plot; and the statistics its authors
//! missed.
//!
//! Its versions on software transactional memory (section 7.4) are left out: none of them ended there, so there are no numbers to
//! compare with, and Rust has no library of that kind that is kept up.
//!
//! Reading order: `node` (what a case is), `queue` (which queues there are) and `peers`, `worker`, `termination`,
//! `pool`, `probe` (what is counted), `operations` (what is timed), `cases/`, `job` (a case of any type), `plan` (who runs what), `measure` (who runs
//! when), `record`, `summary`, `table`, `statistics`, `plot`.

mod cases;
mod job;
mod measure;
mod node;
mod operations;
mod peers;
mod plan;
mod plot;
mod pool;
mod probe;
mod queue;
mod record;
mod statistics;
mod summary;
mod table;
mod termination;
mod worker;

pub(crate) use cases::{CASES, CaseEntry};
pub(crate) use job::Counting;
pub(crate) use measure::{Study, measure_all};
pub(crate) use plan::{CasePlan, Request};
pub(crate) use plot::plot;
pub(crate) use queue::Queue;
pub(crate) use record::{CaseRecord, StatisticsRecord};
pub(crate) use statistics::statistics_table;
pub(crate) use summary::CaseSummary;
pub(crate) use table::table;
