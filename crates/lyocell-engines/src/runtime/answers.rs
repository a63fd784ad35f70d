//! Every workload on every deque, with more workers than there are processors: the answers, and that all
//! tasks are counted.

use lyocell_workloads::{Instance, small_instances};

use super::deques::DEQUES;
use super::{Setup, Watch};
use crate::Sample;

const WORKERS: [usize; 5] = [1, 2, 3, 8, 64];

/// Runs every workload that it runs a few times in each deque's default setup, and hands what was seen to `check`.
fn run_all(watch: Watch, check: impl Fn(&Setup, usize, &Instance, &Sample)) {
    let mut instances = small_instances();
    for deque in DEQUES.iter().filter(|deque| deque.absence().is_none()) {
        let setup = Setup::of(deque).watched(watch);
        for workers in WORKERS {
            let mut session = setup.engine().unwrap().start(workers).unwrap();
            for instance in instances.iter_mut().filter(|one| deque.programs().hold(one)) {
                for _ in 0..3 {
                    let sample = session.run(instance);
                    let sample = sample.unwrap_or_else(|wrong| {
                        panic!("{instance} on {}, {workers} workers: {wrong}", deque.name)
                    });
                    check(&setup, workers, instance, &sample);
                }
            }
        }
    }
}

#[test]
fn every_deque_computes_every_workload_that_it_runs_on_any_number_of_workers() {
    run_all(Watch::Nothing, |_, _, _, sample| assert_eq!(sample.observed.workers(), 0));
}

#[test]
fn every_deque_spawns_the_tasks_that_the_workload_has() {
    run_all(Watch::Both, |setup, workers, instance, sample| {
        let Sample { observed, time, .. } = sample;
        let spawned = observed.total_counts().unwrap().of(lyocell::probe::Event::Spawn);
        let name = setup.deque.name;
        // Unless they differ from run to run.
        let tasks = instance.tasks().unwrap_or(spawned as u64);
        assert_eq!(spawned as u64, tasks, "{instance} on {name}, {workers} workers");
        assert_eq!((observed.counts.len(), observed.times.len()), (workers, workers));
        // Each worker's times are of the whole run.
        assert!(observed.times.iter().all(|spent| spent.total() >= *time), "{name}: {observed:?}");
    });
}

#[test]
fn what_is_not_asked_for_is_not_reported() {
    for (watch, counts, times) in [(Watch::Counts, 2, 0), (Watch::Times, 0, 2)] {
        for name in ["split", "direct-task"] {
            let engine = Setup::on(name).watched(watch).engine().unwrap();
            let sample = engine.start(2).unwrap().run(&mut small_instances()[0]).unwrap();
            let Sample { observed, .. } = sample;
            assert_eq!((observed.counts.len(), observed.times.len()), (counts, times), "{name}");
        }
    }
}
