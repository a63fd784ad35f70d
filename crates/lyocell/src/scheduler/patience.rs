//! One search of a worker that waits: how far it has come, and how long it lasts, by what came before.

use crate::deque::PrivateTasks;
use crate::idle::Searching;
use lyocell_sync::Instant;

/// Rounds of a search before the worker counts as searching, and exposes what owners keep: the time that owners have to answer.
/// Untuned.
const SHORT_SEARCH: u32 = if cfg!(loom) { 2 } else { 16 };
/// Where owners send tasks to those that are awake, all such rounds keep the processor, and there are as many: with fewer, or with
/// yields among them, a pool of four on two busy processors was seen all asleep but an owner that kept tasks.
const SENT_SEARCH: u32 = if cfg!(loom) { 2 } else { 64 };
/// The same of a worker that was woken because of tasks, or whose moment is over. Each round asks the owner of crumbs, who
/// answers: 64 cost a stream of empty joins 2 to 6 % more processor time. Two: nobody has answered in a single one yet. With 8 a
/// stream beside one thief takes 913 us in the simulator, with 2 428.
const SHORT_ROUNDS: u32 = 2;
/// The same of one that has napped, and looks at its thief and at nobody else. With 2 T3L took 2.3 s on 48 workers that leapfrog only,
/// in the simulator, with 8 it takes 1.9 to 2.2.
const ROUNDS_AFTER_NAP: u32 = if cfg!(loom) { 2 } else { 8 };

/// One search: from the moment a worker has nothing to do to the moment it finds a task or sleeps.
pub(super) struct Search {
    pub(super) rounds: u32,
    pub(super) yields: u32,
    pub(super) counted: Searching,
    /// Whether somebody has woken the worker for something that it has not found there.
    pub(super) owes_a_look: bool,
    /// When it began to count.
    pub(super) since: Option<Instant>,
    /// What the worker did before.
    pub(super) after: After,
    /// How many naps came to nothing before it.
    naps: u32,
    /// Whether it has stolen from all, or asked them, where a round does not reach all.
    pub(super) has_gone_round: bool,
    /// Whether it has looked at all after that.
    pub(super) has_looked: bool,
    /// How often it has asked somebody who was not asked.
    asked: u32,
}

/// What comes before a search, which tells how long it takes, and what after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// Its thread has just begun, and others may have yet to: it searches as after work, but does not spin.
    Start,
    /// It worked: it searches as long as the pool says, then it parks.
    Work,
    /// It was woken because of tasks, which may be gone by now. If so it backs off; or parks once more, where nearly all have work.
    Claim,
    /// It has backed off, and does so again if there are only crumbs.
    Moment,
    /// It has slept for a moment because it may rob few.
    Nap,
}

impl After {
    /// Whether it searches as long as the pool says.
    pub(super) fn is_work(self) -> bool {
        matches!(self, After::Start | After::Work)
    }

    pub(super) fn short_rounds(self, tasks: PrivateTasks) -> u32 {
        match (self, tasks) {
            (After::Start | After::Work, PrivateTasks::Sent) => SENT_SEARCH,
            (After::Start, _) => 0,
            (After::Work, _) => SHORT_SEARCH,
            (After::Claim | After::Moment, _) => SHORT_ROUNDS,
            (After::Nap, _) => ROUNDS_AFTER_NAP,
        }
    }
}

impl Search {
    pub(super) fn new() -> Search {
        Search {
            rounds: 0,
            yields: 0,
            counted: Searching::Uncounted,
            owes_a_look: false,
            since: None,
            after: After::Work,
            naps: 0,
            has_gone_round: false,
            has_looked: false,
            asked: 0,
        }
    }

    /// The first search of a thread.
    pub(super) fn at_start() -> Search {
        Search { after: After::Start, ..Search::new() }
    }

    /// The search after a task that was over at once: of who was woken for it as if it had just been woken. With as long a search as
    /// after work, 20,000 tiny joins beside 3 to 47 thieves took up to 1.8 times as long as alone in the simulator, 1.05 with this.
    pub(super) fn after_crumb(search: &Search) -> Search {
        let after = match search.after {
            After::Claim | After::Moment => After::Claim,
            After::Start | After::Work | After::Nap => After::Work,
        };
        Search { after, ..Search::new() }
    }

    /// The search of a worker that has slept.
    pub(super) fn after_sleep(counted: Searching) -> Search {
        let after = match counted {
            Searching::Counted | Searching::OnTheWay => After::Claim,
            Searching::Uncounted => After::Work,
        };
        Search { counted, after, owes_a_look: counted != Searching::Uncounted, ..Search::new() }
    }

    /// The search of a worker that was about to sleep, and may have been claimed meanwhile; it counts in any case. Who saw the next crumb as it was
    /// about to park after its moment is short of patience as before: with a search as after work 20,000 tiny joins beside one thief took up to
    /// 1.19 times as long as alone in the simulator, and a third of that one's processor time; 1.03 and 5 % with this.
    pub(super) fn again(before: After, claimed: Searching) -> Search {
        let search = Search::after_sleep(claimed);
        let after = match (before, search.after) {
            (After::Moment, After::Work) => After::Moment,
            (_, after) => after,
        };
        Search { counted: Searching::Counted, after, ..search }
    }

    /// The search of a worker that has napped after this one.
    pub(super) fn after_nap(search: &Search) -> Search {
        Search { after: After::Nap, naps: search.naps.saturating_add(1), ..Search::new() }
    }

    pub(super) fn naps(&self) -> u32 {
        self.naps
    }

    /// How many of so many more requests were answered in vain: whoever is asked once more has answered, and had nothing left when this
    /// worker came. There are so many others, each of whom may be asked once.
    pub(super) fn note_asked(&mut self, asked: u32, others: usize) -> usize {
        let before = self.asked.max(u32::try_from(others).unwrap_or(u32::MAX));
        self.asked = self.asked.saturating_add(asked);
        self.asked.saturating_sub(before) as usize
    }

    /// The search of a worker whose moment is over.
    pub(super) fn after_moment() -> Search {
        // While it slept others may have left something to it.
        let (counted, after) = (Searching::Counted, After::Moment);
        Search { counted, after, owes_a_look: true, ..Search::new() }
    }
}
