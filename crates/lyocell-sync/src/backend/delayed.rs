//! Atomics before each of whose accesses the thread may be delayed: for programs at random (`--cfg delays`).
//!
//! A protocol that is wrong fails where one thread sleeps between two of its steps and another does much meanwhile. The
//! machine's own scheduler does that seldom, and seldom at the place. Here it comes at any access of any word, for as long
//! as a few instructions take or as long as thousands of joins.

pub use super::native::*;
pub(crate) use super::shipped::{add_first, occupy_first, replace_first};

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic;
use std::time::Duration;

/// One access in so many puts the thread to sleep; twenty times as often it yields, a hundred times as often it spins.
const SELDOM: u32 = 1 << 13;

/// An atomic, each access of which comes late now and then.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Delayed<A>(A);

impl<A> Deref for Delayed<A> {
    type Target = A;

    fn deref(&self) -> &A {
        delay();
        &self.0
    }
}

impl<A> DerefMut for Delayed<A> {
    fn deref_mut(&mut self) -> &mut A {
        &mut self.0
    }
}

macro_rules! delayed {
    ($($name:ident $(<$generic:ident>)?: $value:ty),* $(,)?) => {$(
        /// The standard library's, with delays.
        pub type $name $(<$generic>)? = Delayed<atomic::$name $(<$generic>)?>;

        impl $(<$generic>)? Delayed<atomic::$name $(<$generic>)?> {
            /// One with this value.
            pub const fn new(value: $value) -> Self {
                Delayed(atomic::$name::new(value))
            }
        }
    )*};
}

delayed!(AtomicBool: bool, AtomicU32: u32, AtomicUsize: usize, AtomicPtr<T>: *mut T);
#[cfg(target_has_atomic = "64")]
delayed!(AtomicU64: u64);

thread_local! {
    static DRAWN: Cell<u32> = const { Cell::new(0) };
}

/// Delays the calling thread, or not.
fn delay() {
    let drawn = draw();
    match drawn % SELDOM {
        0 => std::thread::sleep(Duration::from_micros(u64::from(drawn >> 13) % 300)),
        1..=20 => yield_now(),
        21..=120 => (0..drawn >> 13 & 1023).for_each(|_| spin_loop()),
        _ => {}
    }
}

/// The next of this thread's numbers (xorshift).
fn draw() -> u32 {
    // A thread that is about to end has no more delays.
    DRAWN
        .try_with(|drawn| {
            let mut next = match drawn.get() {
                0 => first(),
                next => next,
            };
            next ^= next << 13;
            next ^= next >> 17;
            next ^= next << 5;
            drawn.set(next);
            next
        })
        .unwrap_or(SELDOM - 1)
}

/// Another one for each thread of a process, and, by the clock, for each process.
fn first() -> u32 {
    static THREADS: atomic::AtomicU32 = atomic::AtomicU32::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let thread = THREADS.fetch_add(0x9E37_79B9, atomic::Ordering::Relaxed);
    (now.map_or(0, |now| now.subsec_nanos()) ^ thread) | 1
}
