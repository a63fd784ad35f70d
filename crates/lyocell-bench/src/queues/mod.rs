//! What is told of the study of queues: its table, its plot, and the statistics its authors missed. What runs is
//! `lyocell_queue_study`.

mod plot;
mod statistics;
mod summary;
mod table;

pub(crate) use plot::plot;
pub(crate) use statistics::statistics_table;
pub(crate) use summary::CaseSummary;
pub(crate) use table::table;
