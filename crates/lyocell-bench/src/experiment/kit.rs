//! What an experiment is written with.

pub(super) use lyocell_engines::runtime::{PROFILED, Setup, Value, Watch};
pub(super) use lyocell_engines::{Engine, SERIAL};
pub(super) use lyocell_workloads::{Instance, Refused, Stress};

pub(super) use super::chart::{Chart, Line, SPEEDUP, Scale};
pub(super) use super::paper::{PRIVATE_DEQUES, WOOL};
pub(super) use super::plan::{as_published, leaping, lineup, watched_label};
pub(super) use super::record::{ExperimentRecord, Key, Results, Round, stress};
pub(super) use super::report::{
    Count, Finding, cell, largest, number, percent, ratio, ratio_of, smallest, time, whole,
};
pub(super) use super::verdict::{Each, Measured, Part, one};
pub(super) use super::{
    Experiment, Request, Size, TWO_WORKERS, Workers, Workloads, all_processors, asked_or, named,
};
pub(super) use crate::measure::{Contender, Timing};
pub(super) use crate::report::{GAP, Table, count, seconds, three_digits};
