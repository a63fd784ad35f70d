//! A run of one seed is the same whenever it is run: after others, in another process, at other addresses, in another environment, and
//! whatever virtual threads are made of.

use lyocell::Wait;
use lyocell_simulate::machines::machine;
use lyocell_simulate::pools::{DEQUES, Setup};
use lyocell_simulate::row::{Job, measure};
use lyocell_virtual::{Backend, Memory, Options};
use std::process::Command;

fn hash(deque: usize, workers: usize, seed: u64, memory: Memory) -> String {
    hash_of("fib:14", deque, workers, seed, memory, Backend::Coroutines)
}

fn hash_of(
    words: &str,
    deque: usize,
    workers: usize,
    seed: u64,
    memory: Memory,
    backend: Backend,
) -> String {
    let mut options = Options::new(machine("opteron-48").unwrap());
    (options.seed, options.memory, options.backend) = (seed, memory, backend);
    let setup = Setup::new(workers, Wait::LeapRandom);
    let job = Job::parse(words, &options.machine).unwrap();
    measure(&options, &job, DEQUES[deque], setup).unwrap().0.hash
}

#[test]
fn after_other_runs_it_is_the_same_and_another_seed_differs() {
    for (deque, (name, _)) in DEQUES.iter().enumerate() {
        for memory in [Memory::Sequential, Memory::Tso] {
            let first = hash(deque, 5, 3, memory);
            let other = hash(deque, 7, 4, memory);
            assert_eq!(hash(deque, 5, 3, memory), first, "{name}, {memory:?}");
            assert_ne!(hash(deque, 7, 5, memory), other, "{name}, {memory:?}");
        }
    }
}

#[test]
fn on_threads_that_pass_a_baton_it_is_the_same() {
    for (deque, (name, _)) in DEQUES.iter().enumerate() {
        for (words, workers) in
            [("fib:11", 1), ("tree:5:2000", 3), ("detached:9", 5), ("callers:3:2", 8)]
        {
            for memory in [Memory::Sequential, Memory::Tso] {
                let of = |backend| hash_of(words, deque, workers, 3, memory, backend);
                let [coroutines, threads] = [Backend::Coroutines, Backend::Threads].map(of);
                assert_eq!(coroutines, threads, "{words} on {name}, {memory:?}");
            }
        }
    }
}

#[test]
fn in_other_processes_and_environments_it_is_the_same() {
    let output = |padding: usize| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_lyocell-simulate"));
        program.args(["fib:16", "tree:6:2000", "--workers", "1,2,9,48", "--seeds", "2"]);
        program.args(["--deque", &DEQUES.map(|(name, _)| name).join(",")]);
        // The environment lies above the first stack, and moves it; and each process has other addresses.
        let output = program.env("PADDING", "x".repeat(padding)).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let first = output(1);
    assert_eq!(first.lines().count(), 1 + 2 * 7 * 2 * 4);
    for padding in [2, 333, 4567] {
        assert_eq!(output(padding), first);
    }
}
