//! The clock of the processor, measured: how many cycles it makes in a second.
//!
//! Papers give costs in cycles. Counters of cycles are often out of reach, above all in virtual machines, and the time
//! stamp counter of x86 runs at a rate of its own. So we time a [chain] of operations of one cycle each. What
//! interrupts it makes it longer, never shorter: the fastest of a few tries counts.

use std::hint::black_box;
use std::time::Instant;

use lyocell_workloads::chain::{CYCLES, chain};

/// About a third of a millisecond: long beside a reading of the clock, short beside a time slice.
const STEPS: u64 = 500_000;

/// Untuned. Processors need some of them to reach their full speed.
const TRIES: usize = 5;

/// Cycles in a nanosecond.
pub(crate) fn gigahertz() -> f64 {
    hertz() / 1e9
}

/// Cycles in a second, of the processor that the calling thread is on, at its speed of this moment.
pub(super) fn hertz() -> f64 {
    let seconds = |_| {
        let start = Instant::now();
        black_box(chain(black_box(STEPS)));
        start.elapsed().as_secs_f64()
    };
    let fastest = (0..TRIES).map(seconds).fold(f64::INFINITY, f64::min);
    (STEPS * CYCLES) as f64 / fastest
}
