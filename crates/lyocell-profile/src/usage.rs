//! Processor time: how much of a stretch of time a thread had a processor for, and how much it waited for one.

use std::ops::Sub;

/// What a thread has used so far, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Processor time.
    pub(crate) cpu: u64,
    /// How long it could have run, and somebody else did; 0 where the system does not tell.
    pub(crate) waited: u64,
    /// How often it gave the processor up of its own will, to wait for something; `None` where the system does not tell.
    pub(crate) blockings: Option<u64>,
}

impl Sub for Usage {
    type Output = Usage;

    /// From an earlier moment to this one.
    fn sub(self, earlier: Usage) -> Usage {
        let both = self.blockings.zip(earlier.blockings);
        Usage {
            cpu: self.cpu.saturating_sub(earlier.cpu),
            waited: self.waited.saturating_sub(earlier.waited),
            blockings: both.map(|(now, then)| now.saturating_sub(then)),
        }
    }
}

/// What the calling thread has used, if the system tells.
#[cfg(unix)]
pub(crate) fn of_this_thread() -> Option<Usage> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let cpu =
        u64::try_from(time.tv_sec).ok()? * 1_000_000_000 + u64::try_from(time.tv_nsec).ok()?;
    Some(Usage { cpu, waited: waited().unwrap_or(0), blockings: blockings() })
}

#[cfg(not(unix))]
pub(crate) fn of_this_thread() -> Option<Usage> {
    None
}

/// From the second number of `/proc/thread-self/schedstat`.
#[cfg(target_os = "linux")]
fn waited() -> Option<u64> {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    thread_local! {
        static STATISTICS: Option<File> = File::open("/proc/thread-self/schedstat").ok();
    }
    STATISTICS
        .try_with(|file| {
            let mut text = [0; 64];
            let length = file.as_ref()?.read_at(&mut text, 0).ok()?;
            std::str::from_utf8(&text[..length]).ok()?.split(' ').nth(1)?.parse().ok()
        })
        .ok()?
}

/// Voluntary context switches. To yield is none.
#[cfg(target_os = "linux")]
fn blockings() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    u64::try_from(usage.voluntary_context_switches()).ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn blockings() -> Option<u64> {
    None
}

#[cfg(all(unix, not(target_os = "linux")))]
fn waited() -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn work_uses_a_processor_and_sleep_does_not() {
        let before = of_this_thread().unwrap();
        let mut sum = 0_u64;
        while of_this_thread().unwrap().cpu < before.cpu + 1_000_000 {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn to_sleep_is_to_block_and_to_yield_is_not() {
        let blockings = || of_this_thread().unwrap().blockings.unwrap();
        let before = blockings();
        (0..20).for_each(|_| std::thread::yield_now());
        let yielded = blockings() - before;
        (0..20).for_each(|_| std::thread::sleep(std::time::Duration::from_micros(10)));
        assert!(blockings() - before - yielded >= 20, "{yielded}");
        assert!(yielded < 5, "{yielded}");
    }
}
