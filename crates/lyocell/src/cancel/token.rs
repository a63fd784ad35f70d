//! The token: a flag that is set once, maybe by the clock, and the pools whose workers have to be told.
//!
//! # Invariants
//! - token-1. A frame that waits for tasks under a token has its pool among those that the token tells, and takes it out before
//!   it ends. Who tells them holds the lock meanwhile, so each is there.
//! - token-2. Who sets the flag fences, and then asks each worker, unless it is asked already. A worker that is asked forgets
//!   that, fences, and then looks at the flag: one of the two sees the other. So no worker goes on under the token as if
//!   nobody had asked; that it looks late would do no harm.

use lyocell_sync::unmodelled::Mutex;
use lyocell_sync::{AtomicBool, Instant, Ordering, fence};
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// A token by which any thread stops the tasks below a [`Worker::cancellable`](crate::Worker::cancellable).
///
/// Clones are the same token. It is set once, and stays set. One token may serve any number of calls, in any number of pools.
///
/// # Examples
/// ```
/// use lyocell::{Cancel, Pool};
///
/// let pool = Pool::new()?;
/// let cancel = Cancel::new();
/// let searched = pool.run(|w| {
///     w.cancellable(&cancel, |w| {
///         w.for_each(0..u64::MAX, |i| {
///             if i % 97 == 96 {
///                 cancel.cancel();
///             }
///         });
///     })
/// });
/// assert_eq!(searched, Err(lyocell::Cancelled));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cancel(Arc<Flag>);

struct Flag {
    is_set: AtomicBool,
    deadline: Option<Instant>,
    /// One for each frame (token-1).
    told: Mutex<Vec<Told>>,
}

/// A pool, and how its workers are asked.
struct Told {
    pool: NonNull<()>,
    ask: unsafe fn(NonNull<()>),
}

// SAFETY: it is a pointer only, and pools are `Sync`; token-1.
unsafe impl Send for Told {}

/// What [`Worker::cancellable`](crate::Worker::cancellable) returns when its token has stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tasks were cancelled by their token")
    }
}

impl std::error::Error for Cancelled {}

/// What a task that is stopped unwinds with.
pub(crate) struct Stopped;

impl Cancel {
    /// Returns a token that is not set.
    pub fn new() -> Cancel {
        Cancel::with(None)
    }

    /// Returns a token that counts as set when so much time has passed.
    ///
    /// The clock is read where tasks look, and nobody asks them to look in time: a loop does so within some tens of
    /// microseconds, a recursion of joins when another worker wants its tasks. To have that in time, too, call [`Cancel::cancel`]
    /// from a timer.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    ///
    /// let cancel = lyocell::Cancel::after(Duration::from_millis(2));
    /// let pool = lyocell::Pool::new()?;
    /// let endless = |_| std::thread::yield_now();
    /// let result = pool.run(|w| w.cancellable(&cancel, |w| w.for_each(0..u64::MAX, endless)));
    /// assert!(result.is_err());
    /// # Ok::<(), lyocell::BuildError>(())
    /// ```
    pub fn after(time: Duration) -> Cancel {
        // What is past the end of the clock is never.
        Cancel::with(Instant::now().checked_add(time))
    }

    fn with(deadline: Option<Instant>) -> Cancel {
        let (is_set, told) = (AtomicBool::new(false), Mutex::default());
        Cancel(Arc::new(Flag { is_set, deadline, told }))
    }

    /// Sets the token: the tasks under it stop when they look next, and no others begin.
    ///
    /// It does not wait for them. It may be called from anywhere, but for a signal handler.
    pub fn cancel(&self) {
        // Ordering: Relaxed; by the fence (token-2).
        self.0.is_set.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let told = self.0.told.lock();
        // SAFETY: token-1.
        told.iter().for_each(|told| unsafe { (told.ask)(told.pool) });
    }

    /// Returns whether the token is set, or its time is over.
    pub fn is_cancelled(&self) -> bool {
        // Ordering: Relaxed; it carries nothing, and is seen when it is seen.
        self.0.is_set.load(Ordering::Relaxed)
            || self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Has this pool's workers asked by `ask` when the token is set, as long as the result is there (token-1).
    ///
    /// # Safety
    /// The pool is there as long.
    pub(crate) unsafe fn tells(&self, pool: NonNull<()>, ask: unsafe fn(NonNull<()>)) -> Listening {
        self.0.told.lock().push(Told { pool, ask });
        Listening { cancel: self.clone(), pool }
    }
}

impl Default for Cancel {
    fn default() -> Cancel {
        Cancel::new()
    }
}

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_set = self.is_set.load(Ordering::Relaxed);
        f.debug_struct("Flag").field("is_set", &is_set).field("deadline", &self.deadline).finish()
    }
}

/// That a pool is told (token-1).
pub(crate) struct Listening {
    cancel: Cancel,
    pool: NonNull<()>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut told = self.cancel.0.told.lock();
        // Its own, or one that is the same.
        let own = told.iter().position(|told| told.pool == self.pool);
        let own = own.expect("one was added for each frame");
        told.swap_remove(own);
    }
}

/// A token and those around it: what a task is under.
#[derive(Clone)]
pub(crate) struct Token(Arc<Level>);

struct Level {
    cancel: Cancel,
    outer: Option<Token>,
}

impl Token {
    pub(crate) fn within(cancel: &Cancel, outer: Option<Token>) -> Token {
        Token(Arc::new(Level { cancel: cancel.clone(), outer }))
    }

    /// Whether any of them is set.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.cancel.is_cancelled() || self.0.outer.as_ref().is_some_and(Token::is_cancelled)
    }
}
