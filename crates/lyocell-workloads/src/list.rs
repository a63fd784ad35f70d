//! The one list of programs, and the rosters: which of them an engine runs that cannot or need not run all.
//!
//! A program is a line of `programs!`. What stands above the list (problems, engines, workloads) does not name it.

use std::fmt;
use std::str::FromStr;

use crate::engine::{Engine, On};
use crate::problem::Problem;
use crate::refused::enumerate;
use crate::workload::{UnknownParameter, Workload};

/// Something to do with a problem that the engine `E` runs.
pub trait Visitor<E: Engine> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<P: On<E>>(self, problem: &mut P) -> Self::Output;
}

/// Some of the programs, as a type.
pub trait Roster {
    /// Which programs these are, to be said where another is asked for.
    const LIMITS: &'static str;

    /// Whether the program of `instance` is one of them.
    fn holds(instance: &Instance) -> bool;
}

/// A roster of programs all of which the engine `E` runs.
pub trait Reach<E: Engine>: Roster {
    /// Hands the problem in `instance` to `visitor`; `None` if it is not on the roster.
    fn visit<V: Visitor<E>>(instance: &mut Instance, visitor: V) -> Option<V::Output>;
}

/// Makes rosters.
macro_rules! rosters {
    ($($(#[doc = $doc:literal])* $roster:ident $(where $suits:ident)?, $limits:literal: $($problem:ident),*;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub enum $roster {}

        impl Roster for $roster {
            const LIMITS: &'static str = $limits;

            fn holds(instance: &Instance) -> bool {
                matches!(instance, $(Instance::$problem(_))|*) $(&& $suits(instance))?
            }
        }

        impl<E: Engine> Reach<E> for $roster
        where
            $($problem: On<E>),*
        {
            fn visit<V: Visitor<E>>(instance: &mut Instance, visitor: V) -> Option<V::Output> {
                #[allow(unreachable_patterns, reason = "a roster may hold every program")]
                match instance {
                    $(_ if !$suits(instance) => None,)?
                    $(Instance::$problem(problem) => Some(visitor.visit(problem)),)*
                    _ => None,
                }
            }
        }
    )*};
}

/// Makes the list: an [`Instance`] of any of them, what all have in common, and the entries of their folders.
macro_rules! programs {
    ($($folder:ident::$problem:ident),* $(,)?) => {
        /// The problem of each program.
        pub(crate) mod problems {
            $(pub use crate::$folder::$problem;)*
        }

        use problems::{$($problem),*};

        /// A problem of any of the programs.
        #[derive(Clone, Debug)]
        #[expect(missing_docs, reason = "each is the problem of its name")]
        pub enum Instance {
            $($problem($problem)),*
        }

        $(impl From<$problem> for Instance {
            fn from(problem: $problem) -> Instance {
                Instance::$problem(problem)
            }
        })*

        impl Instance {
            /// The program.
            pub fn workload(&self) -> &'static Workload {
                match self {
                    $(Instance::$problem(_) => &crate::$folder::PROGRAM.workload),*
                }
            }

            /// Its parameters, as they are asked for.
            pub fn parameter(&self) -> String {
                match self {
                    $(Instance::$problem(problem) => problem.parameter()),*
                }
            }

            /// The most forks on one path through a run; `None` where nobody has counted them.
            pub fn branching_depth(&self) -> Option<u64> {
                match self {
                    $(Instance::$problem(problem) => problem.branching_depth()),*
                }
            }

            /// The number of tasks that a run spawns, whatever the engine makes of them; `None` if it differs from run to run.
            pub fn tasks(&self) -> Option<u64> {
                match self {
                    $(Instance::$problem(problem) => problem.tasks()),*
                }
            }
        }

        /// Every program, in the order they are listed and run.
        pub static WORKLOADS: &[&Workload] = &[$(&crate::$folder::PROGRAM.workload),*];

        impl Instance {
            /// The program called `name` with these parameters, or with those that it has by default.
            fn named(name: &str, parameter: Option<&str>) -> Result<Instance, UnknownInstance> {
                $(if name == crate::$folder::PROGRAM.workload.name {
                    let program = &crate::$folder::PROGRAM;
                    let parameter = parameter.unwrap_or(program.workload.default_parameter);
                    return match (program.parse)(parameter) {
                        Ok(problem) => Ok(problem.into()),
                        Err(UnknownParameter) => {
                            Err(UnknownInstance::Parameter(&program.workload, parameter.to_owned()))
                        }
                    };
                })*
                Err(UnknownInstance::Name(name.to_owned()))
            }
        }

        /// One of each program, in the order of the list: each so small that threads are what takes time. For tests.
        ///
        /// # Panics
        /// If a program does not take the parameters it has here.
        pub fn small_instances() -> Vec<Instance> {
            vec![$((crate::$folder::PROGRAM.small)().expect("parameters that it takes").into()),*]
        }

        rosters! {
            /// Every program.
            Everything, "every program is run": $($problem),*;
        }
    };
}

programs! {
    fib::Fib,
    queens::Queens,
    uts::Uts,
    matmul::Matmul,
    stress::Stress,
    cholesky::Cholesky,
    mm::Mm,
    ssf::Ssf,
    cilksort::Cilksort,
    samplesort::Samplesort,
    matching::Matching,
    mis::Mis,
    hull::Hull,
    dfs::Dfs,
    tree_sum::TreeSum,
    skynet::Skynet,
    integrate::Integrate,
    knapsack::Knapsack,
    strassen::Strassen,
    heat::Heat,
    bdd::Bdd,
}

rosters! {
    /// The programs of joins and of frames of tasks, and nothing else.
    ForkJoin, "dfs is outside of fork-join: it needs tasks that nobody waits for": Fib, Queens, Uts, Matmul, Stress, Cholesky, Mm, Ssf,
        Cilksort, Samplesort, Matching, Mis, Hull, TreeSum, Skynet, Integrate, Knapsack, Strassen, Heat, Bdd;
    /// The programs whose tasks are so short that it shows which compiler they are from.
    ShortTasks, "the serial programs in C are those with short tasks, fib, queens, uts, tree-sum, skynet, integrate and knapsack":
        Fib, Queens, Uts, TreeSum, Skynet, Integrate, Knapsack;
    /// The programs of joins, but those whose tasks are so short that a rival would have to bring them itself and does not.
    OfRivals, "the rivals bring fib, queens, uts, matmul and stress, and a join for what has longer tasks": Fib, Queens, Uts, Matmul, Stress,
        Cholesky, Mm, Ssf, Cilksort, Samplesort, Matching, Mis, Hull, Strassen, Heat, Bdd;
    /// The programs that a rival brings itself, for one that has no join.
    OwnOfRivals where has_no_cutoff, "an engine without a join runs the programs that it brings, fib without a cut-off, queens, uts, matmul and stress":
        Fib, Queens, Uts, Matmul, Stress;
    /// The programs of Faxén's paper on Wool (2010), for what is compared there only.
    OfWool, "what is only compared runs the programs of its paper, fib and stress": Fib, Stress;
    /// The programs of van Dijk and van de Pol's paper on Lace (2014), for what is compared there only.
    OfLace, "what is only compared runs the programs of its paper, fib, queens, uts and matmul":
        Fib, Queens, Uts, Matmul;
}

/// `fib` with a cut-off is another recursion.
fn has_no_cutoff(instance: &Instance) -> bool {
    !matches!(instance, Instance::Fib(fib) if fib.has_cutoff())
}

/// Why a text names no instance.
#[derive(Clone, Debug)]
pub enum UnknownInstance {
    /// No program has this name.
    Name(String),
    /// The program does not take these parameters.
    Parameter(&'static Workload, String),
}

impl fmt::Display for UnknownInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownInstance::Name(name) => {
                let names = enumerate(WORKLOADS.iter().map(|workload| workload.name));
                write!(f, "there is no workload `{name}`: there are {names}")
            }
            UnknownInstance::Parameter(workload, parameter) => {
                let (name, parameters) = (workload.name, (workload.parameters)());
                write!(f, "there is no {name}:{parameter}: {name} takes {parameters}")
            }
        }
    }
}

impl std::error::Error for UnknownInstance {}

impl FromStr for Instance {
    type Err = UnknownInstance;

    /// The instance that `NAME` or `NAME:PARAMETER` names.
    fn from_str(text: &str) -> Result<Instance, UnknownInstance> {
        match text.split_once(':') {
            Some((name, parameter)) => Instance::named(name, Some(parameter)),
            None => Instance::named(text, None),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.workload().name, self.parameter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_instances_are_of_every_program() {
        let names: Vec<&str> =
            small_instances().iter().map(|instance| instance.workload().name).collect();
        assert!(WORKLOADS.iter().map(|workload| workload.name).eq(names));
    }

    #[test]
    fn default_parameters_are_parameters_and_an_instance_is_named_as_it_is_asked_for() {
        for workload in WORKLOADS {
            let instance: Instance = workload.name.parse().unwrap();
            assert_eq!(instance.parameter(), workload.default_parameter);
            let again: Instance = instance.to_string().parse().unwrap();
            assert_eq!(again.to_string(), instance.to_string());
            assert!(std::ptr::eq(instance.workload(), *workload));
        }
    }

    #[test]
    fn what_there_is_not_is_named_with_what_there_is() {
        let message = |text: &str| text.parse::<Instance>().unwrap_err().to_string();
        let unknown = message("fob:3");
        assert!(unknown.contains("`fob`") && unknown.contains("fib, queens"), "{unknown}");
        let out_of_bounds = message("queens:99");
        assert!(out_of_bounds.contains("queens:99: queens takes N"), "{out_of_bounds}");
    }
}
