//! Who wakes whom: those who leave work, and those who leave a search.

use super::sleeper::{BACKING_OFF, PARKED, PARKED_FOR_JOBS, Sleeper};
use super::{Crowd, Idle, IdleCounts, Notifier, Offer, Wanted, Woken};
use lyocell_sync::{Ordering, fence};

/// How many search at once before nobody else is woken for what is not counted: spawned jobs, and tasks of a deque that does not tell how
/// many it has. In the simulator, 128 workers and as many leaves of 200 us took 977 us with 2, 720 with 8, 571 with 16; and 4.5 ms with no bound.
const MOST_SEARCHING: usize = 16;
/// How many are woken by one that was woken itself, has found a task, and sees more. Untuned.
const WOKEN_BY_WOKEN: usize = 2;
/// Nearly all have work where fewer than one worker in so many is idle. In the simulator a burst of 128 leaves of 2 ms on as many workers takes 47
/// wake-ups over the ideal in the worst of nine runs, and 79 where this counts for nothing: who was woken in vain slept on beside the
/// last tasks. (In the fifth run of nine 32, with either.) 2 does the same to bursts, and small regions on 128 workers took a sixth longer.
const NEARLY_ALL: usize = 4;
/// So many sleepers are few.
pub(super) const FEW: usize = 8;
/// How far apart two looks for a sleeper begin: a prime greater than half of [`MAX_WORKERS`](crate::limits::MAX_WORKERS).
const STRIDE: usize = 617;

impl Idle {
    /// What an interrupted owner has to offer wakes another worker, if one is parked. It does not matter whether
    /// somebody searches: that may be the owner, who cannot steal from itself.
    ///
    /// The ticker has acquired the answer of the owner, who fenced before it gave it: so this look comes after that fence.
    pub(crate) fn notify_of_offer(&self, owner: usize) {
        let _ = self.wake_one_of(Notifier::GoesOn, Some(owner), &|worker| worker != owner);
    }

    /// An owner has shared what it offers, and saw after that that tasks are wanted: wakes one of these workers, if too few search.
    pub(crate) fn notify(&self, offer: Offer, wanted: Wanted, may_be: &dyn Fn(usize) -> bool) {
        self.wake_searcher(wanted.0, Some(offer), may_be);
    }

    /// Wakes one of these workers, if one wants tasks and too few search. The caller has fenced before it looked at the counts.
    #[inline(never)]
    fn wake_searcher(
        &self,
        counts: IdleCounts,
        offer: Option<Offer>,
        may_be: &dyn Fn(usize) -> bool,
    ) {
        if counts.want_tasks() && !self.enough_search(counts, offer) {
            let owner = offer.map(|offer| offer.owner);
            let _ = self.wake_one_of(Notifier::GoesOn, owner, may_be);
        }
    }

    /// A searcher that was woken has found a task of an owner that has more: wakes the next two, or one if there is one more, if they want
    /// tasks and too few search, and leaves the search to them, in one step; tells whether it did. So the tasks of one reach all in as many rounds
    /// of wake-ups as the logarithm of how many there are, where a chain, each waking the next, takes as many as there are.
    pub(crate) fn leave_search_to_next(&self, offer: Offer) -> bool {
        let rest = IdleCounts(self.counts().0 - IdleCounts::SEARCHING);
        if !rest.want_tasks() || self.enough_search(rest, Some(offer)) {
            return false;
        }
        let Offer { owner, tasks } = offer;
        let left = |tasks: usize| tasks.saturating_sub(self.sleeper(owner).on_the_way());
        let most = tasks.map_or(WOKEN_BY_WOKEN, |tasks| left(tasks).clamp(1, WOKEN_BY_WOKEN));
        let mut claimed = [0; WOKEN_BY_WOKEN];
        let mut first = self.first_to_wake(owner);
        let mut count = 0;
        for place in claimed.iter_mut().take(most) {
            let Some(sleeper) = self.claim_from(first, &|_| true) else { break };
            (*place, first, count) = (sleeper, sleeper, count + 1);
        }
        if count == 0 {
            return false;
        }
        let woken = count * (IdleCounts::SEARCHING - IdleCounts::PARKED);
        self.add(woken.wrapping_sub(IdleCounts::SEARCHING));
        self.sleeper(owner).note_sent(count);
        let wake = |sleeper: &usize| self.sleeper(*sleeper).wake(Notifier::GoesOn, Some(owner));
        claimed.iter().take(count).for_each(wake);
        true
    }

    /// Whether not nearly all of the workers have work.
    pub(crate) fn few_work(&self) -> bool {
        self.counts().idle() * NEARLY_ALL >= self.sleepers.len()
    }

    /// Whether somebody searches, and there is somebody on the way to each task that is offered; or, where these are not counted, as many
    /// search as work, up to a few: whoever works may have tasks for one more. One is enough where there are more workers than processors.
    #[inline(never)]
    fn enough_search(&self, counts: IdleCounts, offer: Option<Offer>) -> bool {
        let searching = counts.searching();
        if searching == 0 || self.crowd == Crowd::Some {
            return searching > 0;
        }
        match offer {
            Some(Offer { owner, tasks: Some(tasks) }) => self.sleeper(owner).on_the_way() >= tasks,
            _ => {
                let work = self.sleepers.len().saturating_sub(counts.idle());
                searching >= work.clamp(1, MOST_SEARCHING)
            }
        }
    }

    /// A detached task or a call from outside waits: wakes one worker if nobody searches, if need be one that backs
    /// off or is parked for this; and in a crowd one for whoever calls and sleeps, whoever searches.
    pub(crate) fn notify_of_call(&self, notifier: Notifier) {
        // F_sharer.
        fence(Ordering::SeqCst);
        let counts = self.counts();
        if counts.searching() > 0 {
            if self.crowd == Crowd::Some && notifier == Notifier::Sleeps {
                // Who searches may wait for this very processor, behind others, while another one idles. With 8 workers on two
                // processors eight loops of 0.2 to 1 ms took 1.2 to 1.7 of rayon's time, where it is 0.90 to 1.06.
                let _ = self.wake_one(notifier);
            }
            return;
        }
        let asleep = counts.parked() + counts.backing_off() > 0;
        if asleep
            && (self.wake_one(notifier) == Woken::One || self.rouse_one(BACKING_OFF) == Woken::One)
        {
            if notifier == Notifier::Sleeps {
                // Most calls fork at once, and to wake the next worker costs more than many a call: better this thread,
                // which has the time.
                let _ = self.rouse_one(PARKED);
            }
            return;
        }
        self.rouse_for_jobs(|| true);
    }

    /// Something waits that only these workers may run: wakes one of them, if one sleeps, whoever else searches. The caller has fenced.
    pub(crate) fn wake_for(&self, may_be: &dyn Fn(usize) -> bool) {
        let counts = self.counts();
        let asleep = counts.parked() + counts.backing_off() > 0
            || self.parked_for_jobs.load(Ordering::Relaxed) > 0;
        if !asleep || self.wake_one_of(Notifier::GoesOn, None, may_be) == Woken::One {
            return;
        }
        let sleeps = |worker: &Sleeper| worker.has(BACKING_OFF) || worker.has(PARKED_FOR_JOBS);
        let mut sleepers = self.sleepers.iter().enumerate();
        let found = sleepers.find(|(worker, sleeper)| sleeps(sleeper) && may_be(*worker));
        found.into_iter().for_each(|(_, sleeper)| sleeper.unpark());
    }

    /// A worker has left a job in its own lane, to which it comes itself if nobody else does: as for shared tasks, nobody is woken
    /// while somebody backs off, who looks for jobs when its moment is over.
    #[inline]
    pub(crate) fn notify_of_spawn(&self) {
        if self.sleepers.len() == 1 {
            // There is nobody else.
            return;
        }
        // F_sharer.
        fence(Ordering::SeqCst);
        let counts = self.counts();
        if self.enough_search(counts, None) || counts.backing_off() > 0 {
            return;
        }
        if counts.parked() == 0 || self.wake_one(Notifier::GoesOn) == Woken::Nobody {
            self.rouse_for_jobs(|| true);
        }
    }

    /// Wakes one that is parked for jobs, if there is one and jobs wait. The caller has fenced.
    fn rouse_for_jobs(&self, jobs_wait: impl FnOnce() -> bool) {
        // Ordering: Relaxed; by the caller's fence (idle-3).
        if self.parked_for_jobs.load(Ordering::Relaxed) > 0 && jobs_wait() {
            let _ = self.rouse_one(PARKED_FOR_JOBS);
        }
    }

    /// Wakes one parked worker, if there is one.
    fn wake_one(&self, notifier: Notifier) -> Woken {
        self.wake_one_of(notifier, None, &|_| true)
    }

    /// Wakes one of these workers that is parked, if there is one, and tells it where tasks are, if that is known: in a large pool it
    /// would look for them long.
    fn wake_one_of(
        &self,
        notifier: Notifier,
        tasks_at: Option<usize>,
        may_be: &dyn Fn(usize) -> bool,
    ) -> Woken {
        let first = self.first_to_wake(tasks_at.unwrap_or(0));
        match self.claim_from(first, may_be) {
            Some(worker) => {
                self.add(IdleCounts::SEARCHING - IdleCounts::PARKED);
                tasks_at.into_iter().for_each(|owner| self.sleeper(owner).note_sent(1));
                self.sleeper(worker).wake(notifier, tasks_at);
                Woken::One
            }
            None => Woken::Nobody,
        }
    }

    /// Where whoever wakes somebody for tasks of this owner begins to look for a sleeper: in a large pool at another place each time, as
    /// nearly all that it passes from the first on are awake already.
    fn first_to_wake(&self, owner: usize) -> usize {
        match self.sleepers.len() {
            // The same ones are woken again, and are warm.
            ..=FEW => 0,
            many => (owner + self.counts().parked() * STRIDE) % many,
        }
    }

    /// Claims one of these sleepers, the first from this one on.
    #[inline(never)]
    fn claim_from(&self, first: usize, may_be: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mut around = (first..self.sleepers.len()).chain(0..first);
        around.find(|worker| may_be(*worker) && self.sleeper(*worker).claim())
    }

    /// Ends the sleep of one worker with this status, if there is one, and does not claim it.
    fn rouse_one(&self, status: u32) -> Woken {
        match self.sleepers.iter().find(|sleeper| sleeper.has(status)) {
            Some(sleeper) => {
                sleeper.unpark();
                Woken::One
            }
            None => Woken::Nobody,
        }
    }

    /// Ends a worker's sleep for a reason of its own: what it waits for has happened.
    pub(crate) fn unpark(&self, worker: usize) {
        self.sleeper(worker).unpark();
    }

    /// Ends everybody's sleep: the pool closes.
    pub(crate) fn unpark_all(&self) {
        for sleeper in &self.sleepers {
            sleeper.unpark();
        }
    }

    /// A searcher stops, and if it was the last one the next takes its place where there is more work (idle-5) or a sleeper's
    /// request was forgotten (idle-7): one that is parked for jobs if there is no other, and if jobs wait.
    pub(crate) fn leave_search(
        &self,
        work_waits: impl FnOnce() -> bool,
        jobs_wait: impl FnOnce() -> bool,
    ) {
        let before = self.subtract(IdleCounts::SEARCHING);
        if before.searching() > 1 {
            return;
        }
        // F_leaver.
        fence(Ordering::SeqCst);
        if !before.want_tasks() {
            return self.rouse_for_jobs(jobs_wait);
        }
        // Ordering: Relaxed; by the fence.
        if self.forgotten.load(Ordering::Relaxed) || work_waits() {
            self.wake_searcher(self.counts(), None, &|_| true);
        }
    }
}
