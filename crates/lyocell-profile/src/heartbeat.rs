//! The heartbeat: a thread that has every worker read the clock every two milliseconds.
//!
//! Where tasks are short the clock is read seldom. If then a long one comes, its time would be booked on whatever runs when
//! the clock is read next. With the heartbeat that is the next fork or join, and what may be booked wrongly is two milliseconds.
//!
//! The thread sleeps while nothing begins on any worker. In the child of a fork there is no such thread, and its lock is as it was
//! left: the first pool that the child builds gets a heart of its own, and the one from before is touched no more.

use crate::ledger::DUE;
use crate::per_process::PerProcess;
use crate::profile::Hot;
use lyocell::probe::Generation;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

const BEAT: Duration = Duration::from_millis(2);
/// So many beats after the last task has begun the heart stops.
const REST: u32 = 50;
/// It sets flags, and frees the last of what a worker has left.
const STACK_BYTES: usize = 128 << 10;

static HEART: PerProcess<Heart> = PerProcess::new();

/// What the thread of a process shares with the workers.
#[derive(Debug)]
pub(crate) struct Heart {
    generation: Generation,
    watched: Mutex<Watched>,
    begun: Condvar,
    /// Whether the thread sleeps until something begins.
    rests: AtomicBool,
    /// Whether something has begun since the last beat.
    active: AtomicBool,
}

/// Those that are woken, and whether the thread has been started.
#[derive(Debug, Default)]
struct Watched {
    workers: Vec<Weak<Hot>>,
    started: bool,
}

/// From now on this worker reads the clock at each beat.
///
/// # Errors
/// The thread cannot be started.
pub(crate) fn watch(worker: &Arc<Hot>) -> io::Result<&'static Heart> {
    let heart = HEART.get(|_| Heart::new());
    let mut watched = heart.watched.lock().unwrap_or_else(PoisonError::into_inner);
    if !watched.started {
        let named = thread::Builder::new().name("lyocell-beat".to_owned()).stack_size(STACK_BYTES);
        named.spawn(|| heart.beat())?;
        watched.started = true;
    }
    watched.workers.retain(|other| other.strong_count() > 0);
    watched.workers.push(Arc::downgrade(worker));
    Ok(heart)
}

impl Heart {
    fn new() -> Heart {
        Heart {
            generation: Generation::now(),
            watched: Mutex::default(),
            begun: Condvar::new(),
            rests: AtomicBool::new(false),
            active: AtomicBool::new(false),
        }
    }

    /// Something begins on a worker.
    #[inline]
    pub(crate) fn wake(&self) {
        // Ordering: Relaxed; if it was cleared meanwhile, the next task that begins sets it.
        if !self.active.load(Ordering::Relaxed) && !self.generation.is_past() {
            // Ordering: SeqCst, as in `beat`: either this sees that the heart rests, or the heart that something has begun.
            self.active.store(true, Ordering::SeqCst);
            if self.rests.load(Ordering::SeqCst) {
                let _watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
                self.begun.notify_all();
            }
        }
    }

    fn beat(&self) {
        let mut quiet = 0;
        loop {
            let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
            let running =
                watched.workers.iter().filter_map(Weak::upgrade).fold(false, |any, worker| {
                    worker.ledger.top.flag(DUE);
                    any || worker.is_working()
                });
            let active = self.active.swap(false, Ordering::SeqCst) || running;
            quiet = if active { 0 } else { quiet + 1 };
            if quiet < REST {
                drop(watched);
                thread::sleep(BEAT);
                continue;
            }
            self.rests.store(true, Ordering::SeqCst);
            let _slept = self.begun.wait_while(watched, |_| !self.active.load(Ordering::SeqCst));
            self.rests.store(false, Ordering::SeqCst);
            quiet = 0;
        }
    }
}
