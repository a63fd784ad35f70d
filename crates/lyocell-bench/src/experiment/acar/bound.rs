//! How large delta may be: the bound of the paper's theorem, from the branching depth of each program.

use std::time::Duration;

/// Of the theorem (section 3 and appendix A).
const FACTOR: f64 = 2.68;

/// "It is perfectly fine to use any delta such that 2.68 delta F << T_1 / P"; a tenth we take as much less.
pub(super) const MUCH_LESS: f64 = 0.1;

/// T_1 / (2.68 F P): with a delta of this, deals may double the time. `None` of a program that does not fork.
pub(super) fn bound(seconds_alone: f64, depth: u64, workers: usize) -> Option<Duration> {
    let bound = seconds_alone / (FACTOR * depth as f64 * workers as f64);
    Duration::try_from_secs_f64(bound).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_the_papers_example_is_the_papers() {
        // "Given that T_1 = 56 seconds and P = 30, T_1 / (2.68 F P) = 23 milliseconds", with F = 30.
        assert_eq!(bound(56.0, 30, 30).unwrap().as_millis(), 23);
        assert_eq!(bound(1.0, 0, 2), None);
    }
}
