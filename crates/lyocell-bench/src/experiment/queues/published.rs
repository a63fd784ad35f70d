//! The numbers of the study: its appendix A, in milliseconds, as printed.

use super::claims::{self, Claim};

/// The cases, in the order of the experiments.
pub(super) static CASES: [&Published; 4] = [&RAW, &QUICKSORT, &SPANNING_TREE, &XML];

/// A case of the study.
pub(in crate::experiment) struct Published {
    /// As the command line has it.
    pub(super) case: &'static str,
    /// As an experiment.
    pub(super) name: &'static str,
    pub(super) place: &'static str,
    pub(super) shows: &'static str,
    pub(super) claim: &'static Claim,
    /// What is run here; the study does not tell its sizes.
    pub(super) parameter: &'static str,
    /// The study's queues that ran it, by our names, in its order.
    pub(super) queues: &'static [&'static str],
    /// For each of [`THREADS`], a mean and a standard deviation of 50 runs for each of the queues.
    pub(super) times: [&'static [(f64, f64)]; THREADS.len()],
}

pub(super) const THREADS: [usize; 4] = [8, 16, 32, 48];

/// "Each of the four test cases were executed 50 times with the same random data."
pub(super) const RUNS: usize = 50;

pub(super) const ABP: &str = "abp";
pub(super) const CHASE_LEV: &str = "chase-lev";
pub(super) const SHRINKING: &str = "chase-lev-shrinking";
pub(super) const LIFO: &str = "idempotent-lifo";
pub(super) const FIFO: &str = "idempotent-fifo";
pub(super) const DOUBLE_ENDED: &str = "idempotent-double-ended";
pub(super) const DUPLICATING: &str = "duplicating";

/// Those that hand out each node once.
const EXACT: [&str; 3] = [ABP, CHASE_LEV, SHRINKING];

const ALL: [&str; 7] = [ABP, CHASE_LEV, SHRINKING, LIFO, FIFO, DOUBLE_ENDED, DUPLICATING];

impl Published {
    /// The mean and the deviation of a queue with the `index`th number of threads.
    pub(super) fn time(&self, queue: &str, index: usize) -> Option<(f64, f64)> {
        let place = self.queues.iter().position(|name| *name == queue)?;
        Some(self.times[index][place])
    }

    /// A mean over that of abp.
    pub(super) fn normalized(&self, queue: &str, index: usize) -> Option<f64> {
        Some(self.time(queue, index)?.0 / self.time(ABP, index)?.0)
    }
}

#[rustfmt::skip]
pub(super) static RAW: Published = Published {
    case: "raw",
    name: "queues-raw",
    place: "Figures 3 and 6, sections 5.1, 5.3 and 7.2, appendix A",
    shows: "the study's queues on nodes that do nothing, and how long their operations take",
    claim: &claims::RAW,
    parameter: "2000000",
    queues: &ALL,
    times: [
        &[(4120.79, 955.72), (6646.03, 2130.07), (3788.95, 1136.50), (15797.32, 5023.73), (8041.34, 2084.07), (27620.75, 15317.67), (6061.63, 1706.88)],
        &[(2188.83, 295.43), (3566.86, 857.05), (2455.44, 574.69), (11881.41, 4254.40), (6962.21, 1993.84), (19909.84, 7394.86), (3679.41, 814.02)],
        &[(1874.62, 227.27), (2488.21, 401.09), (2155.72, 313.83), (8905.86, 2370.95), (10943.90, 2422.73), (15807.66, 5827.88), (2645.78, 311.26)],
        &[(1572.27, 165.14), (2556.13, 462.28), (2261.03, 349.88), (4482.83, 1317.14), (11661.40, 1882.95), (11152.57, 2253.74), (2286.77, 310.65)],
    ],
};

#[rustfmt::skip]
pub(super) static QUICKSORT: Published = Published {
    case: "quicksort",
    name: "queues-quicksort",
    place: "Figures 3, 4 and 5, sections 5.1, 5.2 and 7.2, appendix A",
    shows: "the study's queues at quick sort, and how long their operations take",
    claim: &claims::QUICKSORT,
    parameter: "200000",
    queues: &EXACT,
    times: [
        &[(262.86, 16.89), (252.67, 10.58), (251.47, 9.02)],
        &[(243.20, 26.49), (228.27, 26.05), (224.93, 21.12)],
        &[(423.68, 47.11), (405.80, 42.93), (360.98, 38.68)],
        &[(400.28, 128.43), (351.26, 88.11), (379.75, 94.57)],
    ],
};

#[rustfmt::skip]
pub(super) static SPANNING_TREE: Published = Published {
    case: "spanning-tree",
    name: "queues-spanning-tree",
    place: "Figure 3, sections 5.1 and 7.2, appendix A",
    shows: "the study's queues at a spanning tree, and how long their operations take",
    claim: &claims::SPANNING_TREE,
    parameter: "200000",
    queues: &ALL,
    times: [
        &[(346.81, 35.24), (349.47, 31.44), (349.53, 29.20), (385.08, 37.96), (305.27, 35.62), (384.94, 33.75), (363.16, 30.62)],
        &[(186.23, 20.45), (196.33, 20.71), (196.08, 19.16), (241.58, 20.33), (172.76, 18.86), (231.89, 26.71), (201.47, 21.69)],
        &[(127.63, 21.31), (125.96, 19.77), (120.76, 17.88), (163.23, 22.89), (107.09, 18.20), (160.05, 24.53), (128.69, 22.13)],
        &[(144.5, 23.07), (149.09, 22.64), (137.92, 22.13), (178.60, 26.13), (125.22, 24.08), (276.30, 55.81), (151.47, 26.09)],
    ],
};

#[rustfmt::skip]
pub(super) static XML: Published = Published {
    case: "xml",
    name: "queues-xml",
    place: "Figures 3 and 4, sections 5.1 and 7.2, appendix A",
    shows: "the study's queues at writing XML, and how long their operations take",
    claim: &claims::XML,
    parameter: "40000",
    queues: &EXACT,
    times: [
        &[(950.29, 1006.75), (672.29, 32.09), (665.72, 35.59)],
        &[(830.74, 808.90), (588.71, 69.14), (606.98, 82.53)],
        &[(917.55, 473.67), (772.17, 40.08), (787.06, 33.35)],
        &[(1210.11, 521.08), (1138.10, 246.34), (1127.79, 190.88)],
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_appendix() {
        assert_eq!(RAW.time(ABP, 0), Some((4120.79, 955.72)));
        assert_eq!(RAW.time(DOUBLE_ENDED, 0), Some((27620.75, 15317.67)));
        assert_eq!(RAW.time(DUPLICATING, 3), Some((2286.77, 310.65)));
        assert_eq!(QUICKSORT.time(SHRINKING, 2), Some((360.98, 38.68)));
        assert_eq!(QUICKSORT.time(FIFO, 0), None);
        assert_eq!(SPANNING_TREE.time(FIFO, 1), Some((172.76, 18.86)));
        assert_eq!(XML.time(ABP, 3), Some((1210.11, 521.08)));
        let ratio = XML.normalized(CHASE_LEV, 0).unwrap();
        assert!((ratio - 0.7075).abs() < 1e-4, "{ratio}");
        for case in [&RAW, &QUICKSORT, &SPANNING_TREE, &XML] {
            assert!(case.times.iter().all(|times| times.len() == case.queues.len()));
        }
    }
}
