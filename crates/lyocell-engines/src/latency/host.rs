//! Whether the host left this process its processors while something was measured.
//!
//! Two things tell: involuntary context switches of this process's threads, and the time that a hypervisor took from its
//! machine. With more threads than processors the switches may be their own doing, and do not tell.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::usage::{Usage, stolen_time};
use crate::parallelism;

/// What the host did; the worst is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    /// It left this process alone.
    Quiet,
    /// The system does not tell.
    Unknown,
    /// It took processors away: the figure says little.
    Disturbed,
}

/// More involuntary switches a second than this disturb: a processor for which another program competes has hundreds,
/// one of this process alone a few. Untuned.
const MOST_SWITCHES_A_SECOND: f64 = 10.0;

/// A larger share of the processors' time than this disturbs, if it is stolen. Untuned.
const MOST_STOLEN: f64 = 0.01;

/// What the system had counted when a measurement began.
pub(super) struct Watch {
    threads: usize,
    start: Instant,
    switches: Option<u64>,
    stolen: Option<Duration>,
}

impl Watch {
    /// Watches from now on, while at most `threads` threads of this process run.
    pub(super) fn start(threads: usize) -> Watch {
        Watch { threads, start: Instant::now(), switches: switches(), stolen: stolen_time() }
    }

    /// What the host did since.
    pub(super) fn host(&self) -> Host {
        let seconds = self.start.elapsed().as_secs_f64();
        let after = switches().filter(|_| self.threads <= parallelism());
        let switches = self.switches.zip(after).map(|(before, after)| after.saturating_sub(before));
        let stolen =
            self.stolen.zip(stolen_time()).map(|(before, after)| after.saturating_sub(before));
        judge(seconds, switches, stolen)
    }
}

fn switches() -> Option<u64> {
    Some(Usage::of_process()?.involuntary_switches)
}

fn judge(seconds: f64, switches: Option<u64>, stolen: Option<Duration>) -> Host {
    let switched = switches.map(|count| count as f64 > MOST_SWITCHES_A_SECOND * seconds);
    let time = seconds * parallelism() as f64;
    let robbed = stolen.map(|stolen| stolen.as_secs_f64() > MOST_STOLEN * time);
    match (switched, robbed) {
        (Some(true), _) | (_, Some(true)) => Host::Disturbed,
        (Some(false), Some(false)) => Host::Quiet,
        _ => Host::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_switches_are_quiet_and_many_or_stolen_time_disturb() {
        let stolen = |share: f64| Some(Duration::from_secs_f64(share * parallelism() as f64));
        assert_eq!(judge(1.0, Some(10), stolen(0.0)), Host::Quiet);
        assert_eq!(judge(1.0, Some(11), stolen(0.0)), Host::Disturbed);
        assert_eq!(judge(1.0, Some(0), stolen(0.02)), Host::Disturbed);
        assert_eq!(judge(1.0, None, stolen(0.02)), Host::Disturbed);
    }

    #[test]
    fn who_is_not_told_both_does_not_know() {
        assert_eq!(judge(1.0, None, Some(Duration::ZERO)), Host::Unknown);
        assert_eq!(judge(1.0, Some(0), None), Host::Unknown);
        assert_eq!(judge(1.0, None, None), Host::Unknown);
        assert_eq!([Host::Unknown, Host::Quiet].into_iter().max(), Some(Host::Unknown));
        assert_eq!([Host::Unknown, Host::Disturbed].into_iter().max(), Some(Host::Disturbed));
    }
}
