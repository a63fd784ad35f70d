//! The clock of the virtual machine, and the work that passes on it.

use crate::machine::PS;
use crate::world::with_world;
use std::ops::Sub;
use std::time::Duration;

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(u64);

impl Instant {
    /// This one; to look at the clock takes time.
    pub fn now() -> Instant {
        let now = with_world(|world| {
            world.spend(world.costs.clock);
            world.now()
        });
        Instant(now.unwrap_or(0))
    }

    /// So much later, unless the clock ends before.
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        let later = u64::try_from(time.as_nanos()).ok()?.checked_mul(PS as u64)?;
        self.0.checked_add(later).map(Instant)
    }

    /// How long ago it was.
    pub fn elapsed(&self) -> Duration {
        Instant::now().duration_since(*self)
    }

    /// How long it is after another one, if it is.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }

    /// How long it is after an earlier one.
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0) / PS as u64)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }
}

/// Nanoseconds since the world began.
pub fn clock_ns() -> u64 {
    with_world(|world| {
        world.spend(world.costs.clock);
        world.now() / PS as u64
    })
    .unwrap_or(0)
}

/// Picoseconds since the world began, without a look at the clock: for who measures from outside.
pub fn now_ps() -> u64 {
    with_world(|world| world.now()).unwrap_or(0)
}

/// The running thread works so many picoseconds.
#[inline]
pub fn work(ps: u64) {
    let _ = with_world(|world| {
        let mut left = ps;
        let step = world.costs.slice / 16;
        if left > step && world.threads.borrow().is_crowded() {
            while left > step {
                left -= step;
                world.spend(step);
                world.turn();
            }
        }
        world.spend(left);
    });
}

/// The running thread sleeps.
pub fn sleep(time: Duration) {
    let _ = with_world(|world| {
        world.spend(world.costs.park);
        let until = world.now() + time.as_nanos() as u64 * PS as u64;
        world.block(crate::threads::Waits::Moment, Some(until));
    });
}
