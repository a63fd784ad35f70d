//! Pinning and steering, by the calls of Linux.

use super::thread::{Builder, JoinHandle};
// What ships, in the models too: nothing but the processors of a thread hangs on it.
use super::{Arc, AtomicBool, Mutex, OnceLock, Ordering};
use std::fmt;
use std::io;
use std::mem::{MaybeUninit, size_of};

type Set = libc::cpu_set_t;

/// How many processors this thread may use.
pub fn processors() -> usize {
    let count = allowed(0).map(|allowed| count(&allowed));
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
}

/// Keeps this thread on the `index`-th of the processors it may use, counted round and round.
pub fn pin(index: usize) {
    let Some(allowed) = allowed(0) else { return };
    let processors: Vec<usize> =
        (0..libc::CPU_SETSIZE as usize).filter(|cpu| contains(&allowed, *cpu)).collect();
    if let Some(&processor) = processors.get(index % processors.len().max(1)) {
        let mut one = empty();
        // SAFETY: the processor is below the size of the set.
        unsafe { libc::CPU_SET(processor, &mut one) };
        allow(0, &one);
    }
}

/// How wakers steer one thread.
pub struct Steering {
    thread: OnceLock<libc::pid_t>,
    /// Whether there may be something to undo.
    steered: AtomicBool,
    change: Mutex<Option<Change>>,
}

/// What somebody else did to a thread's processors.
struct Change {
    from: Set,
    to: Set,
}

impl Change {
    /// From these to all but the one that the calling thread runs on, if any are left.
    #[inline(never)]
    fn away_from_here(from: Set) -> Option<Change> {
        // SAFETY: no preconditions.
        let here = usize::try_from(unsafe { libc::sched_getcpu() }).ok()?;
        if !contains(&from, here) || count(&from) == 1 {
            return None;
        }
        let mut to = from;
        // SAFETY: the processor is in the set.
        unsafe { libc::CPU_CLR(here, &mut to) };
        Some(Change { from, to })
    }

    /// The thread itself: undoes it, unless somebody else has chosen its processors since.
    fn undo(self) {
        // SAFETY: the sets are initialised.
        if allowed(0).is_some_and(|now| unsafe { libc::CPU_EQUAL(&now, &self.to) }) {
            allow(0, &self.from);
        }
    }
}

/// Starts a thread on another processor than this one, if there is one. There it may use all that this one may.
pub fn spawn_away(builder: Builder, life: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    let change = Arc::new(Mutex::new(None::<Change>));
    let undone = Arc::clone(&change);
    // The thread waits for this, so whatever is done to it is undone before it does anything.
    let mut steered = change.lock();
    // Boxed, as in `thread::start`.
    let steered_life: Box<dyn FnOnce() + Send> = Box::new(move || {
        let change = undone.lock().take();
        change.into_iter().for_each(Change::undo);
        life();
    });
    let thread = builder.spawn(steered_life)?;
    *steered = allowed(0).and_then(Change::away_from_here);
    if let Some(change) = &*steered {
        allow_started(&thread, &change.to);
    }
    drop(steered);
    Ok(thread)
}

impl fmt::Debug for Steering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steering").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl Default for Steering {
    fn default() -> Steering {
        Steering::new()
    }
}

impl Steering {
    /// For a thread that is not known yet, and so is not steered.
    pub fn new() -> Steering {
        Steering {
            thread: OnceLock::new(),
            steered: AtomicBool::new(false),
            change: Mutex::new(None),
        }
    }

    /// The calling thread, one of the pool, is the one to steer from now on.
    pub fn bind_thread(&self) {
        // SAFETY: no preconditions.
        self.thread.get_or_init(|| unsafe { libc::gettid() });
    }

    /// Waker: the sleeper shall wake up on another processor than this one, if it may use one.
    pub fn steer_away(&self) {
        let Some(thread) = self.thread.get() else { return };
        let Some(new) = allowed(*thread).and_then(Change::away_from_here) else { return };
        // Held by the thread itself, which is awake then.
        let Some(mut change) = self.change.try_lock() else { return };
        // There is one where the thread woke up by itself after the last time, and has yet to undo that.
        if change.is_none() {
            allow(*thread, &new.to);
            *change = Some(new);
            // Ordering: Relaxed; the unpark that follows carries it. If the sleeper woke up by itself
            // meanwhile, it undoes this before it sleeps again.
            self.steered.store(true, Ordering::Relaxed);
        }
    }

    /// The thread itself: undoes what a waker did.
    pub fn undo(&self) {
        // Ordering: Relaxed; as above.
        if !self.steered.load(Ordering::Relaxed) {
            return;
        }
        // Held by a waker that steers at this moment, or did so when this process was forked off: undone later, then.
        let Some(mut change) = self.change.try_lock() else { return };
        self.steered.store(false, Ordering::Relaxed);
        change.take().into_iter().for_each(Change::undo);
    }
}

fn empty() -> Set {
    // SAFETY: a set is an array of integers.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// What a thread may use, 0 for the calling one.
#[inline(never)]
fn allowed(thread: libc::pid_t) -> Option<Set> {
    let mut set = empty();
    // SAFETY: the set is as large as said.
    let answer = unsafe { libc::sched_getaffinity(thread, size_of::<Set>(), &mut set) };
    (answer == 0).then_some(set)
}

/// Sets what a thread may use, 0 for the calling one. If that is refused, nothing is lost.
fn allow(thread: libc::pid_t, set: &Set) {
    // SAFETY: the set is as large as said.
    unsafe { libc::sched_setaffinity(thread, size_of::<Set>(), set) };
}

/// The same of a thread that was just started.
#[cfg(target_os = "linux")]
fn allow_started(thread: &JoinHandle<()>, set: &Set) {
    use std::os::unix::thread::JoinHandleExt;
    // SAFETY: the handle keeps the thread's identity alive, and the set is as large as said.
    unsafe { libc::pthread_setaffinity_np(thread.as_pthread_t(), size_of::<Set>(), set) };
}

/// Android has no such call.
#[cfg(not(target_os = "linux"))]
fn allow_started(_thread: &JoinHandle<()>, _set: &Set) {}

// Inlined, it is unrolled: 600 bytes.
#[inline(never)]
fn count(set: &Set) -> libc::c_int {
    // SAFETY: the set is initialised.
    unsafe { libc::CPU_COUNT(set) }
}

fn contains(set: &Set, processor: usize) -> bool {
    // SAFETY: asked only for processors below the size of the set.
    processor < libc::CPU_SETSIZE as usize && unsafe { libc::CPU_ISSET(processor, set) }
}

#[cfg(all(test, target_os = "linux", not(loom)))]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn processors(set: &Set) -> Vec<usize> {
        (0..libc::CPU_SETSIZE as usize).filter(|cpu| contains(set, *cpu)).collect()
    }

    #[test]
    fn a_started_thread_may_use_what_its_starter_may() {
        let (send, receive) = channel();
        let life = move || send.send(processors(&allowed(0).unwrap())).unwrap();
        let thread = spawn_away(Builder::new(), Box::new(life)).unwrap();
        assert_eq!(receive.recv().unwrap(), processors(&allowed(0).unwrap()));
        thread.join().unwrap();
    }

    #[test]
    fn a_change_takes_one_processor_away_and_is_undone_unless_somebody_chose_others() {
        let Some(change) = Change::away_from_here(allowed(0).unwrap()) else { return };
        let (all, fewer) = (processors(&change.from), processors(&change.to));
        assert_eq!(fewer.len(), all.len() - 1);
        let ((go, wait), (send, receive)) = (channel(), channel());
        let thread = Builder::new()
            .spawn(move || {
                let there = || processors(&allowed(0).unwrap());
                let Change { from, to } = wait.recv().unwrap();
                let before = there();
                Change { from: to, to: from }.undo();
                let kept = there();
                Change { from, to }.undo();
                send.send([before, kept, there()]).unwrap();
            })
            .unwrap();
        allow_started(&thread, &change.to);
        go.send(change).unwrap();
        assert_eq!(receive.recv().unwrap(), [fewer.clone(), fewer, all]);
        thread.join().unwrap();
    }
}
