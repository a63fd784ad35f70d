//! Which programs an engine runs.

use std::marker::PhantomData;

use lyocell_workloads::{Engine, Instance, On, Reach, Roster, Visitor, WrongAnswer};

use super::Sample;

/// A roster, for those who ask at run time.
#[derive(Clone, Copy)]
pub struct Programs {
    /// Why an engine with this roster does not run other programs.
    pub limits: &'static str,
    holds: fn(&Instance) -> bool,
}

impl Programs {
    /// Those of a roster.
    pub const fn of<R: Roster>() -> Programs {
        Programs { limits: R::LIMITS, holds: R::holds }
    }

    /// Whether the program of `instance` is one of them.
    pub fn hold(&self, instance: &Instance) -> bool {
        (self.holds)(instance)
    }
}

/// Takes a sample of any problem that the engine `E` runs.
pub(super) trait TakeSample<E: Engine> {
    fn take<P: On<E>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer>;
}

/// Takes a sample of `instance`, whose program is on the roster `R`.
pub(super) fn sample<R: Reach<E>, E: Engine>(
    instance: &mut Instance,
    engine: &impl TakeSample<E>,
) -> Result<Sample, WrongAnswer> {
    struct ByType<'a, S, E>(&'a S, PhantomData<E>);

    impl<S: TakeSample<E>, E: Engine> Visitor<E> for ByType<'_, S, E> {
        type Output = Result<Sample, WrongAnswer>;

        fn visit<P: On<E>>(self, problem: &mut P) -> Self::Output {
            self.0.take(problem)
        }
    }

    let sample = R::visit(instance, ByType(engine, PhantomData));
    sample.unwrap_or_else(|| unreachable!("nobody plans {instance} for an engine without it"))
}
