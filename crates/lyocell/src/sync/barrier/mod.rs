//! The asymmetric barrier: a fence in two unequal halves, free for whoever passes it often and dear for whoever passes it
//! seldom.
//!
//! Two threads that each write a word of their own and then read the other's need a fence in between, both of them, if
//! one at least is to see the other's write. An owner that pushes and pops cannot afford it. So its half is one for the
//! compiler only ([`light`]), and the other thread has the operating system make every running thread of the process
//! pass a full fence ([`HeavyBarrier::issue`]): whatever the owner was at, it had written before, or it reads after.
//!
//! # Invariants
//! - barrier-1. Let one thread store, pass `light` and load, and another one store, issue the heavy barrier and load,
//!   where each loads what the other stores. One of the two sees the other's store.
//!
//! In the models and under Miri both halves are sequentially consistent fences, which is what they are together. A
//! model that has no heavy barrier has no light one either, lest that hide what another protocol lacks.
//!
//! Source: location-based memory fences (Ladan-Mozes, Lee and Vyukov 2011); `membarrier(2)`; the asymmetric fences of
//! the C++ proposal P1202. Windows has the same as `FlushProcessWriteBuffers`.

#[cfg(any(loom, miri))]
mod fences;
#[cfg(not(any(loom, miri)))]
mod system;

use super::unmodelled::{AtomicBool, Ordering};
#[cfg(any(loom, miri))]
use fences as half;
#[cfg(not(any(loom, miri)))]
use system as half;

pub(crate) use half::light;

/// The dear half of the barrier.
///
/// There is one where the system has the call and lets this process use it.
#[derive(Debug)]
pub struct HeavyBarrier {
    /// Once it has been refused it is not issued again.
    works: AtomicBool,
}

/// Whether the barrier was passed by everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Issued {
    Yes,
    No,
}

// Ordering of `works`: Relaxed; whoever reads it too early is refused once more.
impl HeavyBarrier {
    /// Has the system get ready for it. `None` where there is no such call, or it is forbidden.
    pub(crate) fn register() -> Option<HeavyBarrier> {
        half::register().then(|| HeavyBarrier { works: AtomicBool::new(true) })
    }

    /// One for models of other protocols, whose light halves are none.
    #[cfg(all(test, loom))]
    pub(crate) fn without_light() -> HeavyBarrier {
        HeavyBarrier { works: AtomicBool::new(true) }
    }

    /// Makes every thread of this process pass a full fence. The calling thread passes one as well.
    pub(crate) fn issue(&self) -> Issued {
        if self.works() && half::issue() {
            return Issued::Yes;
        }
        // A filter of system calls may have come later than the registration.
        self.works.store(false, Ordering::Relaxed);
        Issued::No
    }

    /// Whether it has never been refused.
    pub(crate) fn works(&self) -> bool {
        self.works.load(Ordering::Relaxed)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_that_was_refused_is_not_issued_again() {
        let barrier = HeavyBarrier { works: AtomicBool::new(false) };
        assert_eq!(barrier.issue(), Issued::No);
        assert!(!barrier.works());
    }

    #[cfg(any(target_os = "linux", windows))]
    #[test]
    fn this_system_has_one() {
        let Some(barrier) = HeavyBarrier::register() else { return };
        assert_eq!(barrier.issue(), Issued::Yes);
        assert!(barrier.works());
    }
}
