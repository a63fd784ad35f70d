//! Atomics whose accesses take time, and may reach others late.
//!
//! The orderings matter where there are store buffers: a store that is not sequentially consistent waits, every other access is
//! as strong as the processor's. Under [`Memory::Sequential`](crate::Memory::Sequential) they are all sequentially consistent.

use crate::lines::Kind;
use crate::world::with_world;
pub use std::sync::atomic::Ordering;

/// Says that the word at this address is accessed.
#[inline]
fn touch(address: usize, kind: Kind) {
    let _ = with_world(|world| {
        world.access(address, kind);
        if kind == Kind::Rmw && world.buffers() {
            world.drain(world.thread());
        }
    });
}

/// What this thread has stored to the word and others do not see yet.
#[inline]
fn stored(address: usize) -> Option<u64> {
    with_world(|world| if world.buffers() { world.stored(address) } else { None }).flatten()
}

/// Whether the store waits; if so, nothing else is to be done.
#[inline]
fn waits(
    address: usize,
    value: impl FnOnce() -> u64,
    order: Ordering,
    write: fn(usize, u64),
) -> bool {
    let late = |world: &crate::world::World| {
        let late = world.buffers() && order != Ordering::SeqCst;
        if late {
            world.store_late(address, value(), write);
        }
        late
    };
    with_world(late).unwrap_or(false)
}

/// The kind of access that a store of this ordering is: a sequentially consistent one is an exchange, as on x86.
#[inline]
fn kind_of_store(order: Ordering) -> Kind {
    if order == Ordering::SeqCst { Kind::Rmw } else { Kind::Store }
}

macro_rules! atomics {
    ($($name:ident $(<$generic:ident>)?: $value:ty, $into:expr, $from:expr;)*) => {$(
        /// The standard library's, in virtual time.
        #[repr(transparent)]
        pub struct $name $(<$generic>)? (std::sync::atomic::$name $(<$generic>)?);

        impl $(<$generic>)? $name $(<$generic>)? {
            /// One with this value.
            #[inline]
            pub const fn new(value: $value) -> Self {
                Self(std::sync::atomic::$name::new(value))
            }

            #[inline]
            fn at(&self) -> usize {
                (self as *const Self).addr()
            }

            fn write(address: usize, value: u64) {
                let place = std::ptr::with_exposed_provenance::<Self>(address);
                let from: fn(u64) -> $value = $from;
                // SAFETY: stores-1: the word is still there.
                unsafe { &*place }.0.store(from(value), Ordering::SeqCst);
            }

            /// As the standard library's.
            #[inline]
            pub fn load(&self, _order: Ordering) -> $value {
                touch(self.at(), Kind::Load);
                let from: fn(u64) -> $value = $from;
                match stored(self.at()) {
                    Some(value) => from(value),
                    None => self.0.load(Ordering::SeqCst),
                }
            }

            /// As the standard library's.
            #[inline]
            pub fn store(&self, value: $value, order: Ordering) {
                touch(self.at(), kind_of_store(order));
                let into: fn($value) -> u64 = $into;
                let exposed = || (self as *const Self).expose_provenance();
                if !waits(self.at(), || { exposed(); into(value) }, order, Self::write) {
                    self.0.store(value, Ordering::Relaxed);
                }
            }

            /// As the standard library's.
            #[inline]
            pub fn swap(&self, value: $value, _order: Ordering) -> $value {
                touch(self.at(), Kind::Rmw);
                self.0.swap(value, Ordering::Relaxed)
            }

            /// As the standard library's.
            #[inline]
            pub fn compare_exchange(
                &self,
                old: $value,
                new: $value,
                _success: Ordering,
                _failure: Ordering,
            ) -> Result<$value, $value> {
                touch(self.at(), Kind::Rmw);
                self.0.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed)
            }

            /// As the standard library's; it does not fail for no reason.
            #[inline]
            pub fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(old, new, success, failure)
            }

            /// As the standard library's, as one read-modify-write.
            #[inline]
            pub fn fetch_update(
                &self,
                _success: Ordering,
                _failure: Ordering,
                change: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                touch(self.at(), Kind::Rmw);
                self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change)
            }

            /// As the standard library's.
            #[inline]
            pub fn get_mut(&mut self) -> &mut $value {
                let _ = with_world(|world| world.drain_range(self.at(), size_of::<Self>()));
                self.0.get_mut()
            }

            /// As the standard library's.
            #[inline]
            pub fn into_inner(self) -> $value {
                let _ = with_world(|world| world.drain_all());
                self.0.into_inner()
            }
        }
    )*};
}

macro_rules! told {
    ($($name:ident $(<$generic:ident>)?),*) => {$(
        impl $(<$generic>)? std::fmt::Debug for $name $(<$generic>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

told!(AtomicBool, AtomicU32, AtomicU64, AtomicUsize, AtomicPtr<T>);

macro_rules! arithmetic {
    ($($name:ident: $value:ty, $($method:ident)*;)*) => {$(
        impl $name {$(
            /// As the standard library's.
            #[inline]
            pub fn $method(&self, value: $value, _order: Ordering) -> $value {
                touch(self.at(), Kind::Rmw);
                self.0.$method(value, Ordering::Relaxed)
            }
        )*}

        impl Default for $name {
            fn default() -> Self {
                Self::new(Default::default())
            }
        }
    )*};
}

atomics! {
    AtomicBool: bool, |value| u64::from(value), |value| value != 0;
    AtomicU32: u32, |value| u64::from(value), |value| value as u32;
    AtomicU64: u64, |value| value, |value| value;
    AtomicUsize: usize, |value| value as u64, |value| value as usize;
    AtomicPtr<T>: *mut T, |value| value.expose_provenance() as u64, |value| std::ptr::with_exposed_provenance_mut(value as usize);
}

arithmetic! {
    AtomicBool: bool, fetch_or fetch_and;
    AtomicU32: u32, fetch_add fetch_sub fetch_or fetch_and fetch_max fetch_min;
    AtomicU64: u64, fetch_add fetch_sub fetch_or fetch_and fetch_max fetch_min;
    AtomicUsize: usize, fetch_add fetch_sub fetch_or fetch_and fetch_max fetch_min;
}

impl<T> Default for AtomicPtr<T> {
    fn default() -> Self {
        AtomicPtr::new(std::ptr::null_mut())
    }
}

/// Begins to fetch the line of this for a store to come, and does not wait for it.
pub fn prefetch_to_write<T>(what: &T) {
    let _ = with_world(|world| world.prefetch(std::ptr::from_ref(what).addr()));
}

/// A fence: all stores of this thread leave, and it waits for that if it is a full one.
pub fn fence(order: Ordering) {
    if order != Ordering::SeqCst {
        // On a machine with store buffers alone, and here, loads and stores keep this order.
        return;
    }
    let _ = with_world(|world| {
        world.turn_about();
        world.wait_for_stores();
        world.spend(world.costs.fence);
        world.drain(world.thread());
    });
}
