//! The heartbeat: a thread that has every worker read the clock every two milliseconds.
//!
//! Where tasks are short the clock is read seldom. If then a long one comes, its time would be booked on whatever runs when
//! the clock is read next. With the heartbeat that is the next fork or join, and what may be booked wrongly is two milliseconds.
//!
//! The thread sleeps while nothing begins on any worker.

use crate::ledger::DUE;
use crate::profile::Hot;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

const BEAT: Duration = Duration::from_millis(2);
/// So many beats after the last task has begun the heart stops.
const REST: u32 = 50;

/// Those that are woken, and whether the thread has been started.
static WATCHED: Mutex<Watched> = Mutex::new(Watched { workers: Vec::new(), started: false });
static BEGUN: Condvar = Condvar::new();
/// Whether the thread sleeps until something begins.
static RESTS: AtomicBool = AtomicBool::new(false);
/// Whether something has begun since the last beat.
static ACTIVE: AtomicBool = AtomicBool::new(false);

struct Watched {
    workers: Vec<Weak<Hot>>,
    started: bool,
}

/// From now on this worker reads the clock at each beat.
pub(crate) fn watch(worker: &Arc<Hot>) {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.workers.retain(|other| other.strong_count() > 0);
    watched.workers.push(Arc::downgrade(worker));
    if !watched.started {
        // Without a thread the clock is read as often as the sites say.
        let named = thread::Builder::new().name("lyocell-beat".to_owned());
        watched.started = named.spawn(beat).is_ok();
    }
}

/// Something begins on a worker.
#[inline]
pub(crate) fn wake() {
    // Ordering: Relaxed; if it was cleared meanwhile, the next task that begins sets it.
    if !ACTIVE.load(Ordering::Relaxed) {
        // Ordering: SeqCst, as in `beat`: either this sees that the heart rests, or the heart that something has begun.
        ACTIVE.store(true, Ordering::SeqCst);
        if RESTS.load(Ordering::SeqCst) {
            let _watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
            BEGUN.notify_all();
        }
    }
}

fn beat() {
    let mut quiet = 0;
    loop {
        let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
        let running =
            watched.workers.iter().filter_map(Weak::upgrade).fold(false, |any, worker| {
                worker.ledger.top.flag(DUE);
                any || worker.is_working()
            });
        let active = ACTIVE.swap(false, Ordering::SeqCst) || running;
        quiet = if active { 0 } else { quiet + 1 };
        if quiet < REST {
            drop(watched);
            thread::sleep(BEAT);
            continue;
        }
        RESTS.store(true, Ordering::SeqCst);
        let _slept = BEGUN.wait_while(watched, |_| !ACTIVE.load(Ordering::SeqCst));
        RESTS.store(false, Ordering::SeqCst);
        quiet = 0;
    }
}
