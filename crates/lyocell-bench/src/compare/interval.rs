//! How sure a ratio of medians is: the percentile bootstrap (Efron 1979).
//!
//! Both samples are drawn from again and again, with replacement; the ratios that come of it show how far the true one
//! may be. The draws are the same in each run of the program, so that a comparison can be repeated.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::stats;

const DRAWS: usize = 4_000;
/// Outside of the interval at either end.
const TAIL: f64 = 0.025;

/// A ratio, and the interval in which it is nineteen times of twenty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratio {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// NaN of nothing.
pub(crate) fn median(values: &[f64]) -> f64 {
    stats::median(values.iter().copied()).unwrap_or(f64::NAN)
}

/// The median of `new` over that of `old`.
pub(crate) fn ratio_of_medians(old: &[f64], new: &[f64]) -> Ratio {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1979);
    let mut draw = |values: &[f64]| -> f64 {
        let drawn: Vec<f64> =
            values.iter().map(|_| values[random.random_range(0..values.len())]).collect();
        median(&drawn)
    };
    let mut ratios: Vec<f64> = (0..DRAWS).map(|_| draw(new) / draw(old)).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((DRAWS - 1) as f64 * share).round() as usize];
    Ratio { median: median(new) / median(old), low: at(TAIL), high: at(1.0 - TAIL) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_as_wide_as_the_noise() {
        let exact = ratio_of_medians(&[2.0; 5], &[3.0; 5]);
        assert_eq!(exact, Ratio { median: 1.5, low: 1.5, high: 1.5 });
        let noisy = ratio_of_medians(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(noisy.low < 0.7 && noisy.high > 1.4, "{noisy:?}");
        assert_eq!(noisy.median, 1.0);
        assert_eq!(noisy, ratio_of_medians(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 2.0, 3.0, 4.0, 5.0]));
    }
}
