//! What goes wrong, by the seed: threads that come late at any access, wake-ups that come late or for no reason, a barrier that is
//! refused, a thread that cannot be had.

use std::cell::Cell;

/// What goes wrong in a run. By default nothing does.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// One access of a shared word in so many comes late; 0 for none.
    pub delay_one_in: u64,
    /// By so much at most, in nanoseconds; a delay is as likely to be between one and two as between two and four.
    pub longest_delay_ns: u64,
    /// A thread that comes late does so at as many accesses one after another, on average; 0 and 1 for this one alone.
    pub late_accesses: u64,
    /// One sleep in so many ends for no reason; 0 for none.
    pub spurious_one_in: u64,
    /// The barrier is refused from this one on.
    pub refuse_barrier_from: Option<u64>,
    /// The so many-th start of a thread fails, from 1 on; the next one does not.
    pub fail_thread: Option<u64>,
}

impl Faults {
    /// How late an access comes, in picoseconds, of a thread whose last one was late or not.
    pub(crate) fn delay(&self, dice: &Dice, was_late: bool) -> u64 {
        let stays = was_late && self.late_accesses > 1 && !dice.one_in(self.late_accesses);
        let is_late = stays || dice.one_in(self.delay_one_in);
        if !is_late || self.longest_delay_ns == 0 {
            return 0;
        }
        let octave = dice.below(u64::from(self.longest_delay_ns.ilog2()) + 1);
        ((1 << octave) + dice.below(1 << octave)) * 1000
    }
}

/// The machine's own random numbers (SplitMix64).
pub(crate) struct Dice(Cell<u64>);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(Cell::new(seed.wrapping_mul(0xD129_0ED4_A2C9_5B1D) ^ 0x5851_F42D_4C95_7F2D))
    }

    fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0.set(state);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Whether it is one of so many; never if that is none.
    pub(crate) fn one_in(&self, many: u64) -> bool {
        many > 0 && self.below(many) == 0
    }
}
