//! How results are written: as tables for people, as CSV and JSON for programs.

use clap::ValueEnum;

mod comparison;
mod csv;
mod drop_in;
mod json;
mod latency;
mod observed;
mod screen;
pub(crate) mod svg;
mod table;
mod units;

pub(crate) use comparison::table;
pub(crate) use csv::{csv, csv_of_layouts};
pub(crate) use drop_in::{drop_in_section, drop_in_table};
pub(crate) use json::json;
pub(crate) use latency::latency_table;
pub(crate) use observed::{median_runs, watched_csv, watched_records, watched_tables};
pub(crate) use screen::{Screen, folded};
pub(crate) use table::{Best, Cell, GAP, Row, Table, Value};
pub(crate) use units::{amount, count, seconds, three_digits};

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Medians and ratios, for people
    Table,
    /// One line a run
    Csv,
    /// The machine, and one object a run
    Json,
}
