//! The runtime over virtual processors: what its program, which is built apart (`sim/`), is asked, and what is told of its answers.
//!
//! | file | what |
//! |---|---|
//! | `ask.rs` | the program is started, and its lines are read |
//! | `row.rs` | a run, as it tells it; the rows as CSV |
//! | `table.rs` | medians over seeds, and the bounds beside them |
//! | `plot.rs` | speedups, and what bounds them |
//! | `scale.rs` | what is simulated beside what is measured |
//! | `survey.rs` | which rankings hold when a number of the machine is another |

mod ask;
mod plot;
mod row;
mod scale;
mod survey;
mod table;

pub(crate) use ask::{Failed, Request};
pub(crate) use plot::plot;
pub(crate) use row::{About, Answer, CaseRow, Row, csv};
pub(crate) use scale::{Measured, lace, residuals, speedups};
pub(crate) use survey::survey;
pub(crate) use table::tables;

#[cfg(test)]
pub(crate) use row::tests;
