//! What the profile and the trace cost, and whether the profile's work is that of the run without it:
//! `own_cost [RUNS [WORKERS]]`.
//!
//! Minima of processor time, because other programs may use the machine.

use lyocell::{NoProbe, Pool, Split};
use lyocell_profile::{Profile, Trace};
use lyocell_workloads::{Fib, Lyocell, On, Problem, Uts};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let runs: usize = arguments.next().map_or(Ok(9), |text| text.parse())?;
    let workers: usize = arguments.next().map_or(Ok(1), |text| text.parse())?;
    println!("{workers} workers, minima of {runs} runs");
    compare("fib:35", &mut Fib::new(35), runs, workers)?;
    compare("uts:T3", &mut Uts::new("T3"), runs, workers)?;
    Ok(())
}

fn compare<T>(
    name: &str,
    problem: &mut T,
    runs: usize,
    workers: usize,
) -> Result<(), Box<dyn std::error::Error>>
where
    T: On<Lyocell<Split, NoProbe>> + On<Lyocell<Split, Profile>> + On<Lyocell<Split, Trace>>,
{
    let plain = Pool::builder().workers(workers).build()?;
    let [mut alone, mut profiled, mut work, mut traced] = [const { Vec::new() }; 4];
    let mut report = None;
    for _ in 0..=runs {
        alone.push(time(problem, |problem| {
            plain.run(|w| On::<Lyocell<Split, NoProbe>>::run(problem, w))
        }));
        // A pool each, so that each profile is of one run.
        let pool = Pool::builder().workers(workers).probe::<Profile>().build()?;
        profiled.push(time(problem, |problem| {
            pool.run(|w| On::<Lyocell<Split, Profile>>::run(problem, w))
        }));
        let profile = Profile::of(&pool);
        work.push(Duration::from_secs_f64(profile.all.work_s));
        report = Some(profile);
        let pool = Pool::builder().workers(workers).probe::<Trace>().build()?;
        traced.push(time(problem, |problem| {
            pool.run(|w| On::<Lyocell<Split, Trace>>::run(problem, w))
        }));
    }
    let [alone, profiled, work, traced] =
        [alone, profiled, work, traced].map(|times| times.into_iter().min().unwrap_or_default());
    let of = |time: Duration| time.as_secs_f64() / alone.as_secs_f64();
    println!(
        "{name}: alone {alone:.2?}, profiled {profiled:.2?} ({:.3} x), T_1 {work:.2?} ({:.3} x), traced {traced:.2?} ({:.3} x)",
        of(profiled),
        of(work),
        of(traced)
    );
    print!("{}", report.map_or_else(String::new, |report| report.to_string()));
    Ok(())
}

fn time<T: Problem>(problem: &mut T, run: impl FnOnce(&mut T) -> T::Answer) -> Duration {
    problem.reset();
    let begin = processor_time();
    let answer = run(problem);
    let time = processor_time() - begin;
    problem.judge(&answer).expect("the right answer");
    time
}

/// Of all threads.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
