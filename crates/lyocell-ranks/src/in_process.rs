//! Ranks in one process: for tests, and for a program to be tried before it is sent to a cluster.

use crate::{Transport, TransportError};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One of several ranks in this process, each for a thread of its own.
///
/// The seed decides which of several senders a message is taken from first, and how often a rank finds nothing though something is
/// under way. Messages of one sender stay in order.
///
/// # Examples
/// ```
/// use lyocell_ranks::{InProcess, Transport};
///
/// let mut ranks = InProcess::connect(2, 7);
/// let (mut one, mut zero) = (ranks.pop().unwrap(), ranks.pop().unwrap());
/// zero.send(1, b"hello")?;
/// let received = loop {
///     if let Some(received) = one.poll()? {
///         break received;
///     }
/// };
/// assert_eq!(received, (0, b"hello".to_vec()));
/// # Ok::<(), lyocell_ranks::TransportError>(())
/// ```
pub struct InProcess {
    rank: usize,
    shared: Arc<Shared>,
    random: StdRng,
}

struct Shared {
    /// One for each rank.
    inboxes: Vec<Mutex<Inbox>>,
    /// Why the run was aborted, if it was.
    aborted: Mutex<Option<String>>,
}

/// What has come for a rank, by sender, the oldest first.
struct Inbox {
    from: Vec<VecDeque<Vec<u8>>>,
}

/// A rank looks in vain once in so many times.
const LATE: u32 = 4;

impl InProcess {
    /// As many ranks as this, connected with each other.
    pub fn connect(ranks: usize, seed: u64) -> Vec<InProcess> {
        let inbox = || Mutex::new(Inbox { from: vec![VecDeque::new(); ranks] });
        let inboxes = (0..ranks).map(|_| inbox()).collect();
        let shared = Arc::new(Shared { inboxes, aborted: Mutex::new(None) });
        let of_rank = |rank| InProcess {
            rank,
            shared: Arc::clone(&shared),
            random: StdRng::seed_from_u64(seed.wrapping_mul(0x9E37_79B9).wrapping_add(rank as u64)),
        };
        (0..ranks).map(of_rank).collect()
    }

    fn check(&self) -> Result<(), TransportError> {
        match &*lock(&self.shared.aborted) {
            Some(why) => Err(TransportError::aborted(why)),
            None => Ok(()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Transport for InProcess {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.inboxes.len()
    }

    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), TransportError> {
        self.check()?;
        lock(&self.shared.inboxes[to]).from[self.rank].push_back(message.to_vec());
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<(usize, Vec<u8>)>, TransportError> {
        self.check()?;
        let mut inbox = lock(&self.shared.inboxes[self.rank]);
        let senders = 0..inbox.from.len();
        let waiting: Vec<usize> = senders.filter(|from| !inbox.from[*from].is_empty()).collect();
        if waiting.is_empty() || self.random.random_range(0..LATE) == 0 {
            return Ok(None);
        }
        let from = waiting[self.random.random_range(0..waiting.len())];
        Ok(inbox.from[from].pop_front().map(|message| (from, message)))
    }

    fn abort(&mut self, why: &str) {
        lock(&self.shared.aborted).get_or_insert_with(|| why.to_owned());
    }
}
