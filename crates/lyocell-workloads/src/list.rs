//! The one list of programs, and the rosters: which of them an engine runs that cannot or need not run all.

use crate::engine::{Engine, On};
use crate::problem::{Problem, Reach, Roster, Visitor};
use crate::workload::Workload;
use crate::{
    Bdd, Cholesky, Cilksort, Dfs, Fib, Heat, Hull, Integrate, Knapsack, Matching, Matmul, Mis, Mm,
    Queens, Samplesort, Skynet, Ssf, Strassen, Stress, TreeSum, Uts,
};
use crate::{
    bdd, cholesky, cilksort, dfs, fib, heat, hull, integrate, knapsack, matching, matmul, mis, mm,
    queens, samplesort, skynet, ssf, strassen, stress, tree_sum, uts,
};

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
                    $(Instance::$problem(_) => &$folder::WORKLOAD),*
                }
            }

            /// Its parameters, as [`Workload::parse`] takes them.
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
        pub static WORKLOADS: &[&Workload] = &[$(&$folder::WORKLOAD),*];

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
