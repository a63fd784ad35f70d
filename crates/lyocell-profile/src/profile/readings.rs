//! The clock is read: what has passed goes to the work and to the spans, and at forks to what is known of their sites.

use super::{Profile, lock};
use crate::clock::{self, Clock, Mode};
use crate::costs::Costs;
use crate::ledger::Fork;
use crate::site::Timed;
use crate::spans::{Spans, WOOL_BURDEN};

/// More than this is not subtracted from what comes later, in ticks: some periods of short tasks, whose cost is booked when they are
/// over. What is above it was never there to be subtracted, or the costs are wrong.
const MOST_OVERHEAD: u64 = 1 << 14;

/// In ticks. To see whether somebody else had the processor meanwhile costs about a hundredth of this.
const LONG_STRAND: u64 = 500_000;

impl<C: Clock> Profile<C> {
    pub(super) fn costs(&self) -> Costs {
        self.hot.costs.get().copied().unwrap_or_default()
    }

    pub(super) fn burdens(&self) -> Spans {
        Spans([0, WOOL_BURDEN, self.costs().steal.unwrap_or(WOOL_BURDEN)])
    }

    pub(super) fn now(&self) -> u64 {
        match C::MODE {
            Mode::Declared => self.hot.declared.get(),
            Mode::Sampled | Mode::Exact => clock::ticks(),
        }
    }

    /// The program says that it has worked for so long.
    pub(crate) fn advance(&self, ticks: u64) {
        self.hot.declared.add(ticks);
    }

    pub(super) fn read(&self) {
        self.read_at(self.now());
    }

    /// What has passed since the last reading was the current strand.
    pub(super) fn read_at(&self, now: u64) {
        let hot = &*self.hot;
        hot.ledger.clear_due();
        let passed = clock::passed(hot.last.get(), now);
        hot.last.set(now);
        if C::MODE != Mode::Declared && hot.is_working.get() == 0 {
            return;
        }
        let overhead = hot.overhead.get();
        let subtracted = overhead.min(passed);
        let strand = passed - subtracted;
        // A strand so long may have been interrupted by others, whose time is not the program's.
        let crowded = if strand > LONG_STRAND { self.settle() } else { 0 };
        let strand = strand - crowded.min(strand);
        if C::MODE != Mode::Declared {
            let later = overhead - subtracted + self.costs().reading;
            hot.overhead.set(later.min(MOST_OVERHEAD));
            hot.left.add(later.saturating_sub(MOST_OVERHEAD));
            hot.readings.add(1);
        }
        if strand == 0 {
            return;
        }
        hot.work.add(strand);
        if strand > hot.longest.get() && !hot.ledger.is_outside_of_forks() {
            hot.longest.set(strand);
        }
        hot.ledger.add(Spans::strand(strand));
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fork_slowly(
        &self,
        tasks: usize,
        depth: usize,
        site: usize,
        is_over: bool,
    ) -> Fork {
        let hot = &*self.hot;
        hot.peak_depth.set(hot.peak_depth.get().max(depth as u64));
        let timed = match C::MODE {
            Mode::Sampled if is_over => self.end_period(site, tasks),
            Mode::Sampled => {
                if hot.ledger.is_due() {
                    self.read();
                }
                Timed::No
            }
            Mode::Exact | Mode::Declared => {
                self.read();
                Timed::AsAll
            }
        };
        let fork = hot.ledger.fork();
        match timed {
            Timed::No => fork,
            Timed::AsAll => fork.precise(site),
            Timed::AsSample => fork.precise(site).sample(),
        }
    }

    /// Whether the events of the fork are to be timed.
    fn end_period(&self, site: usize, tasks: usize) -> Timed {
        let now = self.now();
        let reading = self.hot.sites.read(site, now, tasks);
        self.hot.overhead.add(reading.tasks.saturating_mul(self.costs().task_256ths) >> 8);
        self.read_at(now);
        reading.timed
    }

    #[cold]
    #[inline(never)]
    pub(super) fn next_branch_slowly(&self, fork: Fork) -> Fork {
        let hot = &*self.hot;
        if fork.is_precise() || hot.ledger.is_due() {
            self.read();
        }
        hot.ledger.next_branch(fork, hot.work.get())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sync_branch_slowly(&self, fork: Fork) -> Fork {
        let hot = &*self.hot;
        if fork.is_precise() || hot.ledger.is_due() {
            self.read();
        }
        if fork.is_open() {
            let size = hot.work.get().saturating_sub(hot.ledger.branch_began(fork));
            let many = || hot.sites.site(fork.site()).weight.get();
            let weight = if fork.is_sample() { many() } else { 1 };
            if let Some(frame) = lock(&self.slow).frames.last_mut() {
                frame.account.tally.sizes.record(size, weight);
            }
        }
        hot.ledger.sync_branch(fork, self.burdens())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn join_slowly(&self, fork: Fork) {
        let fork = self.sync_branch_slowly(fork);
        self.leave_slowly(fork);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn leave_slowly(&self, fork: Fork) {
        if let Some(spans) = self.hot.ledger.leave(fork) {
            self.hot.forked.add(spans.0[0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Exact, Sampled};
    use crate::site::Sites;
    use lyocell::Probe;
    use lyocell::probe::{Origin, Root};

    /// Of two forks at one place, the outer one timed as all were then and over when tasks there are sampled.
    #[test]
    fn a_task_that_was_no_sample_when_it_was_forked_stands_for_itself() {
        let probe = Profile::<Sampled>::default();
        probe.begin_task(Origin::Root(Root::Call));
        let outer = probe.fork(1, || 1, || 0x40);
        assert!(outer.is_precise() && !outer.is_sample());
        probe.hot.sites.site(Sites::number(0x40)).weight.set(1_000);
        let outer = probe.next_branch(outer);
        probe.join(outer);
        probe.end_root(Root::Call);
        let sizes = probe.measured().calls.tally.sizes.by_powers_of_two(0);
        assert_eq!(sizes.iter().map(|(_, tasks)| tasks).sum::<u64>(), 1);
    }

    #[test]
    fn a_clock_that_steps_back_shows_no_time() {
        let probe = Profile::<Exact>::default();
        probe.hot.is_working.set(1);
        probe.hot.last.set(5_000);
        [4_000, 4_300, 4_100, 4_150].into_iter().for_each(|now| probe.read_at(now));
        assert_eq!(probe.hot.work.get(), 350);
        assert_eq!(probe.hot.ledger.spans(), Spans::strand(350));
    }
}
