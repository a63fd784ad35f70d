//! Regions: named parts of a program, measured each for itself.

use crate::clock::{Clock, Declared};
use crate::profile::Profile;
use crate::tally::Name;
use lyocell::probe::{Counters, Times};
use lyocell::{Deque, NoProbe, Probe, Worker};

/// A probe that can be told of [regions](region). Those that do not care need not do anything.
///
/// That each region that begins ends, and none that has not begun, is the business of [`region`], which alone can call these:
///
/// ```compile_fail,E0423
/// use lyocell_profile::{InRegion, Profile, Regions};
///
/// let pool = lyocell::Pool::builder().probe::<Profile>().build().unwrap();
/// pool.run(|w| w.probe().end_region(&InRegion(())));
/// ```
pub trait Regions: Probe {
    /// A region begins on the worker.
    fn begin_region(&self, name: Name, by: &InRegion) {
        let _ = (name, by);
    }

    /// The region that has begun last on the worker is over.
    fn end_region(&self, by: &InRegion) {
        let _ = by;
    }
}

/// Says that [`region`] calls, which has the only one. A probe that holds others passes it on.
#[derive(Debug)]
pub struct InRegion(());

impl Regions for NoProbe {}
impl Regions for Counters {}
impl Regions for Times {}

impl<C: Clock> Regions for Profile<C> {
    fn begin_region(&self, name: Name, _: &InRegion) {
        Profile::begin_region(self, name);
    }

    fn end_region(&self, _: &InRegion) {
        Profile::end_region(self);
    }
}

impl<A: Regions, B: Regions> Regions for (A, B) {
    fn begin_region(&self, name: Name, by: &InRegion) {
        self.0.begin_region(name.clone(), by);
        self.1.begin_region(name, by);
    }

    fn end_region(&self, by: &InRegion) {
        self.1.end_region(by);
        self.0.end_region(by);
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
            self.0.end_region(&InRegion(()));
        }
    }
    w.probe().begin_region(name.into(), &InRegion(()));
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
