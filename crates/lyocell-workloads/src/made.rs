//! What a problem makes by its first use, and all its copies share.

use std::sync::Arc;

/// Something large that is there once it was asked for.
#[derive(Debug)]
pub(crate) struct Made<T: ?Sized>(Option<Arc<T>>);

impl<T: ?Sized> Made<T> {
    /// It; made now, unless it was.
    pub(crate) fn get(&mut self, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        Arc::clone(self.0.get_or_insert_with(make))
    }
}

// By hand, as all below: derived ones would ask the same of what is made.
impl<T: ?Sized> Default for Made<T> {
    fn default() -> Self {
        Made(None)
    }
}

impl<T: ?Sized> Clone for Made<T> {
    fn clone(&self) -> Self {
        Made(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_and_shared_by_copies() {
        let mut made: Made<[u8]> = Made::default();
        let first = made.get(|| [1, 2].into());
        let second = made.clone().get(|| unreachable!("it is there"));
        assert!(Arc::ptr_eq(&first, &second));
    }
}
