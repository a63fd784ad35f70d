//! The pools that are measured.

use std::hint::black_box;
use std::num::NonZero;

use lyocell::{Exposing, NoProbe, Pool, Split};

use super::coarse::Coarse;
use crate::STACK_BYTES;
use lyocell_workloads::StartError;

/// A pool that is measured.
pub(super) trait Subject: Sync {
    /// Enters the pool and leaves it.
    fn run_empty(&self);

    /// Enters the pool and runs both, in parallel if it can.
    fn join(&self, a: &(dyn Fn() + Sync), b: &(dyn Fn() + Sync));

    /// Enters the pool once and joins nothing with nothing, `count` times.
    fn join_empty(&self, count: usize);

    /// The programs of coarse and fine work, where it has loops.
    fn coarse(&self) -> Option<&dyn Coarse> {
        None
    }
}

/// An entry of the registry.
pub struct Entry {
    /// As the command line has it.
    pub name: &'static str,
    pub(super) start: fn(usize) -> Result<Box<dyn Subject>, StartError>,
    /// Of the runtime: what differs.
    pub(super) exposing: Option<Exposing>,
}

/// Every subject, in the order they are measured and shown. Lace is not among them: its pool cannot
/// be parked.
pub static SUBJECTS: [Entry; 4] = [
    Entry {
        name: "lyocell",
        start: |workers| start_lyocell(workers, Exposing::Allowed),
        exposing: Some(Exposing::Allowed),
    },
    Entry {
        name: "lyocell:exposing-off",
        start: |workers| start_lyocell(workers, Exposing::Off),
        exposing: Some(Exposing::Off),
    },
    Entry { name: "rayon", start: start_rayon, exposing: None },
    Entry { name: "chili", start: start_chili, exposing: None },
];

fn start_lyocell(workers: usize, exposing: Exposing) -> Result<Box<dyn Subject>, StartError> {
    match Pool::<Split, NoProbe>::builder().workers(workers).exposing(exposing).build() {
        Ok(pool) => Ok(Box::new(pool)),
        Err(error) => Err(StartError { engine: "lyocell", workers, cause: error.to_string() }),
    }
}

impl Subject for Pool<Split, NoProbe> {
    fn run_empty(&self) {
        self.run(|_| black_box(()));
    }

    fn join(&self, a: &(dyn Fn() + Sync), b: &(dyn Fn() + Sync)) {
        self.run(|worker| worker.join(|_| a(), |_| b()));
    }

    fn join_empty(&self, count: usize) {
        self.run(|worker| {
            for _ in 0..count {
                worker.join(|_| black_box(()), |_| black_box(()));
            }
        });
    }

    fn coarse(&self) -> Option<&dyn Coarse> {
        Some(self)
    }
}

fn start_rayon(workers: usize) -> Result<Box<dyn Subject>, StartError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(workers).stack_size(STACK_BYTES);
    match builder.build() {
        Ok(pool) => Ok(Box::new(pool)),
        Err(error) => Err(StartError { engine: "rayon", workers, cause: error.to_string() }),
    }
}

impl Subject for rayon::ThreadPool {
    fn run_empty(&self) {
        self.install(|| black_box(()));
    }

    fn join(&self, a: &(dyn Fn() + Sync), b: &(dyn Fn() + Sync)) {
        self.install(|| rayon::join(a, b));
    }

    fn join_empty(&self, count: usize) {
        self.install(|| {
            for _ in 0..count {
                rayon::join(|| black_box(()), || black_box(()));
            }
        });
    }

    fn coarse(&self) -> Option<&dyn Coarse> {
        Some(self)
    }
}

fn start_chili(workers: usize) -> Result<Box<dyn Subject>, StartError> {
    let thread_count = NonZero::new(workers);
    let config = chili::Config { thread_count, ..chili::Config::default() };
    Ok(Box::new(chili::ThreadPool::with_config(config)))
}

impl Subject for chili::ThreadPool {
    fn run_empty(&self) {
        black_box(self.scope());
    }

    fn join(&self, a: &(dyn Fn() + Sync), b: &(dyn Fn() + Sync)) {
        self.scope().join(|_| a(), |_| b());
    }

    fn join_empty(&self, count: usize) {
        let mut scope = self.scope();
        for _ in 0..count {
            scope.join(|_| black_box(()), |_| black_box(()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_subject_runs_both_sides_once() {
        for entry in &SUBJECTS {
            let subject = (entry.start)(2).unwrap();
            let (a, b) = (AtomicUsize::new(0), AtomicUsize::new(0));
            // Ordering: Relaxed; `join` returns after both sides, on this thread.
            let count = |counter: &AtomicUsize| counter.fetch_add(1, Ordering::Relaxed);
            let (count_a, count_b) = (|| _ = count(&a), || _ = count(&b));
            for _ in 0..10 {
                subject.join(&count_a, &count_b);
            }
            subject.run_empty();
            subject.join_empty(10);
            assert_eq!((a.into_inner(), b.into_inner()), (10, 10), "{}", entry.name);
        }
    }
}
