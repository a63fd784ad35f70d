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
//! - barrier-2. A barrier that has been refused once is never issued again; and of those that learn of it one tells the others
//!   ([`HeavyBarrier::is_mine_to_tell`]). So whoever relies on it relies on it no more, from some moment on.
//!
//! # Refusals
//! A filter of system calls may refuse it at once, or allow the registration and refuse the use, or come when the pool has used
//! it for a while. So it is tried once after the registration; and a later refusal is told to all whom it concerns.
//!
//! In the models and under Miri both halves are sequentially consistent fences, which is what they are together. A
//! model that has no heavy barrier has no light one either, lest that hide what another protocol lacks.
//!
//! # By system
//! | system | by what | run |
//! |---|---|---|
//! | Linux since 4.14 | `membarrier`, private and expedited | yes, in each test |
//! | Windows | `FlushProcessWriteBuffers` | compiled only |
//! | FreeBSD since 14.1 | `membarrier`, as on Linux | compiled only |
//! | macOS since 10.14 | the registers of each thread are asked for, for which it is stopped (as .NET does) | compiled only |
//! | others, and where it is refused | none | yes, with a filter of system calls |
//!
//! # What was rejected
//! - *To take the right to write away from a page in use.* Kernels for x86 interrupt each processor that may know the page, so it has
//!   served as a barrier for long (.NET, folly). Nobody promises it: on processors that can tell others to forget a page (AMD's
//!   `INVLPGB`, which Linux uses since 6.15) nobody is interrupted, and then a task would be run twice.
//! - *A signal to each thread.* The handler's place is the program's: it is an option of a pool, `Builder::interrupt`.
//!
//! Source: location-based memory fences (Ladan-Mozes, Lee and Vyukov 2011); `membarrier(2)`; the asymmetric fences of
//! the C++ proposal P1202; .NET's `FlushProcessWriteBuffers` for macOS.

use crate::backend::barrier as half;
use crate::rounds::Rounds;
use crate::{AtomicU32, Ordering};
use crossbeam_utils::CachePadded;

/// The cheap half of the barrier. Where there is no other half, it still keeps the order that a signal handler needs.
#[inline(always)]
pub fn light() {
    half::light();
}

/// The dear half of the barrier.
///
/// There is one where the system has the call and lets this process use it.
#[derive(Debug)]
pub struct HeavyBarrier {
    state: AtomicU32,
    /// Apart from the state, which is read all the time.
    rounds: CachePadded<Rounds>,
}

const WORKS: u32 = 0;
/// It has been refused, and nobody has been told.
const REFUSED: u32 = 1;
/// It has been refused, and somebody tells the others.
const TOLD: u32 = 2;

/// Whether the barrier was passed by everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Issued {
    /// It was.
    Yes,
    /// It has been refused, now or before, or the caller gave up.
    No,
}

// Ordering of the state: Relaxed; its steps are in one direction, so that who sees it work after all is refused once more.
// Where something hangs on it, fences of whoever relies on it order it.
impl HeavyBarrier {
    /// Has the system get ready for it, and tries it. `None` where there is no such call, or it is forbidden.
    pub fn register() -> Option<HeavyBarrier> {
        (half::register() && half::issue()).then(HeavyBarrier::new)
    }

    fn new() -> HeavyBarrier {
        HeavyBarrier { state: AtomicU32::new(WORKS), rounds: CachePadded::new(Rounds::new()) }
    }

    /// One for models of other protocols, whose light halves are none.
    #[cfg(loom)]
    pub fn without_light() -> HeavyBarrier {
        Self::refused_after(u32::MAX)
    }

    /// As [`HeavyBarrier::without_light`], but it is refused when it has been issued so often.
    #[cfg(loom)]
    pub fn refused_after(times: u32) -> HeavyBarrier {
        half::refuse_after(times);
        HeavyBarrier::new()
    }

    /// Makes every thread of this process pass a full fence, once for all who ask for that at the same time. The calling thread
    /// passes one as well.
    pub fn issue(&self) -> Issued {
        self.issue_unless(&|| false)
    }

    /// As [`HeavyBarrier::issue`], but it is not passed if the caller gives up while others are at it.
    #[inline(never)]
    pub fn issue_unless(&self, gives_up: &dyn Fn() -> bool) -> Issued {
        if !self.works() {
            return Issued::No;
        }
        // Models of other protocols have one each: what is shared has a model of its own (rounds-1).
        let passed =
            if cfg!(loom) { Some(half::issue()) } else { self.rounds.pass(half::issue, gives_up) };
        match passed {
            Some(true) => return Issued::Yes,
            // A filter of system calls has come later than the registration.
            Some(false) => _ = self.step(WORKS, REFUSED),
            None => {}
        }
        Issued::No
    }

    /// Whether it has never been refused.
    pub fn works(&self) -> bool {
        self.state.load(Ordering::Relaxed) == WORKS
    }

    /// Whether it has been refused, and the caller is the one to tell the others (barrier-2).
    pub fn is_mine_to_tell(&self) -> bool {
        self.state.load(Ordering::Relaxed) == REFUSED && self.step(REFUSED, TOLD)
    }

    fn step(&self, from: u32, to: u32) -> bool {
        self.state.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_that_was_refused_is_not_issued_again_and_one_tells() {
        let barrier = HeavyBarrier { state: AtomicU32::new(REFUSED), ..HeavyBarrier::new() };
        assert_eq!(barrier.issue(), Issued::No);
        assert!(!barrier.works());
        assert!(barrier.is_mine_to_tell());
        assert!(!barrier.is_mine_to_tell());
        assert_eq!(barrier.issue(), Issued::No);
        assert!(!barrier.is_mine_to_tell());
    }

    #[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "macos", windows))]
    #[test]
    fn this_system_has_one() {
        let Some(barrier) = HeavyBarrier::register() else { return };
        assert_eq!(barrier.issue(), Issued::Yes);
        assert!(barrier.works() && !barrier.is_mine_to_tell());
    }
}
