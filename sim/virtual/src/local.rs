//! What a virtual thread has of its own.
//!
//! # Invariants
//! - local-1. A value is made by its key's `make`, found by its key's address, and dropped once, when its thread ends. So what is found by a key is
//!   of its type.

use crate::world::with_world;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

struct Value {
    key: usize,
    value: *mut (),
    /// Whether dropping it does more than free it.
    has_destructor: bool,
    drop: unsafe fn(*mut ()),
}

/// What one thread has, in the order in which it was made.
#[derive(Default)]
pub(crate) struct Locals(Vec<Value>);

thread_local! {
    // Of a thread of the real machine outside of any world.
    static OUTSIDE: RefCell<Locals> = RefCell::default();
}

/// A value that each thread has of its own, as the standard library's.
pub struct LocalKey<T: 'static> {
    make: fn() -> T,
    // Two keys of one type must not have one address.
    _place: Cell<u8>,
    of: PhantomData<T>,
}

// SAFETY: the cell is never touched; values stay with their threads.
unsafe impl<T> Sync for LocalKey<T> {}

/// The thread is past its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessError;

impl std::fmt::Display for AccessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the thread has ended")
    }
}

impl std::error::Error for AccessError {}

/// The locals of the running thread.
fn locals<R>(f: impl FnOnce(&mut Locals) -> R) -> R {
    let mut f = Some(f);
    let inside = with_world(|world| {
        let me = world.thread();
        (f.take().expect("called once"))(&mut world.threads.borrow_mut().get_mut(me).locals)
    });
    inside.unwrap_or_else(|| {
        OUTSIDE.with(|locals| (f.take().expect("called once"))(&mut locals.borrow_mut()))
    })
}

impl<T: 'static> LocalKey<T> {
    /// One whose values are made by this function.
    pub const fn new(make: fn() -> T) -> Self {
        LocalKey { make, _place: Cell::new(0), of: PhantomData }
    }

    fn value(&'static self) -> *const T {
        let key = (self as *const Self).addr();
        let find = |locals: &mut Locals| {
            locals.0.iter().find(|value| value.key == key).map(|value| value.value)
        };
        let value = locals(find).unwrap_or_else(|| {
            let value = Box::into_raw(Box::new((self.make)())).cast();
            locals(|locals| {
                locals.0.push(Value {
                    key,
                    value,
                    has_destructor: std::mem::needs_drop::<T>(),
                    drop: dropped::<T>,
                })
            });
            value
        });
        value.cast()
    }

    /// Calls `f` with this thread's value.
    #[inline]
    pub fn with<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: local-1; it stays as long as the thread, which runs `f`.
        f(unsafe { &*self.value() })
    }

    /// As [`LocalKey::with`]. A thread that ends makes what it has dropped anew.
    ///
    /// # Errors
    /// None here.
    #[inline]
    pub fn try_with<R>(&'static self, f: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        Ok(self.with(f))
    }
}

impl<T: Copy + 'static> LocalKey<Cell<T>> {
    /// This thread's value.
    pub fn get(&'static self) -> T {
        self.with(Cell::get)
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets this thread's value.
    pub fn set(&'static self, value: T) {
        self.with(|cell| cell.set(value));
    }
}

/// # Safety
/// A value of this type, made by its key.
unsafe fn dropped<T>(value: *mut ()) {
    // SAFETY: by the caller.
    drop(unsafe { Box::from_raw(value.cast::<T>()) });
}

/// Drops what the running thread has, and what is made meanwhile: the newest first, but what has no destructor, and so can be used
/// from any, last.
pub(crate) fn end() {
    let newest = |locals: &mut Locals| {
        let with_destructor = locals.0.iter().rposition(|value| value.has_destructor);
        with_destructor.map(|at| locals.0.remove(at)).or_else(|| locals.0.pop())
    };
    while let Some(value) = locals(newest) {
        // SAFETY: local-1.
        unsafe { (value.drop)(value.value) };
    }
}

/// Declares values that each virtual thread has of its own.
#[macro_export]
macro_rules! thread_local {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $make:expr);* $(;)?) => {$(
        $(#[$attribute])* $visibility static $name: $crate::LocalKey<$type> = $crate::LocalKey::new(|| $make);
    )*};
}
