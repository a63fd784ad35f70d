//! The runs that README's numbers come from: measured by `lyocell results` and kept as `results/MACHINE/DATE.csv`;
//! README's tables are made from such a file by `lyocell readme`.
//!
//! | file | what |
//! |---|---|
//! | `suite.rs` | what is measured |
//! | `file.rs` | the file: a line a number |
//! | `origin.rs` | what it was measured on, and when |
//! | `tables.rs` | the tables of README |
//! | `document.rs` | where in README they stand |

mod document;
mod file;
mod origin;
mod suite;
mod tables;

pub(crate) use document::{differences, fill};
pub(crate) use file::Kept;
pub(crate) use origin::{KeptFile, Notes, notes as notes_of_today, required_note};
pub(crate) use suite::{Layouts, SUITES, Size, Stopped, Suite, measure};
pub(crate) use tables::{Block, blocks};
