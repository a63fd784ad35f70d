//! What C is handed.

use super::{Choice, Item};

/// [`Choice`] for C. Layout shared with `choice.h`.
#[repr(C)]
pub(super) struct Parameters {
    items: *const Item,
    count: u32,
    best: *mut u32,
}

impl Parameters {
    /// They point into `choice`.
    pub(super) fn of(choice: &Choice) -> Parameters {
        let count = choice.items.len() as u32;
        Parameters { items: choice.items.as_ptr(), count, best: choice.best.as_ptr() }
    }
}
