//! Medians, means and what else is made of some numbers. A median is the middle value, of an even number of them the mean of
//! both.

/// The middle of sorted values; `None` if there are none.
pub(crate) fn middle(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[last / 2].midpoint(sorted[sorted.len() / 2]))
}

/// The median of values in any order; `None` if there are none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    Some(Timing::of(values.into_iter().collect())?.median)
}

/// Some values of one kind, mostly times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Timing {
    /// `None` if there are no values.
    pub(crate) fn of(mut values: Vec<f64>) -> Option<Timing> {
        values.sort_by(f64::total_cmp);
        let (&low, &high) = (values.first()?, values.last()?);
        Some(Timing { median: middle(&values)?, low, high })
    }

    /// Half the distance from the lowest to the highest, as a share of the median.
    pub(crate) fn spread(&self) -> f64 {
        if self.median > 0.0 { (self.high - self.low) / 2.0 / self.median } else { 0.0 }
    }
}

/// A mean as the study of queues has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    /// Of the sample.
    pub(crate) deviation: f64,
}

impl Mean {
    /// `None` of nothing.
    pub(crate) fn of(values: &[f64]) -> Option<Mean> {
        let runs = values.len();
        let mean = (runs > 0).then(|| values.iter().sum::<f64>() / runs as f64)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Mean { mean, deviation: (squares / (runs.max(2) - 1) as f64).sqrt() })
    }
}

/// Each once, in the order in which they come first.
pub(crate) fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timing_is_the_median_and_the_range() {
        let odd = Timing::of(vec![4.0, 1.0, 2.0]).unwrap();
        assert_eq!(odd, Timing { median: 2.0, low: 1.0, high: 4.0 });
        assert_eq!(odd.spread(), 0.75);
        assert_eq!(Timing::of(vec![1.0, 2.0]).unwrap().median, 1.5);
        assert_eq!(Timing::of(vec![]), None);
    }

    #[test]
    fn a_mean_has_the_deviation_of_the_sample() {
        let mean = Mean::of(&[1.0, 1.1, 0.9]).unwrap();
        assert_eq!(mean.mean, 1.0);
        assert!((mean.deviation - 0.1).abs() < 1e-12);
        assert_eq!(Mean::of(&[]), None);
    }
}
