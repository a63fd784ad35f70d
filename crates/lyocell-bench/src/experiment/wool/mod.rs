//! Faxén's paper on Wool (2010).

mod fig1;
mod fig4;
mod fig5;
mod fig6;
mod systems;
mod table1;
mod table2;
mod table3;
mod table4;
mod workloads;

pub(super) use fig1::FIG1;
pub(super) use fig4::FIG4;
pub(super) use fig5::FIG5;
pub(super) use fig6::FIG6;
pub(super) use table1::TABLE1;
pub(super) use table2::TABLE2;
pub(super) use table3::TABLE3;
pub(crate) use table3::steals_beside;
pub(super) use table4::TABLE4;

/// The paper's machine has so many processors.
const PROCESSORS: usize = 8;
