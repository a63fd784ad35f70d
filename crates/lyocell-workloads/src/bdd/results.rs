//! Conjunctions that were computed: a table in which a later result takes the place of an earlier one, and one that is
//! being written is as if it were not there. Nobody waits.
//!
//! - results-1. A place is written to only by who has turned its version from an even number into the next odd one, and
//!   turns it on to the next even one when all is written.
//! - results-2. What was read from a place counts only if its version was even before and is the same after.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use super::unique::Id;

/// Spreads the bits of `word` over all others.
#[inline]
pub(super) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ (word >> 32)
}

#[derive(Debug, Default)]
#[repr(align(16))]
struct Place {
    /// Of both diagrams; 0 for nothing yet, since the ends are not looked up.
    key: AtomicU64,
    result: AtomicU32,
    version: AtomicU32,
}

/// The table.
#[derive(Debug)]
pub(super) struct Results {
    places: Box<[Place]>,
}

fn key(a: Id, b: Id) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

impl Results {
    /// Of 2^`bits` results.
    pub(super) fn new(bits: u32) -> Results {
        Results { places: (0..1_u64 << bits).map(|_| Place::default()).collect() }
    }

    /// Forgets all results.
    pub(super) fn clear(&mut self) {
        self.places.iter_mut().for_each(|place| *place.key.get_mut() = 0);
    }

    fn place(&self, key: u64) -> &Place {
        &self.places[mix(key) as usize & (self.places.len() - 1)]
    }

    /// The conjunction of `a` and `b`, if it is here.
    #[inline]
    pub(super) fn get(&self, a: Id, b: Id) -> Option<Id> {
        let key = key(a, b);
        let place = self.place(key);
        // Ordering: Acquire; meets the release in `put`, so that what is read is of this version or later.
        let version = place.version.load(Ordering::Acquire);
        let (found, result) =
            (place.key.load(Ordering::Relaxed), place.result.load(Ordering::Relaxed));
        // Meets the fence in `put`: if anything read here is later, so is the version that is read now.
        fence(Ordering::Acquire);
        let same = place.version.load(Ordering::Relaxed) == version;
        // By results-2 these two belong together.
        (found == key && same && version % 2 == 0).then_some(result)
    }

    /// Keeps a conjunction, unless somebody is writing to its place.
    #[inline]
    pub(super) fn put(&self, a: Id, b: Id, result: Id) {
        let key = key(a, b);
        let place = self.place(key);
        let version = place.version.load(Ordering::Relaxed);
        if version % 2 == 1 {
            return;
        }
        let odd = version.wrapping_add(1);
        // Ordering: Acquire; who writes next sees what was written before. By results-1 the place is ours then.
        let taken =
            place.version.compare_exchange(version, odd, Ordering::Acquire, Ordering::Relaxed);
        if taken.is_err() {
            return;
        }
        // Meets the fence in `get`.
        fence(Ordering::Release);
        place.key.store(key, Ordering::Relaxed);
        place.result.store(result, Ordering::Relaxed);
        // Ordering: Release; meets the first load in `get`.
        place.version.store(odd.wrapping_add(1), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_result_is_found_until_another_takes_its_place() {
        let mut results = Results::new(0);
        assert_eq!(results.get(2, 3), None);
        results.put(2, 3, 7);
        assert_eq!((results.get(2, 3), results.get(3, 2)), (Some(7), None));
        results.put(4, 5, 8);
        assert_eq!((results.get(2, 3), results.get(4, 5)), (None, Some(8)));
        results.clear();
        assert_eq!(results.get(4, 5), None);
    }

    #[test]
    fn threads_that_write_to_one_place_never_mix_two_results() {
        let results = Results::new(0);
        thread::scope(|scope| {
            for number in 2..6 {
                let results = &results;
                scope.spawn(move || {
                    for _ in 0..20_000 {
                        results.put(number, number, 10 * number);
                        for other in 2..6 {
                            let found = results.get(other, other);
                            assert!(found.is_none_or(|found| found == 10 * other));
                        }
                    }
                });
            }
        });
    }
}
