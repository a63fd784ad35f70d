//! What one waits by: locks, a value that is made once, parkers, pauses.

use crate::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::machine::PS;
use crate::threads::{Waits, Woken};
use crate::world::{World, with_world};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// How often who wants a lock looks at it before it sleeps: the standard library's number.
const SPINS: u32 = 100;

/// A lock around a value, which passes poison. Who waits for it sleeps, and the first of those is woken when it is given back.
///
/// # Invariants
/// - lock-1. Who has a guard has put the word from `FREE` to `HELD`, and puts it back when the guard goes; nobody else touches the value.
pub struct Mutex<T: ?Sized> {
    word: AtomicU32,
    waiting: RefCell<Vec<usize>>,
    value: UnsafeCell<T>,
}

// SAFETY: lock-1, and world-1 for those that wait.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// The lock is held as long as this is there.
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    /// As the standard library's, it stays with its thread.
    stays: std::marker::PhantomData<*const ()>,
}

// SAFETY: a reference to the value, as that of `T` (lock-1).
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<T> Mutex<T> {
    /// One around this value.
    pub const fn new(value: T) -> Self {
        Mutex {
            word: AtomicU32::new(FREE),
            waiting: RefCell::new(Vec::new()),
            value: UnsafeCell::new(value),
        }
    }

    /// The value, when nobody has the lock any more.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }

    /// Takes the lock, and waits for it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        loop {
            if let Some(guard) = self.try_lock() {
                return guard;
            }
            self.spin();
            // Nobody else's turn comes between this try and the sleep.
            if let Some(guard) = self.try_lock() {
                return guard;
            }
            let waited = with_world(|world| {
                self.waiting.borrow_mut().push(world.thread());
                world.spend(world.costs.lock);
                world.block(Waits::Lock, None);
            });
            assert!(waited.is_some(), "a lock that is held outside of a world is never given back");
        }
    }

    /// Waits for a moment for the lock, unless somebody sleeps for it, as the standard library's does on Linux.
    fn spin(&self) {
        for _ in 0..SPINS {
            if self.word.load(Ordering::Relaxed) == FREE || !self.waiting.borrow().is_empty() {
                return;
            }
            // No two processors are in step for long, or one of several that take turns at a lock might never have it.
            let _ = with_world(|world| {
                world.spend(world.dice.below(2 * world.costs.pause + 1));
                world.turn_about();
            });
        }
    }

    /// Takes the lock if it is free.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let taken = self.word.compare_exchange(FREE, HELD, Ordering::SeqCst, Ordering::SeqCst);
        // Made only where the lock is taken: a guard that goes gives it back.
        taken.is_ok().then(|| MutexGuard { mutex: self, stays: std::marker::PhantomData })
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Mutex::new(T::default())
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mutex")
    }
}

impl<T: ?Sized> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MutexGuard")
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: lock-1.
        unsafe { &*self.mutex.value.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: lock-1.
        unsafe { &mut *self.mutex.value.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        // Who is woken takes it as anybody does. The word is given back by an exchange, so that no buffer keeps it.
        self.mutex.word.swap(FREE, Ordering::SeqCst);
        let first = {
            let mut waiting = self.mutex.waiting.borrow_mut();
            if waiting.is_empty() { None } else { Some(waiting.remove(0)) }
        };
        if let Some(first) = first {
            let _ = with_world(|world| wake(world, first));
        }
    }
}

/// The running thread wakes another one, which it has just found asleep. Nobody else's turn comes between the finding and this: or the
/// other one might sleep for something else by then.
fn wake(world: &World, thread: usize) {
    let at = world.now() + world.costs.wake;
    world.spend(world.costs.unpark);
    world.counts.borrow_mut().wakes += 1;
    world.hash(thread as u64);
    world.wake(thread, at);
}

/// A value that is made once.
#[derive(Debug, Default)]
pub struct OnceLock<T> {
    made: Mutex<()>,
    value: std::sync::OnceLock<T>,
}

impl<T> OnceLock<T> {
    /// One that is not made.
    pub const fn new() -> Self {
        OnceLock { made: Mutex::new(()), value: std::sync::OnceLock::new() }
    }

    /// The value, if it has been made.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Makes it, if it has not been; else gives this one back.
    ///
    /// # Errors
    /// It has been made.
    pub fn set(&self, value: T) -> Result<(), T> {
        let _making = self.made.lock();
        self.value.set(value)
    }

    /// The value, made if need be. Who comes meanwhile waits.
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        if self.value.get().is_none() {
            let _making = self.made.lock();
            if self.value.get().is_none() {
                let _ = self.value.set(make());
            }
        }
        self.value.get().expect("just made")
    }
}

#[derive(Debug, Default)]
struct Token {
    given: AtomicBool,
    sleeper: Cell<Option<usize>>,
}

/// Hands the token of a parker over.
#[derive(Clone, Debug, Default)]
pub struct Unparker(Arc<Token>);

// SAFETY: the cell is touched by virtual threads of one world, all on one thread of the real machine (world-1).
unsafe impl Send for Unparker {}
// SAFETY: as above.
unsafe impl Sync for Unparker {}

/// A token that one thread waits for and any thread hands over.
#[derive(Debug, Default)]
pub struct Parker(Unparker);

impl Parker {
    /// One without its token.
    pub fn new() -> Parker {
        Parker::default()
    }

    /// What hands the token to this one.
    pub fn unparker(&self) -> &Unparker {
        &self.0
    }

    /// Waits for the token, and takes it. May return for no reason.
    pub fn park(&self) {
        self.wait(None);
    }

    /// As [`Parker::park`], but no longer than so.
    pub fn park_timeout(&self, limit: Duration) {
        self.wait(Some(limit));
    }

    fn wait(&self, limit: Option<Duration>) {
        let token = &self.0.0;
        if token.given.swap(false, Ordering::SeqCst) {
            return;
        }
        let parked = with_world(|world| {
            let until =
                limit.map(|limit| world.now().saturating_add(limit.as_nanos() as u64 * PS as u64));
            let for_no_reason = world.dice.one_in(world.faults.spurious_one_in);
            let soon = world.now() + world.dice.below(1_000_000_000);
            let until = if for_no_reason {
                Some(until.map_or(soon, |until| until.min(soon)))
            } else {
                until
            };
            world.spend(world.costs.park);
            world.counts.borrow_mut().parks += 1;
            world.hash(1);
            loop {
                token.sleeper.set(Some(world.thread()));
                let woken = world.block(Waits::Parker, until);
                if woken == Woken::Called {
                    break;
                }
                token.sleeper.set(None);
                // Who was woken for a signal sleeps on, unless the token has come meanwhile.
                if woken == Woken::InTime || token.given.load(Ordering::SeqCst) {
                    break;
                }
                world.spend(world.costs.park);
            }
        });
        assert!(parked.is_some(), "nobody wakes a thread that parks outside of a world");
        token.given.swap(false, Ordering::SeqCst);
    }
}

impl Unparker {
    /// Hands the token over.
    pub fn unpark(&self) {
        self.0.given.swap(true, Ordering::SeqCst);
        if let Some(sleeper) = self.0.sleeper.take() {
            let _ = with_world(|world| wake(world, sleeper));
        }
    }
}

/// The pause of a loop that looks again and again.
pub fn spin_loop() {
    let _ = with_world(|world| {
        world.spend(world.costs.pause);
        world.turn_about();
    });
}

/// Gives the processor to who waits for it.
pub fn yield_now() {
    let _ = with_world(World::yield_processor);
}
