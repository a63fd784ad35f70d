//! Inputs and steps of the Problem Based Benchmark Suite (Shun, Blelloch et al., 2012), from which most programs of
//! Acar, Charguéraud and Rainey, "Scheduling Parallel Programs by Work Stealing with Private Deques" (2013), are.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | the hash function that all its random data come from |
//! | `sequences.rs` | numbers to be sorted, and whether they are |
//! | `points.rs` | points in the plane |
//! | `graph.rs` | the three graphs |
//! | `pack.rs` | what a predicate holds of, in parallel |
//! | `speculate.rs` | a serial greedy loop in parallel: deterministic reservations |
//!
//! The data are made by its definitions, so the nth number, point or edge is the same here and there.

pub(crate) mod graph;
pub(crate) mod pack;
pub(crate) mod points;
pub(crate) mod sequences;
pub(crate) mod speculate;

/// A random number for `a`: the suite's, which is Jenkins's.
#[inline]
pub(crate) fn hash(a: u32) -> u32 {
    let a = a.wrapping_add(0x7ed5_5d16).wrapping_add(a << 12);
    let a = a ^ 0xc761_c23c ^ (a >> 19);
    let a = a.wrapping_add(0x1656_67b1).wrapping_add(a << 5);
    let a = a.wrapping_add(0xd3a2_646c) ^ (a << 9);
    let a = a.wrapping_add(0xfd70_46c5).wrapping_add(a << 3);
    a ^ 0xb55a_4f09 ^ (a >> 16)
}

/// A random whole number from 0 to 2³¹ - 1.
#[inline]
pub(crate) fn hash_int(a: u32) -> u32 {
    hash(a) & i32::MAX as u32
}

/// A random number from 0 to 1.
#[inline]
pub(crate) fn hash_double(a: u32) -> f64 {
    f64::from(hash_int(a)) / f64::from(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly() {
        let mean = (0..100_000).map(hash_double).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        let mut numbers: Vec<u32> = (0..100_000).map(hash).collect();
        numbers.sort_unstable();
        numbers.dedup();
        // It is a bijection: each step can be undone.
        assert_eq!(numbers.len(), 100_000);
    }
}
