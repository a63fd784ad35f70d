//! The rows of Wool's Table I: the programs in the paper's sizes, how often each is repeated, and what was measured.
//!
//! Its rows of ssf are called 12 to 16, by what it calls the number of concatenations. By its own numbers, RepSz over G_T, their
//! strings have 144 to 987 letters, which are those called 11 to 15 by its recursion, and so here.

use crate::experiment::kit::*;

/// A row.
#[derive(Debug)]
pub(super) struct Row {
    /// The program and its size as our command line takes them, without the repetitions.
    pub(super) job: &'static str,
    /// The paper's repetitions, and ours: about a tenth of a second.
    times: [u64; 2],
    /// Without a burden, and with 2,000 cycles.
    pub(super) parallelism: [f64; 2],
    /// RepSz.
    pub(super) repetition_kcycles: f64,
    /// G_T.
    pub(super) task_cycles: f64,
    /// G_L with 2 to 8 processors.
    pub(super) steal_kcycles: [f64; 7],
}

const fn row(
    job: &'static str,
    times: [u64; 2],
    parallelism: [f64; 2],
    [repetition_kcycles, task_cycles]: [f64; 2],
    steal_kcycles: [f64; 7],
) -> Row {
    Row { job, times, parallelism, repetition_kcycles, task_cycles, steal_kcycles }
}

/// A repetition of these takes a second or more: they are run in the paper's sizes only.
const LONG: u64 = 0;

#[rustfmt::skip]
pub(super) const ROWS: [Row; 24] = [
    row("cholesky:250,1000", [4096, 32], [22.2, 9.0], [8_653.0, 211.0], [25.0, 12.0, 9.0, 6.0, 5.0, 4.0, 4.0]),
    row("cholesky:500,2000", [1024, 4], [48.8, 20.9], [68_349.0, 225.0], [87.0, 39.0, 26.0, 18.0, 14.0, 12.0, 10.0]),
    row("cholesky:1000,4000", [256, 1], [87.1, 46.5], [503_035.0, 218.0], [304.0, 117.0, 78.0, 52.0, 40.0, 33.0, 28.0]),
    row("cholesky:2000,8000", [64, LONG], [116.4, 80.7], [3_878_016.0, 216.0], [1_148.0, 406.0, 260.0, 168.0, 126.0, 102.0, 87.0]),
    row("cholesky:4000,16000", [16, LONG], [203.7, 183.9], [30_890_437.0, 204.0], [4_442.0, 1_458.0, 892.0, 554.0, 414.0, 337.0, 275.0]),
    row("mm:64", [16384, 256], [54.3, 30.6], [976.0, 15_486.0], [915.0, 144.0, 211.0, 92.0, 71.0, 59.0, 58.0]),
    row("mm:128", [2048, 32], [117.5, 109.8], [19_496.0, 153_513.0], [19_247.0, 2_582.0, 4_050.0, 1_558.0, 1_165.0, 914.0, 879.0]),
    row("mm:256", [256, 4], [240.3, 237.0], [226_227.0, 887_163.0], [69_860.0, 18_934.0, 43_917.0, 14_538.0, 11_009.0, 8_303.0, 7_951.0]),
    row("mm:512", [32, LONG], [460.8, 461.5], [2_438_719.0, 4_772_444.0], [602_153.0, 177_968.0, 375_368.0, 110_023.0, 89_959.0, 68_787.0, 65_060.0]),
    row("ssf:11", [16384, 512], [37.5, 37.5], [552.0, 3_858.0], [119.0, 54.0, 65.0, 35.0, 28.0, 25.0, 22.0]),
    row("ssf:12", [8192, 256], [79.4, 79.6], [1_432.0, 6_172.0], [473.0, 118.0, 165.0, 78.0, 61.0, 52.0, 47.0]),
    row("ssf:13", [4096, 64], [152.3, 152.5], [3_936.0, 10_469.0], [1_000.0, 279.0, 342.0, 167.0, 131.0, 112.0, 100.0]),
    row("ssf:14", [2048, 32], [291.1, 293.0], [10_849.0, 17_814.0], [2_774.0, 770.0, 721.0, 371.0, 278.0, 230.0, 205.0]),
    row("ssf:15", [1024, 16], [527.3, 523.8], [29_985.0, 30_411.0], [7_474.0, 1_993.0, 1_704.0, 901.0, 696.0, 574.0, 510.0]),
    row("stress:7x256", [131_072, 2048], [54.5, 7.1], [84.0, 663.0], [51.0, 10.0, 11.0, 7.0, 6.0, 5.0, 5.0]),
    row("stress:8x256", [65_536, 1024], [96.6, 12.4], [147.0, 575.0], [76.0, 17.0, 15.0, 10.0, 8.0, 7.0, 6.0]),
    row("stress:9x256", [32_768, 512], [169.7, 21.4], [293.0, 573.0], [157.0, 32.0, 27.0, 16.0, 13.0, 11.0, 10.0]),
    row("stress:10x256", [16_384, 256], [290.8, 36.8], [585.0, 572.0], [244.0, 51.0, 43.0, 26.0, 20.0, 17.0, 15.0]),
    row("stress:11x256", [8_192, 128], [478.9, 61.2], [1_174.0, 573.0], [482.0, 89.0, 78.0, 42.0, 33.0, 27.0, 23.0]),
    row("stress:3x4096", [131_072, 2048], [7.7, 4.6], [67.0, 9_501.0], [65.0, 22.0, 18.0, 15.0, 13.0, 11.0, 10.0]),
    row("stress:4x4096", [65_536, 1024], [15.1, 8.3], [133.0, 8_891.0], [130.0, 33.0, 29.0, 21.0, 17.0, 16.0, 15.0]),
    row("stress:5x4096", [32_768, 512], [29.3, 14.0], [267.0, 8_604.0], [237.0, 53.0, 50.0, 32.0, 26.0, 22.0, 21.0]),
    row("stress:6x4096", [16_384, 256], [56.7, 25.0], [535.0, 8_490.0], [527.0, 88.0, 83.0, 50.0, 40.0, 34.0, 31.0]),
    row("stress:7x4096", [8_192, 128], [108.1, 44.7], [1_067.0, 8_401.0], [898.0, 149.0, 140.0, 78.0, 63.0, 52.0, 47.0]),
];

impl Row {
    /// The program and, for stress, which has two sets of rows, its leaves.
    pub(super) fn program(&self) -> (&'static str, Option<&'static str>) {
        let (program, size) = self.job.split_once(':').unwrap_or((self.job, ""));
        (program, size.split_once('x').map(|(_, leaves)| leaves))
    }

    /// Whether `job` is this row, however often it is repeated.
    pub(super) fn is(&self, job: &str) -> bool {
        let rest = job.strip_prefix(self.job);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('x'))
    }
}

/// The row that `job` is.
pub(super) fn row_of(job: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.is(job))
}

/// How often `job` is repeated.
pub(super) fn times(job: &str) -> u64 {
    let rest = row_of(job).and_then(|row| job.strip_prefix(row.job)?.strip_prefix('x'));
    let last = || job.rsplit_once('x').and_then(|(_, times)| times.parse().ok());
    rest.and_then(|times| times.parse().ok()).or_else(last).unwrap_or(1)
}

/// What is asked for, or every row of the size that is asked for.
pub(super) fn rows(request: &Request) -> Vec<Instance> {
    let own = || {
        let times = |row: &Row| request.size.of([row.times[1], row.times[0]]);
        let rows = ROWS.iter().filter(|row| times(row) != LONG);
        rows.map(|row| instance(row.job, times(row))).collect()
    };
    asked_or(request, own)
}

/// A program, repeated.
pub(super) fn instance(job: &str, times: u64) -> Instance {
    let job = format!("{job}x{times}");
    job.parse().unwrap_or_else(|_| panic!("{job} is in the paper's Table I"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(size: Size) -> Request {
        Request::of(size, 2)
    }

    #[test]
    fn every_row_is_a_workload_and_is_found_again() {
        for (size, count) in [(Size::Paper, ROWS.len()), (Size::Small, ROWS.len() - 3)] {
            let instances = rows(&request(size));
            assert_eq!(instances.len(), count);
            for instance in instances {
                let job = instance.to_string();
                let row = row_of(&job).unwrap();
                let expected = row.times[usize::from(size == Size::Small)];
                assert_eq!(times(&job), expected, "{job}");
            }
        }
    }

    /// RepSz is the same as all tasks and one more, times G_T, to the digits that are printed; where trees are small, one
    /// task less than leaves.
    #[test]
    fn the_papers_numbers_agree_with_each_other() {
        for row in ROWS.iter().filter(|row| !row.job.starts_with("cholesky")) {
            let tasks = instance(row.job, 1).tasks().unwrap() as f64;
            let product = tasks * row.task_cycles / 1e3;
            let off = product / row.repetition_kcycles;
            assert!((0.9..1.2).contains(&off), "{}: {off}", row.job);
            assert!(row.steal_kcycles[0] > row.steal_kcycles[6], "{}", row.job);
        }
    }

    #[test]
    fn a_row_is_not_taken_for_another() {
        assert_eq!(row_of("mm:640x9").map(|row| row.job), None);
        assert_eq!(row_of("mm:64").map(|row| row.job), Some("mm:64"));
        assert_eq!(row_of("stress:7x4096x3").map(|row| row.job), Some("stress:7x4096"));
        assert_eq!(times("stress:7x4096x3"), 3);
        assert_eq!(times("mm:65x12"), 12);
        assert_eq!(row_of("stress:7x256x1").unwrap().program(), ("stress", Some("256")));
    }
}
