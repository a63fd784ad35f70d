//! How long a worker was without a processor in its tasks: because a task waited for something, or because somebody else
//! had it.
//!
//! From one look at the thread's processor time to the next there is a [`Stretch`]. What of it is neither processor time nor
//! sleep for want of work was lost. Only the part of it that was in tasks counts: who looks for a task and yields meanwhile
//! loses nothing. A thread that blocks gives its processor up of its own will, and the system counts that; one that did not
//! is kept from running by others, be they threads of this system or, unseen by it, of the host.

use crate::clock::passed;
use crate::usage::{Usage, of_this_thread};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// Looks at the thread's processor time now and then.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    mark: Option<Mark>,
    /// Since the mark.
    slept: Span,
    away: Span,
    sleeps: u64,
}

#[derive(Debug)]
struct Mark {
    thread: ThreadId,
    at: Instant,
    ticks: u64,
    usage: Usage,
}

/// How long something has gone on, with breaks.
#[derive(Debug, Default)]
struct Span {
    sum: Duration,
    since: Option<Instant>,
}

impl Span {
    /// It goes on, or does not, from now on.
    fn set(&mut self, now: Instant, goes_on: bool) {
        if let Some(since) = self.since.take() {
            self.sum += now - since;
        }
        self.since = goes_on.then_some(now);
    }

    /// The sum up to now, from which on it is counted anew.
    fn take(&mut self, now: Instant) -> Duration {
        self.set(now, self.since.is_some());
        std::mem::take(&mut self.sum)
    }
}

/// Time without a processor, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lost {
    /// The thread could not run.
    pub(crate) blocked: u64,
    /// It could, and somebody else did.
    pub(crate) crowded: u64,
}

/// To look costs about two microseconds.
const SELDOM: Duration = Duration::from_micros(200);

impl Processor {
    /// The worker goes to sleep for want of work, or wakes up.
    pub(crate) fn sleeps(&mut self, sleeps: bool) {
        self.slept.set(Instant::now(), sleeps);
        self.sleeps += u64::from(sleeps);
    }

    /// The worker leaves its tasks to look for others, or comes back.
    pub(crate) fn works(&mut self, works: bool) {
        self.away.set(Instant::now(), !works);
    }

    /// What was lost since the last time, if that is long ago.
    pub(crate) fn settle(&mut self, ticks: u64) -> Option<Lost> {
        let at = Instant::now();
        let thread = std::thread::current().id();
        let before = self.mark.take_if(|mark| mark.thread != thread || at - mark.at >= SELDOM);
        if self.mark.is_some() {
            return None;
        }
        let usage = of_this_thread()?;
        let (slept, away) = (self.slept.take(at), self.away.take(at));
        let sleeps = std::mem::take(&mut self.sleeps);
        let lost = before.filter(|mark| mark.thread == thread).map(|mark| {
            let wall = at - mark.at;
            let stretch = Stretch { wall, slept, away, sleeps, usage: usage - mark.usage };
            let per_second = passed(mark.ticks, ticks) as f64 / wall.as_secs_f64();
            let in_ticks = |time: Duration| (time.as_secs_f64() * per_second) as u64;
            let (blocked, crowded) = stretch.lost();
            Lost { blocked: in_ticks(blocked), crowded: in_ticks(crowded) }
        });
        self.mark = Some(Mark { thread, at, ticks, usage });
        lost
    }
}

/// From one look to the next.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// On the clock on the wall.
    wall: Duration,
    /// For want of work.
    slept: Duration,
    /// In no task, the sleep included.
    away: Duration,
    /// How often it went to sleep for want of work.
    sleeps: u64,
    usage: Usage,
}

impl Stretch {
    /// What was lost in tasks: because the thread could not run, and because others did. Together at most the time in
    /// tasks.
    fn lost(&self) -> (Duration, Duration) {
        let Stretch { wall, slept, away, sleeps, usage } = *self;
        let awake = wall.saturating_sub(slept);
        let in_tasks = wall.saturating_sub(away);
        let used = Duration::from_nanos(usage.cpu);
        let lost = awake.saturating_sub(used);
        if lost.is_zero() || in_tasks.is_zero() {
            return Default::default();
        }
        // A look is taken at each change after a long time, so that a long loss is hardly ever shared.
        let lost = lost.mul_f64((in_tasks.as_secs_f64() / awake.as_secs_f64()).min(1.0));
        let blocked_once = usage.blockings.is_none_or(|blockings| blockings > sleeps);
        let crowded =
            if blocked_once { lost.min(Duration::from_nanos(usage.waited)) } else { lost };
        (lost - crowded, crowded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// In milliseconds: what was lost by blocking, and by others.
    fn lost(wall: u64, slept: u64, away: u64, sleeps: u64, usage: Usage) -> (u128, u128) {
        let [wall, slept, away] = [wall, slept, away].map(Duration::from_millis);
        let (blocked, crowded) = Stretch { wall, slept, away, sleeps, usage }.lost();
        (blocked.as_millis(), crowded.as_millis())
    }

    fn usage(cpu: u64, waited: u64, blockings: u64) -> Usage {
        Usage { cpu: cpu * MS, waited: waited * MS, blockings: Some(blockings) }
    }

    #[test]
    fn who_had_the_processor_all_the_time_lost_nothing() {
        assert_eq!(lost(10, 0, 0, 0, usage(10, 0, 0)), (0, 0));
        assert_eq!(lost(10, 6, 6, 2, usage(4, 0, 2)), (0, 0));
    }

    #[test]
    fn a_task_that_sleeps_has_blocked() {
        assert_eq!(lost(10, 0, 0, 0, usage(2, 0, 1)), (8, 0));
        assert_eq!(lost(10, 0, 0, 0, usage(2, 3, 1)), (5, 3));
    }

    #[test]
    fn who_never_gave_the_processor_up_was_kept_from_running() {
        // The host took it, of which the system knows nothing.
        assert_eq!(lost(10, 0, 0, 0, usage(2, 0, 0)), (0, 8));
        // The pool's own sleep is no blocking, and the time until it runs again after it is not lost in a task.
        assert_eq!(lost(10, 5, 5, 1, usage(5, 3, 1)), (0, 0));
        assert_eq!(lost(10, 5, 5, 1, usage(2, 3, 1)), (0, 3));
    }

    #[test]
    fn what_is_lost_while_looking_for_a_task_is_nobodys() {
        assert_eq!(lost(10, 0, 10, 0, usage(1, 9, 0)), (0, 0));
        assert_eq!(lost(10, 0, 5, 0, usage(2, 8, 0)), (0, 4));
    }

    #[test]
    fn more_than_the_time_in_tasks_is_never_lost() {
        for (wall, slept, away) in [(10, 9, 9), (10, 0, 7), (1, 0, 0), (3, 5, 2)] {
            for cpu in [0, 1, 20] {
                let (blocked, crowded) = lost(wall, slept, away, 0, usage(cpu, 50, 7));
                assert!(
                    blocked + crowded <= u128::from(wall - away.min(wall)),
                    "{wall} {slept} {away}"
                );
            }
        }
    }

    #[test]
    fn where_blocking_is_not_counted_what_others_had_is_known_only() {
        let unknown = Usage { cpu: 2 * MS, waited: 3 * MS, blockings: None };
        assert_eq!(lost(10, 0, 0, 0, unknown), (5, 3));
    }
}
