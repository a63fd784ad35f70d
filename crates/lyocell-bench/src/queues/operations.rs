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

/// What is measured of nothing: the shortest of many.
static OF_THE_CLOCK: LazyLock<u32> = LazyLock::new(|| {
    let empty = || nanos_since(Instant::now());
    (0..10_000).map(|_| empty()).min().unwrap_or(0)
});

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

    /// The median of an operation without the clock's own time; `None` if none was timed. A mean would be that of the
    /// few in which the system took the processor away.
    pub(crate) fn median(&self, operation: Operation) -> Option<f64> {
        let mut nanos = self.nanos[operation as usize].clone();
        let middle = nanos.len() / 2;
        let (_, &mut median, _) = (!nanos.is_empty()).then(|| nanos.select_nth_unstable(middle))?;
        Some(f64::from(median.saturating_sub(*OF_THE_CLOCK)))
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
    fn the_median_is_without_the_clocks_own_time() {
        let mut times = OperationTimes::default();
        assert_eq!(times.median(Operation::Take), None);
        let clock = *OF_THE_CLOCK;
        times.nanos[Operation::Take as usize] = vec![clock + 1_000_000, clock + 7, clock];
        assert_eq!(times.median(Operation::Take), Some(7.0));
        times.nanos[Operation::Push as usize] = vec![0];
        assert_eq!(times.median(Operation::Push), Some(0.0));
    }
}
