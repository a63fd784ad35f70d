//! How far a measurement is.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on the standard error, if that is a terminal. It is drawn between runs only: no thread of it
/// ticks while another is measured.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// For `turns` turns, warm-ups included.
    pub(crate) fn new(turns: usize) -> Progress {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}")
            .expect("the template is well-formed");
        Progress(ProgressBar::new(turns as u64).with_style(style))
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

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
