//! When nothing is left to be done on any rank: waves that count bags.
//!
//! Rank 0 sends a wave down the tree. Each rank that has nothing to do, and has had an answer to all that it has asked, adds how
//! many bags it has sent and received to what the ranks below it have counted, and sends the sum up. A rank that works answers when
//! it has done so. All is over when two waves after each other come to the same sums, and as many bags were received as sent.
//!
//! # Invariants
//! - waves-1. A rank counts a bag as sent before it is under way, and as received before it is worked on. Neither count goes down.
//! - waves-2. A rank answers a wave at a moment when it has nothing to do; only a bag that it receives changes that.
//! - waves-3. A rank answers the second of two waves after all have answered the first: rank 0 begins no wave before it has the sums
//!   of the one before.
//!
//! # Why it is over then
//! Say the sums are (S, R) in the first wave and the same in the second, and S = R. Counts do not go down (waves-1), so each rank's own are the
//! same in both: between its two answers it has sent and received nothing, and so had nothing to do all the time (waves-2). There is
//! a moment after the last answer to the first wave and before the first answer to the second (waves-3). At that moment no rank has
//! anything to do, and as many bags have been received as were sent: none is under way. So nobody will ever have anything to do.
//!
//! It is the argument of [`coalesce`](lyocell::Worker::coalesce), which sums up the ends before the beginnings within one memory; over
//! messages it takes two sums.
//!
//! Source: Mattern, "Algorithms for distributed termination detection", 1987, the four-counter method.

use crate::message::{Counts, Message};
use crate::topology::Tree;

/// The waves, as one rank sees them.
#[derive(Debug)]
pub(crate) struct Waves {
    tree: Tree,
    /// What the ranks below have counted, while a wave is under way.
    under_way: Option<Below>,
    /// The sums of the wave before, on rank 0.
    before: Option<Counts>,
}

#[derive(Debug, Default)]
struct Below {
    answers: usize,
    counts: Counts,
}

/// What follows from a wave that has come to its end here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wave {
    /// It is under way elsewhere, or there is none.
    Pending,
    /// The rank above is to know this.
    Up(Counts),
    /// On rank 0: nothing is left to be done.
    Over,
}

impl Waves {
    pub(crate) fn new(tree: Tree) -> Waves {
        Waves { tree, under_way: None, before: None }
    }

    /// A wave has come from above; it goes on down.
    pub(crate) fn begin(&mut self, mut post: impl FnMut(usize, Message<'static>)) {
        self.under_way = Some(Below::default());
        self.tree.children().for_each(|child| post(child, Message::Count));
    }

    /// A rank below has answered.
    pub(crate) fn counted(&mut self, counts: Counts) {
        if let Some(below) = &mut self.under_way {
            below.answers += 1;
            below.counts.sent += counts.sent;
            below.counts.received += counts.received;
        }
    }

    /// This rank has nothing to do (waves-2), and has counted so many. Rank 0 begins the next wave when one is over.
    pub(crate) fn settle(
        &mut self,
        own: Counts,
        mut post: impl FnMut(usize, Message<'static>),
    ) -> Wave {
        let is_root = self.tree.parent().is_none();
        loop {
            match &self.under_way {
                None if is_root => self.begin(&mut post),
                None => return Wave::Pending,
                Some(below) if below.answers < self.tree.children().count() => {
                    return Wave::Pending;
                }
                Some(Below { counts, .. }) => {
                    let sent = counts.sent + own.sent;
                    let sum = Counts { sent, received: counts.received + own.received };
                    self.under_way = None;
                    if !is_root {
                        return Wave::Up(sum);
                    }
                    if self.before.replace(sum) == Some(sum) && sum.sent == sum.received {
                        return Wave::Over;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: fn(usize, Message<'static>) = |_, _| ();

    #[test]
    fn one_rank_is_done_when_it_has_nothing() {
        assert_eq!(Waves::new(Tree::new(0, 1)).settle(Counts::default(), NOBODY), Wave::Over);
    }

    /// Both sums are equal in the first wave though a bag is under way: 1 answered, then received one from 0, and sent it one, which
    /// 0 had when it answered.
    #[test]
    fn equal_sums_of_one_wave_are_not_enough() {
        let mut waves = Waves::new(Tree::new(0, 2));
        let one = Counts { sent: 1, received: 1 };
        assert_eq!(waves.settle(Counts::default(), NOBODY), Wave::Pending);
        waves.counted(Counts { sent: 0, received: 0 });
        assert_eq!(waves.settle(one, NOBODY), Wave::Pending);
        // The second wave counts more, so it takes a third that comes to the same.
        waves.counted(one);
        assert_eq!(waves.settle(one, NOBODY), Wave::Pending);
        waves.counted(one);
        assert_eq!(waves.settle(one, NOBODY), Wave::Over);
    }

    #[test]
    fn a_bag_that_is_under_way_keeps_the_waves_going() {
        let mut waves = Waves::new(Tree::new(0, 2));
        let sent = Counts { sent: 1, received: 0 };
        assert_eq!(waves.settle(sent, NOBODY), Wave::Pending);
        for _ in 0..5 {
            waves.counted(Counts::default());
            assert_eq!(waves.settle(sent, NOBODY), Wave::Pending);
        }
    }

    #[test]
    fn a_wave_that_nobody_has_sent_is_not_answered() {
        let mut waves = Waves::new(Tree::new(1, 4));
        assert_eq!(waves.settle(Counts::default(), NOBODY), Wave::Pending);
        let mut told = Vec::new();
        waves.begin(|child, _| told.push(child));
        assert_eq!(told, [3]);
        let own = Counts { sent: 2, received: 5 };
        assert_eq!(waves.settle(own, NOBODY), Wave::Pending);
        waves.counted(Counts { sent: 1, received: 1 });
        assert_eq!(waves.settle(own, NOBODY), Wave::Up(Counts { sent: 3, received: 6 }));
    }
}
