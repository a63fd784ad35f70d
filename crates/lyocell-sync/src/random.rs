//! Random numbers: cheap ones, to choose victims and dates by.

use crate::backend;
use std::cell::Cell;

/// What the random numbers of one run hang on, beside the worker that draws them.
///
/// By default it is the same in every run. A backend that plays one run after the other may give each another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// That of the run that begins now.
    pub fn of_this_run() -> Seed {
        Seed(backend::seed())
    }

    /// Another one, for numbers of another purpose that hang on this seed too.
    #[must_use]
    pub fn apart(self) -> Seed {
        Seed(self.0 ^ 0xD1B5_4A32_D192_ED03)
    }
}

/// A source of random numbers for one thread.
#[derive(Debug)]
pub struct Random(Cell<u64>);

impl Random {
    /// That of a worker in a run: workers draw different numbers, and the same in each run of this seed.
    pub fn of_worker(seed: Seed, worker: usize) -> Random {
        // An odd multiple of the golden ratio: distinct and never zero. The seed 0 leaves it as it is.
        let own = (worker as u64 * 2 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Random(Cell::new((own ^ mixed(seed.0)).max(1)))
    }

    /// A number below `bound`, by xorshift: cheap, and good enough to choose victims.
    #[inline]
    pub fn below(&self, bound: usize) -> usize {
        // The high half of the product: no division, and no bias worth mentioning.
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in (0, 1], in steps of 2^-32.
    #[inline]
    pub fn unit(&self) -> f64 {
        ((self.next() >> 32) + 1) as f64 / (1_u64 << 32) as f64
    }

    #[inline]
    fn next(&self) -> u64 {
        let mut x = self.0.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.set(x);
        x
    }
}

/// Each bit of a seed in all bits, for seeds are small numbers as a rule (the finalizer of SplitMix64). Of 0 it makes 0.
fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let seed = (seed ^ seed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    seed ^ seed >> 31
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn random_victims_reach_everybody() {
        for workers in [1, 2, 3, 64] {
            let random = Random::of_worker(Seed(0), 5);
            let mut met = vec![0; workers];
            (0..workers * 100).for_each(|_| met[random.below(workers)] += 1);
            assert!(met.iter().all(|times| *times > 30), "{met:?}");
        }
    }

    #[test]
    fn numbers_hang_on_the_seed_the_worker_and_the_purpose_and_on_nothing_else() {
        let drawn = |seed: Seed, worker| Random::of_worker(seed, worker).below(1 << 31);
        let seeds = [Seed(0), Seed(1), Seed(0).apart(), Seed(1).apart()];
        let all = || seeds.iter().flat_map(|seed| (0..8).map(|worker| drawn(*seed, worker)));
        assert!(all().eq(all()));
        assert_eq!(all().collect::<std::collections::BTreeSet<_>>().len(), 4 * 8);
    }
}
