//! What the profile and the trace cost, and whether the profile's work is that of the run without it:
//! `own_cost [RUNS [WORKERS]]`.
//!
//! Each profiled or traced run is compared with the plain one just before it; medians of these ratios, with the smallest and
//! the largest.

use lyocell::{NoProbe, Pool, Split};
use lyocell_profile::{Profile, Trace};
use lyocell_workloads::{Fib, Lyocell, On, Problem, Uts};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let runs: usize = arguments.next().map_or(Ok(9), |text| text.parse())?.max(1);
    let workers: usize = arguments.next().map_or(Ok(1), |text| text.parse())?;
    println!("{workers} workers, medians of {runs} runs");
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
    for _ in 0..runs {
        let base =
            time(problem, |problem| plain.run(|w| On::<Lyocell<Split, NoProbe>>::run(problem, w)));
        alone.push(base);
        // A pool each, so that each profile is of one run.
        let pool = Pool::builder().workers(workers).probe::<Profile>().build()?;
        let time_profiled =
            time(problem, |problem| pool.run(|w| On::<Lyocell<Split, Profile>>::run(problem, w)));
        profiled.push(time_profiled / base);
        let profile = Profile::of(&pool);
        work.push(profile.all.work_s / base);
        report = Some(profile);
        let pool = Pool::builder().workers(workers).probe::<Trace>().build()?;
        let time_traced =
            time(problem, |problem| pool.run(|w| On::<Lyocell<Split, Trace>>::run(problem, w)));
        traced.push(time_traced / base);
    }
    println!("{name}: alone {:.1} ms", median(&mut alone) * 1e3);
    for (what, ratios) in [("profiled", &mut profiled), ("T_1", &mut work), ("traced", &mut traced)]
    {
        let middle = median(ratios);
        println!("  {what}: {middle:.3} ({:.3} to {:.3})", ratios[0], ratios[ratios.len() - 1]);
    }
    print!("{}", report.map_or_else(String::new, |report| report.to_string()));
    Ok(())
}

/// Sorts them.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// In seconds.
fn time<T: Problem>(problem: &mut T, run: impl FnOnce(&mut T) -> T::Answer) -> f64 {
    problem.reset();
    let begin = Instant::now();
    let answer = run(problem);
    let time = begin.elapsed().as_secs_f64();
    problem.judge(&answer).expect("the right answer");
    time
}
