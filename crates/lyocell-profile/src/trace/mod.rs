//! Traces: what each worker did when.
//!
//! A worker writes down when it begins and ends stolen tasks, calls, tasks of scopes and regions, when it looks for work and
//! when it sleeps. Forks that nobody steals leave no mark, so they cost nothing. The marks are in a ring: when it is
//! full the oldest are dropped, and counted.
//!
//! | file | what |
//! |---|---|
//! | `ring.rs` | the marks of a worker |
//! | `slices.rs` | marks become slices of time, and arrows from victim to thief |
//! | `perfetto.rs` | a file for Perfetto, in Chrome's JSON |
//! | `page.rs` | a page of our own |

mod page;
mod perfetto;
mod ring;
mod slices;

use crate::clock::{start, ticks};
use crate::region::{InRegion, Regions};
use crate::tally::Name;
use lyocell::probe::{Event, Origin, Phase, Root};
use lyocell::{Deque, Pool, Probe};
use ring::{Mark, Ring};
pub use slices::Traced;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A probe that keeps what its worker did when, as far as there is room.
///
/// # Cost
/// Two readings of the clock for each stolen task and each wait. At most 1.5 MiB for each worker.
///
/// # Examples
/// ```
/// use lyocell::Pool;
/// use lyocell_profile::Trace;
///
/// let pool = Pool::builder().probe::<Trace>().build()?;
/// pool.run(|w| w.join(|_| (), |_| ()));
/// let traced = Trace::of(&pool);
/// assert_eq!(traced.dropped(), 0);
/// let json = traced.to_perfetto();
/// assert!(json.contains("traceEvents"));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Trace {
    marks: Mutex<Ring>,
    /// What the worker does, to return it from `enter`.
    phase: Mutex<Phase>,
}

impl Default for Trace {
    fn default() -> Self {
        start();
        Trace { marks: Mutex::default(), phase: Mutex::new(Phase::StartStop) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Trace {
    fn mark(&self, mark: Mark) {
        lock(&self.marks).push(ticks(), mark);
    }

    /// What the workers of the pool did so far, as far as it was kept.
    pub fn of<D: Deque>(pool: &Pool<D, Trace>) -> Traced {
        Trace::of_probes(pool.probes())
    }

    /// As [`Trace::of`], of the probes of all workers of a pool that has others beside them.
    pub fn of_probes<'a>(probes: impl Iterator<Item = &'a Trace>) -> Traced {
        Traced::new(probes.map(|probe| lock(&probe.marks).clone()).collect())
    }
}

impl Regions for Trace {
    fn begin_region(&self, name: Name, _: &InRegion) {
        self.mark(Mark::Region(name));
    }

    fn end_region(&self, _: &InRegion) {
        self.mark(Mark::End);
    }
}

// SAFETY: the methods take locks that nobody holds while he runs anything of a pool, read the clock and write into memory that
// is allocated, if it can be; a ring that cannot grow any more overwrites.
unsafe impl Probe for Trace {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn count(&self, event: Event) {
        if event == Event::Wake {
            self.mark(Mark::Woken);
        }
    }

    fn enter(&self, phase: Phase) -> Phase {
        let before = std::mem::replace(&mut *lock(&self.phase), phase);
        if before != phase {
            self.mark(Mark::Enters(phase));
        }
        before
    }

    fn begin_task(&self, origin: Origin) {
        self.mark(match origin {
            Origin::Stolen(victim) => Mark::Stolen { victim },
            Origin::Root(Root::Call) => Mark::Call,
            _ => Mark::Detached,
        });
    }

    fn end_stolen<'a>(&self, _owner: impl FnOnce() -> &'a Self, _slot: usize) {
        self.mark(Mark::End);
    }

    fn end_root(&self, _root: Root) {
        self.mark(Mark::End);
    }

    fn begin_spawned(&self, _group: &(), _start: ()) {
        self.mark(Mark::Spawned);
    }

    fn end_spawned(&self, _group: &()) {
        self.mark(Mark::End);
    }
}
