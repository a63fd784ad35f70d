//! `lyocell run` with setups of the runtime.

use crate::common::{assert_refused, csv_of, lyocell, stderr, stdout};

#[test]
fn a_deque_that_is_only_compared_runs_the_programs_of_its_paper() {
    let arguments = ["run", "queens:5", "--deque", "split,direct-task,direct-peek", "--reps", "1"];
    let output = lyocell(&[&arguments[..], &["--workers", "1", "--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let said = "lyocell:direct-task and lyocell:direct-peek do not run queens";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 1 + 2);
    let alone = ["run", "uts:T1", "--deque", "direct-base", "--engine", "lyocell"];
    assert_refused(&alone, &["lyocell:direct-base does not run uts", "fib and stress"]);
}

#[test]
fn every_deque_is_an_engine_and_serial_runs_beside() {
    let (header, rows) =
        csv_of(&["run", "fib:12", "--deque", "all", "--workers", "2", "--reps", "1"]);
    assert_eq!(header.len(), 8);
    let engines: Vec<&str> = rows.iter().map(|row| &row[2]).collect();
    assert_eq!(engines[..2], ["serial", "lyocell"]);
    for engine in ["direct", "direct-locked", "receiver-block", "sender-two-step", "abp"] {
        assert!(engines.contains(&format!("lyocell:{engine}").as_str()), "{engines:?}");
    }
    let x86_64 = cfg!(target_arch = "x86_64");
    assert_eq!(engines.contains(&"lyocell:split-fence"), x86_64);
    assert!(!engines.contains(&"rayon"));
}

#[test]
fn setups_are_named_and_take_turns_with_the_engines_asked_for() {
    let setups = ["--deque", "split,sender", "--wait", "leap+random,leap", "--delta", "30us,1ms"];
    let others = ["--engine", "rayon,lyocell", "--workers", "1", "--reps", "2"];
    let (_, rows) = csv_of(&[&["run", "fib:12"][..], &setups, &others].concat());
    let engines: Vec<&str> = rows.iter().map(|row| &row[2]).collect();
    let turn = [
        "rayon",
        "lyocell",
        "lyocell:split+leap",
        "lyocell:sender",
        "lyocell:sender+1ms",
        "lyocell:sender+leap",
        "lyocell:sender+leap+1ms",
    ];
    assert_eq!(engines, [turn, turn].concat());
    let setups = [&["run", "fib:12", "--workers", "2", "--reps", "1"][..], &setups].concat();
    let output = lyocell(&setups);
    for engine in &turn[1..] {
        assert!(stdout(&output).contains(engine), "{engine}: {}", stdout(&output));
    }
    assert!(stderr(&output).contains("--delta means nothing to split"), "{}", stderr(&output));
}

#[test]
fn setups_that_make_no_sense_are_refused_with_what_there_is() {
    let refused = |options: &[&str], words: &[&str]| {
        assert_refused(&[&["run", "fib:5"], options].concat(), words);
    };
    refused(&["--deque", "deck"], &["`deck`", "split, split-fence, direct", "abp; or all"]);
    refused(&["--deque", "abp", "--steal", "half"], &["--steal half", "abp", "receiver"]);
    refused(&["--steal", "two"], &["--steal", "one, half"]);
    refused(&["--deque", "abp", "--share", "half"], &["--share", "abp", "split-fence"]);
    refused(&["--share", "two"], &["--share", "one, quarter, half, three-quarters or all"]);
    refused(&["--delta", "30us"], &["--delta", "split", "sender"]);
    refused(&["--deque", "sender", "--delta", "30"], &["--delta", "time unit"]);
    refused(&["--deque", "direct", "--interrupt", "1ms"], &["--interrupt", "direct", "split"]);
    refused(&["--interrupt", "0ms"], &["--interrupt", "such as 500us"]);
    refused(&["--interrupt", "often"], &["--interrupt", "off"]);
    refused(&["--wait", "long"], &["--wait", "\"long\"", "leap+random"]);
    refused(&["--engine", "rayon", "--stats"], &["setups of lyocell", "--engine"]);
    // Nothing is said to a deque that does what is asked for anyway.
    csv_of(&["run", "fib:5", "--deque", "abp", "--steal", "one", "--interrupt", "off"]);
}

#[test]
fn an_interrupted_run_has_the_right_answer_where_there_are_signals() {
    let deques = "split,receiver,sender";
    let run = ["run", "queens:8", "--deque", deques, "--interrupt", "100us", "--workers", "3"];
    let output = lyocell(&[&run[..], &["--reps", "5", "--format", "csv"]].concat());
    if cfg!(target_os = "linux") {
        assert!(output.status.success(), "{}", stderr(&output));
        let named = stdout(&output).matches("lyocell:split+interrupt-100us,3,").count();
        assert_eq!(named, 5, "{}", stdout(&output));
    } else {
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("interrupt"), "{}", stderr(&output));
    }
}
