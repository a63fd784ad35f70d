//! From the words of a command line to workloads, engines and workers.

use super::{CliError, enumerate};
use crate::engine::{ENGINES, Engine, MAX_WORKERS, RUNTIME, Setup};
use crate::measure::{Contender, Job, lineup};
use crate::workload::{WORKLOADS, Workload};

/// The job that `WORKLOAD[:PARAM]` names.
pub(super) fn job(specification: &str) -> Result<Job, CliError> {
    let (name, parameter) = match specification.split_once(':') {
        Some((name, parameter)) => (name, Some(parameter)),
        None => (specification, None),
    };
    let workload = WORKLOADS.iter().find(|workload| workload.name() == name).ok_or_else(|| {
        let names = enumerate(WORKLOADS.iter().map(|workload| workload.name()));
        CliError::Usage(format!("there is no workload `{name}`: there are {names}"))
    })?;
    let parameter = parameter.unwrap_or(workload.default_parameter());
    let instance = workload
        .instance(parameter)
        .map_err(|_| CliError::Usage(unknown_parameter(*workload, parameter)))?;
    Ok(Job { workload: workload.name(), parameter: parameter.to_owned(), instance })
}

fn unknown_parameter(workload: &dyn Workload, parameter: &str) -> String {
    let (name, parameters) = (workload.name(), workload.parameters());
    format!("there is no {name}:{parameter}: {name} takes {parameters}")
}

/// The engines called `names`, in that order, without those this machine lacks; all if there are no
/// names. The runtime is there once for each of `setups`. What is left out is said on the standard error.
pub(super) fn engines(
    names: &[String],
    setups: &[Setup],
) -> Result<Vec<&'static dyn Engine>, CliError> {
    let named = match names {
        [] => ENGINES.to_vec(),
        names => names.iter().map(|name| engine(name)).collect::<Result<_, _>>()?,
    };
    let mut engines: Vec<&'static dyn Engine> = Vec::new();
    for engine in named {
        if engine.name() == RUNTIME {
            let setups = setups.iter().map(|setup| setup.engine());
            let setups = setups.collect::<Result<Vec<_>, _>>();
            engines.extend(setups.map_err(|error| CliError::Usage(error.to_string()))?);
        } else {
            engines.push(engine);
        }
    }
    engines.retain(|engine| match engine.absence() {
        None => true,
        Some(reason) => {
            anstream::eprintln!("note: the engine {} is left out: {reason}", engine.name());
            false
        }
    });
    if engines.is_empty() {
        return Err(CliError::Usage("no engine is left".to_owned()));
    }
    Ok(engines)
}

fn engine(name: &str) -> Result<&'static dyn Engine, CliError> {
    let found = ENGINES.iter().copied().find(|engine| engine.name() == name);
    found.ok_or_else(|| {
        let names = enumerate(ENGINES.iter().map(|engine| engine.name()));
        CliError::Usage(format!("there is no engine `{name}`: there are {names}"))
    })
}

/// A number of workers, for clap.
pub(super) fn workers(word: &str) -> Result<usize, String> {
    let number = word.parse().ok().filter(|number| (1..=MAX_WORKERS).contains(number));
    number.ok_or_else(|| format!("the number of workers is 1 to {MAX_WORKERS}"))
}

/// Who runs each job. An engine that was asked for by name and refuses a job is said on the standard
/// error.
///
/// # Errors
/// Nobody runs one of the jobs.
pub(super) fn contenders(
    jobs: &[Job],
    engines: &[&'static dyn Engine],
    workers: &[usize],
    names: &[String],
) -> Result<Vec<Vec<Contender>>, CliError> {
    let contenders = |job: &Job| {
        let refusals: Vec<String> = engines
            .iter()
            .filter(|engine| names.iter().any(|name| name == engine.name()))
            .filter_map(|engine| {
                let reason = engine.refusal(&job.instance)?;
                Some(format!("{} does not run {}: {reason}", engine.name(), job.workload))
            })
            .collect();
        let lineup = lineup(engines, workers, &job.instance);
        if lineup.is_empty() {
            let reasons = enumerate(&refusals);
            return Err(CliError::Usage(format!("no engine runs {job}: {reasons}")));
        }
        for refusal in refusals {
            anstream::eprintln!("note: {refusal}");
        }
        Ok(lineup)
    };
    jobs.iter().map(contenders).collect()
}
