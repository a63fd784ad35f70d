//! The runtime under the profile: an engine whose runs tell their work and their span.

use lyocell::{Pool, Split};
use lyocell_profile::{Exact, Profile};
use lyocell_workloads::{Everything, Instance, Lyocell, On, StartError, WrongAnswer};

use super::observed::Spans;
use crate::programs::{TakeSample, sample};
use crate::{Engine, Programs, STACK_BYTES, Sample, Session};

/// Reads the clock at every fork and join, and subtracts what that costs.
type Probe = Profile<Exact>;

/// The engine. Its times have the profile in them, its spans have not.
pub struct UnderProfile;

/// The runtime under the profile.
pub static PROFILED: UnderProfile = UnderProfile;

impl Engine for UnderProfile {
    fn name(&self) -> &'static str {
        "lyocell-profiled"
    }

    fn summary(&self) -> &'static str {
        "this project, on the split deque under the profile"
    }

    fn programs(&self) -> Programs {
        Programs::of::<Everything>()
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let pool = Pool::builder().probe::<Probe>().workers(workers).stack_size(STACK_BYTES);
        let failure = |error: lyocell::BuildError| StartError {
            engine: self.name(),
            workers,
            cause: error.to_string(),
        };
        Ok(Box::new(ProfiledSession(pool.build().map_err(failure)?)))
    }
}

struct ProfiledSession(Pool<Split, Probe>);

impl ProfiledSession {
    /// Of all runs so far, one after the other.
    fn so_far(&self) -> Spans {
        let all = Profile::of(&self.0).all;
        let seconds = |ticks: u64| match all.work_ticks {
            0 => 0.0,
            work => ticks as f64 * all.work_s / work as f64,
        };
        Spans { work_s: all.work_s, span_s: all.span_s, span_2k_s: seconds(all.span_2k_ticks) }
    }
}

impl Session for ProfiledSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        sample::<Everything, Lyocell<Split, Probe>>(instance, self)
    }
}

impl TakeSample<Lyocell<Split, Probe>> for ProfiledSession {
    fn take<P: On<Lyocell<Split, Probe>>>(&self, problem: &mut P) -> Result<Sample, WrongAnswer> {
        let before = self.so_far();
        let mut sample =
            Sample::take(problem, &mut |problem| self.0.run(|worker| problem.run(worker)))?;
        let after = self.so_far();
        sample.observed.spans = Some(Spans {
            work_s: after.work_s - before.work_s,
            span_s: after.span_s - before.span_s,
            span_2k_s: after.span_2k_s - before.span_2k_s,
        });
        Ok(sample)
    }
}

#[cfg(test)]
mod tests {
    use lyocell_workloads::Stress;

    use super::*;

    #[test]
    fn a_run_tells_of_itself_alone() {
        let mut session = PROFILED.start(1).unwrap();
        let tree = |trees| Stress { height: 3, iterations: 2_000, trees }.into();
        let mut spans = |trees| session.run(&mut tree(trees)).unwrap().observed.spans.unwrap();
        let (many, one) = (spans(500), spans(5));
        // A hundredth of the trees is far less than all of them, and no more than what it is of.
        assert!(one.work_s < many.work_s / 4.0, "{one:?} {many:?}");
        for spans in [one, many] {
            assert!(spans.span_s > 0.0 && spans.span_s < spans.work_s, "{spans:?}");
            assert!(spans.span_s <= spans.span_2k_s, "{spans:?}");
        }
    }
}
