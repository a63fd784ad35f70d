//! The ledger of a worker: how far the current strand is from the beginning of the current task, by the longest way.
//!
//! A frame that forks has to know the spans at the fork when it joins. To copy them at each fork would cost more than the
//! fork. So spans are kept in a stack of *entries*, of which the top one is the current strand's, and a fork only notes which
//! entry was on top and marks it as *held*. A held entry does not change: what is added goes to a new one above it. Most
//! branches are over before anything was added, and find the same entry on top.
//!
//! ```text
//!   entries     | outer | at the fork | end of the branches so far | second branch so far |
//!                         noted, held   expected, held               top
//! ```
//! A branch should begin where the fork was, but counts on from the end of the branches before it: only what it adds
//! matters, so nothing has to be written when a branch begins.
//!
//! # Invariants
//! - ledger-1. The entries that a live fork has noted and expects are held; none above is noted by a fork outside of it.
//! - ledger-2. When a fork ends, the top is the entry it has noted, or the one above it if somebody else holds that one.
//!
//! Everything is an atomic word that the worker alone writes, but for one flag: a ledger that somebody else writes to is
//! wrong and nothing worse.

use crate::spans::{BURDENS, Spans};
use crate::words::Word;
use std::sync::OnceLock;

/// A fork has noted the top entry.
pub(crate) const HELD: u64 = 1;
/// The clock is to be read at the next occasion; set by the heartbeat.
pub(crate) const DUE: u64 = 2;
/// In a [`Fork`] only: the clock is read at each of its events.
const PRECISE: u64 = 4;
/// In a precise [`Fork`]: a branch that is to be measured has begun.
const OPEN: u64 = 2;
const FLAGS: u32 = 3;
/// Where the number of the site stands in a precise [`Fork`].
const SITE: u32 = 25;
/// In a precise [`Fork`]: it is one of many, for whose sizes its own stand.
const SAMPLE: u64 = 1 << 31;
/// In the upper half of a [`Fork`], which is not empty then.
const NOTED: u64 = 2;

const CHUNK: usize = 1 << 10;
const CHUNKS: usize = 1 << 12;

/// What a frame keeps of a fork.
///
/// ```text
///   | noted entry | 1 | was held | sample | site | expected entry | precise | open | held |
///   63            35  33         32       31     25               3         2      1      0
/// ```
/// The upper half is empty as long as the expected entry is the noted one, and that was held before. Then, and if the fork is
/// not precise, all is equal to the top word while nothing is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fork(pub(crate) u64);

impl Fork {
    /// The fork of a held top entry.
    #[inline(always)]
    pub(crate) fn of_held(top: u64) -> Fork {
        Fork(top)
    }

    /// Whether nothing was added since the branch began.
    #[inline(always)]
    pub(crate) fn is_unchanged(self, top: u64) -> bool {
        self.0 as u32 == top as u32
    }

    /// All events of it are timed; it is at the site of this number.
    pub(crate) fn precise(self, site: usize) -> Fork {
        Fork(self.0 | PRECISE | (site as u64) << SITE)
    }

    fn new(noted: usize, was_held: bool, expected: usize) -> Fork {
        let upper = if noted == expected && was_held {
            0
        } else {
            (noted as u64) << FLAGS | NOTED | u64::from(was_held)
        };
        Fork(upper << 32 | (expected as u64) << FLAGS | HELD)
    }

    fn expected(self) -> usize {
        (self.0 as u32 >> FLAGS) as usize % (1 << (SITE - FLAGS))
    }

    fn noted(self) -> usize {
        match self.0 >> 32 {
            0 => self.expected(),
            upper => (upper >> FLAGS) as usize,
        }
    }

    fn was_held(self) -> bool {
        self.0 >> 32 == 0 || self.0 >> 32 & HELD != 0
    }

    /// The same fork, which expects this entry.
    fn expecting(self, entry: usize) -> Fork {
        let fork = Fork::new(self.noted(), self.was_held(), entry);
        if self.is_precise() { Fork(fork.precise(self.site()).0 | self.0 & SAMPLE) } else { fork }
    }

    /// A precise fork is one of many.
    pub(crate) fn sample(self) -> Fork {
        Fork(self.0 | SAMPLE)
    }

    pub(crate) fn is_sample(self) -> bool {
        self.0 & SAMPLE != 0
    }

    /// The site of a precise fork.
    pub(crate) fn site(self) -> usize {
        ((self.0 & (SAMPLE - 1)) >> SITE) as usize
    }

    pub(crate) fn is_precise(self) -> bool {
        self.0 & PRECISE != 0
    }

    /// Whether a branch that is to be measured has begun and is not over.
    pub(crate) fn is_open(self) -> bool {
        self.is_precise() && self.0 & OPEN != 0
    }
}

#[derive(Debug, Default)]
struct Entry {
    spans: [Word; BURDENS],
    /// The work when a branch began here whose length is to be known.
    begin: Word,
}

/// A chunk of entries, there once it is used.
type Chunk = OnceLock<Box<[Entry; CHUNK]>>;

/// See the module.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// The index of the top entry, [`HELD`] and [`DUE`].
    pub(crate) top: Word,
    /// The entry at which the current task or region began.
    base: Word,
    chunks: Box<[Chunk]>,
}

impl Ledger {
    pub(crate) fn new() -> Ledger {
        let chunks = (0..CHUNKS).map(|_| Chunk::new()).collect();
        Ledger { top: Word::new(0), base: Word::new(0), chunks }
    }

    fn index(&self) -> usize {
        (self.top.get() >> FLAGS) as usize
    }

    fn entry(&self, index: usize) -> &Entry {
        // Beyond the last one there is only the last one: wrong spans, of a recursion with millions of frames.
        let index = index.min(CHUNK * CHUNKS - 1);
        let chunk = self.chunks[index / CHUNK]
            .get_or_init(|| Box::new(std::array::from_fn(|_| Entry::default())));
        &chunk[index % CHUNK]
    }

    fn spans_of(&self, index: usize) -> Spans {
        let entry = self.entry(index);
        Spans(std::array::from_fn(|burden| entry.spans[burden].get()))
    }

    fn write(&self, index: usize, spans: Spans) {
        let entry = self.entry(index);
        entry.spans.iter().zip(spans.0).for_each(|(word, span)| word.set(span));
    }

    fn set_top(&self, index: usize, held: bool) {
        self.top.set(((index as u64) << FLAGS) | (u64::from(held) * HELD));
    }

    fn is_held(&self) -> bool {
        self.top.get() & HELD != 0
    }

    pub(crate) fn is_due(&self) -> bool {
        self.top.get() & DUE != 0
    }

    pub(crate) fn clear_due(&self) {
        let top = self.top.get();
        if top & DUE != 0 {
            self.top.set(top & !DUE);
        }
    }

    /// The spans from the beginning of the current task or region to now.
    pub(crate) fn spans(&self) -> Spans {
        self.spans_of(self.index())
    }

    /// Whether no fork of the current task or region is open.
    pub(crate) fn is_outside_of_forks(&self) -> bool {
        self.top.get() & !DUE == self.base.get() << FLAGS
    }

    /// The current strand went on by so much.
    pub(crate) fn add(&self, spans: Spans) {
        let (index, sum) = (self.index(), self.spans() + spans);
        if self.is_held() {
            self.write(index + 1, sum);
            self.set_top(index + 1, false);
        } else {
            self.write(index, sum);
        }
    }

    /// A task or region begins; what is needed to end it.
    pub(crate) fn begin(&self) -> Saved {
        let saved = Saved { top: self.top.get() & !DUE, base: self.base.get() };
        let base = self.index() + 1;
        self.write(base, Spans::default());
        self.set_top(base, false);
        self.base.set(base as u64);
        saved
    }

    /// The task or region is over; its spans.
    pub(crate) fn end(&self, saved: Saved) -> Spans {
        let spans = self.spans();
        self.top.set(saved.top);
        self.base.set(saved.base);
        spans
    }

    /// A frame forks: it notes the top entry.
    pub(crate) fn fork(&self) -> Fork {
        let (top, was_held) = (self.index(), self.is_held());
        self.set_top(top, true);
        Fork::new(top, was_held, top)
    }

    /// A branch of the fork, not the first, begins; `work` is the work so far.
    pub(crate) fn next_branch(&self, fork: Fork, work: u64) -> Fork {
        let top = self.index();
        self.set_top(top, true);
        let fork = fork.expecting(top);
        if !fork.is_precise() {
            return fork;
        }
        self.entry(top).begin.set(work);
        Fork(fork.0 | OPEN)
    }

    /// The work when the open branch began.
    pub(crate) fn branch_began(&self, fork: Fork) -> u64 {
        self.entry(fork.expected()).begin.get()
    }

    /// The branch is over and joined with those before it.
    pub(crate) fn sync_branch(&self, fork: Fork, burdens: Spans) -> Fork {
        let (expected, top) = (fork.expected(), self.index());
        if top <= expected {
            return fork.expecting(expected);
        }
        let (begin, before) = (self.spans_of(fork.noted()), self.spans_of(expected));
        let branch = begin + (self.spans() - before);
        let end = Spans::join(begin, before, branch, burdens);
        // ledger-1: our own entry is free again, that of the fork is not.
        let place = if expected == fork.noted() { expected + 1 } else { expected };
        self.write(place, end);
        self.set_top(place, true);
        fork.expecting(place)
    }

    /// All branches are joined (ledger-2). Returns the spans from fork to join if it is no part of another fork of the
    /// current task or region.
    pub(crate) fn leave(&self, fork: Fork) -> Option<Spans> {
        let (noted, top) = (fork.noted(), self.index());
        let is_outermost = !fork.was_held() && noted as u64 == self.base.get();
        if top <= noted {
            self.set_top(noted, fork.was_held());
            return None;
        }
        let (begin, end) = (self.spans_of(noted), self.spans());
        let place = if fork.was_held() { noted + 1 } else { noted };
        self.write(place, end);
        self.set_top(place, false);
        is_outermost.then(|| end - begin)
    }
}

/// What is needed to end a task or region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved {
    top: u64,
    base: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const BURDENS_HERE: Spans = Spans([0, 10, 3]);

    /// A fork of two strands, and what is added before and after.
    fn fork(ledger: &Ledger, first: impl FnOnce(), second: impl FnOnce()) -> Option<Spans> {
        let fork = ledger.fork();
        first();
        let fork = ledger.next_branch(fork, 0);
        second();
        let fork = ledger.sync_branch(fork, BURDENS_HERE);
        ledger.leave(fork)
    }

    fn strand(ledger: &Ledger, ticks: u64) {
        ledger.add(Spans::strand(ticks));
    }

    #[test]
    fn spans_are_those_of_the_longest_way() {
        let ledger = Ledger::new();
        strand(&ledger, 5);
        fork(&ledger, || strand(&ledger, 20), || strand(&ledger, 30));
        strand(&ledger, 1);
        assert_eq!(ledger.spans(), Spans([36, 46, 39]));
    }

    #[test]
    fn forks_in_forks() {
        let ledger = Ledger::new();
        let left = || {
            fork(&ledger, || strand(&ledger, 4), || strand(&ledger, 6));
            fork(&ledger, || (), || strand(&ledger, 6));
            fork(&ledger, || (), || ());
        };
        let outermost = fork(&ledger, left, || strand(&ledger, 5));
        assert_eq!(ledger.spans().0[0], 12);
        // Serial below the burden: 4 + 6 and 6, beside them 5.
        assert_eq!(ledger.spans().0[1], 21);
        assert_eq!(outermost, Some(ledger.spans()));
        assert!(ledger.is_outside_of_forks());
    }

    #[test]
    fn a_loop_of_forks_needs_no_more_entries() {
        let ledger = Ledger::new();
        for _ in 0..1_000 {
            fork(&ledger, || strand(&ledger, 2), || strand(&ledger, 1));
        }
        assert_eq!(ledger.index(), 0);
        assert_eq!(ledger.spans().0[0], 2_000);
    }

    #[test]
    fn a_task_in_between_leaves_no_trace() {
        let ledger = Ledger::new();
        strand(&ledger, 7);
        fork(
            &ledger,
            || strand(&ledger, 1),
            || {
                let saved = ledger.begin();
                strand(&ledger, 100);
                fork(&ledger, || strand(&ledger, 50), || ());
                assert_eq!(ledger.end(saved).0[0], 150);
            },
        );
        assert_eq!(ledger.spans().0[0], 8);
    }

    #[test]
    fn a_precise_fork_keeps_its_site_and_whether_it_is_a_sample() {
        let ledger = Ledger::new();
        strand(&ledger, 5);
        for site in [0, 1, 63] {
            for (noted, is_sample) in
                [(ledger.fork().precise(site), false), (ledger.fork().precise(site).sample(), true)]
            {
                strand(&ledger, 1);
                let fork = ledger.sync_branch(ledger.next_branch(noted, 0), BURDENS_HERE);
                assert_eq!((fork.site(), fork.is_sample()), (site, is_sample));
                assert!(fork.is_precise());
                ledger.leave(fork);
            }
        }
    }

    #[test]
    fn a_fork_that_is_left_by_a_panic_ends_with_the_one_around_it() {
        let ledger = Ledger::new();
        fork(
            &ledger,
            || strand(&ledger, 3),
            || {
                let lost = ledger.fork();
                strand(&ledger, 4);
                let _ = ledger.next_branch(lost, 0);
                strand(&ledger, 1);
            },
        );
        assert!(ledger.is_outside_of_forks());
    }
}
