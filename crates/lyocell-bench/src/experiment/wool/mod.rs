//! Faxén's paper on Wool (2010).

mod fig4;
mod table2;
mod table3;

pub(super) use fig4::WoolFig4;
pub(super) use table2::WoolTable2;
pub(super) use table3::WoolTable3;
pub(crate) use table3::steal_costs;
