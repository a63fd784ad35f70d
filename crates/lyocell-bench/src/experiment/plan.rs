//! What an experiment runs: who takes part, and the plans of a request.

use super::record::{ExperimentRecord, Results};
use super::{Experiment, Request, Size, clock, provenance};
use crate::measure::{Contender, Plan, Progress, take_turns};
use crate::results::{KeptFile, Notes};
use crate::stats::distinct;
use lyocell::Wait;
use lyocell_engines::runtime::options::WAIT;
use lyocell_engines::runtime::{PROFILED, Setup, Value, Watch};
use lyocell_engines::{Engine, RUNTIME, SERIAL, engine};
use lyocell_queue_study::{CasePlan, Counting, measure_all};
use lyocell_workloads::Failure;
use lyocell_workloads::Refused;

impl Contender {
    /// The serial program.
    pub(super) fn serial() -> Contender {
        Contender::rival(SERIAL, 1).expect("every machine has it")
    }

    /// An engine of the list; `None` if this machine does not have it.
    pub(super) fn rival(name: &str, workers: usize) -> Option<Contender> {
        let engine = engine(name).expect("experiments name engines of the list");
        Contender::new(engine, workers).if_present()
    }

    /// The runtime in `setup`, under a name of the experiment; `None` if this machine does not have its deque.
    pub(super) fn setup(
        label: impl Into<String>,
        setup: Setup,
        workers: usize,
    ) -> Option<Contender> {
        let engine = setup.engine().expect("experiments choose what the deque leaves open");
        Contender { label: label.into(), engine, workers }.if_present()
    }

    /// The runtime in `setup`, watched.
    pub(super) fn watched(setup: Setup, label: &str, workers: usize) -> Option<Contender> {
        Contender::setup(watched_label(label), setup.watched(Watch::Both), workers)
    }

    /// The same, of which only what happens how often is looked at.
    pub(super) fn counted(label: &str, setup: Setup, workers: usize) -> Option<Contender> {
        Contender::setup(watched_label(label), setup.watched(Watch::Counts), workers)
    }

    fn if_present(self) -> Option<Contender> {
        self.engine.absence().is_none().then_some(self)
    }
}

/// The label of a contender's twin whose probes are on: its counts are of interest, its times are not.
pub(super) fn watched_label(label: &str) -> String {
    format!("{label} (watched)")
}

/// Whether a label is that of such a twin.
pub(super) fn is_watched(label: &str) -> bool {
    label.ends_with(" (watched)")
}

/// A deque as Lace and Wool were published: who waits leapfrogs only, nobody sleeps or backs off, no thief exposes what
/// an owner keeps to itself, and an owner shares when it is asked only.
pub(super) fn as_published(deque: &str) -> Setup {
    leaping(deque).sharing_when_asked()
}

/// The same where thieves expose, as they do here.
pub(super) fn leaping(deque: &str) -> Setup {
    Setup::on(deque).with(&WAIT, Value::Wait(Wait::Leap)).never_sleeping()
}

/// Every contender that this machine has, of `each` for every number of workers.
pub(super) fn lineup<C: IntoIterator<Item = Option<Contender>>>(
    workers: &[usize],
    each: impl Fn(usize) -> C,
) -> Vec<Contender> {
    workers.iter().flat_map(|&workers| each(workers)).flatten().collect()
}

/// An experiment, ready to run.
pub(crate) struct Prepared {
    pub(crate) experiment: &'static Experiment,
    pub(super) workers: Vec<usize>,
    /// What stands above its runs where they are kept.
    notes: Notes,
    runs: Runs,
}

/// What it runs.
enum Runs {
    Programs(Vec<Plan>),
    /// Of the queues.
    Cases(Vec<CasePlan>),
}

impl Prepared {
    /// `experiment`, as it is asked for.
    ///
    /// # Errors
    /// It does not run what is asked for.
    pub(crate) fn new(
        experiment: &'static Experiment,
        request: &Request,
    ) -> Result<Prepared, Refused> {
        let workers = experiment.workers(request)?;
        let runs = Prepared::runs(experiment, request, &workers)?;
        let mut prepared = Prepared { experiment, workers, notes: Notes::new(), runs };
        prepared.notes = provenance::notes(&prepared, request);
        Ok(prepared)
    }

    fn runs(
        experiment: &'static Experiment,
        request: &Request,
        workers: &[usize],
    ) -> Result<Runs, Refused> {
        if let Some(cases) = experiment.cases(request, workers) {
            return Ok(Runs::Cases(cases?));
        }
        if let Some(case) = request.cases.first() {
            let name = experiment.name;
            return Err(Refused(format!("{name} runs programs, not {case}, a case of the queues")));
        }
        let instances = experiment.workloads(request, workers)?;
        let plans = instances.into_iter().map(|instance| {
            let contenders = (experiment.contenders)(&instance, workers);
            Plan::new(instance, contenders)
        });
        Ok(Runs::Programs(plans.collect()))
    }

    /// How often each run is repeated if nobody says: as often as it takes to decide the finding, at least.
    pub(crate) fn reps(&self, size: Size) -> usize {
        let own = match size {
            Size::Small => self.experiment.reps,
            Size::Paper => self.experiment.full_reps.unwrap_or(self.experiment.reps),
        };
        own.max((self.experiment.finding)(&self.imagined()).rounds_needed())
    }

    /// A round of runs that nobody ran: what is compared in a finding does not depend on what comes out.
    pub(super) fn imagined(&self) -> Results {
        match &self.runs {
            Runs::Programs(plans) => {
                let runs = plans.iter().flat_map(|plan| {
                    let run = |contender| ExperimentRecord::imagined(&plan.instance, contender);
                    plan.contenders.iter().map(run)
                });
                Results(runs.collect())
            }
            // Their own repetitions are more than enough.
            Runs::Cases(_) => Results(Vec::new()),
        }
    }

    /// The programs that it runs, and who runs them; none if it runs cases of the queues.
    pub(super) fn plans(&self) -> &[Plan] {
        match &self.runs {
            Runs::Programs(plans) => plans,
            Runs::Cases(_) => &[],
        }
    }

    /// The cases of the queues that it runs.
    pub(super) fn cases(&self) -> &[CasePlan] {
        match &self.runs {
            Runs::Programs(_) => &[],
            Runs::Cases(plans) => plans,
        }
    }

    /// The runs as they are kept, of this machine.
    pub(crate) fn kept(&self, machine: &str, results: Results) -> KeptFile<ExperimentRecord> {
        KeptFile::with_notes(self.notes.clone(), results.0).of_machine(machine)
    }

    /// The names of the programs or cases, each once.
    pub(super) fn programs(&self) -> Vec<String> {
        let name = |job: String| job.split(':').next().unwrap_or_default().to_owned();
        match &self.runs {
            Runs::Programs(plans) => {
                distinct(plans.iter().map(|plan| name(plan.instance.to_string())))
            }
            Runs::Cases(plans) => distinct(plans.iter().map(|plan| name(plan.to_string()))),
        }
    }

    /// Who runs what, a line each, but for the engines that a machine may lack.
    pub(super) fn describe(&self) -> String {
        let plans = match &self.runs {
            Runs::Programs(plans) => plans,
            Runs::Cases(plans) => return plans.iter().map(|plan| format!("{plan}\n")).collect(),
        };
        let mut text = String::new();
        for Plan { instance, contenders } in plans {
            let ours = contenders.iter().filter(|contender| {
                let name = contender.engine.name();
                name.starts_with(RUNTIME) || name == SERIAL || name == PROFILED.name()
            });
            for Contender { label, engine, workers } in ours {
                text += &format!("{instance} | {label} | {} | {workers}\n", engine.name());
            }
        }
        text
    }

    /// Runs it: one warm-up of each contender, then rounds in turn, the processor's clock measured before each run.
    ///
    /// # Errors
    /// An engine cannot be started, or an answer is wrong, be it a warm-up's.
    pub(crate) fn measure(&mut self, reps: usize) -> Result<Results, Failure> {
        let plans = match &mut self.runs {
            Runs::Programs(plans) => plans,
            Runs::Cases(plans) => return measure_cases(self.experiment.name, plans, reps),
        };
        let progress = Progress::new(plans.iter().map(|plan| plan.turns(reps)).sum());
        let experiment = self.experiment.name;
        let mut records = Vec::new();
        for plan in plans {
            records.extend(take_turns(plan, reps, &progress, |instance, contender, rep, run| {
                let gigahertz = clock::hertz() / 1e9;
                let sample = run(instance)?;
                let record = ExperimentRecord::of(instance, contender, sample);
                Ok(ExperimentRecord { experiment: experiment.into(), rep, gigahertz, ..record })
            })?);
        }
        Ok(Results(records))
    }
}

/// Runs each case on each queue, without counting and with, in turn; the processor's clock is measured once.
fn measure_cases(
    experiment: &'static str,
    plans: &mut Vec<CasePlan>,
    reps: usize,
) -> Result<Results, Failure> {
    let gigahertz = clock::hertz() / 1e9;
    let progress = Progress::new(plans.iter().map(|plan| plan.turns(reps, Counting::On)).sum());
    let study = measure_all(std::mem::take(plans), reps, Counting::On, &progress)?;
    let alone = study.groups.iter().flatten().map(ExperimentRecord::of_case);
    let watched = study.statistics.iter().map(ExperimentRecord::of_counted_case);
    let finished = alone.chain(watched).map(|record| ExperimentRecord {
        experiment: experiment.into(),
        gigahertz,
        ..record
    });
    Ok(Results(finished.collect()))
}
