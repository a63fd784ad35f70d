//! Spans: how long the longest chain of strands is that have to come one after the other.
//!
//! A span is kept for each of the [burdens](BURDENS), which are what it costs to have a branch run by somebody else.
//!
//! Source: the model of Wool's Table I (Faxén 2010, section IV-B): "potentially parallel computations are assumed to
//! be executed sequentially if the savings from parallel execution are less than 2000 cycles. Otherwise, they are assumed to be
//! executed in parallel with an extra cost of 2000 cycles". With spans `a ≥ b` of two branches the savings are `b`, so
//! together they take `a + min(b, burden)`.

use std::ops::{Add, AddAssign, Sub};

/// How many burdens spans are kept for: none, Wool's 2,000 cycles, and that of this machine.
pub(crate) const BURDENS: usize = 3;

/// The burden of Wool's Table I, in cycles.
pub(crate) const WOOL_BURDEN: u64 = 2_000;

/// A span for each burden, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spans(pub(crate) [u64; BURDENS]);

impl Spans {
    /// The same time for each burden: a strand.
    pub(crate) fn strand(ticks: u64) -> Spans {
        Spans([ticks; BURDENS])
    }

    fn with(self, other: Spans, combine: impl Fn(u64, u64) -> u64) -> Spans {
        Spans(std::array::from_fn(|burden| combine(self.0[burden], other.0[burden])))
    }

    /// The later of two ends.
    pub(crate) fn max(self, other: Spans) -> Spans {
        self.with(other, u64::max)
    }

    pub(crate) fn min(self, other: Spans) -> Spans {
        self.with(other, u64::min)
    }

    /// The end of two branches that both began at `begin`.
    pub(crate) fn join(begin: Spans, first: Spans, second: Spans, burdens: Spans) -> Spans {
        let (a, b) = (first - begin, second - begin);
        begin + a.max(b) + a.min(b).min(burdens)
    }
}

impl Add for Spans {
    type Output = Spans;

    fn add(self, other: Spans) -> Spans {
        self.with(other, u64::saturating_add)
    }
}

impl AddAssign for Spans {
    fn add_assign(&mut self, other: Spans) {
        *self = *self + other;
    }
}

impl Sub for Spans {
    type Output = Spans;

    fn sub(self, other: Spans) -> Spans {
        self.with(other, u64::saturating_sub)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_run_beside_each_other_if_that_saves_more_than_the_burden() {
        let burdens = Spans([0, 2_000, 500]);
        let begin = Spans([10, 20, 30]);
        let join = |a, b| {
            Spans::join(begin, begin + Spans::strand(a), begin + Spans::strand(b), burdens) - begin
        };
        assert_eq!(join(5_000, 3_000), Spans([5_000, 7_000, 5_500]));
        assert_eq!(join(3_000, 5_000), Spans([5_000, 7_000, 5_500]));
        assert_eq!(join(5_000, 700), Spans([5_000, 5_700, 5_500]));
        assert_eq!(join(5_000, 0), Spans([5_000, 5_000, 5_000]));
    }
}
