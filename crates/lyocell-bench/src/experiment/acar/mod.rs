//! Acar, Charguéraud and Rainey's paper on private deques (2013).

mod fig4;
mod fig5;
mod fig6a;

pub(super) use fig4::AcarFig4;
pub(super) use fig5::AcarFig5;
pub(super) use fig6a::AcarFig6a;
