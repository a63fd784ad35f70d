//! Owners in long tasks are interrupted, and share what they keep: a signal comes in the middle of what a thread declares to work.

use lyocell::{Exposing, Signals, Wait};
use lyocell_simulate::machines::machine;
use lyocell_simulate::pools::{Setup, deque};
use lyocell_simulate::row::{Job, Row, measure};
use lyocell_virtual::{Backend, Options, Report};
use std::time::Duration;

const PERIOD: Duration = Duration::from_micros(200);

/// Leaves of 2 ms, eight of them, on two workers whose thieves expose nothing.
fn run(name: &str, interrupt: Option<Signals>, backend: Backend) -> (Row, u64) {
    let mut options = Options::new(machine("opteron-48").unwrap());
    options.backend = backend;
    let job = Job::parse("tree:3:2000000", &options.machine).unwrap();
    let interrupt = interrupt.map(|signals| (PERIOD, signals));
    let exposing = Exposing::WhenAsked;
    let setup = Setup { exposing, interrupt, ..Setup::new(2, Wait::LeapRandom) };
    let (row, Report { counts, .. }) =
        measure(&options, &job, deque(name).unwrap(), setup).unwrap();
    (row, counts.signals)
}

#[test]
fn leaves_that_nobody_could_have_are_had_within_some_periods() {
    let ideal = 8_000_000.0;
    let periods = 4.0 * PERIOD.as_nanos() as f64;
    for name in ["receiver", "sender"] {
        let (without, none) = run(name, None, Backend::Coroutines);
        assert!(without.took_ns > 1.4 * ideal, "{name} without: {} ns", without.took_ns);
        assert_eq!(none, 0);
        for signals in [Signals::Asked, Signals::All] {
            let (with, sent) = run(name, Some(signals), Backend::Coroutines);
            assert!(sent > 0);
            let least = with.took_ns >= ideal;
            assert!(least && with.took_ns < ideal + periods, "{name} with: {} ns", with.took_ns);
        }
    }
}

/// What is worked beyond the moment of a signal is worked after it: the work of all is what it was, and each handler takes its time.
#[test]
fn a_handler_takes_its_time_from_who_works() {
    let (row, sent) = run("split", Some(Signals::All), Backend::Coroutines);
    let target = machine("opteron-48").unwrap().cost["signal_target"].ns;
    // Both are interrupted at every period.
    let periods = row.took_ns / PERIOD.as_nanos() as f64;
    assert!((sent as f64) > 1.8 * periods && (sent as f64) < 2.2 * periods, "{sent} in {periods}");
    let handled = (periods - 2.0) * target;
    assert!(row.took_ns > 8_000_000.0 + handled, "{} ns, {handled} ns handled", row.took_ns);
    assert!(row.took_ns < 8_000_000.0 + 4.0 * handled, "{} ns, {handled} ns handled", row.took_ns);
}

#[test]
fn on_threads_that_pass_a_baton_it_is_the_same() {
    for name in ["split", "receiver", "sender"] {
        let of = |backend| run(name, Some(Signals::Asked), backend).0.hash;
        assert_eq!(of(Backend::Coroutines), of(Backend::Threads), "{name}");
    }
}
