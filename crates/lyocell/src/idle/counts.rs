//! How many workers are parked, back off and search: three counts in one word, so that one reading tells all.

use crate::limits::MAX_WORKERS;

/// How many workers are in each state but awake.
///
/// ```text
///   | searching | backing off | parked |
///               20            10       0
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdleCounts(pub(super) usize);

impl IdleCounts {
    const BITS: u32 = 10;
    const MASK: usize = (1 << Self::BITS) - 1;
    pub(super) const PARKED: usize = 1;
    pub(super) const BACKING_OFF: usize = 1 << Self::BITS;
    pub(super) const SEARCHING: usize = 1 << (2 * Self::BITS);

    pub(crate) fn parked(self) -> usize {
        self.0 & Self::MASK
    }

    pub(crate) fn backing_off(self) -> usize {
        self.0 >> Self::BITS & Self::MASK
    }

    pub(crate) fn searching(self) -> usize {
        self.0 >> (2 * Self::BITS)
    }

    /// How many have nothing to do.
    pub(crate) fn idle(self) -> usize {
        self.parked() + self.backing_off() + self.searching()
    }

    /// Whether shared tasks should wake somebody: one sleeps, and no wake-up came to nothing lately.
    pub(super) fn want_tasks(self) -> bool {
        self.parked() > 0 && self.backing_off() == 0
    }
}

const _: () = assert!(MAX_WORKERS <= IdleCounts::MASK);

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_run_into_each_other() {
        let full = IdleCounts::PARKED * 1023
            + IdleCounts::SEARCHING * 1023
            + IdleCounts::BACKING_OFF * 1023;
        let counts = IdleCounts(full - IdleCounts::SEARCHING);
        assert_eq!((counts.parked(), counts.searching(), counts.backing_off()), (1023, 1022, 1023));
        assert_eq!(counts.idle(), 1023 + 1022 + 1023);
        // One step of a waker, and of a worker that parks.
        let woken =
            IdleCounts(full - IdleCounts::SEARCHING + (IdleCounts::SEARCHING - IdleCounts::PARKED));
        assert_eq!((woken.parked(), woken.searching(), woken.backing_off()), (1022, 1023, 1023));
        let parks = IdleCounts(woken.0 - (IdleCounts::SEARCHING - IdleCounts::PARKED));
        assert_eq!(parks, counts);
    }
}
