//! Who runs Wool's programs: the direct task stack as it was published, the default of this runtime, and other systems in
//! place of Cilk++, TBB and OpenMP.

use crate::experiment::kit::*;

/// Ours that stands for the paper's.
pub(super) const WOOL_HERE: &str = "direct";

/// The default of this runtime, beyond the paper.
pub(super) const DEFAULT: &str = "split";

/// The original, where it is built.
pub(super) const ORIGINAL: &str = "wool";

/// Other systems, those of the paper first. Each runs the programs that it has, where it is built.
pub(super) const RIVALS: [&str; 5] = ["tbb", "openmp", "lace", "rayon", "chili"];

/// All, in the order of tables.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [WOOL_HERE, DEFAULT, ORIGINAL].into_iter().chain(RIVALS)
}

/// Wool itself and the others.
pub(super) fn others() -> impl Iterator<Item = &'static str> {
    [ORIGINAL].into_iter().chain(RIVALS)
}

/// Of whom the paper's claims are judged: ours that stands for Wool, and Wool itself where it ran.
pub(super) fn judged(results: &Results) -> Vec<&'static str> {
    results.that_ran([WOOL_HERE, ORIGINAL])
}

/// One of them.
fn contender(name: &'static str, workers: usize) -> Option<Contender> {
    match name {
        WOOL_HERE => Contender::setup(name, as_published(name), workers),
        DEFAULT => Contender::setup(name, Setup::on(name).never_sleeping(), workers),
        _ => Contender::rival(name, workers),
    }
}

/// All of them with each of these numbers of workers.
pub(super) fn contenders(workers: &[usize]) -> Vec<Contender> {
    all().flat_map(|name| lineup(workers, |workers| [contender(name, workers)])).collect()
}

/// How many times as long as Wool each rival takes on each job that both run.
pub(super) fn over_wool(results: &Results, jobs: &[String], wool: &str, workers: usize) -> Each {
    let each = |job: &String| {
        let key = |contender| Key { job, contender, workers };
        let ratio = |rival: &&'static str| {
            let ratio = results.ratio(key(*rival), key(wool))?;
            Some((format!("{job} beside {rival}"), ratio))
        };
        RIVALS.iter().filter_map(ratio).collect::<Each>()
    };
    jobs.iter().flat_map(each).collect()
}

/// That no other system is faster on any of these jobs.
pub(super) fn none_is_faster(
    results: &Results,
    jobs: &[String],
    wool: &str,
    workers: usize,
) -> Part {
    let what =
        format!("T_P of another system, with {}, over that of {wool}", Count(workers, "worker"));
    Part::at_least(&what, over_wool(results, jobs, wool, workers), 1.0)
}
