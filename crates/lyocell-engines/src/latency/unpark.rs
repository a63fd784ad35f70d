//! What the machine needs to wake a thread: the floor of every wake-up.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::wake::{PARKING_TIME, SPIN};

/// How long it takes from before `unpark` until the thread that was parked for [`PARKING_TIME`] runs. Who wakes it keeps
/// its processor for [`SPIN`], as the first half of a join does.
pub(super) fn bare_unpark() -> Duration {
    let (called, arrival) = (AtomicBool::new(false), OnceLock::new());
    thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            // Ordering: Acquire; meets the Release store below, for a park may end for no reason.
            while !called.load(Ordering::Acquire) {
                thread::park();
            }
            arrival.set(Instant::now()).expect("one thread arrives, once");
        });
        thread::sleep(PARKING_TIME);
        let start = Instant::now();
        // Ordering: Release; meets the Acquire load of the sleeper.
        called.store(true, Ordering::Release);
        sleeper.thread().unpark();
        while start.elapsed() < SPIN {
            std::hint::spin_loop();
        }
        sleeper.join().expect("the sleeper only arrives");
        *arrival.get().expect("the sleeper is over") - start
    })
}
