//! One heavy barrier for all who want one at the same time.
//!
//! A barrier interrupts every processor that runs a thread of this process. Let P workers fall asleep at once, each with a barrier
//! of its own: that is P² interrupts, and whoever works pays. But any barrier will do that begins after a thread has asked. So
//! barriers come in rounds, one at a time: who asks waits for the round that is under way, and one of those who have waited
//! issues the next one, for all of them.
//!
//! # Invariants
//! - rounds-1. Whoever passes has had a barrier that began after it asked, and is over.
//!
//! # Why (rounds-1)
//! Who asks stores what it has to tell, passes a fence, and reads `begun`: say, b. Round b + 1 has its number stored there before
//! its barrier, which passes a fence of its own first: the asker's fence comes before that one, or else it would have read
//! b + 1. So what it stored is stored before that barrier, or a later one. And whoever reads in `over` that round b + 1 is over has what all
//! threads did before it, by the fence after that.
//!
//! Who holds the turn may have lost its processor, or is of a process that this one was forked from: nobody waits for it for long.

use crate::{AtomicU32, Mutex, Ordering, fence, spin_loop};

/// Rounds of a barrier that is passed by all who asked before it began.
#[derive(Debug, Default)]
pub struct Rounds {
    /// The number of the latest round. It wraps around.
    begun: AtomicU32,
    /// The number of the latest round that is over.
    over: AtomicU32,
    turn: Mutex<()>,
}

/// So often who asks looks whether the round is over, before it has a barrier of its own: a barrier takes a microsecond for each
/// processor that it interrupts. Untuned.
const PATIENCE: u32 = if cfg!(loom) { 2 } else { 4096 };

impl Rounds {
    /// None has begun.
    pub fn new() -> Rounds {
        Rounds::default()
    }

    /// Passes a barrier that begins after this call: one of the caller's own by `issue`, which tells whether it was passed, or that of
    /// somebody else who asked meanwhile. `false` if its own was not, `None` if the caller gives up
    /// while others are at it.
    pub fn pass(&self, issue: impl Fn() -> bool, gives_up: &dyn Fn() -> bool) -> Option<bool> {
        self.served(self.ask(), issue, gives_up)
    }

    /// The latest round that may have begun before the caller's stores were there for all to see.
    fn ask(&self) -> u32 {
        fence(Ordering::SeqCst);
        // Ordering: Relaxed, here and at its store; by the fences.
        self.begun.load(Ordering::Relaxed)
    }

    fn served(
        &self,
        before: u32,
        issue: impl Fn() -> bool,
        gives_up: &dyn Fn() -> bool,
    ) -> Option<bool> {
        for _ in 0..PATIENCE {
            if self.is_over_after(before) {
                fence(Ordering::Acquire);
                return Some(true);
            }
            if gives_up() {
                return None;
            }
            if self.is_under_way() {
                spin_loop();
                continue;
            }
            match self.turn.try_lock() {
                // Who had the turn may have passed one for this caller.
                Some(_) if self.is_over_after(before) => {}
                Some(_turn) => return Some(self.next(&issue)),
                None => spin_loop(),
            }
        }
        Some(issue())
    }

    fn is_over_after(&self, round: u32) -> bool {
        // Ordering: Relaxed; the fence that follows before anybody relies on it meets the Release of `next`.
        let over = self.over.load(Ordering::Relaxed);
        (over.wrapping_sub(round) as i32) > 0
    }

    /// Whether it is no use to try for the turn, which takes the line from who has it. A hint.
    fn is_under_way(&self) -> bool {
        self.begun.load(Ordering::Relaxed) != self.over.load(Ordering::Relaxed)
    }

    /// The next round, by whose turn it is.
    fn next(&self, issue: impl Fn() -> bool) -> bool {
        let round = self.begun.load(Ordering::Relaxed).wrapping_add(1);
        self.begun.store(round, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let passed = issue();
        if passed {
            self.over.store(round, Ordering::Release);
        }
        passed
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::cell::Cell;

    const NEVER: &dyn Fn() -> bool = &|| false;

    #[test]
    fn who_asks_alone_has_a_round_each_time_and_hears_of_a_refusal() {
        let rounds = Rounds::new();
        rounds.begun.store(u32::MAX - 1, Ordering::Relaxed);
        rounds.over.store(u32::MAX - 1, Ordering::Relaxed);
        let issued = Cell::new(0);
        let issue = || {
            issued.set(issued.get() + 1);
            issued.get() <= 4
        };
        let pass = || rounds.pass(issue, NEVER);
        assert!((0..4).all(|_| pass() == Some(true)));
        assert_eq!((pass(), pass()), (Some(false), Some(false)));
        assert_eq!(issued.get(), 6);
    }

    #[test]
    fn those_who_have_asked_share_the_next_round_and_no_earlier_one() {
        let rounds = Rounds::new();
        let (one, another) = (rounds.ask(), rounds.ask());
        let issued = Cell::new(0);
        let issue = || {
            issued.set(issued.get() + 1);
            true
        };
        for asked in [one, another] {
            assert_eq!(rounds.served(asked, issue, NEVER), Some(true));
        }
        assert_eq!(issued.get(), 1);
        let late = rounds.ask();
        assert_eq!(rounds.served(late, issue, NEVER), Some(true));
        assert_eq!(issued.get(), 2);
    }

    #[test]
    fn nobody_waits_for_long_for_who_has_the_turn() {
        let rounds = Rounds::new();
        let _held = rounds.turn.lock();
        assert_eq!(rounds.pass(|| true, NEVER), Some(true));
        assert_eq!(rounds.pass(|| false, NEVER), Some(false));
        assert_eq!(rounds.begun.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn who_gives_up_does_so_while_it_waits_for_others_and_issues_none() {
        let rounds = Rounds::new();
        let _held = rounds.turn.lock();
        let looks = Cell::new(0);
        let gives_up = || {
            looks.set(looks.get() + 1);
            looks.get() == 3
        };
        assert_eq!(rounds.pass(|| unreachable!("it has given up"), &gives_up), None);
    }
}
