//! What fell short: as plainly as what did not.

use maud::{Markup, html};

use crate::experiment::Verdict;
use crate::measure::Summary;
use crate::report::seconds;
use crate::whole_report::whole::{Paper, Whole};
use lyocell_engines::RUNTIME;

/// Half the range of the repetitions, as a share of the median: from here on a time is said to be noisy.
const NOISY: f64 = 0.1;

pub(super) fn body(whole: &Whole) -> Markup {
    let summaries = whole.summaries();
    let slower: Vec<String> = summaries.iter().flat_map(slower).collect();
    let noisy: Vec<String> = summaries.iter().flat_map(noisy).collect();
    let papers: Vec<String> = whole.papers.iter().filter_map(finding).collect();
    let parts = [
        ("Somebody else was faster", slower),
        ("Findings of papers that do not hold here, or not in full", papers),
        ("Times that differ from run to run by more than ten percent either way", noisy),
        ("Left out", whole.notes.clone()),
    ];
    html! {
        @for (title, sentences) in &parts {
            h3 { (title) }
            @if sentences.is_empty() { p { "Nothing." } }
            ul { @for sentence in sentences { li { (sentence) } } }
        }
        p {
            "Numbers are of this machine, with " (whole.origin.workers) " workers at most, and say nothing of more of them. A short \
             recursion depends on where its code lies in memory, so a difference of some percent between two engines is partly \
             luck."
        }
    }
}

/// Where another engine has a shorter time, on as many workers.
fn slower(summary: &Summary) -> Vec<String> {
    let one = |&workers: &usize| {
        let ours = summary.time(RUNTIME, workers)?;
        let times = summary.engines.iter().filter(|engine| **engine != RUNTIME);
        let times = times.filter_map(|engine| Some((*engine, summary.time(engine, workers)?)));
        let (engine, theirs) = times.min_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
        (theirs.median < ours.median).then(|| {
            let overlap = if theirs.high < ours.low { "" } else { " (the repetitions overlap)" };
            let (workload, factor) = (&summary.workload, ours.median / theirs.median);
            let (theirs, ours) = (seconds(theirs.median), seconds(ours.median));
            format!("{workload}, T_{workers}: {engine} {theirs}, {RUNTIME} {ours}, {factor:.2} times as long{overlap}")
        })
    };
    summary.workers.iter().filter_map(one).collect()
}

fn noisy(summary: &Summary) -> Vec<String> {
    let times = summary.engines.iter().flat_map(|engine| {
        summary
            .workers
            .iter()
            .filter_map(|&workers| Some((*engine, workers, summary.time(engine, workers)?)))
    });
    let noisy = times.filter(|(.., time)| time.spread() > NOISY);
    let sentence = |(engine, workers, time): (&str, usize, crate::measure::Timing)| {
        format!("{} on {engine} x{workers}: ±{:.0} %", summary.workload, time.spread() * 100.0)
    };
    noisy.map(sentence).collect()
}

fn finding(paper: &Paper) -> Option<String> {
    let told = &paper.told;
    let is_short = told.verdict != Verdict::Holds;
    is_short.then(|| format!("{}: {}", told.name, told.finding))
}
