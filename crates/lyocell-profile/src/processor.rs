//! How long a worker was without a processor though it did not sleep for want of work.

use crate::usage::{Usage, of_this_thread};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// Looks at the thread's processor time now and then.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    mark: Option<Mark>,
    /// Since the mark.
    slept: Duration,
    asleep_since: Option<Instant>,
}

#[derive(Debug)]
struct Mark {
    thread: ThreadId,
    at: Instant,
    ticks: u64,
    usage: Usage,
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
        let now = Instant::now();
        if let Some(since) = self.asleep_since.take() {
            self.slept += now - since;
        }
        self.asleep_since = sleeps.then_some(now);
    }

    /// What was lost since the last time, if that is long ago.
    pub(crate) fn settle(&mut self, ticks: u64) -> Option<Lost> {
        let at = Instant::now();
        let thread = std::thread::current().id();
        let before = self.mark.as_ref().filter(|mark| mark.thread == thread);
        if before.is_some_and(|mark| at - mark.at < SELDOM) {
            return None;
        }
        let usage = of_this_thread()?;
        let lost = before.map(|mark| {
            let wall = at - mark.at;
            let used = Duration::from_nanos(usage.cpu.saturating_sub(mark.usage.cpu));
            let lost = wall.saturating_sub(used).saturating_sub(self.slept);
            let waited =
                Duration::from_nanos(usage.waited.saturating_sub(mark.usage.waited)).min(lost);
            let per_second = ticks.wrapping_sub(mark.ticks) as f64 / wall.as_secs_f64();
            let in_ticks = |time: Duration| (time.as_secs_f64() * per_second) as u64;
            Lost { blocked: in_ticks(lost - waited), crowded: in_ticks(waited) }
        });
        self.mark = Some(Mark { thread, at, ticks, usage });
        self.slept = Duration::ZERO;
        lost
    }
}
