//! A mailbox: the one word through which the owner of a private deque sends tasks to a thief.
//!
//! ```text
//!            open_to, widen             reserve
//!   closed ----------------> open ----------------> incoming
//!     ^  ^                   | |                    |   |
//!     |  '- close, decline --' | deliver    deliver |   | close
//!     |                        v                    |   |
//!     '-------- take, close - tasks <---------------'   |
//!     '-------------------------------------------------'
//! ```
//! It is the transfer cell of [`Receiver`](crate::Receiver) and the communication cell of
//! [`Sender`](crate::Sender). A parcel of tasks is neighbouring slots of one worker, so it fits the word.
//!
//! # Invariants
//! - mailbox-1. Tasks enter only by a compare-and-swap that takes the word from open or incoming: never after
//!   the mailbox was closed, nor on top of other tasks.
//! - mailbox-2. Only the mailbox's worker opens it, closes it while it is open, and empties it. So whoever sent
//!   tasks has parted with them, and the worker that takes them has them alone.
//! - mailbox-3. A worker is never caught between asking and getting: it may close the mailbox at any time, and
//!   learns in the same step whether tasks have come.
//!
//! # Closed and open again
//! Between a sender's look and its compare-and-swap the mailbox may have been closed and opened again, and look as it did. That
//! is as good: the word is all that a sender relies on, and it says whose tasks are welcome now. A reservation is the
//! sender's until it is used or refused: no other writes that word, and this one does one thing at a time. What is not as it was
//! seen is another word: another sender's reservation, or a narrower opening. For the receiver's request see receiver-5.
//!
//! # Orderings
//! With the tasks come their slots: Release in `change`, Acquire in `take` and `close`. Nothing else here
//! carries data.
//!
//! Source: the cells `t` and `s` of Acar, Charguéraud and Rainey 2013, Figures 2 and 3. Departures: tasks are
//! sent by compare-and-swap, because here a thief may leave before it has an answer; and an open mailbox
//! tells whom its worker would take tasks from, because on a short stack it may only leapfrog.

use crate::limits::MAX_WORKERS;
use lyocell_sync::{AtomicUsize, Ordering};

/// Neighbouring slots of one worker, on their way: at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parcel {
    pub(crate) owner: usize,
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// What a mailbox holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mail {
    /// Nothing, and nothing is wanted.
    Closed,
    /// Nothing yet; tasks of this worker are welcome.
    OpenTo(usize),
    /// Nothing yet; tasks of any worker are welcome.
    OpenToAll,
    /// Nothing yet; this worker is about to send some.
    Incoming(usize),
    /// Tasks.
    Tasks(Parcel),
}

impl Mail {
    /// Whether a parcel of this worker is welcome.
    pub(crate) fn welcomes(self, sender: usize) -> bool {
        self == Mail::OpenTo(sender) || self == Mail::OpenToAll
    }
}

/// How a change of somebody else's mailbox went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Change {
    Made,
    /// The mailbox was no longer as it was seen: it is as if nothing had been tried.
    Refused,
}

/// One word that holds a [`Mail`], for machine words of this many bits.
///
/// ```text
///   | count | first slot            | owner  |   tasks: count > 0
///   | 0     | which of the others   | worker |   anything else
///   BITS                            10       0
/// ```
struct MailWord<const BITS: u32>;

impl<const BITS: u32> MailWord<BITS> {
    const WORKER_BITS: u32 = 10;
    const INDEX_BITS: u32 = BITS / 2;
    const COUNT_BITS: u32 = BITS - Self::INDEX_BITS - Self::WORKER_BITS;

    const MAX_WORKER: usize = (1 << Self::WORKER_BITS) - 1;
    const MAX_INDEX: usize = (1 << Self::INDEX_BITS) - 1;
    const MAX_COUNT: usize = (1 << Self::COUNT_BITS) - 1;

    const CLOSED: usize = 0;
    const OPEN_TO: usize = 1;
    const OPEN_TO_ALL: usize = 2;
    const INCOMING: usize = 3;

    fn pack(mail: Mail) -> usize {
        match mail {
            Mail::Closed => Self::join(0, Self::CLOSED, 0),
            Mail::OpenTo(worker) => Self::join(0, Self::OPEN_TO, worker),
            Mail::OpenToAll => Self::join(0, Self::OPEN_TO_ALL, 0),
            Mail::Incoming(worker) => Self::join(0, Self::INCOMING, worker),
            Mail::Tasks(Parcel { owner, first, count }) => Self::join(count, first, owner),
        }
    }

    fn join(count: usize, index: usize, worker: usize) -> usize {
        debug_assert!(count <= Self::MAX_COUNT && index <= Self::MAX_INDEX);
        debug_assert!(worker <= Self::MAX_WORKER);
        (count << Self::INDEX_BITS | index) << Self::WORKER_BITS | worker
    }

    fn unpack(word: usize) -> Mail {
        let worker = word & Self::MAX_WORKER;
        let index = word >> Self::WORKER_BITS & Self::MAX_INDEX;
        match (word >> Self::WORKER_BITS >> Self::INDEX_BITS, index) {
            (0, Self::CLOSED) => Mail::Closed,
            (0, Self::OPEN_TO) => Mail::OpenTo(worker),
            (0, Self::OPEN_TO_ALL) => Mail::OpenToAll,
            (0, _) => Mail::Incoming(worker),
            (count, first) => Mail::Tasks(Parcel { owner: worker, first, count }),
        }
    }
}

type Packed = MailWord<{ usize::BITS }>;

const _: () = assert!(MAX_WORKERS <= Packed::MAX_WORKER + 1);

impl Parcel {
    /// The highest slot that can be first.
    pub(crate) const MAX_INDEX: usize = Packed::MAX_INDEX;
    /// The most tasks in one parcel.
    pub(crate) const MAX_COUNT: usize = Packed::MAX_COUNT;
}

/// The mailbox of one worker.
pub(crate) struct Mailbox(AtomicUsize);

impl Mailbox {
    /// A closed one.
    pub(crate) fn new() -> Mailbox {
        Mailbox(AtomicUsize::new(Packed::pack(Mail::Closed)))
    }

    /// Its worker: from closed, asks for tasks of this sender.
    pub(crate) fn open_to(&self, sender: usize) {
        // Ordering: Relaxed; it is closed, so nobody else writes (mailbox-1), and being open carries no data.
        self.0.store(Packed::pack(Mail::OpenTo(sender)), Ordering::Relaxed);
    }

    /// Its worker: asks for anybody's tasks as well. If tasks are there or on their way, nothing changes.
    pub(crate) fn widen(&self, sender: usize) {
        let _ = self.change(Mail::OpenTo(sender), Mail::OpenToAll);
    }

    /// Its worker: looks, and takes tasks out, which closes it.
    pub(crate) fn take(&self) -> Mail {
        // Ordering: Acquire; meets the Release in `change`: with the tasks come their slots.
        let mail = Packed::unpack(self.0.load(Ordering::Acquire));
        if let Mail::Tasks(_) = mail {
            self.empty();
        }
        mail
    }

    /// Its worker: closes it, and takes out what has come (mailbox-3).
    pub(crate) fn close(&self) -> Option<Parcel> {
        let mut seen = self.take();
        loop {
            match seen {
                Mail::Closed => return None,
                Mail::Tasks(parcel) => return Some(parcel),
                Mail::OpenTo(_) | Mail::OpenToAll | Mail::Incoming(_) => {
                    if self.change(seen, Mail::Closed) == Change::Made {
                        return None;
                    }
                    seen = self.take();
                }
            }
        }
    }

    fn empty(&self) {
        // Ordering: Relaxed; it holds tasks, so nobody else writes (mailbox-1).
        self.0.store(Packed::pack(Mail::Closed), Ordering::Relaxed);
    }

    /// Anybody: what it holds, for a hint.
    pub(crate) fn peek(&self) -> Mail {
        // Ordering: Relaxed; a compare-and-swap follows.
        Packed::unpack(self.0.load(Ordering::Relaxed))
    }

    /// Anybody who may, by mailbox-1 and mailbox-2: a step from what was seen.
    pub(crate) fn change(&self, seen: Mail, to: Mail) -> Change {
        let (seen, to) = (Packed::pack(seen), Packed::pack(to));
        // Ordering: Release; meets the Acquire in `take`, for tasks. Nothing is read.
        match self.0.compare_exchange(seen, to, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Change::Made,
            Err(_) => Change::Refused,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Every kind of mail, with all numbers at both ends of what `BITS` leave room for.
    fn every_mail<const BITS: u32>() -> Vec<Mail> {
        let ends = |most: usize| [0, 1, 2, 3, 4, most / 2, most - 1, most].map(|n| n.min(most));
        let workers = ends(MailWord::<BITS>::MAX_WORKER);
        let mut all = vec![Mail::Closed, Mail::OpenToAll];
        for owner in workers {
            all.extend([Mail::OpenTo(owner), Mail::Incoming(owner)]);
            for first in ends(MailWord::<BITS>::MAX_INDEX) {
                for count in
                    ends(MailWord::<BITS>::MAX_COUNT).into_iter().filter(|count| *count > 0)
                {
                    all.push(Mail::Tasks(Parcel { owner, first, count }));
                }
            }
        }
        all.sort_by_key(|mail| MailWord::<BITS>::pack(*mail));
        all.dedup();
        all
    }

    fn check_width<const BITS: u32>() {
        let all = every_mail::<BITS>();
        for mail in &all {
            assert_eq!(
                MailWord::<BITS>::unpack(MailWord::<BITS>::pack(*mail)),
                *mail,
                "{BITS} bits"
            );
        }
        let mut words: Vec<usize> = all.iter().map(|mail| MailWord::<BITS>::pack(*mail)).collect();
        words.dedup();
        assert_eq!(words.len(), all.len(), "two kinds of mail look the same in {BITS} bits");
    }

    #[test]
    #[cfg_attr(miri, ignore = "safe arithmetic, and much of it")]
    fn every_mail_survives_packing_in_narrow_words_too() {
        check_width::<24>();
        check_width::<32>();
        check_width::<{ usize::BITS }>();
    }

    const PARCEL: Parcel = Parcel { owner: 3, first: 5, count: 2 };

    #[test]
    fn a_closed_mailbox_takes_no_tasks() {
        let mailbox = Mailbox::new();
        mailbox.open_to(3);
        let seen = mailbox.peek();
        assert_eq!(mailbox.close(), None);
        assert_eq!(mailbox.change(seen, Mail::Tasks(PARCEL)), Change::Refused);
        assert_eq!(mailbox.take(), Mail::Closed);
    }

    #[test]
    fn tasks_that_came_before_the_close_are_not_lost() {
        let mailbox = Mailbox::new();
        mailbox.open_to(1);
        mailbox.widen(1);
        assert!(mailbox.peek().welcomes(3));
        assert_eq!(mailbox.change(Mail::OpenToAll, Mail::Incoming(3)), Change::Made);
        assert_eq!(mailbox.change(Mail::OpenToAll, Mail::Incoming(4)), Change::Refused);
        assert_eq!(mailbox.change(Mail::Incoming(3), Mail::Tasks(PARCEL)), Change::Made);
        assert_eq!(mailbox.close(), Some(PARCEL));
        assert_eq!(mailbox.close(), None);
    }

    #[test]
    fn who_reserved_and_comes_late_keeps_its_tasks() {
        let mailbox = Mailbox::new();
        mailbox.open_to(3);
        assert_eq!(mailbox.change(Mail::OpenTo(3), Mail::Incoming(3)), Change::Made);
        assert_eq!(mailbox.close(), None);
        mailbox.open_to(3);
        assert_eq!(mailbox.change(Mail::Incoming(3), Mail::Tasks(PARCEL)), Change::Refused);
        assert_eq!(mailbox.take(), Mail::OpenTo(3));
    }
}
