//! Regions: named parts of a program, measured each for itself.

use crate::clock::{Clock, Declared};
use crate::profile::Profile;
use crate::tally::Name;
use lyocell::probe::{Counters, Times};
use lyocell::{Deque, NoProbe, Probe, Worker};

/// A probe that can be told of [regions](region). Those that do not care need not do anything.
pub trait Regions: Probe {
    /// A region begins on the worker.
    fn begin_region(&self, name: Name) {
        let _ = name;
    }

    /// The region that has begun last on the worker is over.
    fn end_region(&self) {}
}

impl Regions for NoProbe {}
impl Regions for Counters {}
impl Regions for Times {}

impl<C: Clock> Regions for Profile<C> {
    fn begin_region(&self, name: Name) {
        Profile::begin_region(self, name);
    }

    fn end_region(&self) {
        Profile::end_region(self);
    }
}

impl<A: Regions, B: Regions> Regions for (A, B) {
    fn begin_region(&self, name: Name) {
        self.0.begin_region(name.clone());
        self.1.begin_region(name);
    }

    fn end_region(&self) {
        self.1.end_region();
        self.0.end_region();
    }
}

/// Runs `body` as a region of this name, which gets a line of its own in the [profile](Profile).
///
/// Regions may be within each other, and may be run many times and by many workers: what has one name in one place is added
/// up. A region within a stolen task belongs to the region in which that task was forked. Without a profile it is a
/// plain call.
///
/// # Panics
/// Panics with the panic of `body`; the region is over then, too.
///
/// # Cost
/// About a tenth of a microsecond.
///
/// # Examples
/// ```
/// use lyocell::Pool;
/// use lyocell_profile::{Profile, region};
///
/// let pool = Pool::builder().probe::<Profile>().build()?;
/// pool.run(|w| {
///     region(w, "outer", |w| {
///         w.join(|w| region(w, "inner", |_| 1), |w| region(w, "inner", |_| 2))
///     })
/// });
/// let profile = Profile::of(&pool);
/// let outer = profile.region("outer").expect("it has run");
/// assert_eq!(outer.regions[0].name, "inner");
/// assert_eq!(outer.regions[0].times, 2);
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub fn region<D: Deque, P: Regions, R>(
    w: &Worker<D, P>,
    name: impl Into<Name>,
    body: impl FnOnce(&Worker<D, P>) -> R,
) -> R {
    struct Begun<'a, P: Regions>(&'a P);
    impl<P: Regions> Drop for Begun<'_, P> {
        fn drop(&mut self) {
            self.0.end_region();
        }
    }
    w.probe().begin_region(name.into());
    let _begun = Begun(w.probe());
    body(w)
}

/// Says that the program has worked for so many ticks on this worker, where time is [`Declared`].
///
/// # Examples
/// ```
/// use lyocell::Pool;
/// use lyocell_profile::{Declared, Profile, advance};
///
/// let pool = Pool::builder().probe::<Profile<Declared>>().build()?;
/// pool.run(|w| w.join(|w| advance(w, 30), |w| advance(w, 10)));
/// let profile = Profile::of(&pool);
/// assert_eq!((profile.all.work_ticks, profile.all.span_ticks), (40, 30));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
pub fn advance<D: Deque>(w: &Worker<D, Profile<Declared>>, ticks: u64) {
    w.probe().advance(ticks);
}
