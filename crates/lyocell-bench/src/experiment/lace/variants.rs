//! The split deque with an option in several values: who runs, what is counted of each, and whether one is faster.

use lyocell_engines::runtime::Choice;

use crate::experiment::kit::*;

/// A gain below this is none. Untuned; with it a gain of a hundredth that is beyond the noise is not called one.
const GAIN: f64 = 1.02;

/// The split deque with each of these values of an option, under their labels: timed, and counted in runs of their own. As in
/// the paper nobody sleeps, and no thief exposes.
pub(super) fn contenders(
    choice: Choice,
    values: &[(&str, Value)],
    workers: &[usize],
) -> Vec<Contender> {
    let setup =
        move |value| Setup::on("split").with(choice, value).never_sleeping().sharing_when_asked();
    lineup(workers, |workers| {
        let timed = move |&(label, value)| Contender::setup(label, setup(value), workers);
        let counted = move |&(label, value)| Contender::counted(label, setup(value), workers);
        values.iter().map(timed).chain(values.iter().map(counted))
    })
}

/// The median of what is counted in the runs with a label.
pub(super) fn counted(
    results: &Results,
    key: Key<'_>,
    count: impl Fn(&ExperimentRecord) -> Option<usize>,
) -> Option<f64> {
    results.count(Key { contender: &watched_label(key.contender), ..key }, count)
}

/// The most workers of the runs.
pub(super) fn most_workers(results: &Results) -> usize {
    results.workers_beside("").last().copied().unwrap_or(1)
}

/// `label` takes, with the most workers, hardly longer than `other` on any workload.
pub(super) fn is_no_slower(results: &Results, label: &str, other: &str, what: &str) -> Part {
    let (jobs, workers) = (results.jobs(), most_workers(results));
    let compared = jobs.iter().filter(|_| workers >= TWO_WORKERS);
    let each = results.on_each(compared, |round, job| {
        let key = |contender| Key { job, contender, workers };
        round.ratio(key(label), key(other))
    });
    Part::at_most(what, each, GAIN)
}
