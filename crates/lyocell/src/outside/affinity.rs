//! Which processors a thread may use: pinning, and steering a woken worker away from its waker.
//!
//! A kernel that does not know of a cache two processors share (many virtual machines) puts a thread that
//! slept long on the processor of the thread that woke it. There it waits behind its very waker, while
//! another processor idles: the wake-up is lost for a whole time slice. So the waker takes its own processor,
//! which is busy for certain, out of the sleeper's set, and the sleeper puts it back when it runs, unless somebody
//! has chosen other processors for it since. Both look first what the set is. That is four system calls a wake-up,
//! which itself takes many times as long.
//!
//! Only threads of the pool are steered, never a caller's, and none where the pool is built without. Where there is
//! no such call, or it is refused, nothing happens.

pub(crate) use system::{Steering, pin};

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
mod system {
    use crate::sync::{AtomicBool, Ordering};
    use std::mem::{MaybeUninit, size_of};
    use std::sync::{Mutex, OnceLock};

    type Set = libc::cpu_set_t;

    /// Keeps this thread on the `index`-th of the processors it may use, counted round and round.
    pub(crate) fn pin(index: usize) {
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
    pub(crate) struct Steering {
        thread: OnceLock<libc::pid_t>,
        /// Whether there may be something to undo.
        steered: AtomicBool,
        // Not loom's: nothing but the processors of a thread hangs on it.
        change: Mutex<Option<Change>>,
    }

    /// What a waker did to the thread's processors.
    struct Change {
        from: Set,
        to: Set,
    }

    impl Steering {
        pub(crate) fn new() -> Steering {
            Steering {
                thread: OnceLock::new(),
                steered: AtomicBool::new(false),
                change: Mutex::new(None),
            }
        }

        /// The calling thread, one of the pool, is the one to steer from now on.
        pub(crate) fn bind_thread(&self) {
            // SAFETY: no preconditions.
            self.thread.get_or_init(|| unsafe { libc::gettid() });
        }

        /// Waker: the sleeper shall wake up on another processor than this one, if it may use one.
        pub(crate) fn steer_away(&self) {
            let Some(thread) = self.thread.get() else { return };
            // SAFETY: no preconditions.
            let Ok(here) = usize::try_from(unsafe { libc::sched_getcpu() }) else { return };
            let Some(from) = allowed(*thread) else { return };
            // SAFETY: the set is initialised.
            if !contains(&from, here) || unsafe { libc::CPU_COUNT(&from) } == 1 {
                return;
            }
            let mut to = from;
            // SAFETY: the processor is in the set.
            unsafe { libc::CPU_CLR(here, &mut to) };
            // Held by the thread itself, which is awake then.
            let Ok(mut change) = self.change.try_lock() else { return };
            // There is one where the thread woke up by itself after the last time, and has yet to undo that.
            if change.is_none() {
                allow(*thread, &to);
                *change = Some(Change { from, to });
                // Ordering: Relaxed; the unpark that follows carries it. If the sleeper woke up by itself
                // meanwhile, it undoes this before it sleeps again.
                self.steered.store(true, Ordering::Relaxed);
            }
        }

        /// The thread itself: undoes it, unless somebody else has chosen its processors since.
        pub(crate) fn undo(&self) {
            // Ordering: Relaxed; as above.
            if !self.steered.load(Ordering::Relaxed) {
                return;
            }
            // Held by a waker that steers at this moment, or did so when this process was forked off: undone later, then.
            let Ok(mut change) = self.change.try_lock() else { return };
            self.steered.store(false, Ordering::Relaxed);
            let Some(Change { from, to }) = change.take() else { return };
            // SAFETY: the sets are initialised.
            if allowed(0).is_some_and(|now| unsafe { libc::CPU_EQUAL(&now, &to) }) {
                allow(0, &from);
            }
        }
    }

    fn empty() -> Set {
        // SAFETY: a set is an array of integers.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }

    /// What a thread may use, 0 for the calling one.
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

    fn contains(set: &Set, processor: usize) -> bool {
        // SAFETY: asked only for processors below the size of the set.
        processor < libc::CPU_SETSIZE as usize && unsafe { libc::CPU_ISSET(processor, set) }
    }
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
mod system {
    pub(crate) fn pin(_index: usize) {}

    pub(crate) struct Steering;

    impl Steering {
        pub(crate) fn new() -> Steering {
            Steering
        }

        pub(crate) fn bind_thread(&self) {}

        pub(crate) fn steer_away(&self) {}

        pub(crate) fn undo(&self) {}
    }
}
