//! Runs plans: one warm-up of each contender, then rounds in turn, the processor's clock measured before each run.

use super::clock;
use super::plan::{Contender, Plan};
use super::record::Record;
use crate::engine::{Sample, Session};
use crate::measure::{Failure, Job, Progress};

/// How many runs [`measure`] makes of `plan`.
pub(crate) fn turns(plan: &Plan, reps: usize) -> usize {
    plan.contenders.len() * (reps + 1)
}

/// The runs of `plan`, `reps` of each contender.
///
/// # Errors
/// An engine cannot be started, or an answer is wrong, be it a warm-up's.
pub(crate) fn measure(
    experiment: &'static str,
    plan: &mut Plan,
    reps: usize,
    progress: &Progress,
) -> Result<Vec<Record>, Failure> {
    let Plan { job, contenders } = plan;
    let mut sessions = Vec::new();
    for contender in contenders.iter() {
        let session = contender.engine.start(contender.workers).map_err(Failure::Start)?;
        sessions.push((contender, session));
    }
    for (contender, session) in &mut sessions {
        turn(job, contender, &mut **session, progress)?;
    }
    let mut records = Vec::new();
    for rep in 1..=reps {
        for (contender, session) in &mut sessions {
            let gigahertz = clock::hertz() / 1e9;
            let sample = turn(job, contender, &mut **session, progress)?;
            let record = Record::of(job, contender, sample);
            records.push(Record { experiment, rep, gigahertz, ..record });
        }
    }
    Ok(records)
}

/// One run.
fn turn(
    job: &mut Job,
    contender: &Contender,
    session: &mut dyn Session,
    progress: &Progress,
) -> Result<Sample, Failure> {
    progress.announce(format!("{job} on {}", contender.name()));
    let sample = session.run(&mut job.instance).map_err(|wrong| Failure::Wrong {
        job: job.to_string(),
        contender: contender.name(),
        wrong,
    })?;
    progress.advance();
    Ok(sample)
}
