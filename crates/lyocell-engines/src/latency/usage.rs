//! CPU time, context switches and memory of this process, as far as the system tells.

use std::fs;
use std::time::Duration;

/// What threads have used since they started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    pub(super) cpu_time: Duration,
    /// Voluntary and involuntary.
    pub(super) context_switches: u64,
    pub(super) involuntary_switches: u64,
}

impl Usage {
    /// Of all threads of this process; `None` where the system tells nothing.
    pub(super) fn of_process() -> Option<Usage> {
        system::of_process()
    }

    /// Of all threads of this process but the calling one; where the system does not tell threads
    /// apart, of all. `None` where it tells nothing.
    pub(super) fn of_other_threads() -> Option<Usage> {
        let process = system::of_process()?;
        let Some(own) = system::of_this_thread() else { return Some(process) };
        Some(Usage {
            cpu_time: process.cpu_time.saturating_sub(own.cpu_time),
            context_switches: process.context_switches.saturating_sub(own.context_switches),
            involuntary_switches: process
                .involuntary_switches
                .saturating_sub(own.involuntary_switches),
        })
    }
}

/// Resident memory of this process; `None` where there is no `/proc/self/smaps_rollup`. That file is
/// exact, the counters in `/proc/self/status` are not.
pub(super) fn resident_bytes() -> Option<u64> {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Rss:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The time that a hypervisor took from the processors of this machine since it started, all together, to a hundredth of
/// a second; `None` where there is no `/proc/stat`.
pub(super) fn stolen_time() -> Option<Duration> {
    stolen(&fs::read_to_string("/proc/stat").ok()?)
}

/// The eighth number of the first line, which counts hundredths of a second.
fn stolen(stat: &str) -> Option<Duration> {
    let hundredths = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().nth(7)?;
    Some(Duration::from_millis(10) * hundredths.parse().ok()?)
}

#[cfg(unix)]
mod system {
    use std::time::Duration;

    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;

    use super::Usage;

    pub(super) fn of_process() -> Option<Usage> {
        of(UsageWho::RUSAGE_SELF)
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn of_this_thread() -> Option<Usage> {
        of(UsageWho::RUSAGE_THREAD)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(super) fn of_this_thread() -> Option<Usage> {
        None
    }

    fn of(who: UsageWho) -> Option<Usage> {
        let usage = getrusage(who).ok()?;
        let switches = usage.voluntary_context_switches() + usage.involuntary_context_switches();
        Some(Usage {
            cpu_time: duration(usage.user_time()) + duration(usage.system_time()),
            context_switches: u64::try_from(switches).ok()?,
            involuntary_switches: u64::try_from(usage.involuntary_context_switches()).ok()?,
        })
    }

    fn duration(time: TimeVal) -> Duration {
        let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
        Duration::from_secs(seconds)
            + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or(0))
    }
}

#[cfg(not(unix))]
mod system {
    use super::Usage;

    pub(super) fn of_process() -> Option<Usage> {
        None
    }

    pub(super) fn of_this_thread() -> Option<Usage> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::thread;

    #[test]
    fn the_switches_of_another_thread_are_seen() {
        let before = Usage::of_other_threads().unwrap();
        let sleeper = thread::spawn(|| {
            for _ in 0..20 {
                thread::sleep(Duration::from_micros(100));
            }
        });
        sleeper.join().unwrap();
        let after = Usage::of_other_threads().unwrap();
        assert!(after.context_switches >= before.context_switches + 20);
    }

    #[test]
    fn stolen_time_is_read() {
        let stat = "cpu  16 2 3 45 5 6 7 250 9 0\ncpu0 8 1 1 20 2 3 3 125 4 0\n";
        assert_eq!(stolen(stat), Some(Duration::from_millis(2_500)));
        assert_eq!(stolen("cpu  16 2 3 45\n"), None);
        assert!(stolen_time().is_some());
    }

    /// In a process of its own: other tests take memory and give it back meanwhile.
    #[test]
    fn touched_memory_is_resident() {
        const BYTES: usize = 64 << 20;
        const ALONE: &str = "LYOCELL_TEST_ALONE";
        if std::env::var_os(ALONE).is_none() {
            let mut alone = Command::new(std::env::current_exe().unwrap());
            alone.args(["--exact", "latency::usage::tests::touched_memory_is_resident"]);
            let output = alone.env(ALONE, "1").output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        let before = resident_bytes().unwrap();
        let memory = std::hint::black_box(vec![1_u8; BYTES]);
        let after = resident_bytes().unwrap();
        drop(memory);
        assert!(after > before + BYTES as u64 / 2, "{before} {after}");
    }
}
