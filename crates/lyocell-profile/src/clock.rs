//! The clocks: what time is to a profile.
//!
//! Time is counted in ticks. On x86-64 a tick is one of the time stamp counter, which runs at one rate whatever the
//! processor does; elsewhere it is a nanosecond.

use std::sync::OnceLock;
use std::time::Instant;

/// When a [`Profile`](crate::Profile) reads the clock.
///
/// The trait is sealed: the clocks are [`Sampled`], [`Exact`] and [`Declared`].
pub trait Clock: sealed::Sealed + Send + Sync + 'static {
    #[doc(hidden)]
    const MODE: Mode;
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Sampled,
    Exact,
    Declared,
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Sampled {}
    impl Sealed for super::Exact {}
    impl Sealed for super::Declared {}
}

/// Reads the clock at each fork and join where tasks take long, and once in some microseconds where they are short.
/// The default: a fork costs a nanosecond or two more.
///
/// Where tasks are short, neighbouring ones are so lumped together, up to some microseconds of them. That is
/// below the cost of a steal, so the span with a burden is what it would be; the plain span is only as good as that.
#[derive(Debug)]
pub enum Sampled {}

/// Reads the clock at each fork and join, however short the tasks are: some tens of nanoseconds a fork.
#[derive(Debug)]
pub enum Exact {}

/// Time is what the program [says](crate::advance) it is: for tests, and to find out what a program would do.
#[derive(Debug)]
pub enum Declared {}

impl Clock for Sampled {
    const MODE: Mode = Mode::Sampled;
}

impl Clock for Exact {
    const MODE: Mode = Mode::Exact;
}

impl Clock for Declared {
    const MODE: Mode = Mode::Declared;
}

/// The time from one reading to a later one: none if the clock has stepped back between them, as time stamp counters of
/// two sockets may that do not agree.
#[inline(always)]
pub(crate) fn passed(from: u64, to: u64) -> u64 {
    to.saturating_sub(from)
}

/// The time now.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    // SAFETY: every x86-64 processor has the instruction; it reads a counter.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// The time now.
#[cfg(any(not(target_arch = "x86_64"), miri))]
pub(crate) fn ticks() -> u64 {
    origin().1.elapsed().as_nanos() as u64
}

/// A moment by both clocks.
fn origin() -> &'static (u64, Instant) {
    static ORIGIN: OnceLock<(u64, Instant)> = OnceLock::new();
    ORIGIN.get_or_init(|| {
        (if cfg!(target_arch = "x86_64") { ticks_now() } else { 0 }, Instant::now())
    })
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn ticks_now() -> u64 {
    ticks()
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
fn ticks_now() -> u64 {
    0
}

/// Has the rate of the ticks measured from now on.
pub(crate) fn start() {
    origin();
}

/// How many ticks a nanosecond has, measured since [`start`].
pub(crate) fn ticks_per_ns() -> f64 {
    let (ticks_then, then) = *origin();
    // Enough for three digits, whatever the latency of two clocks.
    while then.elapsed().as_micros() < 200 {
        std::hint::spin_loop();
    }
    let ns = then.elapsed().as_nanos() as f64;
    match passed(ticks_then, ticks()) {
        // It has stepped back by more than has passed: no rate can be told.
        0 => 1.0,
        ticks => ticks as f64 / ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_go_on_and_have_a_rate() {
        start();
        let before = ticks();
        let rate = ticks_per_ns();
        assert!(ticks() >= before);
        assert!((0.01..100.0).contains(&rate), "{rate} ticks a nanosecond");
    }
}
