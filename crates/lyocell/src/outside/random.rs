//! Random numbers: cheap ones, to choose victims and dates by.

use std::cell::Cell;

/// A source of random numbers for one thread.
pub(crate) struct Random(Cell<u64>);

/// Whether sources for different addresses differ. Not in models: loom runs a model again and again, and it must do the
/// same each time, wherever its memory lies.
const BY_ADDRESS: bool = !cfg!(loom);

impl Random {
    /// A source for what lies at this address, in units of its own size: things that lie apart draw different numbers.
    pub(crate) fn for_address(address: usize) -> Random {
        Random::seeded(if BY_ADDRESS { address } else { 0 })
    }

    pub(crate) fn seeded(seed: usize) -> Random {
        // An odd multiple of the golden ratio: distinct and never zero.
        Random(Cell::new((seed as u64 * 2 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// A number below `bound`, by xorshift: cheap, and good enough to choose victims.
    pub(crate) fn below(&self, bound: usize) -> usize {
        // The high half of the product: no division, and no bias worth mentioning.
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in (0, 1], in steps of 2^-32.
    pub(crate) fn unit(&self) -> f64 {
        ((self.next() >> 32) + 1) as f64 / (1_u64 << 32) as f64
    }

    fn next(&self) -> u64 {
        let mut x = self.0.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.set(x);
        x
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn random_victims_reach_everybody() {
        for workers in [1, 2, 3, 64] {
            let random = Random::seeded(5);
            let mut met = vec![0; workers];
            (0..workers * 100).for_each(|_| met[random.below(workers)] += 1);
            assert!(met.iter().all(|times| *times > 30), "{met:?}");
        }
    }
}
