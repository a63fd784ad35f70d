//! Who wakes whom: those who leave work, and those who leave a search.

use super::sleeper::{BACKING_OFF, PARKED, PARKED_FOR_JOBS, Sleeper, Told};
use super::{Crowd, Idle, IdleCounts, Leaver, Notifier, Offer, Searching, Wanted, Woken};
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

impl Idle {
    /// What an interrupted owner has to offer wakes another worker, if one is parked. It does not matter whether
    /// somebody searches: that may be the owner, who cannot steal from itself.
    ///
    /// The ticker has acquired the answer of the owner, who fenced before it gave it: so this look comes after that fence.
    pub(crate) fn notify_of_offer(&self, owner: usize) {
        let others = |worker: usize| worker != owner;
        let told = Told::TasksAt(owner);
        let _ = self.wake_one_of(Notifier::GoesOn, told, self.counts(), &others);
    }

    /// An owner has shared what it offers, and saw after that that tasks are wanted, or expects it: wakes one of these workers, if too few
    /// search. Tells whether more may be expected to want tasks.
    pub(crate) fn notify(
        &self,
        offer: Offer,
        wanted: Wanted,
        may_be: &dyn Fn(usize) -> bool,
    ) -> bool {
        match wanted {
            Wanted::Seen(counts) => self.wake_searcher(counts, Some(offer), may_be),
            Wanted::Expected => self.make_good(offer, may_be),
        }
    }

    /// An owner that has promised to wake somebody does so without a look at the counts, whose line all fetch from each other in the
    /// middle of a burst; or takes that back, and looks.
    fn make_good(&self, offer: Offer, may_be: &dyn Fn(usize) -> bool) -> bool {
        let owner = self.sleeper(offer.owner);
        // Its promise is one of those.
        let is_left = |coming: usize| offer.tasks.is_some_and(|tasks| coming > tasks);
        let mut coming = owner.on_the_way();
        while is_left(coming) {
            // Only if nobody has arrived since: that one may have left all to the promise, and would not find it, and so would this owner:
            // both woke one for the same task.
            match owner.recall_one(coming) {
                Ok(()) => return true,
                Err(now) => coming = now,
            }
        }
        if let Some(claimed) = self.claim_for(Some(offer.owner), None, may_be) {
            let told = Told::of(Some(offer), self.crowd);
            let before = self.wake_claimed(claimed, Notifier::GoesOn, told);
            return before.without(IdleCounts::PARKED).want_tasks();
        }
        // None of the next few sleeps. Only then a look at who comes: who has arrived meanwhile may have left all to the promise.
        self.take_back(offer.owner);
        self.wake_searcher(self.counts(), Some(offer), may_be)
    }

    /// Wakes one of these workers, if one wants tasks and too few search. The caller has fenced before it looked at the counts. Tells whether
    /// they are of those that an owner may expect to sleep.
    #[inline(never)]
    fn wake_searcher(
        &self,
        counts: IdleCounts,
        offer: Option<Offer>,
        may_be: &dyn Fn(usize) -> bool,
    ) -> bool {
        if !counts.want_tasks() || self.is_left(counts, offer) {
            return false;
        }
        let told = Told::of(offer, self.crowd);
        match self.wake_one_of(Notifier::GoesOn, told, counts, may_be) {
            Woken::One => matches!(told, Told::OnTheWayTo(_)) && counts.parked() > 1,
            Woken::Nobody => {
                // Those that sleep may be others. Whoever searches may be one of these.
                let counts = self.counts();
                let _ =
                    counts.parked() > 0 && counts.searching() > 0 && self.rely_on_search(counts);
                false
            }
        }
    }

    /// A leaver has found a task of an owner that has more, and wakes the next two for these, or one if there is one more, if they want
    /// tasks and none is left to others. So the tasks of one reach all in as many rounds of wake-ups as the logarithm of how many there are,
    /// where a chain, each waking the next, takes as many as there are.
    fn leave_tasks(&self, rest: IdleCounts, offer: Offer) -> LeftTo {
        if !rest.want_tasks() {
            return LeftTo::Nobody;
        }
        if self.is_left(rest, Some(offer)) {
            return LeftTo::Others;
        }
        let Offer { owner, tasks } = offer;
        let left = |tasks: usize| tasks.saturating_sub(self.sleeper(owner).on_the_way());
        let most = tasks.map_or(WOKEN_BY_WOKEN, |tasks| left(tasks).clamp(1, WOKEN_BY_WOKEN));
        let told = Told::of(Some(offer), self.crowd);
        let wakes_one = || self.wake_one_of(Notifier::GoesOn, told, rest, &|_| true);
        let count = (0..most).take_while(|_| wakes_one() == Woken::One).count();
        match told {
            // Whoever parks from here on looks after that.
            _ if count == 0 => LeftTo::Others,
            Told::OnTheWayTo(_) => LeftTo::Others,
            Told::Nothing | Told::TasksAt(_) => LeftTo::Searchers,
        }
    }

    /// Ends the sleep of one that the caller has claimed, and tells it this; returns the counts as they were. Who will search is counted
    /// first (idle-4). Who is on the way counts nowhere from here on, and does not sleep on until its waker has the line of the counts, for
    /// which all wait in the middle of a burst.
    fn wake_claimed(&self, claimed: usize, notifier: Notifier, told: Told) -> IdleCounts {
        let wake = || self.sleeper(claimed).wake(notifier, told);
        match told {
            Told::OnTheWayTo(_) => {
                wake();
                self.subtract(IdleCounts::PARKED)
            }
            Told::Nothing | Told::TasksAt(_) => {
                let before = self.add(IdleCounts::SEARCHING - IdleCounts::PARKED);
                wake();
                before
            }
        }
    }

    /// Whether as many are on the way as there are tasks, which are left to these (idle-8).
    fn is_left_to_coming(&self, Offer { owner, tasks }: Offer) -> bool {
        let coming = self.sleeper(owner).on_the_way();
        coming > 0 && tasks.is_some_and(|tasks| coming >= tasks)
    }

    /// Whether what is offered is left to others, by these counts: to those that are on the way to each of these tasks (idle-8); or, where
    /// nobody counts them, to those that search, if as many do as work, up to a few: whoever works may have tasks for one more. One is enough
    /// where there are more workers than processors.
    #[inline(never)]
    fn is_left(&self, counts: IdleCounts, offer: Option<Offer>) -> bool {
        if offer.is_some_and(|offer| self.is_left_to_coming(offer)) {
            return true;
        }
        let searching = counts.searching();
        if searching == 0 {
            return false;
        }
        let enough = match offer {
            _ if self.crowd == Crowd::Some => true,
            Some(Offer { tasks: Some(tasks), .. }) => tasks == 0,
            _ => {
                let work = self.sleepers.len().saturating_sub(counts.idle());
                searching >= work.clamp(1, MOST_SEARCHING)
            }
        };
        enough && self.rely_on_search(counts)
    }

    /// Leaves what it has to those that search, by these counts: the last of them looks for it before it leaves (idle-5). Tells whether
    /// anybody still searches.
    pub(super) fn rely_on_search(&self, counts: IdleCounts) -> bool {
        // In one step with the look whether somebody does. Where it is said already, whoever takes that back looks after it.
        counts.are_relied_on() || {
            let before = self.counts.fetch_or(IdleCounts::RELIED_ON, Ordering::Relaxed);
            IdleCounts(before).searching() > 0
        }
    }

    /// Whether not nearly all of the workers have work.
    pub(crate) fn few_work(&self) -> bool {
        self.counts().idle() * NEARLY_ALL >= self.sleepers.len()
    }

    /// A detached task or a call from outside waits: wakes one worker if nobody searches, if need be one that backs
    /// off or is parked for this; and in a crowd one for whoever calls and sleeps, whoever searches.
    pub(crate) fn notify_of_call(&self, notifier: Notifier) {
        // F_sharer.
        fence(Ordering::SeqCst);
        let counts = self.counts();
        if counts.searching() > 0 && self.rely_on_search(counts) {
            if self.crowd == Crowd::Some && notifier == Notifier::Sleeps {
                // Who searches may wait for this very processor, behind others, while another one idles. With 8 workers on two
                // processors eight loops of 0.2 to 1 ms took 1.2 to 1.7 of rayon's time, where it is 0.90 to 1.06.
                let _ = self.wake_one(notifier, counts);
            }
            return;
        }
        let asleep = counts.parked() + counts.backing_off() > 0;
        if asleep
            && (self.wake_one(notifier, counts) == Woken::One
                || self.rouse_one(BACKING_OFF) == Woken::One)
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
        if !asleep
            || self.wake_one_of(Notifier::GoesOn, Told::Nothing, counts, may_be) == Woken::One
        {
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
        if counts.backing_off() > 0 || self.is_left(counts, None) {
            return;
        }
        if counts.parked() == 0 || self.wake_one(Notifier::GoesOn, counts) == Woken::Nobody {
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
    fn wake_one(&self, notifier: Notifier, counts: IdleCounts) -> Woken {
        self.wake_one_of(notifier, Told::Nothing, counts, &|_| true)
    }

    /// Wakes one of these workers that is parked, if there is one, and tells it this: in a large pool it would look for tasks long.
    fn wake_one_of(
        &self,
        notifier: Notifier,
        told: Told,
        counts: IdleCounts,
        may_be: &dyn Fn(usize) -> bool,
    ) -> Woken {
        let owner = told.owner();
        let claimed = self.claim_for(owner, Some(counts), may_be);
        let Some(worker) = claimed else { return Woken::Nobody };
        owner.into_iter().for_each(|owner| self.sleeper(owner).note_sent());
        let _ = self.wake_claimed(worker, notifier, told);
        Woken::One
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

    /// A worker stops searching, or was on the way. If it has found a task of an owner that offers more, others may take its place at once. If it was the last
    /// one, the next takes its place where there is more work (idle-5) or a sleeper's request was forgotten (idle-7): one that is parked for
    /// jobs if there is no other, and if jobs wait. For tasks it looks only where somebody may have left some to it: that takes 36 us in a
    /// pool of 128, with a task in hand.
    pub(crate) fn leave_search(
        &self,
        leaver: Leaver,
        tasks_wait: impl FnOnce() -> bool,
        jobs_wait: impl FnOnce() -> bool,
    ) {
        let (before, rest) = match leaver.counted {
            Searching::Counted => {
                let before = self.subtract(IdleCounts::SEARCHING);
                (before, before.without(IdleCounts::SEARCHING))
            }
            Searching::OnTheWay | Searching::Uncounted => {
                let is_left = |offer| self.is_left_to_coming(offer);
                if !leaver.owes_a_look && leaver.beside.is_none_or(is_left) {
                    return;
                }
                let counts = self.counts();
                (counts, counts)
            }
        };
        let left = leaver.beside.map(|offer| self.leave_tasks(rest, offer));
        let owes_a_look = leaver.owes_a_look || left == Some(LeftTo::Nobody);
        let somebody_searches = rest.searching() > 0 || left == Some(LeftTo::Searchers);
        if somebody_searches && (!owes_a_look || self.rely_on_search(rest)) {
            return;
        }
        let rest = match before.are_relied_on() {
            // Before the fence: whoever still counts on it comes before that, too, and so does who has parked meanwhile.
            true => IdleCounts(self.counts.fetch_and(!IdleCounts::RELIED_ON, Ordering::Relaxed)),
            false => rest,
        };
        // F_leaver.
        fence(Ordering::SeqCst);
        if !rest.want_tasks() {
            return self.rouse_for_jobs(jobs_wait);
        }
        let looks = before.are_relied_on() || owes_a_look;
        // Ordering: Relaxed; by the fence.
        if self.forgotten.load(Ordering::Relaxed) || jobs_wait() || looks && tasks_wait() {
            self.wake_searcher(self.counts(), None, &|_| true);
        }
    }
}

/// To whom tasks are left that somebody sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeftTo {
    /// Whom the leaver has woken, and who count as searching.
    Searchers,
    /// Those that are on the way, or that will look before they sleep.
    Others,
    Nobody,
}
