//! Of what kept runs are: the commit, the programs and the parameters. Runs of anything else than this version would run are
//! refused, but for those with an option as it was before: these say so.

use sha1::{Digest, Sha1};

use super::plan::Prepared;
use super::{Experiment, Request, Size};
use crate::results::Notes;
use crate::stats::distinct;
use lyocell_workloads::Instance;

/// Each program and case, and a digest of its source, as `build.rs` has it.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// The notes beside machine and date. What was asked for; the programs, each with its digest; a digest of who runs what.
const ASKED: &str = "asked";
const WORKERS: &str = "workers";
pub(crate) const PROGRAMS: &str = "programs";
const PLAN: &str = "plan";

/// In the names of engines: how owners share as the papers have it, and how they did in runs that may still be kept, with what is said
/// of those.
const WHEN_ASKED: &str = "exposing-asked";
const AHEAD: &str = "exposing-off";
const WERE_AHEAD: &str = "Where the experiment has owners share when they are asked only, they shared ahead of that in these runs \
    (--exposing off): the oldest task, the next after a steal, and all that they pushed while somebody had nothing to do.";

const SMALL: &str = "small";
const PAPER: &str = "paper";

/// What is written above the runs of an experiment, as it was asked for.
pub(super) fn notes(prepared: &Prepared, request: &Request) -> Notes {
    let workers: Vec<String> = prepared.workers.iter().map(usize::to_string).collect();
    let notes = [
        (ASKED, asked(request)),
        (WORKERS, workers.join(" ")),
        (PROGRAMS, programs(prepared)),
        (PLAN, digest(prepared)),
    ];
    notes.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

fn asked(request: &Request) -> String {
    let instances = request.workloads.iter().flatten().map(Instance::to_string);
    let words: Vec<String> = instances.chain(request.cases.iter().cloned()).collect();
    match (&words[..], request.size) {
        ([], Size::Small) => SMALL.to_owned(),
        ([], Size::Paper) => PAPER.to_owned(),
        _ => words.join(" "),
    }
}

/// What was asked for, read again.
fn request(asked: &str, workers: &str) -> Option<Request> {
    let workers =
        workers.split(' ').map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>()?;
    let most = *workers.last()?;
    let request = |size| Request { workers: Some(workers.clone()), ..Request::of(size, most) };
    match asked {
        SMALL => return Some(request(Size::Small)),
        PAPER => return Some(request(Size::Paper)),
        _ => {}
    }
    let words: Vec<&str> = asked.split(' ').collect();
    let instances: Vec<Instance> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let known = |word: &&&str| word.parse::<Instance>().is_err();
    let cases = words.iter().filter(known).map(|&word| word.to_owned()).collect();
    let workloads = (!instances.is_empty()).then_some(instances);
    Some(Request { workloads, cases, ..request(Size::Small) })
}

/// The programs, each with the digest of its source.
fn programs(prepared: &Prepared) -> String {
    let source = |name: &String| {
        let digest = digest_of(name).unwrap_or("unknown");
        format!("{name} {digest}")
    };
    prepared.programs().iter().map(source).collect::<Vec<_>>().join(", ")
}

/// The programs of these jobs, each with the digest of its source, for the note of a kept file.
pub(crate) fn programs_of<'j>(jobs: impl Iterator<Item = &'j str>) -> String {
    let names = distinct(jobs.map(|job| job.split(':').next().unwrap_or_default()));
    let known = names.into_iter().filter_map(|name| Some(format!("{name} {}", digest_of(name)?)));
    known.collect::<Vec<_>>().join(", ")
}

/// The first program of such a note that is not today's.
pub(crate) fn changed_program(note: &str) -> Option<&str> {
    let programs = note.split(", ").filter_map(|program| program.split_once(' '));
    programs
        .into_iter()
        .find(|(name, digest)| digest_of(name) != Some(digest))
        .map(|(name, _)| name)
}

fn digest_of(program: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(name, _)| *name == program).map(|(_, digest)| *digest)
}

/// A digest of who runs what. Which other engines a machine has makes no difference.
fn digest(prepared: &Prepared) -> String {
    digest_of_text(&prepared.describe())
}

fn digest_of_text(text: &str) -> String {
    let digest = Sha1::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Whether runs with these notes are what this version of the experiment would run; what is to be said of them, if an option was
/// otherwise.
///
/// # Errors
/// They are not; why, in words.
pub(super) fn check(
    experiment: &'static Experiment,
    note: impl Fn(&str) -> Result<String, String>,
) -> Result<Option<&'static str>, String> {
    let commit = note("commit")?;
    let again = format!(
        "measured at commit {commit}; `lyocell experiment {} --keep FOLDER` measures it again",
        experiment.name
    );
    let (asked, workers) = (note(ASKED)?, note(WORKERS)?);
    let request = request(&asked, &workers)
        .ok_or_else(|| format!("`# workers: {workers}` are no numbers of workers"))?;
    let changed = |what: &str| format!("its runs are of {what} than today's, {again}");
    let prepared = Prepared::new(experiment, &request)
        .map_err(|why| format!("{}: {why}", changed("other workloads")))?;
    if let Some(program) = changed_program(&note(PROGRAMS)?) {
        return Err(changed(&format!("another program `{program}`")));
    }
    let (plan, runs) = (note(PLAN)?, prepared.describe());
    if plan == digest_of_text(&runs) {
        return Ok(None);
    }
    if plan == digest_of_text(&runs.replace(WHEN_ASKED, AHEAD)) {
        return Ok(Some(WERE_AHEAD));
    }
    Err(changed("other workloads, deques or options"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::EXPERIMENTS;

    fn notes_of(experiment: &'static Experiment, request: &Request) -> Notes {
        let mut notes = notes(&Prepared::new(experiment, request).unwrap(), request);
        notes.push(("commit".to_owned(), "0123456789ab".to_owned()));
        notes
    }

    fn checked(
        experiment: &'static Experiment,
        notes: &Notes,
    ) -> Result<Option<&'static str>, String> {
        check(experiment, |name| {
            let note = notes.iter().find(|(known, _)| known == name);
            note.map(|(_, value)| value.clone()).ok_or_else(|| format!("no {name}"))
        })
    }

    fn with(notes: &Notes, name: &str, of: impl Fn(&str) -> String) -> Notes {
        let change = |(known, value): &(String, String)| {
            (known.clone(), if known == name { of(value) } else { value.clone() })
        };
        notes.iter().map(change).collect()
    }

    #[test]
    fn what_every_experiment_would_run_today_is_known_again() {
        for experiment in EXPERIMENTS {
            for size in [Size::Small, Size::Paper] {
                let notes = notes_of(experiment, &Request::of(size, 2));
                assert_eq!(checked(experiment, &notes), Ok(None), "{}", experiment.name);
            }
        }
        let asked = vec!["fib:10".parse().unwrap(), "cholesky:10,20x1".parse().unwrap()];
        let request = Request { workloads: Some(asked), ..Request::of(Size::Small, 2) };
        assert_eq!(checked(EXPERIMENTS[0], &notes_of(EXPERIMENTS[0], &request)), Ok(None));
    }

    #[test]
    fn runs_whose_owners_shared_ahead_are_told_from_todays() {
        let request = Request::of(Size::Small, 2);
        for experiment in EXPERIMENTS {
            let (notes, runs) = (notes_of(experiment, &request), {
                let prepared = Prepared::new(experiment, &request).unwrap();
                prepared.describe()
            });
            let before = digest_of_text(&runs.replace(WHEN_ASKED, AHEAD));
            let remark = checked(experiment, &with(&notes, PLAN, |_| before.clone())).unwrap();
            assert_eq!(remark.is_some(), runs.contains(WHEN_ASKED), "{}", experiment.name);
        }
    }

    #[test]
    fn another_program_other_parameters_and_no_commit_are_refused() {
        let notes = notes_of(EXPERIMENTS[0], &Request::of(Size::Small, 2));
        let error = |notes: &Notes| checked(EXPERIMENTS[0], notes).unwrap_err();
        let program = error(&with(&notes, PROGRAMS, |text| text.replacen("fib ", "fib 0", 1)));
        assert!(
            program.contains("another program `fib`") && program.contains("0123456789ab"),
            "{program}"
        );
        let plan = error(&with(&notes, ASKED, |_| "fib:36 uts:T2".to_owned()));
        assert!(plan.contains("other workloads"), "{plan}");
        assert!(error(&with(&notes, WORKERS, |_| "4".to_owned())).contains("other workloads"));
        let older: Notes = notes.iter().filter(|(name, _)| name != "commit").cloned().collect();
        assert!(error(&older).contains("no commit"));
    }

    #[test]
    fn every_program_has_a_digest() {
        for workload in lyocell_workloads::WORKLOADS {
            assert!(digest_of(workload.name).is_some(), "{}", workload.name);
        }
        for case in &lyocell_queue_study::CASES {
            assert!(digest_of(case.name).is_some(), "{}", case.name);
        }
    }
}
