//! Numbers to be sorted, and whether they are.

use super::{hash_double, hash_int};
use crate::problem::WrongAnswer;

/// How the numbers are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distribution {
    /// Each as likely as another: the paper's `randintseq` and `randdblseq`.
    Random,
    /// Small powers of two as likely as large ones, so that many are equal: `exptintseq` and `exptseq`.
    Exponential,
}

impl Distribution {
    pub(crate) const PARAMETERS: &str = "random or exponential";

    pub(crate) fn parse(name: &str) -> Option<Distribution> {
        [Distribution::Random, Distribution::Exponential].into_iter().find(|one| one.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Distribution::Random => "random",
            Distribution::Exponential => "exponential",
        }
    }

    /// The numbers that are hashed once more.
    fn seeds(self, count: u32) -> impl Iterator<Item = u32> {
        let ranges = count.next_power_of_two().ilog2() + 1;
        (0..count).map(move |index| match self {
            Distribution::Random => index,
            Distribution::Exponential => {
                let twice = 2_u32.wrapping_mul(index);
                let range = 1 << (super::hash(twice) % ranges);
                range + super::hash(twice.wrapping_add(1)) % range
            }
        })
    }

    pub(crate) fn integers(self, count: u32) -> Vec<u32> {
        self.seeds(count).map(hash_int).collect()
    }

    pub(crate) fn doubles(self, count: u32) -> Vec<f64> {
        self.seeds(count).map(hash_double).collect()
    }
}

/// A sum that is the same for every order of `numbers`, and different, but for one time in 2⁶⁴, if they are others.
pub(crate) fn checksum(numbers: impl Iterator<Item = u64>) -> u64 {
    // The finisher of SplitMix64, so that no two sets of numbers that a program may mistake have one sum.
    let mix = |number: u64| {
        let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    };
    numbers.fold(0, |sum, number| sum.wrapping_add(mix(number)))
}

/// Whether `numbers`, of the given checksum before, are in order.
pub(crate) fn judge<T: PartialOrd + Copy>(
    numbers: &[T],
    bits: impl Fn(T) -> u64,
    expected: u64,
) -> Result<String, WrongAnswer> {
    if let Some(place) = numbers.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(WrongAnswer {
            expected: "numbers in order".to_owned(),
            got: format!("a greater one at {place} than at {}", place + 1),
        });
    }
    let got = checksum(numbers.iter().map(|&number| bits(number)));
    if got != expected {
        return Err(WrongAnswer {
            expected: format!("the same numbers (checksum {expected:016x})"),
            got: format!("others ({got:016x})"),
        });
    }
    Ok(format!("{} in order, checksum {got:016x}", numbers.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_of_the_exponential_numbers_are_equal() {
        let different = |distribution: Distribution| {
            let mut numbers = distribution.integers(10_000);
            numbers.sort_unstable();
            numbers.dedup();
            numbers.len()
        };
        assert!(different(Distribution::Random) > 9_990);
        assert!(different(Distribution::Exponential) < 6_000);
    }

    #[test]
    fn another_number_or_order_is_refused() {
        let sum = checksum([1, 2, 2, 3].into_iter());
        let judge = |numbers: &[u32]| judge(numbers, u64::from, sum);
        assert!(judge(&[1, 2, 2, 3]).is_ok());
        for wrong in [&[1, 2, 3, 2][..], &[1, 2, 3], &[1, 2, 3, 3], &[1, 2, 2, 4], &[0, 2, 2, 4]] {
            assert!(judge(wrong).is_err(), "{wrong:?}");
        }
    }
}
