//! A workload under the profile, beside the same without it.

use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use lyocell::{NoProbe, Pool, Probe, Split};
use lyocell_profile::{Clock, Exact, Profile, Profiled, Sampled, Trace, Traced};
use lyocell_workloads::{
    Everything, Failure, Instance, Lyocell, On, Reach, StartError, Visitor, WrongAnswer,
};

use crate::{RUNTIME, STACK_BYTES};

/// How often the clock is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readings {
    /// At some forks, at no cost that shows.
    Sampled,
    /// At every fork and join.
    Exact,
    /// Exact where tasks are so short that a sample is of many, so long that two readings are not most of one, and so few that it
    /// costs no minutes; else sampled.
    Fitting,
}

/// Below this a sample is of many tasks. A microsecond is some twenty readings of the clock.
const SHORT_TASK: Duration = Duration::from_micros(1);

/// Below this two readings are most of a task: exact readings of fib say that 99 percent of its time is the profile's.
const LONG_BESIDE_READINGS: Duration = Duration::from_nanos(100);

/// Two readings each of so many tasks take half a second.
const FEW_TASKS: u64 = 1 << 22;

impl Readings {
    /// Which of the two it is for a program of so many tasks, if they are known, that takes so long on so many workers.
    fn fitting(self, tasks: Option<u64>, alone: Duration, workers: usize) -> Readings {
        let Readings::Fitting = self else { return self };
        let is_short = |tasks: u64| {
            let task = alone * workers as u32 / 1.max(tasks as u32);
            (LONG_BESIDE_READINGS..SHORT_TASK).contains(&task)
        };
        match tasks {
            Some(tasks @ 1..=FEW_TASKS) if is_short(tasks) => Readings::Exact,
            _ => Readings::Sampled,
        }
    }
}

/// How workloads are profiled.
#[derive(Clone, Copy)]
pub struct Profiling {
    /// How many there are.
    pub workers: usize,
    /// How often the clock is read.
    pub readings: Readings,
    /// Whether it is written down what the workers do when.
    pub traced: bool,
}

/// What came of it.
pub struct ProfiledRun {
    name: String,
    /// The fastest run without the profile.
    pub alone: Duration,
    /// The same with it.
    pub profiled: Duration,
    /// What the profile says.
    pub report: Profiled,
    /// Who did what when, if that was asked for.
    pub trace: Option<Traced>,
}

/// Runs without the profile, of which the fastest counts: the others were disturbed by more.
const RUNS: usize = 3;

/// Runs with it, on pools of their own: that of the median work is told. Of short runs, which one disturbance changes, there are
/// more.
const MOST_PROFILED_RUNS: usize = 15;

/// Beyond the first [`RUNS`] there are more until they have taken so long. Untuned.
const SHORT: Duration = Duration::from_millis(200);

impl Profiling {
    /// Runs a workload with and without the profile.
    ///
    /// # Errors
    /// An answer is wrong, or a pool cannot be started.
    pub fn run(self, instance: &mut Instance) -> Result<ProfiledRun, Failure> {
        let alone = {
            let pool = self.pool::<NoProbe>()?;
            let mut times = Vec::new();
            for _ in 0..RUNS {
                times.push(run_on(&pool, instance).map_err(|wrong| self.wrong(instance, wrong))?);
            }
            times.into_iter().min().unwrap_or_default()
        };
        let (mut runs, begin) = (Vec::new(), Instant::now());
        let readings = self.readings.fitting(instance.tasks(), alone, self.workers);
        while runs.len() < RUNS || (runs.len() < MOST_PROFILED_RUNS && begin.elapsed() < SHORT) {
            runs.push(match readings {
                Readings::Sampled | Readings::Fitting => {
                    self.run_profiled::<Sampled>(instance, alone)?
                }
                Readings::Exact => self.run_profiled::<Exact>(instance, alone)?,
            });
        }
        runs.sort_by(|a, b| a.report.all.work_s.total_cmp(&b.report.all.work_s));
        Ok(runs.swap_remove(runs.len() / 2))
    }

    fn run_profiled<C: Clock>(
        self,
        instance: &mut Instance,
        alone: Duration,
    ) -> Result<ProfiledRun, Failure> {
        let name = instance.to_string();
        if self.traced {
            let pool = self.pool::<(Profile<C>, Trace)>()?;
            let profiled = run_on(&pool, instance).map_err(|wrong| self.wrong(instance, wrong))?;
            let report = Profile::of_probes(pool.probes().map(|both| &both.0));
            let trace = Some(Trace::of_probes(pool.probes().map(|both| &both.1)));
            return Ok(ProfiledRun { name, alone, profiled, report, trace });
        }
        let pool = self.pool::<Profile<C>>()?;
        let profiled = run_on(&pool, instance).map_err(|wrong| self.wrong(instance, wrong))?;
        Ok(ProfiledRun { name, alone, profiled, report: Profile::of(&pool), trace: None })
    }

    fn pool<P: Probe>(self) -> Result<Pool<Split, P>, Failure> {
        let pool =
            Pool::builder().probe::<P>().workers(self.workers).stack_size(STACK_BYTES).build();
        pool.map_err(|error| {
            let cause = error.to_string();
            Failure::Start(StartError { engine: RUNTIME, workers: self.workers, cause })
        })
    }

    fn wrong(self, instance: &Instance, wrong: WrongAnswer) -> Failure {
        let contender = format!("{RUNTIME} x{}", self.workers);
        Failure::Wrong { job: instance.to_string(), contender, wrong }
    }
}

/// Runs a workload once; the time without making ready and judging.
fn run_on<P: Probe>(
    pool: &Pool<Split, P>,
    instance: &mut Instance,
) -> Result<Duration, WrongAnswer> {
    struct Run<'a, P: Probe>(&'a Pool<Split, P>, PhantomData<P>);

    impl<P: Probe> Visitor<Lyocell<Split, P>> for Run<'_, P> {
        type Output = Result<Duration, WrongAnswer>;

        fn visit<Q: On<Lyocell<Split, P>>>(self, problem: &mut Q) -> Self::Output {
            problem.reset();
            let begin = Instant::now();
            let answer = self.0.run(|worker| problem.run(worker));
            let time = begin.elapsed();
            problem.judge(&answer).map(|_| time)
        }
    }

    let time = <Everything as Reach<Lyocell<Split, P>>>::visit(instance, Run(pool, PhantomData));
    time.unwrap_or_else(|| unreachable!("the roster has every program"))
}

impl fmt::Display for ProfiledRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let factor = self.profiled.as_secs_f64() / self.alone.as_secs_f64().max(1e-9);
        writeln!(
            f,
            "{}: {:.2} ms alone, {:.2} ms profiled ({factor:.2} times)\n",
            self.name,
            ms(self.alone),
            ms(self.profiled)
        )?;
        write!(f, "{}", self.report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_read_exactly_where_tasks_are_short_and_few() {
        let fitting = |tasks, alone| Readings::Fitting.fitting(tasks, alone, 2);
        let millisecond = Duration::from_millis(1);
        assert_eq!(fitting(Some(10_000), millisecond), Readings::Exact, "tasks of 200 ns");
        assert_eq!(fitting(Some(1_000_000), millisecond), Readings::Sampled, "tasks of 2 ns");
        assert_eq!(
            fitting(Some(100), millisecond),
            Readings::Sampled,
            "tasks of twenty microseconds"
        );
        assert_eq!(fitting(Some(1 << 30), Duration::from_secs(1)), Readings::Sampled, "a minute");
        assert_eq!(fitting(None, millisecond), Readings::Sampled);
        assert_eq!(fitting(Some(0), millisecond), Readings::Sampled);
        for asked in [Readings::Sampled, Readings::Exact] {
            assert_eq!(asked.fitting(Some(100), millisecond, 2), asked);
        }
    }
}
