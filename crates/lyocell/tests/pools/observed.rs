//! Observers are safe code that is called in the middle of the runtime's own: whatever they do, every task runs
//! once and every result is right.

use lyocell::probe::{Event, Observe, Phase};
use lyocell::{Builder, Deque, Observed, Pool, Probe, Worker};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

on_each_kind_of_deque! { here:
    an_observer_that_panics_at_any_call_harms_nothing,
    an_observer_that_enters_pools_harms_nothing,
}

thread_local! {
    /// How many calls of an observer on this thread are still let through.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts down, and tells when it is over, once.
fn is_due() -> bool {
    LEFT.set(LEFT.get().wrapping_sub(1));
    LEFT.get() == 0
}

/// Panics at one call, with something whose destructor panics too.
#[derive(Default)]
struct Bomb;

struct Shard;

impl Drop for Shard {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("a shard"));
    }
}

impl Bomb {
    fn tick(&self) {
        if is_due() {
            std::panic::resume_unwind(Box::new(Shard));
        }
    }
}

impl Observe for Bomb {
    fn happened(&self, _event: Event) {
        self.tick();
    }

    fn spawned(&self, _depth: usize) {
        self.tick();
    }

    fn entered(&self, _phase: Phase) {
        self.tick();
    }
}

const LEAVES: usize = if cfg!(miri) { 20 } else { 500 };

/// Forks whose `b` borrows from the frame, so that a task left behind would read what is gone.
fn sum<D: Deque, P: Probe>(w: &Worker<D, P>, numbers: &[usize]) -> usize {
    if let [number] = numbers {
        return *number;
    }
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let kept = left.len();
    let (a, (b, seen)) = w.join(|w| sum(w, left), |w| (sum(w, right), kept));
    assert_eq!(seen, left.len());
    a + b
}

fn use_pool<D: Deque, P: Probe>(pool: &Pool<D, P>) {
    let numbers: Vec<usize> = (0..LEAVES).collect();
    let expected: usize = numbers.iter().sum();
    assert_eq!(pool.run(|w| sum(w, &numbers)), expected);
    assert_eq!(pool.run(|w| w.join_range(0..LEAVES, 0, |_, i| i, |a, b| a + b)), expected);
    assert_eq!(pool.run(|w| w.map_reduce(0..LEAVES, |i| i, || 0, |a, b| a + b)), expected);
    let spawned = AtomicUsize::new(0);
    pool.scope(|s| {
        for i in 0..20 {
            let spawned = &spawned;
            s.spawn(move |_| {
                spawned.fetch_add(i, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(spawned.into_inner(), 190);
}

fn an_observer_that_panics_at_any_call_harms_nothing<D: Deque>(builder: impl Fn() -> Builder<D>) {
    let calls = if cfg!(miri) { 1..4 } else { 1..40 };
    for call in calls {
        // The threads begin with the number as well.
        let builder = builder().workers(3).deque_capacity(64).on_start(move |_| LEFT.set(call));
        let pool = builder.probe::<Observed<Bomb>>().build().unwrap();
        LEFT.set(call);
        use_pool(&pool);
        LEFT.set(usize::MAX);
        assert!(pool.probes().any(|probe| probe.has_panicked()), "call {call} was not reached");
        use_pool(&pool);
    }
}

/// Enters pools of every kind at one call.
#[derive(Default)]
struct Intruder;

/// A pool beside the one under test.
static OTHER: OnceLock<Pool> = OnceLock::new();

impl Observe for Intruder {
    fn spawned(&self, _depth: usize) {
        self.happened(Event::Spawn);
    }

    fn happened(&self, _event: Event) {
        if is_due() {
            let other = OTHER.get().unwrap();
            // It is only queued.
            other.spawn_detached(|_| ());
            let intrusions: [fn(&Pool); 4] = [
                |other| assert_eq!(other.run(|w| w.join(|_| 1, |_| 2)), (1, 2)),
                |other| other.scope(|s| s.spawn(|_| ())),
                |_| assert_eq!(lyocell::join(|| 1, || 2), (1, 2)),
                |_| lyocell::scope(|s| s.spawn(|_| ())),
            ];
            for intrusion in intrusions {
                let refused = std::panic::catch_unwind(|| intrusion(other)).unwrap_err();
                let message = refused.downcast_ref::<&str>().unwrap();
                assert!(message.contains("an observer ran something on a pool"), "{message}");
                REFUSED.fetch_add(1, Ordering::Relaxed);
            }
            OTHER.get().unwrap().run(|_| ());
        }
    }
}

/// How often an observer was refused.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

fn an_observer_that_enters_pools_harms_nothing<D: Deque>(builder: impl Fn() -> Builder<D>) {
    OTHER.get_or_init(|| Pool::builder().workers(1).build().unwrap());
    let calls = if cfg!(miri) { 1..2 } else { 1..20 };
    for call in calls {
        let before = REFUSED.load(Ordering::Relaxed);
        let builder = builder().workers(2).deque_capacity(64).on_start(move |_| LEFT.set(call));
        let pool = builder.probe::<Observed<Intruder>>().build().unwrap();
        LEFT.set(call);
        use_pool(&pool);
        LEFT.set(usize::MAX);
        assert!(REFUSED.load(Ordering::Relaxed) > before);
        assert!(pool.probes().any(|probe| probe.has_panicked()), "call {call} was not reached");
        use_pool(&pool);
    }
}

#[test]
fn an_observer_hears_of_what_happens() {
    #[derive(Default)]
    struct Heard {
        spawns: AtomicUsize,
        deepest: AtomicUsize,
        applications: AtomicUsize,
    }
    impl Observe for Heard {
        fn happened(&self, event: Event) {
            assert_ne!(event, Event::Spawn);
        }

        fn spawned(&self, depth: usize) {
            self.spawns.fetch_add(1, Ordering::Relaxed);
            self.deepest.fetch_max(depth, Ordering::Relaxed);
        }

        fn entered(&self, phase: Phase) {
            self.applications
                .fetch_add(usize::from(phase == Phase::Application), Ordering::Relaxed);
        }
    }
    let pool = Pool::builder().workers(1).probe::<Observed<Heard>>().build().unwrap();
    pool.run(|w| w.join(|w| w.join(|_| (), |_| ()), |_| ()));
    let probe = pool.probes().next().unwrap();
    assert!(!probe.has_panicked());
    let heard = probe.observer();
    assert_eq!(heard.spawns.load(Ordering::Relaxed), 2);
    assert_eq!(heard.deepest.load(Ordering::Relaxed), 2);
    assert_eq!(heard.applications.load(Ordering::Relaxed), 1);
}
