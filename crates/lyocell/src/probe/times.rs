//! Timing phases.

use super::{Phase, Probe};
use lyocell_sync::Instant;
use lyocell_sync::unmodelled::{AtomicUsize, Mutex, Ordering};
use std::time::Duration;

/// A probe that splits a worker's time into [`Phase`]s.
///
/// Costs two readings of the clock for each stolen task and each wait, nothing for a spawn.
///
/// Times are of the clock on the wall, worker by worker, as the papers' are of the cycle counter: with a processor
/// for each worker they add up to the processor time that the run occupies, sleeping included. With fewer
/// processors, waiting for one counts as part of the phase that it interrupts.
#[derive(Debug, Default)]
pub struct Times {
    now: AtomicUsize,
    clock: Mutex<Clock>,
}

#[derive(Debug, Default)]
struct Clock {
    since: Option<Instant>,
    /// Up to the end of the last stretch of application.
    spent: [Duration; Phase::ALL.len()],
    /// Since then: it may turn out to be start or stop.
    lately: [Duration; Phase::ALL.len()],
    worked: Worked,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Worked {
    #[default]
    NotYet,
    Before,
}

/// How a worker spent its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent([Duration; Phase::ALL.len()]);

impl Spent {
    /// Returns the time in this phase.
    pub fn on(&self, phase: Phase) -> Duration {
        self.0[phase as usize]
    }

    /// Returns the time in all phases together.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// Adds two workers' times, phase by phase.
    #[must_use]
    pub fn merge(&self, other: &Spent) -> Spent {
        Spent(std::array::from_fn(|phase| self.0[phase] + other.0[phase]))
    }
}

impl Times {
    /// Returns how the time was spent so far. The time after the last task counts as start/stop, but not that of a task which is not over.
    pub fn spent(&self) -> Spent {
        let mut clock = self.clock.lock();
        let phase = self.phase();
        clock.tick(phase);
        if is_work(phase) {
            clock.close_stretch();
        }
        let mut spent = Spent(clock.spent);
        spent.0[Phase::StartStop as usize] += clock.lately.iter().sum::<Duration>();
        spent
    }

    /// Starts again from zero, as a worker that has not worked yet. Call it when the workers have nothing to
    /// do.
    pub fn reset(&self) {
        let mut clock = self.clock.lock();
        // It may have yet to tell that its last task is over.
        let worked = if is_work(self.phase()) { Worked::Before } else { Worked::NotYet };
        *clock = Clock { since: Some(Instant::now()), worked, ..Clock::default() };
    }

    fn phase(&self) -> Phase {
        // Ordering: Relaxed; written under the lock or by the worker itself, which reads it.
        Phase::ALL[self.now.load(Ordering::Relaxed)]
    }
}

impl Clock {
    /// The time since the last tick was spent in this phase.
    fn tick(&mut self, phase: Phase) {
        let now = Instant::now();
        if let Some(since) = self.since.replace(now) {
            self.lately[phase as usize] += now - since;
        }
    }

    /// Ends a stretch of time in which the worker either worked or did not, and files it under its phases.
    fn close_stretch(&mut self) {
        for (phase, lately) in self.lately.iter_mut().enumerate() {
            let phase = match self.worked {
                Worked::NotYet => Phase::StartStop as usize,
                Worked::Before => phase,
            };
            self.spent[phase] += std::mem::take(lately);
        }
    }
}

fn is_work(phase: Phase) -> bool {
    matches!(phase, Phase::Application | Phase::LeapApplication)
}

// SAFETY: the method takes a lock that nobody panics under, reads the clock, and adds durations up, which overflow
// after more time than there is.
unsafe impl Probe for Times {
    type Fork = ();
    type Group = ();
    type Start = ();

    fn enter(&self, phase: Phase) -> Phase {
        // The lock is free but for the moment when somebody reads the times.
        let mut clock = self.clock.lock();
        let before = self.phase();
        clock.tick(before);
        if is_work(before) || is_work(phase) {
            clock.close_stretch();
        }
        if is_work(phase) {
            clock.worked = Worked::Before;
        }
        self.now.store(phase as usize, Ordering::Relaxed);
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_numbered_as_listed() {
        for (number, phase) in Phase::ALL.iter().copied().enumerate() {
            assert_eq!(phase as usize, number);
        }
    }

    #[test]
    fn what_is_before_and_after_work_is_start_and_stop() {
        let pause = || std::thread::sleep(Duration::from_millis(2));
        let times = Times::default();
        for phase in [Phase::Stealing, Phase::Application, Phase::Leaping, Phase::Application] {
            times.enter(phase);
            pause();
        }
        times.enter(Phase::Idle);
        pause();
        let spent = times.spent();
        for phase in [Phase::Stealing, Phase::Idle, Phase::LeapApplication] {
            assert_eq!(spent.on(phase), Duration::ZERO, "{phase:?}");
        }
        for phase in [Phase::StartStop, Phase::Application] {
            assert!(spent.on(phase) >= Duration::from_millis(4), "{phase:?}");
        }
        assert!(spent.on(Phase::Leaping) >= Duration::from_millis(2));
    }

    #[test]
    fn a_task_that_is_not_over_counts_as_work() {
        let pause = || std::thread::sleep(Duration::from_millis(2));
        let times = Times::default();
        times.enter(Phase::Application);
        pause();
        assert!(times.spent().on(Phase::Application) >= Duration::from_millis(2));
        times.reset();
        pause();
        let spent = times.spent();
        assert!(spent.on(Phase::Application) >= Duration::from_millis(2));
        assert_eq!(spent.on(Phase::StartStop), Duration::ZERO);
    }
}
