//! What several test files need.
// Each test file is a crate of its own, and none uses everything.
#![allow(dead_code, unreachable_pub)]

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

/// The variable by which a process is told which part of a test it plays.
const PART: &str = "DROP_IN_PART";

/// The part that this process plays, if it was started by [`play`].
pub fn part() -> Option<String> {
    env::var(PART).ok()
}

/// Runs this test, by its name, in a process of its own as this part; ends it if it hangs.
pub fn play(test: &str, part: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS", "RUST_MIN_STACK"] {
        command.env_remove(name);
    }
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(PART, part).envs(variables.iter().copied());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    watched(child)
}

/// As [`play`], with no more than so many kilobytes of addresses.
pub fn within(kilobytes: &str, test: &str, part: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"")]);
    command.arg(env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS", "RUST_MIN_STACK"] {
        command.env_remove(name);
    }
    command.env(PART, part);
    watched(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// A watchdog: a hang is a failure, and no test goes on for ever.
fn watched(mut child: Child) -> Output {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("the process hung: {:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// What a process has printed.
pub fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
