//! The engines of some names.

use lyocell_engines::runtime::Setup;
use lyocell_engines::{ENGINES, Engine, RIVALS, RUNTIME, engine};
use lyocell_workloads::{Refused, enumerate};

/// An engine of this machine.
pub(super) struct Found {
    pub(super) engine: &'static dyn Engine,
    /// Whether any engines were asked for by name: what of them is left out is worth a note.
    pub(super) asked_for: bool,
}

/// The engines called `names`, in that order; if there are no names, all that this machine has and that run unnamed. The
/// runtime is there once for each of `setups`. And what is left out.
///
/// # Errors
/// There is no engine of some name, this machine does not have it, or none is left.
pub(super) fn find(
    names: &[String],
    setups: &[Setup],
) -> Result<(Vec<Found>, Vec<String>), Refused> {
    let asked_for = !names.is_empty();
    let named = match names {
        [] => ENGINES.to_vec(),
        names => names.iter().map(|name| by_name(name)).collect::<Result<_, _>>()?,
    };
    let mut engines: Vec<&'static dyn Engine> = Vec::new();
    for engine in named {
        if engine.name() == RUNTIME {
            let setups = setups.iter().map(|setup| setup.engine());
            let setups = setups.collect::<Result<Vec<_>, _>>();
            engines.extend(setups.map_err(|unsupported| Refused(unsupported.to_string()))?);
        } else {
            engines.push(engine);
        }
    }
    let mut notes = Vec::new();
    for engine in &engines {
        let Some(reason) = engine.absence() else { continue };
        let name = engine.name();
        if asked_for {
            return Err(Refused(format!("this machine does not have the engine {name}: {reason}")));
        }
        notes.push(format!("the engine {name} is left out: {reason}"));
    }
    engines.retain(|engine| engine.absence().is_none());
    if engines.is_empty() {
        return Err(Refused("no engine is left".to_owned()));
    }
    Ok((engines.into_iter().map(|engine| Found { engine, asked_for }).collect(), notes))
}

fn by_name(name: &str) -> Result<&'static dyn Engine, Refused> {
    engine(name).ok_or_else(|| {
        let names = enumerate(ENGINES.iter().chain(&RIVALS).map(|engine| engine.name()));
        Refused(format!("there is no engine `{name}`: there are {names}"))
    })
}
