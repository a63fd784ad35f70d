//! The models' form of the [overwriting store](crate::overwrite): a swap, whose result nobody uses.

use crate::overwrite::Overwrite;
use loom::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

macro_rules! overwrite {
    ($($atomic:ty => $value:ty),*) => {$(
        impl Overwrite<$value> for $atomic {
            fn overwrite(&self, value: $value, ordering: Ordering) {
                self.swap(value, ordering);
            }
        }
    )*};
}

overwrite!(AtomicUsize => usize, AtomicU32 => u32, AtomicU64 => u64);
