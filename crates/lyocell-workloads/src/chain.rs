//! A chain of operations each of which needs the result of the one before: work without memory, whose cost in
//! cycles is known.
//!
//! A step is an addition and an exclusive or of values in registers. Each takes one cycle on every processor that
//! these programs are likely to meet, so a step takes two, as in the loop of Wool's `stress` (Faxén 2010, section
//! IV-A: 256 iterations are 512 cycles). The compiler knows no shorter way to the end of such a chain, and an
//! operand in a register keeps processors from folding the addition into another.

use std::hint::black_box;

/// Of one step.
pub const CYCLES: u64 = 2;

const START: usize = 1;
const ADDED: usize = 0x5bd1;
const MIXED: usize = 0x2c9f;

/// The end of a chain of `steps` steps. Never inlined, so that it is the same code for everybody.
#[inline(never)]
pub fn chain(steps: u64) -> usize {
    let (added, mixed) = (black_box(ADDED), black_box(MIXED));
    (0..steps).fold(black_box(START), |value, _| value.wrapping_add(added) ^ mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_short_chains_are_known() {
        assert_eq!(chain(0), 1);
        assert_eq!(chain(1), 0x5bd2 ^ 0x2c9f);
        assert_eq!(chain(2), ((0x5bd2 ^ 0x2c9f) + 0x5bd1) ^ 0x2c9f);
    }
}
