//! What the pairs of a program come to.

use super::Pair;
use crate::stats::Timing;

/// Medians of a program's pairs with one number of threads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratio {
    pub(crate) program: String,
    pub(crate) workers: usize,
    pub(crate) rayon_ns: u64,
    pub(crate) lyocell_ns: u64,
    /// Lyocell's time over rayon's, pair by pair.
    pub(crate) wall: Timing,
    /// The same of processor time, where it was measured.
    pub(crate) processor: Option<Timing>,
    /// Lyocell's resident memory less rayon's, in kilobytes.
    pub(crate) more_kb: i64,
}

impl Ratio {
    /// One for each program and number of threads, in the order of the pairs.
    pub(crate) fn of(pairs: &[Pair]) -> Vec<Ratio> {
        let same = |a: &Pair, b: &Pair| (&a.program, a.workers) == (&b.program, b.workers);
        pairs.chunk_by(same).map(Ratio::of_program).collect()
    }

    /// Those of the pairs, the worst first.
    pub(crate) fn worst_first(pairs: &[Pair]) -> Vec<Ratio> {
        let mut ratios = Ratio::of(pairs);
        ratios.sort_by(|a, b| b.wall.median.total_cmp(&a.wall.median));
        ratios
    }

    fn of_program(pairs: &[Pair]) -> Ratio {
        let of = |value: &dyn Fn(&Pair) -> f64| {
            Timing::of(pairs.iter().map(value).collect()).expect("a program has pairs")
        };
        let over = |lyocell: u64, rayon: u64| lyocell as f64 / (rayon as f64).max(1.0);
        let has_processor = pairs.iter().all(|pair| pair.rayon_processor_ns > 0);
        let processor = |pair: &Pair| over(pair.lyocell_processor_ns, pair.rayon_processor_ns);
        Ratio {
            program: pairs[0].program.clone(),
            workers: pairs[0].workers,
            rayon_ns: of(&|pair| pair.rayon_ns as f64).median as u64,
            lyocell_ns: of(&|pair| pair.lyocell_ns as f64).median as u64,
            wall: of(&|pair| over(pair.lyocell_ns, pair.rayon_ns)),
            processor: has_processor.then(|| of(&processor)),
            more_kb: of(&|pair| pair.lyocell_kb as f64 - pair.rayon_kb as f64).median as i64,
        }
    }
}

/// The geometric mean of ratios, by which a program that is half as fast and one that is twice as fast make 1.
pub(crate) fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(program: &str, rayon_ns: u64, lyocell_ns: u64) -> Pair {
        Pair {
            program: program.to_owned(),
            workers: 2,
            pair: 0,
            rayon_ns,
            lyocell_ns,
            rayon_processor_ns: rayon_ns,
            lyocell_processor_ns: 2 * lyocell_ns,
            rayon_kb: 100,
            lyocell_kb: 90,
        }
    }

    #[test]
    fn ratios_are_taken_in_each_pair() {
        let pairs = [pair("a", 100, 50), pair("a", 10, 20), pair("a", 40, 40), pair("b", 8, 4)];
        let ratios = Ratio::of(&pairs);
        assert_eq!(ratios.len(), 2);
        assert_eq!((ratios[0].rayon_ns, ratios[0].lyocell_ns, ratios[0].more_kb), (40, 40, -10));
        let Timing { median, low, high } = ratios[0].wall;
        assert_eq!((median, low, high), (1.0, 0.5, 2.0));
        assert_eq!(ratios[0].processor.as_ref().unwrap().median, 2.0);
        assert_eq!((ratios[1].program.as_str(), ratios[1].wall.median), ("b", 0.5));
    }

    #[test]
    fn numbers_of_threads_are_apart_and_the_worst_is_first() {
        let more = Pair { workers: 8, ..pair("a", 10, 30) };
        let ratios = Ratio::worst_first(&[pair("a", 10, 10), more, pair("b", 10, 20)]);
        let of: Vec<_> =
            ratios.iter().map(|ratio| (ratio.program.as_str(), ratio.workers)).collect();
        assert_eq!(of, [("a", 8), ("b", 2), ("a", 2)]);
    }

    #[test]
    fn half_and_twice_make_one() {
        assert!((geometric_mean([0.5, 2.0].into_iter()) - 1.0).abs() < 1e-12);
    }
}
