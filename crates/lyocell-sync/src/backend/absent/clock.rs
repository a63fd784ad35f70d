//! There is no clock. This one stands still while a thread computes, and goes on where one sleeps or yields: the sleep is over at
//! once, and its time has passed.
//!
//! So whatever waits for a time to pass comes to its end, and no faster thread can be told from a slower one. A moment that is to
//! come while a thread computes does not come.

use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Nanoseconds that threads have slept and yielded.
static NOW: AtomicU64 = AtomicU64::new(0);

/// What a yield takes, so that whoever yields for a while comes to its end.
const A_YIELD: Duration = Duration::from_micros(1);

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(u64);

impl Instant {
    /// This one.
    pub fn now() -> Instant {
        // Ordering: Relaxed, here and in `pass`; a number on its own.
        Instant(NOW.load(Ordering::Relaxed))
    }

    /// So much later, unless the clock ends before.
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(u64::try_from(time.as_nanos()).ok()?).map(Instant)
    }

    /// How long ago it was.
    pub fn elapsed(&self) -> Duration {
        Instant::now() - *self
    }

    /// How long it is after another one, if it is.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        *self - earlier
    }
}

impl Sub for Instant {
    type Output = Duration;

    /// Nothing, if the other one is later.
    fn sub(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// Has so much time pass.
pub fn sleep(time: Duration) {
    let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let pass = |now: u64| Some(now.saturating_add(time));
    let _ = NOW.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pass);
}

/// Has a moment pass: there is nobody to let go ahead.
pub fn yield_now() {
    sleep(A_YIELD);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// The one test of it: others would have its time pass, too.
    #[test]
    fn time_passes_where_somebody_sleeps_and_nowhere_else() {
        let begin = Instant::now();
        assert_eq!((begin.elapsed(), Instant::now()), (Duration::ZERO, begin));
        sleep(Duration::from_millis(3));
        assert_eq!(begin.elapsed(), Duration::from_millis(3));
        yield_now();
        assert_eq!(begin.elapsed(), Duration::from_millis(3) + A_YIELD);
        assert_eq!(begin.saturating_duration_since(Instant::now()), Duration::ZERO);
        assert!(begin.checked_add(Duration::MAX).is_none());
        assert!(begin.checked_add(Duration::from_secs(1)).is_some_and(|later| later > begin));
        sleep(Duration::MAX);
        assert_eq!(Instant::now(), Instant(u64::MAX));
    }
}
