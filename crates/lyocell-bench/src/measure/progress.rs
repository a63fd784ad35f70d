//! How far a measurement is.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The bars that are there, one below the other, on the standard error if that is a terminal. They are drawn between
/// runs only: no thread of them ticks while another is measured.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    BARS.add(ProgressBar::new(length).with_style(style))
}

/// The turns of one measurement.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// For `turns` turns, warm-ups included.
    pub(crate) fn new(turns: usize) -> Progress {
        Progress(bar(turns as u64, "{bar:30} {pos}/{len} {elapsed} {msg}"))
    }

    /// Shows `what` comes next.
    pub(crate) fn announce(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }

    /// One turn is over.
    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }
}

impl lyocell_workloads::Watcher for Progress {
    fn announce(&self, what: String) {
        Progress::announce(self, what);
    }

    fn advance(&self) {
        Progress::advance(self);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Measurements one after the other, of which it is roughly known how long they take; where the standard error is no
/// terminal, a line for each.
pub(crate) struct Stages {
    bar: ProgressBar,
    count: usize,
    begun: usize,
    pace: Pace,
}

impl Stages {
    /// For measurements that are expected to take so long each.
    pub(crate) fn new(expected: impl Iterator<Item = Duration>) -> Stages {
        let each: Vec<Duration> = expected.collect();
        let bar = bar(each.len() as u64, "{bar:30} {pos}/{len} {elapsed} {msg}");
        let pace = Pace { expected: each.iter().sum(), ..Pace::default() };
        Stages { bar, count: each.len(), begun: 0, pace }
    }

    /// Does `work`, which is expected to take so long.
    pub(crate) fn take<R>(
        &mut self,
        what: &str,
        expected: Duration,
        work: impl FnOnce() -> R,
    ) -> R {
        self.begun += 1;
        let message = format!("{what}, about {} left", in_words(self.pace.left()));
        if self.bar.is_hidden() {
            anstream::eprintln!("{} of {}: {message}", self.begun, self.count);
        }
        self.bar.set_message(message);
        self.bar.tick();
        let begin = Instant::now();
        let done = work();
        self.pace.add(expected, begin.elapsed());
        self.bar.inc(1);
        done
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How long things take beside how long they were expected to.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// All of them.
    expected: Duration,
    /// Those that are over.
    done: Duration,
    taken: Duration,
}

impl Pace {
    fn add(&mut self, expected: Duration, taken: Duration) {
        self.done += expected;
        self.taken += taken;
    }

    /// As long as was expected, times by how much what is over has missed that.
    fn left(&self) -> Duration {
        let left = self.expected.saturating_sub(self.done);
        if self.done.is_zero() {
            return left;
        }
        left.mul_f64(self.taken.as_secs_f64() / self.done.as_secs_f64())
    }
}

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds < 90 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_expected_to_go_on_at_the_same_pace() {
        let seconds = Duration::from_secs;
        let mut pace = Pace { expected: seconds(100), ..Pace::default() };
        assert_eq!(pace.left(), seconds(100));
        pace.add(seconds(20), seconds(40));
        assert_eq!(pace.left(), seconds(160));
        pace.add(seconds(80), seconds(10));
        assert_eq!(pace.left(), seconds(0));
        assert_eq!([seconds(59), seconds(130)].map(in_words), ["59 s", "2 min"]);
    }
}
