//! Van Dijk and van de Pol's paper on Lace (2014).

mod fig5;
mod fig7;
mod fig8;

pub(super) use fig5::LaceFig5;
pub(super) use fig7::LaceFig7;
pub(super) use fig8::LaceFig8;
