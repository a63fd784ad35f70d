//! Workloads on engines, compared in one run: what `lyocell run` and the headline table measure.
//!
//! `setups.rs` makes setups of the runtime from options; `engines.rs` finds the engines of some names.

use lyocell_workloads::{Fib, Instance, Matmul, Queens, Uts};

mod engines;
mod setups;

pub(crate) use setups::SetupRequest;

use engines::Found;

use crate::measure::{Plan, Progress, RunRecord, lineup, measure};
use lyocell_engines::runtime::Setup;
use lyocell_workloads::Failure;
use lyocell_workloads::{Refused, enumerate};

/// What is to be compared.
pub(crate) struct Request {
    pub(crate) instances: Vec<Instance>,
    /// The engines by name; all if there are no names.
    pub(crate) engines: Vec<String>,
    /// Those that the runtime is there in.
    pub(crate) setups: Vec<Setup>,
    /// In ascending order.
    pub(crate) workers: Vec<usize>,
    pub(crate) reps: usize,
}

/// A comparison, ready to be measured.
pub(crate) struct Comparison {
    plans: Vec<Plan>,
    reps: usize,
    /// What of the request is left out, and why.
    pub(crate) notes: Vec<String>,
}

/// The programs of the Lace paper, fib by move and by reference, with one geometric and one binomial tree, large enough to time and small
/// enough that all engines together stay under two minutes on two cores, where a task costs rayon 20 ns.
pub(crate) fn headline(workers: Vec<usize>) -> Request {
    Request {
        instances: vec![
            Fib::new(37).into(),
            "fib:37,ref".parse().expect("a program of the list"),
            Queens::new(12).into(),
            Uts::new("T2").into(),
            Uts::new("T3").into(),
            Matmul::new(1024).into(),
        ],
        engines: Vec::new(),
        setups: vec![Setup::DEFAULT],
        workers,
        reps: 5,
    }
}

impl Request {
    /// Who runs what.
    ///
    /// # Errors
    /// There is no engine of some name, or nobody runs one of the workloads.
    pub(crate) fn plan(self) -> Result<Comparison, Refused> {
        let (engines, mut notes) = engines::find(&self.engines, &self.setups)?;
        let mut plans = Vec::new();
        for instance in self.instances {
            let refusals = refusals(&engines, &instance);
            let engines: Vec<_> = engines.iter().map(|engine| engine.engine).collect();
            let plan = Plan::new(instance, lineup(&engines, &self.workers));
            if plan.contenders.is_empty() {
                let (instance, reasons) = (&plan.instance, enumerate(&refusals));
                return Err(Refused(format!("no engine runs {instance}: {reasons}")));
            }
            notes.extend(refusals);
            plans.push(plan);
        }
        Ok(Comparison { plans, reps: self.reps, notes })
    }
}

/// The engines that were asked for and do not run the program of `instance`, a sentence for each reason.
fn refusals(engines: &[Found], instance: &Instance) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for Found { engine, asked_for } in engines {
        let programs = engine.programs();
        if !asked_for || programs.hold(instance) {
            continue;
        }
        match reasons.iter_mut().find(|(limits, _)| *limits == programs.limits) {
            Some((_, names)) => names.push(engine.name()),
            None => reasons.push((programs.limits, vec![engine.name()])),
        }
    }
    let program = instance.workload().name;
    let sentence = |(limits, names): (&str, Vec<&str>)| {
        let does = if names.len() == 1 { "does" } else { "do" };
        format!("{} {does} not run {program}: {limits}", enumerate(names))
    };
    reasons.into_iter().map(sentence).collect()
}

impl Comparison {
    /// The records of each workload.
    ///
    /// # Errors
    /// An engine cannot be started, or an answer is wrong.
    pub(crate) fn measure(mut self) -> Result<Vec<Vec<RunRecord>>, Failure> {
        let progress = Progress::new(self.plans.iter().map(|plan| plan.turns(self.reps)).sum());
        self.plans.iter_mut().map(|plan| measure(plan, self.reps, &progress)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(engines: &[&str]) -> Request {
        Request {
            instances: vec![Queens::new(5).into()],
            engines: engines.iter().map(|&name| name.to_owned()).collect(),
            setups: vec![Setup::DEFAULT],
            workers: vec![1],
            reps: 2,
        }
    }

    #[test]
    fn an_engine_that_does_not_run_the_program_is_noted_if_it_was_asked_for() {
        let peek = |engines| Request { setups: vec![Setup::on("direct-peek")], ..request(engines) };
        let comparison = peek(&["lyocell", "serial"]).plan().unwrap();
        assert!(comparison.notes[0].contains("lyocell:direct-peek does not run queens"));
        assert_eq!(comparison.measure().unwrap()[0].len(), 2);
        let all = peek(&[]).plan().unwrap();
        assert!(all.notes.iter().all(|note| !note.contains("direct-peek")));
        let Err(Refused(message)) = peek(&["lyocell"]).plan() else { panic!("nobody runs it") };
        assert!(message.contains("no engine runs queens:5: lyocell:direct-peek"), "{message}");
    }

    #[test]
    fn engines_with_the_same_limits_share_a_note() {
        let setups = ["split", "direct-peek", "direct-base"].map(Setup::on).to_vec();
        let comparison = Request { setups, ..request(&["lyocell"]) }.plan().unwrap();
        let expected = "lyocell:direct-peek and lyocell:direct-base do not run queens: ";
        assert!(comparison.notes[0].starts_with(expected), "{:?}", comparison.notes);
    }
}
