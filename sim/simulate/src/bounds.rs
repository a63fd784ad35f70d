//! What theory says that a run takes, beside what it takes. All in nanoseconds.

use serde::Serialize;

use crate::programs::Known;

/// A machine of so many processors runs the program.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What is known of the program.
    pub known: Known,
    /// Workers.
    pub workers: usize,
    /// Half of a round trip of a line over the longest way, in nanoseconds.
    pub latency_ns: f64,
    /// The mean time between two deals, in nanoseconds, where owners deal.
    pub delta_ns: Option<f64>,
}

/// The bounds of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// max(T_1/P, T_∞): nothing is faster.
    pub least_ns: f64,
    /// T_1/P + T_∞: no greedy schedule takes longer, if scheduling takes no time (Graham 1969, Brent 1974).
    pub greedy_ns: f64,
    /// T_1/P + 32 T_∞: expected of work stealing, if a steal takes a step (Arora, Blumofe and Plaxton 2001, with the constant of their
    /// proof).
    pub stealing_ns: f64,
    /// T_1/P + 16.12 λ log2(T_1 / 2λ): expected where a steal's request and its answer take λ each (Gast, Khatiri and Trystram 2018,
    /// of a bag of tasks).
    pub latency_ns: f64,
    /// About T_1/P + T_∞ + 2.68 δ F: expected with dealing every δ on average (Acar, Charguéraud and Rainey 2013, section 3, with its
    /// factors that are nearly 1, for which the round trip of a message is that of a line over the longest way).
    pub dealing_ns: Option<f64>,
}

impl Bounds {
    /// Those of a case.
    pub fn of(case: Case) -> Bounds {
        let ns = |ps: u64| ps as f64 / 1000.0;
        let (work, span) = (ns(case.known.work), ns(case.known.span));
        let share = work / case.workers as f64;
        let rounds = (work / (2.0 * case.latency_ns)).log2().max(0.0);
        Bounds {
            least_ns: share.max(span),
            greedy_ns: share + span,
            stealing_ns: share + 32.0 * span,
            latency_ns: share + 16.12 * case.latency_ns * rounds,
            dealing_ns: case.delta_ns.and_then(|delta| case.with_dealing(delta)),
        }
    }
}

impl Case {
    /// The bound with so long between two deals: none where a message takes longer.
    fn with_dealing(self, delta_ns: f64) -> Option<f64> {
        // The unit of the theorem is a message's round trip.
        let delta = delta_ns / (2.0 * self.latency_ns);
        if delta <= 1.0 {
            return None;
        }
        let ns = |ps: u64| ps as f64 / 1000.0;
        let workers = self.workers as f64;
        let rate = 0.63 / delta;
        let waits = ns(self.known.span) + 2.68 * delta_ns * self.known.depth as f64;
        let others = (workers - 1.0) / workers * rate / (1.0 - (-rate).exp());
        Some((1.0 + 1.0 / (delta - 1.0)) * (ns(self.known.work) / workers + others * waits))
    }
}

/// Wool's model of a repetition (Faxén 2010, section IV): what the first `P - 1` steals take together, and twice the cost of a
/// steal for each further one, which thief and victim share with all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WoolsModel {
    /// C_2: what it takes to spread work over two workers, in nanoseconds.
    pub spread_over_two_ns: f64,
    /// C_P: over all.
    pub spread_over_all_ns: f64,
}

impl WoolsModel {
    /// What it says of a run with so much work and so many steals.
    pub fn predicts(&self, work_ns: f64, steals: u64, workers: usize) -> f64 {
        let further = steals.saturating_sub(workers as u64 - 1) as f64;
        let shared = work_ns + 2.0 * further * self.spread_over_two_ns;
        self.spread_over_all_ns + shared / workers as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_a_small_case() {
        let known = Known { answer: 1, work: 128_000_000, span: 4_000_000, depth: 5 };
        let delta_ns = Some(1000.0);
        let case = Case { known, workers: 4, latency_ns: 125.0, delta_ns };
        let bounds = Bounds::of(case);
        assert_eq!((bounds.least_ns, bounds.greedy_ns), (32_000.0, 36_000.0));
        assert_eq!(bounds.stealing_ns, 160_000.0);
        assert_eq!(bounds.latency_ns, 32_000.0 + 16.12 * 125.0 * 9.0);
        // delta is four round trips: 4/3 of 32,000 and 3/4 of 1.08 times 4,000 and 13,400.
        let dealing = bounds.dealing_ns.unwrap();
        assert!((dealing - 61_448.0).abs() < 100.0, "{dealing}");
        let short = Bounds::of(Case { delta_ns: Some(250.0), ..case });
        assert_eq!(short.dealing_ns, None);
        assert_eq!(Bounds::of(Case { workers: 64, ..case }).least_ns, 4_000.0);
    }

    #[test]
    fn the_first_steals_cost_what_it_takes_to_spread() {
        let model = WoolsModel { spread_over_two_ns: 100.0, spread_over_all_ns: 300.0 };
        assert_eq!(model.predicts(4000.0, 3, 4), 1300.0);
        assert_eq!(model.predicts(4000.0, 5, 4), 1400.0);
        assert_eq!(model.predicts(4000.0, 0, 4), 1300.0);
    }
}
