//! What panicking tasks leave, and how it is kept and dropped without a second panic.

use lyocell_sync::unmodelled::Mutex;
use std::any::Any;
use std::mem::{ManuallyDrop, forget};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What a panicking task leaves.
pub(crate) type Panic = Box<dyn Any + Send>;

/// What is called with a panic that nobody waits for.
pub(crate) type PanicHook = Arc<dyn Fn(Panic) + Send + Sync>;

/// The first panic of several tasks.
#[derive(Default)]
pub(crate) struct FirstPanic(Mutex<Option<Panic>>);

impl FirstPanic {
    /// Keeps the panic, unless there is one.
    pub(crate) fn keep(&self, panic: Panic) {
        let mut kept = self.0.lock();
        match *kept {
            None => *kept = Some(panic),
            Some(_) => {
                drop(kept);
                drop_quietly(panic);
            }
        }
    }

    pub(crate) fn take(&self) -> Option<Panic> {
        self.0.lock().take()
    }
}

/// A value in a frame that may unwind, where a destructor that panics would end the process: it is dropped quietly.
pub(crate) struct DroppedQuietly<T>(ManuallyDrop<T>);

impl<T> DroppedQuietly<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        DroppedQuietly(ManuallyDrop::new(value))
    }

    pub(crate) fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    #[inline(always)]
    pub(crate) fn into_inner(self) -> T {
        let mut kept = ManuallyDrop::new(self);
        // SAFETY: taken once, as nothing drops `kept`.
        unsafe { ManuallyDrop::take(&mut kept.0) }
    }
}

impl<T> Deref for DroppedQuietly<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Drop for DroppedQuietly<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: taken once: `into_inner` has not been called.
        drop_quietly(unsafe { ManuallyDrop::take(&mut self.0) });
    }
}

/// Drops a value whose destructor may panic where a second panic would end the process.
pub(crate) fn drop_quietly<T>(value: T) {
    let drop_it = AssertUnwindSafe(|| drop(value));
    if let Err(panic) = catch_unwind(drop_it) {
        // Its payload may do the same again: give that one up.
        forget(panic);
    }
}

/// Gives a panic that nobody waits for to the hook, or drops it.
pub(crate) fn hand_panic(on_panic: &Option<PanicHook>, panic: Panic) {
    match on_panic {
        Some(hook) => {
            drop_quietly(catch_unwind(AssertUnwindSafe(|| hook(panic))));
        }
        None => drop_quietly(panic),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(Bomb);
        }
    }

    #[test]
    fn the_first_panic_is_kept_though_the_drop_of_others_panics() {
        let first = FirstPanic::default();
        first.keep(Box::new(1));
        first.keep(Box::new(Bomb));
        first.keep(Box::new(3));
        assert_eq!(first.take().unwrap().downcast_ref(), Some(&1));
        assert!(first.take().is_none());
    }
}
