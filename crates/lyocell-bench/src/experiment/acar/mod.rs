//! Acar, Charguéraud and Rainey's paper on private deques (2013).

use super::kit::*;

mod bound;
mod fig4;
mod fig5;
mod fig6a;
mod fig6b;

pub(super) use fig4::FIG4;
pub(super) use fig5::FIG5;
pub(super) use fig6a::FIG6A;
pub(super) use fig6b::FIG6B;

/// How often the paper ran each program in its Figure 4: "we averaged the measures over 20 runs".
const PAPER_REPS: usize = 20;

/// What is on the list of a figure in our size, or in the paper's: the beginning of a job, and its sizes.
fn of_size(
    request: &Request,
    rows: impl Iterator<Item = (&'static str, [&'static str; 2])>,
) -> Vec<Instance> {
    asked_or(request, || named(rows.map(|(job, sizes)| format!("{job}{}", request.size.of(sizes)))))
}

/// A median over another, and the noise: half the ranges of both as a share of them.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    value: f64,
    noise: f64,
}

impl Ratio {
    /// The time of one contender over that of another.
    fn of(results: &Results, of: Key<'_>, over: Key<'_>) -> Option<Ratio> {
        let (of, over) = (results.time(of)?, results.time(over)?);
        let noise = of.spread() + over.spread();
        Some(Ratio { value: of.median / over.median, noise })
    }

    /// From the lowest to the highest of these.
    fn range(ratios: &[Ratio]) -> Option<(f64, f64)> {
        let values = || ratios.iter().map(|ratio| ratio.value);
        smallest(values()).zip(largest(values()))
    }

    /// Whether it is at most `most`; `None` where that lies within the noise.
    fn is_at_most(self, most: f64) -> Option<bool> {
        let margin = self.noise * self.value;
        ((self.value - most).abs() > margin).then_some(self.value <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::tests::run;

    #[test]
    fn a_ratio_within_its_noise_of_a_threshold_says_nothing() {
        let key = |contender| Key { job: "fib:9", contender, workers: 2 };
        let mut runs: Vec<_> = [0.95, 1.0, 1.05].map(|time| run("fib:9", "a", 2, time)).into();
        runs.push(run("fib:9", "b", 2, 1.0));
        let ratio = Ratio::of(&Results(runs), key("a"), key("b")).unwrap();
        assert_eq!(
            [1.12, 1.03, 0.98, 0.9].map(|most| ratio.is_at_most(most)),
            [Some(true), None, None, Some(false)]
        );
    }
}
