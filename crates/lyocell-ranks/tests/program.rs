//! The program `lyocell-ranks`, as a user runs it.

use std::process::{Command, Output};

fn ranks(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lyocell-ranks")).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_published_answers_come_out_on_any_number_of_ranks() {
    for program in ["uts:T1", "queens:9"] {
        for count in ["1", "2", "3"] {
            let output = ranks(&[program, "--ranks", count, "--workers", "2"]);
            let text = said(&output);
            assert!(output.status.success(), "{text}");
            assert!(text.contains("as it should be") && text.contains(program), "{text}");
        }
    }
}

#[test]
fn a_simulated_run_is_the_same_each_time() {
    let once = ranks(&["queens:10", "--simulate", "100"]);
    assert!(once.status.success(), "{}", said(&once));
    assert_eq!(said(&once), said(&ranks(&["queens:10", "--simulate", "100"])));
    assert_ne!(said(&once), said(&ranks(&["queens:10", "--simulate", "100", "--seed", "1"])));
}

/// A file for a simulation, and what the program says of it.
fn simulated_on(name: &str, machine: &str) -> Output {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, machine).unwrap();
    ranks(&["queens:10", "--simulate", "100", "--machine", file.to_str().unwrap()])
}

#[test]
fn a_machine_is_read_from_a_file() {
    let usual = include_str!("../machines/cluster.toml");
    let once = said(&ranks(&["queens:10", "--simulate", "100"]));
    assert_eq!(once, said(&simulated_on("usual", usual)));
    let slow = usual.replace("latency_ns = 2_000", "latency_ns = 500_000");
    assert_ne!(once, said(&simulated_on("slow", &slow)));
    for (name, nonsense, word) in [
        ("without", usual.replace("item_ns", "#"), "item_ns"),
        ("unknown", usual.to_owned() + "colour = 1", "colour"),
        ("negative", usual.replace("2_000", "-1"), "latency_ns"),
    ] {
        let output = simulated_on(name, &nonsense);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(word), "{}", said(&output));
    }
    let output = ranks(&["queens:9", "--simulate", "3", "--machine", "/no/such/file"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn nonsense_is_refused_with_what_there_is() {
    for nonsense in [
        &["uts:T9"][..],
        &["fib:30"],
        &["queens:9", "--ranks", "0"],
        &["queens:9", "--workers", "2000"],
        &["queens:9", "--simulate", "3", "--ranks", "2"],
        &["queens:9", "--latency-ns", "5"],
    ] {
        let output = ranks(nonsense);
        assert_eq!(output.status.code(), Some(2), "{nonsense:?}: {}", said(&output));
    }
}
