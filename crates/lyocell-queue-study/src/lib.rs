//! The study "Work-stealing Queues In Practice" (Alkærsig, Didriksen and Harrington 2014), repeated: its pool of
//! workers, generic over the queue; its cases and two more; and the statistics its authors missed. What came of the runs is told as
//! records: tables and plots of them are the benchmark's.
//!
//! Its versions on software transactional memory (section 7.4) are left out: none of them ended there, so there are no numbers to
//! compare with, and Rust has no library of that kind that is kept up.
//!
//! Reading order: `node` (what a case is), `queue` (which queues there are) and `peers`, `worker`, `termination`,
//! `pool`, `probe` (what is counted), `operations` (what is timed), `cases/`, `job` (a case of any type), `plan` (who runs what), `measure` (who runs
//! when), `record`.

mod cases;
mod job;
mod measure;
mod node;
mod operations;
mod peers;
mod plan;
mod pool;
mod probe;
mod queue;
mod record;
mod termination;
mod worker;

pub use cases::{CASES, CaseEntry};
pub use job::{Counting, Job};
pub use measure::{Study, measure_all};
pub use plan::{CasePlan, Request};
pub use queue::{Exact, Origin, Queue, Relaxed};
pub use record::{CaseRecord, StatisticsRecord};
