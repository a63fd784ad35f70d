//! A probe made of safe code: what a user's observer does cannot harm the worker that it is called on.
//!
//! A probe is called in the middle of pushes, pops and steals, where nothing may unwind and nobody may come back
//! into the pool. An observer may try both. So it is called behind two shields:
//!
//! # Invariants
//! - observed-1. What the observer panics with stops here; it is not called again on this worker.
//! - observed-2. While the observer runs, its thread is the worker of no pool, and cannot wait as one
//!   ([`current::shielded`]). So it neither runs tasks above a half-finished push nor moves this worker's head.

use crate::current;
use crate::probe::{Event, Observe, Phase, Probe};
use lyocell_sync::unmodelled::{AtomicBool, AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The probe that tells an [observer](Observe) what happens on a worker.
///
/// An observer that panics is switched off for the rest of its worker's life; the program goes on, and
/// [`Observed::has_panicked`] tells. An observer that tries to run something on a pool panics.
///
/// # Cost
/// Some nanoseconds for each event. A probe in unsafe code ([`Probe`]) can do with one.
///
/// # Examples
/// ```
/// use lyocell::probe::{Event, Observe};
/// use lyocell::{Observed, Pool};
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// #[derive(Default)]
/// struct Spawns(AtomicUsize);
///
/// impl Observe for Spawns {
///     fn spawned(&self, _depth: usize) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// let pool = Pool::builder().probe::<Observed<Spawns>>().build()?;
/// pool.run(|w| w.join(|_| (), |_| ()));
/// let spawns: usize = pool.probes().map(|probe| probe.observer().0.load(Ordering::Relaxed)).sum();
/// assert_eq!(spawns, 1);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Observed<O> {
    observer: O,
    /// The index of the phase in [`Phase::ALL`].
    phase: AtomicUsize,
    has_panicked: AtomicBool,
}

impl<O: Observe> Default for Observed<O> {
    fn default() -> Self {
        Observed {
            observer: O::default(),
            phase: AtomicUsize::new(Phase::StartStop as usize),
            has_panicked: AtomicBool::new(false),
        }
    }
}

// Ordering of both words: Relaxed; the worker alone writes them, and others read a hint.

impl<O: Observe> Observed<O> {
    /// The observer of this worker.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Whether the observer has panicked, and so is called no more.
    pub fn has_panicked(&self) -> bool {
        self.has_panicked.load(Ordering::Relaxed)
    }

    fn tell(&self, tell: impl FnOnce(&O)) {
        if self.has_panicked() {
            return;
        }
        let told = catch_unwind(AssertUnwindSafe(|| current::shielded(|| tell(&self.observer))));
        if let Err(panic) = told {
            self.has_panicked.store(true, Ordering::Relaxed);
            // Its destructor is the user's code as well: it runs behind the same shields, and may panic again.
            let dropped = catch_unwind(AssertUnwindSafe(|| current::shielded(|| drop(panic))));
            // What that one leaves is given up.
            dropped.unwrap_or_else(std::mem::forget);
        }
    }
}

// SAFETY: by observed-1 nothing unwinds from here; by observed-2 nothing enters a pool.
unsafe impl<O: Observe> Probe for Observed<O> {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn count(&self, event: Event) {
        self.tell(|observer| observer.happened(event));
    }

    fn spawned(&self, depth: impl FnOnce() -> usize) {
        let depth = depth();
        self.tell(|observer| observer.spawned(depth));
    }

    fn enter(&self, phase: Phase) -> Phase {
        self.tell(|observer| observer.entered(phase));
        let before = self.phase.load(Ordering::Relaxed);
        self.phase.store(phase as usize, Ordering::Relaxed);
        Phase::ALL[before]
    }
}
