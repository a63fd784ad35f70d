//! How many workers are parked, back off and search, and whether anybody counts on those that search: in one word, so that one reading
//! tells all.

use crate::limits::MAX_WORKERS;

/// How many workers are in each state but awake.
///
/// ```text
///   | relied on | searching | backing off | parked |
///               30          20            10       0
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdleCounts(pub(super) usize);

impl IdleCounts {
    const BITS: u32 = 10;
    const MASK: usize = (1 << Self::BITS) - 1;
    pub(super) const PARKED: usize = 1;
    pub(super) const BACKING_OFF: usize = 1 << Self::BITS;
    pub(super) const SEARCHING: usize = 1 << (2 * Self::BITS);
    /// Somebody has tasks, and has left them to those that search.
    pub(super) const RELIED_ON: usize = 1 << (3 * Self::BITS);

    pub(crate) fn parked(self) -> usize {
        self.0 & Self::MASK
    }

    pub(crate) fn backing_off(self) -> usize {
        self.0 >> Self::BITS & Self::MASK
    }

    pub(crate) fn searching(self) -> usize {
        self.0 >> (2 * Self::BITS) & Self::MASK
    }

    pub(super) fn are_relied_on(self) -> bool {
        self.0 & Self::RELIED_ON != 0
    }

    /// As they are when one of these is gone.
    pub(super) fn without(self, one: usize) -> IdleCounts {
        IdleCounts(self.0 - one)
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
        let relied_on = IdleCounts(full + IdleCounts::RELIED_ON);
        assert_eq!((relied_on.searching(), relied_on.are_relied_on()), (1023, true));
        assert!(!IdleCounts(full).are_relied_on());
    }
}
