//! Nobody knows where a stack is.

pub(crate) fn lowest_address() -> Option<usize> {
    None
}
