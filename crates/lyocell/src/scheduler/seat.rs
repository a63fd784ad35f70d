//! The seat: the right to be worker 0, which passes from thread to thread.
//!
//! ```text
//!             take                 a guest queues up
//!   free -------------> occupied --------------------> awaited
//!    ^  ^                |   ^                            |
//!    |  '---- leave -----'   '-- leave: the last guest ---|
//!    '--------------------- leave: nobody needs it more --'
//! ```
//! Who finds the seat occupied may queue up for it, as a *guest*. The queue has a lock; who takes a free seat, or leaves
//! one that nobody waits for, does not need it. Who leaves and finds guests hands the seat over: it stays occupied
//! meanwhile, so no newcomer can slip in.
//!
//! A pool of one worker has a *backup thread*: a thread that takes the seat when jobs wait. It queues up like any
//! other. And as threads may take long to wake up, those who leave count how many have sat in a row while jobs
//! waited, since the backup thread sat down; after [`TURN`] of them the next is the backup thread, wherever in the queue it is.
//! On the seat it runs as many jobs and leaves.
//!
//! # Invariants
//! - seat-1. One thread at a time holds the seat.
//! - seat-2. All that a holder did as worker 0 is visible to the next one.
//! - seat-3. The seat is awaited while somebody is in the queue. So guests get it in the order in which they came, and
//!   none waits beside a free seat.
//! - seat-4. No job is forgotten. Each wakes the backup thread, but for guests' own calls, and for what holders spawn: if jobs
//!   wait, who leaves the seat free wakes it. The backup thread then looks, under the lock: it gets the seat or is in the
//!   queue. Who takes it out of the queue looks later, under the lock too.
//! - seat-5. While jobs wait, one of any `TURN + 1` holders in a row is the backup thread; and while callers wait, not two in a row
//!   are: it begins the count anew.
//! - seat-6. Mail that waits for the seat is read: it is a guest, which who gets up takes out of the queue, and keeps the seat for.
//!
//! Whether the seat has been left and taken again between two looks, nobody asks: a compare-and-swap takes it from whoever left
//! it last, who holds it leaves it, and who queues up does so under the lock, at which the state is then looked at anew.
//!
//! # Orderings
//! A free seat is ordered by its state: who takes it sees what its last holder did. A seat that is handed over is
//! ordered by how the guest hears of it: a caller by its latch, the backup thread under the lock.

use lyocell_sync::{AtomicU32, Mutex, MutexGuard, Ordering, Unparker, unmodelled};
use std::collections::VecDeque;

/// As many calls may follow each other while jobs wait, and as many jobs while callers wait. As many as there are
/// looks from one turn of the oldest job to the next ([`turns`](crate::jobs::Turns)). Untuned.
pub(crate) const TURN: u32 = 61;

/// The right to be worker 0, for which callers may wait.
pub(crate) struct Seat<C> {
    state: AtomicU32,
    queue: Mutex<Queue<C>>,
    /// In a pool of one worker.
    backup: Option<Backup>,
}

const FREE: u32 = 0;
const OCCUPIED: u32 = 1;
const AWAITED: u32 = 2;

struct Queue<C> {
    guests: VecDeque<Guest<C>>,
    /// The backup thread has the seat, and need only notice.
    backup_invited: bool,
}

enum Guest<C> {
    Caller(C),
    Backup,
    /// Nobody: who gets up is to read the mail first.
    Mail,
}

struct Backup {
    unparker: Unparker,
    /// How many have left the seat since jobs wait, or since the backup thread took it. Only its holder writes (seat-1), so that
    /// any ordering will do.
    passed_over: unmodelled::AtomicU32,
}

/// What waits for the backup thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jobs {
    None,
    Waiting,
    /// For a whole turn of others.
    Overdue,
}

/// What came of a try to take the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Take {
    /// The caller holds it now, and has to leave it.
    Granted,
    /// Somebody else holds it.
    Occupied,
}

/// What came of getting up.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Leave<C> {
    /// The seat is free, or somebody's who has been told.
    Left,
    /// It is this caller's, who must be told.
    To(C),
    /// It has not been left: there is mail to be read.
    HasMail,
}

impl<C> Seat<C> {
    /// A free seat, with a backup thread or without.
    pub(crate) fn new(backup: Option<Unparker>) -> Seat<C> {
        let passed_over = unmodelled::AtomicU32::new(0);
        Seat {
            state: AtomicU32::new(FREE),
            queue: Mutex::new(Queue { guests: VecDeque::new(), backup_invited: false }),
            backup: backup.map(|unparker| Backup { unparker, passed_over }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<C>> {
        self.queue.lock()
    }

    /// As a thread leaves it that is in the middle of something when the process forks.
    #[cfg(all(test, unix, not(any(loom, miri))))]
    pub(crate) fn locked(&self) -> impl Sized + '_ {
        self.lock()
    }

    /// Takes it if it is free.
    #[inline]
    pub(crate) fn take(&self) -> Take {
        // Ordering: Acquire; meets the Release in `leave` and `hand_over` (seat-2). Relaxed when it is taken.
        match self.state.compare_exchange(FREE, OCCUPIED, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Take::Granted,
            Err(_) => Take::Occupied,
        }
    }

    /// Takes it if it is free, and else lets this caller wait for it.
    pub(crate) fn take_or_wait(&self, caller: impl FnOnce() -> C) -> Take {
        self.queue_up(&mut self.lock(), || Guest::Caller(caller()))
    }

    /// Takes it for the backup thread if jobs wait, and if it is free or this thread's turn. If not, the backup thread
    /// waits for it as long as jobs wait, and comes back when it is woken.
    pub(crate) fn take_for_jobs(&self, jobs_wait: impl FnOnce() -> bool) -> Take {
        let mut queue = self.lock();
        let take = if std::mem::take(&mut queue.backup_invited) {
            Take::Granted
        } else if !jobs_wait() || queue.guests.iter().any(Guest::is_backup) {
            // seat-4.
            Take::Occupied
        } else {
            self.queue_up(&mut queue, || Guest::Backup)
        };
        if let (Take::Granted, Some(backup)) = (take, &self.backup) {
            // seat-5.
            backup.passed_over.store(0, Ordering::Relaxed);
        }
        take
    }

    /// Takes it if it is free, to read the mail that has been left; else who gets up reads it, or one who comes after.
    pub(crate) fn take_for_mail(&self) -> Take {
        let mut queue = self.lock();
        if queue.guests.iter().any(|guest| matches!(guest, Guest::Mail)) {
            // seat-3: it is awaited, and whoever takes the mail out of the queue reads after this.
            return Take::Occupied;
        }
        self.queue_up(&mut queue, || Guest::Mail)
    }

    /// Takes the seat if it is free, else makes it awaited (seat-3).
    fn queue_up(&self, queue: &mut Queue<C>, guest: impl FnOnce() -> Guest<C>) -> Take {
        let next = |state| Some(if state == FREE { OCCUPIED } else { AWAITED });
        // Ordering: Acquire; as in `take`. Relaxed, to look before.
        match self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, next) {
            Ok(FREE) => Take::Granted,
            _ => {
                queue.guests.push_back(guest());
                Take::Occupied
            }
        }
    }

    /// Takes callers out of the queue who need the seat no more.
    pub(crate) fn withdraw(&self, is_caller: impl Fn(&C) -> bool) {
        self.lock().guests.retain(|guest| match guest {
            Guest::Caller(caller) => !is_caller(caller),
            Guest::Backup | Guest::Mail => true,
        });
    }

    /// The holder gets up, unless there is mail to be read. `claim` makes sure that a caller still needs the seat.
    #[inline]
    pub(crate) fn leave(
        &self,
        jobs_wait: impl Fn() -> bool,
        claim: impl Fn(&C) -> bool,
    ) -> Leave<C> {
        let jobs = self.look_for_jobs(&jobs_wait);
        // Ordering: Release; meets the Acquire in `take` and `queue_up`. Relaxed when it is awaited.
        let leave =
            || self.state.compare_exchange(OCCUPIED, FREE, Ordering::Release, Ordering::Relaxed);
        if jobs == Jobs::Overdue || leave().is_err() {
            match self.hand_over(jobs, jobs_wait, claim) {
                Leave::Left => {}
                not_free => return not_free,
            }
        }
        // seat-4.
        if jobs != Jobs::None {
            self.wake_backup();
        }
        Leave::Left
    }

    /// What waits for the backup thread, if there is one. Counts one who leaves, for seat-5.
    #[inline]
    fn look_for_jobs(&self, jobs_wait: impl Fn() -> bool) -> Jobs {
        let Some(Backup { passed_over, .. }) = &self.backup else { return Jobs::None };
        if !jobs_wait() {
            passed_over.store(0, Ordering::Relaxed);
            return Jobs::None;
        }
        let count = passed_over.load(Ordering::Relaxed) + 1;
        passed_over.store(count % TURN, Ordering::Relaxed);
        if count == TURN { Jobs::Overdue } else { Jobs::Waiting }
    }

    #[cold]
    #[inline(never)]
    fn hand_over(
        &self,
        jobs: Jobs,
        jobs_wait: impl Fn() -> bool,
        claim: impl Fn(&C) -> bool,
    ) -> Leave<C> {
        let mut queue = self.lock();
        let next = match jobs {
            Jobs::Overdue => {
                queue.guests.retain(|guest| !guest.is_backup());
                Some(Guest::Backup)
            }
            _ => queue.next(jobs_wait, claim),
        };
        let state = match next {
            None => FREE,
            Some(_) if queue.guests.is_empty() => OCCUPIED,
            Some(_) => AWAITED,
        };
        // Ordering: Release; meets the Acquire in `take`, if it is free.
        self.state.store(state, Ordering::Release);
        match next {
            None => Leave::Left,
            Some(Guest::Caller(caller)) => Leave::To(caller),
            Some(Guest::Mail) => Leave::HasMail,
            Some(Guest::Backup) => {
                queue.backup_invited = true;
                drop(queue);
                self.wake_backup();
                Leave::Left
            }
        }
    }

    pub(crate) fn has_backup(&self) -> bool {
        self.backup.is_some()
    }

    /// Makes the backup thread look, if there is one.
    pub(crate) fn wake_backup(&self) {
        if let Some(backup) = &self.backup {
            backup.unparker.unpark();
        }
    }
}

impl<C> Queue<C> {
    /// The first guest who still needs the seat; those before are dropped.
    fn next(
        &mut self,
        jobs_wait: impl Fn() -> bool,
        claim: impl Fn(&C) -> bool,
    ) -> Option<Guest<C>> {
        std::iter::from_fn(|| self.guests.pop_front()).find(|guest| match guest {
            Guest::Caller(caller) => claim(caller),
            Guest::Backup => jobs_wait(),
            Guest::Mail => true,
        })
    }
}

impl<C> Guest<C> {
    fn is_backup(&self) -> bool {
        matches!(self, Guest::Backup)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::deque::Split;
    use crate::pool::Pool;
    use crate::probe::NoProbe;
    use crate::scheduler::Registry;
    use crate::scheduler::Worker;
    use lyocell_sync::{AtomicBool, AtomicUsize, Parker, yield_now};
    use std::sync::{Arc, mpsc};
    use std::thread;

    const JOBS: fn() -> bool = || true;
    const NO_JOBS: fn() -> bool = || false;

    fn taken(backup: Option<&Parker>) -> Seat<u32> {
        let seat = Seat::new(backup.map(|parker| parker.unparker().clone()));
        assert_eq!(seat.take(), Take::Granted);
        seat
    }

    #[test]
    fn callers_have_it_in_the_order_in_which_they_came_and_no_newcomer_before_them() {
        let seat = taken(None);
        for caller in 0..5 {
            assert_eq!(seat.take_or_wait(|| caller), Take::Occupied);
        }
        seat.withdraw(|caller| *caller == 1);
        // The third needs it no more.
        for expected in [0, 2, 4] {
            assert_eq!(seat.leave(NO_JOBS, |caller| *caller != 3), Leave::To(expected));
            assert_eq!(seat.take(), Take::Occupied);
        }
        assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::Left);
        assert_eq!(seat.take_or_wait(|| 5), Take::Granted);
    }

    #[test]
    fn the_backup_thread_queues_up_once_and_only_for_jobs() {
        let seat = taken(Some(&Parker::default()));
        assert_eq!(seat.take_for_jobs(NO_JOBS), Take::Occupied);
        assert_eq!(seat.take_or_wait(|| 0), Take::Occupied);
        for _ in 0..2 {
            assert_eq!(seat.take_for_jobs(JOBS), Take::Occupied);
        }
        assert_eq!(seat.take_or_wait(|| 1), Take::Occupied);
        assert_eq!(seat.leave(JOBS, |_| true), Leave::To(0));
        assert_eq!(seat.leave(JOBS, |_| true), Leave::Left);
        assert_eq!(seat.take_for_jobs(NO_JOBS), Take::Granted);
        assert_eq!(seat.leave(JOBS, |_| true), Leave::To(1));
        assert_eq!(seat.take_for_jobs(JOBS), Take::Occupied);
        // The jobs are gone: it is free.
        assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::Left);
        assert_eq!(seat.take(), Take::Granted);
    }

    #[test]
    fn who_gets_up_reads_the_mail_once_and_in_its_turn() {
        let seat = taken(None);
        assert_eq!(seat.take_or_wait(|| 0), Take::Occupied);
        for _ in 0..2 {
            assert_eq!(seat.take_for_mail(), Take::Occupied);
        }
        assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::To(0));
        assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::HasMail);
        assert_eq!(seat.take(), Take::Occupied, "it is read first");
        assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::Left);
        assert_eq!(seat.take_for_mail(), Take::Granted);
        assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::Left);
    }

    #[test]
    fn a_turn_of_calls_ends_where_jobs_wait() {
        let parker = Parker::default();
        let seat = taken(Some(&parker));
        for _ in 0..3 {
            // The backup thread sleeps on, or has queued up and sees a flood of callers.
            for _ in 1..TURN {
                assert_eq!(seat.take_or_wait(|| 1), Take::Occupied);
                assert_eq!(seat.leave(JOBS, |_| true), Leave::To(1));
            }
            assert_eq!(seat.take_or_wait(|| 1), Take::Occupied);
            assert_eq!(seat.leave(JOBS, |_| true), Leave::Left);
            parker.park();
            assert_eq!(seat.take_for_jobs(JOBS), Take::Granted);
            assert_eq!(seat.leave(NO_JOBS, |_| true), Leave::To(1));
        }
    }

    #[test]
    fn a_turn_of_jobs_ends_where_callers_wait() {
        // However many have sat before.
        for calls in 1..=TURN {
            let seat = taken(Some(&Parker::default()));
            for _ in 1..calls {
                assert_eq!(seat.leave(JOBS, |_| true), Leave::Left);
                assert_eq!(seat.take(), Take::Granted, "the backup thread is slow to wake up");
            }
            assert_eq!(seat.leave(JOBS, |_| true), Leave::Left);
            assert_eq!(seat.take_for_jobs(JOBS), Take::Granted);
            assert_eq!(seat.take_or_wait(|| 0), Take::Occupied);
            assert_eq!(seat.leave(JOBS, |_| true), Leave::To(0), "after {calls} calls");
        }
    }

    /// How many callers wait for the seat of this pool.
    fn callers(registry: &Registry<Split, NoProbe>) -> usize {
        let queue = registry.seat.as_ref().unwrap().lock();
        queue.guests.iter().filter(|guest| !guest.is_backup()).count()
    }

    #[test]
    fn threads_have_it_in_the_order_in_which_they_called() {
        let pool = &Pool::builder().workers(1).build().unwrap();
        let (send, order) = mpsc::channel();
        thread::scope(|threads| {
            pool.run(|_| {
                for caller in 0..8 {
                    let send = send.clone();
                    threads.spawn(move || pool.run(|_| send.send(caller).unwrap()));
                    while callers(pool.registry()) <= caller {
                        yield_now();
                    }
                }
            });
        });
        assert!(order.try_iter().eq(0..8));
    }

    /// What a flood of jobs counts: those that run while a caller waits.
    #[derive(Default)]
    struct Flood {
        over: AtomicBool,
        beside_a_caller: AtomicUsize,
    }

    fn spawn_again(worker: &Worker, flood: Arc<Flood>) {
        let waiting = callers(worker.registry());
        flood.beside_a_caller.fetch_add(waiting, Ordering::Relaxed);
        if !flood.over.load(Ordering::Relaxed) {
            worker.registry().spawn_detached(move |worker| spawn_again(worker, flood));
        }
    }

    #[test]
    fn a_caller_waits_for_one_turn_of_jobs() {
        let pool = Pool::builder().workers(1).build().unwrap();
        for _ in 0..if cfg!(miri) { 2 } else { 100 } {
            let flood = Arc::new(Flood::default());
            let again = Arc::clone(&flood);
            pool.spawn_detached(|worker| spawn_again(worker, again));
            pool.run(|_| flood.over.store(true, Ordering::Relaxed));
            let before = flood.beside_a_caller.load(Ordering::Relaxed);
            assert!(before <= TURN as usize, "{before} jobs ran before the caller");
        }
    }
}
