//! Faxén's paper on Wool (2010).

use lyocell::Wait;

use lyocell_engines::runtime::options::WAIT;
use lyocell_engines::runtime::{Setup, Value};

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

pub(super) use fig1::WoolFig1;
pub(super) use fig4::WoolFig4;
pub(super) use fig5::WoolFig5;
pub(super) use fig6::WoolFig6;
pub(super) use table1::WoolTable1;
pub(super) use table2::WoolTable2;
pub(super) use table3::WoolTable3;
pub(crate) use table3::steal_costs;
pub(super) use table4::WoolTable4;

/// Wool as it was published: who waits leapfrogs only, and nobody sleeps or backs off.
fn as_published(deque: &str) -> Setup {
    Setup::on(deque).with(&WAIT, Value::Wait(Wait::Leap)).never_sleeping()
}
