//! (b) How soon a parked pool gives one half of a join to another worker.
//!
//! Which half that is differs: lyocell and rayon offer the second, chili runs the second first. So the
//! half that starts later counts.
//!
//! Where the CPUs share no cache that the kernel knows of (some virtual machines), Linux wakes a thread
//! that slept long on the CPU of the thread that woke it, where it waits although another CPU is idle:
//! there most samples are as long as the spin, whatever the pool does, unless it moves its threads.

use std::sync::OnceLock;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use super::unpark::bare_unpark;
use super::{Entry, Failure, Finding, Measure, Subject, Unit, median, p50_and_p99};

pub(super) const MEASURE: Measure = Measure {
    name: "wake",
    summary: "(b) a pool parked for 20 ms gets a join of two spins of 200 us: when the later starts",
    take,
};

const SAMPLES: usize = 200;

/// Of the floor, one after every other of those.
const UNPARKS: usize = SAMPLES / 2;

pub(super) const PARKING_TIME: Duration = Duration::from_millis(20);

pub(super) const SPIN: Duration = Duration::from_micros(200);

fn take(entry: &Entry, workers: usize) -> Result<Vec<Finding>, Failure> {
    let subject = (entry.start)(workers)?;
    let (mut wakes, mut unparks) = (Vec::new(), Vec::new());
    for _ in 0..UNPARKS {
        wakes.extend((0..SAMPLES / UNPARKS).map(|_| wake(&*subject)));
        unparks.push(bare_unpark().as_secs_f64());
    }
    let mut delays: Vec<f64> = wakes.iter().map(|wake| wake.delay.as_secs_f64()).collect();
    let elsewhere = wakes.iter().filter(|wake| wake.place == Place::OtherWorker).count();
    let (delay, floor) = (median(&mut delays), median(&mut unparks));
    let mut findings = Vec::from(p50_and_p99(&mut delays));
    findings.extend([
        Finding::new("on another worker", elsewhere as f64 / SAMPLES as f64, Unit::Ratio),
        Finding::new("p50 of a bare unpark", floor, Unit::Seconds),
        Finding::new("p50 over a bare unpark", delay / floor, Unit::Ratio),
    ]);
    Ok(findings)
}

/// What became of a join of two spins.
struct Wake {
    /// From before the pool was entered to the start of whichever spin starts later, wherever that
    /// is: on the other one's worker it is late, and that counts.
    delay: Duration,
    place: Place,
}

#[derive(PartialEq, Eq)]
enum Place {
    OtherWorker,
    SameWorker,
}

fn wake(subject: &dyn Subject) -> Wake {
    let (a, b) = (OnceLock::new(), OnceLock::new());
    thread::sleep(PARKING_TIME);
    let start = Instant::now();
    subject.join(&|| spin(&a), &|| spin(&b));
    let (a, b): (Option<Arrival>, Option<Arrival>) = (a.into_inner(), b.into_inner());
    let (a, b) = a.zip(b).expect("a join runs both sides");
    let place = if a.thread == b.thread { Place::SameWorker } else { Place::OtherWorker };
    Wake { delay: a.time.max(b.time) - start, place }
}

/// When and where a spin started.
#[derive(Debug)]
struct Arrival {
    time: Instant,
    thread: ThreadId,
}

fn spin(arrival: &OnceLock<Arrival>) {
    let time = Instant::now();
    arrival.set(Arrival { time, thread: thread::current().id() }).expect("a side runs once");
    while time.elapsed() < SPIN {
        std::hint::spin_loop();
    }
}
