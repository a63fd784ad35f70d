//! How long the operations of queues take inside a run: the clock is read around a share of them.
//!
//! The study missed it (section 7.2), because measuring changes the interleaving. Here one push and one take in
//! [64](PERIODS) and one attempt to steal in eight is timed, and a run with it always has a neighbour without, so that the
//! cost is told. What the clock itself takes is measured and subtracted.

use std::sync::LazyLock;
use std::time::Instant;

/// What is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    Push,
    Take,
    Steal,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Push,
    /// The owner got a node.
    Take,
    /// A thief got one.
    Steal,
    /// A thief got none.
    FailedSteal,
}

const OPERATIONS: usize = 4;

/// Of so many attempts of a kind one is timed. Untuned.
const PERIODS: [u32; 3] = [64, 64, 8];

/// Times of some operations, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OperationTimes {
    /// Attempts since the last one that was timed.
    turns: [u32; PERIODS.len()],
    nanos: [Vec<u32>; OPERATIONS],
}

/// Of so many times the slowest one is left out: it is of those in which the system took the processor away.
const SLOWEST: usize = 100;

/// What is measured of nothing.
static OF_THE_CLOCK: LazyLock<f64> = LazyLock::new(|| {
    let empty = || nanos_since(Instant::now());
    mean_without_slowest((0..10_000).map(|_| empty()).collect()).unwrap_or(0.0)
});

/// A mean, and no median: a clock may tick once in ten nanoseconds. `None` of nothing.
fn mean_without_slowest(mut nanos: Vec<u32>) -> Option<f64> {
    let kept = nanos.len() - nanos.len() / SLOWEST;
    if kept < nanos.len() {
        nanos.select_nth_unstable(kept);
    }
    let sum: f64 = nanos[..kept].iter().map(|&nanos| f64::from(nanos)).sum();
    (kept > 0).then(|| sum / kept as f64)
}

fn nanos_since(start: Instant) -> u32 {
    u32::try_from(start.elapsed().as_nanos()).unwrap_or(u32::MAX)
}

impl OperationTimes {
    #[inline]
    pub(super) fn during<R>(
        &mut self,
        attempt: Attempt,
        operation: impl FnOnce() -> R,
        which: impl FnOnce(&R) -> Option<Operation>,
    ) -> R {
        let turn = &mut self.turns[attempt as usize];
        *turn += 1;
        if *turn < PERIODS[attempt as usize] {
            return operation();
        }
        *turn = 0;
        let start = Instant::now();
        let outcome = operation();
        let nanos = nanos_since(start);
        if let Some(operation) = which(&outcome) {
            self.nanos[operation as usize].push(nanos);
        }
        outcome
    }

    /// Those of two workers.
    #[must_use]
    pub(super) fn with(mut self, other: OperationTimes) -> OperationTimes {
        for (all, more) in self.nanos.iter_mut().zip(other.nanos) {
            all.extend(more);
        }
        self
    }

    /// What an operation takes without the clock's own time; `None` if none was timed.
    pub(crate) fn of(&self, operation: Operation) -> Option<f64> {
        let mean = mean_without_slowest(self.nanos[operation as usize].clone())?;
        Some((mean - *OF_THE_CLOCK).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_each_kind_is_timed_and_counted_by_its_outcome() {
        let mut times = OperationTimes::default();
        for number in 0..640 {
            times.during(Attempt::Push, || (), |()| Some(Operation::Push));
            let which =
                |&even: &bool| Some(if even { Operation::Steal } else { Operation::FailedSteal });
            times.during(Attempt::Steal, || number < 320, which);
            times.during(Attempt::Take, || (), |()| None);
        }
        let counted = times.nanos.each_ref().map(Vec::len);
        assert_eq!(counted, [10, 0, 40, 40]);
        let both = times.clone().with(times).nanos.map(|nanos| nanos.len());
        assert_eq!(both, [20, 0, 80, 80]);
    }

    #[test]
    fn the_clocks_own_time_and_the_slowest_hundredth_are_left_out() {
        let mut times = OperationTimes::default();
        assert_eq!(times.of(Operation::Take), None);
        let mut nanos = vec![1_000; 99];
        nanos.insert(50, 5_000_000);
        times.nanos[Operation::Take as usize] = nanos;
        assert_eq!(times.of(Operation::Take), Some(1_000.0 - *OF_THE_CLOCK));
        times.nanos[Operation::Push as usize] = vec![0];
        assert_eq!(times.of(Operation::Push), Some(0.0));
    }
}
