//! One run, timed.

use std::time::{Duration, Instant};

use lyocell_workloads::{Problem, WrongAnswer};

use crate::runtime::{Observed, Observer};

/// One run.
#[derive(Debug)]
pub struct Sample {
    /// How long it took.
    pub time: Duration,
    /// Its answer, as text.
    pub answer: String,
    /// What the probes saw of it.
    pub observed: Observed,
}

impl Sample {
    /// Times `run` alone: neither what makes it ready nor what judges its answer.
    pub(super) fn take<P: Problem>(
        problem: &mut P,
        run: &mut dyn FnMut(&mut P) -> P::Answer,
    ) -> Result<Sample, WrongAnswer> {
        Sample::take_observed(problem, &(), run)
    }

    /// As [`Sample::take`]; `observer` looks on meanwhile, and what it needs before and after is not timed.
    ///
    /// Not generic over who runs and who observes: there are some hundred combinations of pools and programs, and an
    /// indirect call is nothing beside a run.
    pub(super) fn take_observed<P: Problem>(
        problem: &mut P,
        observer: &dyn Observer,
        run: &mut dyn FnMut(&mut P) -> P::Answer,
    ) -> Result<Sample, WrongAnswer> {
        problem.reset();
        observer.begin();
        let start = Instant::now();
        let answer = run(problem);
        let time = start.elapsed();
        let observed = observer.end();
        Ok(Sample { time, answer: problem.judge(&answer)?, observed })
    }
}
