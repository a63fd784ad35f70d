//! What the pairs of a program come to.

use super::Pair;
use crate::stats::Timing;

/// Medians of a program's pairs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratio {
    pub(crate) program: String,
    pub(crate) rayon_ns: u64,
    pub(crate) lyocell_ns: u64,
    /// Lyocell's time over rayon's, pair by pair: the median, the lowest and the highest.
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Ratio {
    /// One for each program, in the order of the pairs.
    pub(crate) fn of(pairs: &[Pair]) -> Vec<Ratio> {
        let same = |a: &Pair, b: &Pair| a.program == b.program;
        pairs.chunk_by(same).map(Ratio::of_program).collect()
    }

    fn of_program(pairs: &[Pair]) -> Ratio {
        let of = |value: &dyn Fn(&Pair) -> f64| {
            Timing::of(pairs.iter().map(value).collect()).expect("a program has pairs")
        };
        let Timing { median, low, high } =
            of(&|pair| pair.lyocell_ns as f64 / (pair.rayon_ns as f64).max(1.0));
        Ratio {
            program: pairs[0].program.clone(),
            rayon_ns: of(&|pair| pair.rayon_ns as f64).median as u64,
            lyocell_ns: of(&|pair| pair.lyocell_ns as f64).median as u64,
            median,
            low,
            high,
        }
    }
}

/// The geometric mean of the medians, by which a program that is half as fast and one that is twice as fast make 1.
pub(crate) fn geometric_mean(ratios: &[Ratio]) -> f64 {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.median.ln()).sum();
    (logarithms / ratios.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(program: &str, rayon_ns: u64, lyocell_ns: u64) -> Pair {
        Pair { program: program.to_owned(), workers: 2, pair: 0, rayon_ns, lyocell_ns }
    }

    #[test]
    fn ratios_are_taken_in_each_pair() {
        let pairs = [pair("a", 100, 50), pair("a", 10, 20), pair("a", 40, 40), pair("b", 8, 4)];
        let ratios = Ratio::of(&pairs);
        assert_eq!(ratios.len(), 2);
        assert_eq!((ratios[0].rayon_ns, ratios[0].lyocell_ns), (40, 40));
        assert_eq!((ratios[0].median, ratios[0].low, ratios[0].high), (1.0, 0.5, 2.0));
        assert_eq!((ratios[1].program.as_str(), ratios[1].median), ("b", 0.5));
    }

    #[test]
    fn half_and_twice_make_one() {
        let ratios = Ratio::of(&[pair("a", 2, 1), pair("b", 1, 2)]);
        assert!((geometric_mean(&ratios) - 1.0).abs() < 1e-12);
    }
}
