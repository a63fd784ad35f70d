//! Stands for the engine `lace` on a machine without a C compiler: it is listed with the reason why
//! it is not there, and cannot be started.

use super::{Engine, Session, StartError};

pub(super) struct Lace;

impl Engine for Lace {
    fn name(&self) -> &'static str {
        "lace"
    }

    fn summary(&self) -> &'static str {
        "the original Lace, in C"
    }

    fn absence(&self) -> Option<&'static str> {
        Some(env!("LYOCELL_LACE"))
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        Err(StartError { engine: self.name(), workers, cause: env!("LYOCELL_LACE").to_owned() })
    }
}
