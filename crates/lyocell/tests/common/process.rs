//! Test bodies in processes of their own, with a watchdog: for what changes the process, or may hang it.
// Each test file is a crate of its own, and none uses everything.
#![allow(dead_code)]

use std::any::type_name;
use std::env;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Names the test whose body this process is here for.
const MARK: &str = "LYOCELL_TEST_BODY";

/// So long may a body take before it counts as hung; many times what any needs, unless the environment asks for more of it
/// (`LYOCELL_TEST_PATIENCE`, in seconds). Tools that slow programs down are used on builds with debug assertions.
fn patience() -> Duration {
    let usual = if cfg!(debug_assertions) { 600 } else { 120 };
    let asked = env::var("LYOCELL_TEST_PATIENCE").ok().map(|text| text.parse().expect("seconds"));
    Duration::from_secs(asked.unwrap_or(usual))
}

/// Runs the body, which is a closure of a test, in a process of its own.
pub(crate) fn isolated<F: FnOnce()>(body: F) {
    isolated_with(|_| (), body);
}

/// As `isolated`, with the process set up by `prepare`.
// Instantiated for each test on each deque, so it only calls what is compiled once.
pub(crate) fn isolated_with<F: FnOnce()>(prepare: impl FnOnce(&mut Command), body: F) {
    let test = test_of::<F>();
    if is_its_process(test) {
        return body();
    }
    let mut command = process_of(test);
    prepare(&mut command);
    let _ = assert_passes(test, command);
}

/// As `isolated_with`; then `look` sees what the process has said.
pub(crate) fn isolated_heard<F: FnOnce()>(
    prepare: impl FnOnce(&mut Command),
    body: F,
    look: impl FnOnce(&str),
) {
    let test = test_of::<F>();
    if is_its_process(test) {
        return body();
    }
    let mut command = process_of(test);
    prepare(&mut command);
    look(&assert_passes(test, command));
}

/// Whether this process is here for the body of this test.
fn is_its_process(test: &str) -> bool {
    env::var(MARK).is_ok_and(|mark| mark == test)
}

/// A process for the body of this test.
fn process_of(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("this test's executable"));
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(MARK, test);
    // Many bodies panic on purpose, and a backtrace of each takes longer than the rest.
    command.env("RUST_BACKTRACE", "0");
    // A child of a fork may start threads of its own; ThreadSanitizer must be told that it may.
    command.env("TSAN_OPTIONS", "die_after_fork=0");
    command
}

fn assert_passes(test: &str, command: Command) -> String {
    let (status, output) = watch(command);
    assert!(status.success(), "{test}: {status}\n{output}");
    assert!(output.contains("1 passed"), "{test} is no test:\n{output}");
    output
}

/// Forks, runs the body in the child, and fails unless it came to its end there.
#[cfg(unix)]
pub(crate) fn in_a_fork(body: impl FnOnce()) {
    // SAFETY: the child only runs the body, on memory that is its own, and ends without returning.
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: no preconditions. A child that hangs outlives the watchdog's process, but not this.
            unsafe { libc::alarm(patience().as_secs() as u32) };
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
            // SAFETY: no preconditions.
            unsafe { libc::_exit(i32::from(outcome.is_err())) }
        }
        child => assert_ended_well(child),
    }
}

#[cfg(unix)]
pub(crate) fn assert_ended_well(child: libc::pid_t) {
    assert_ne!(child, -1, "no fork: {}", std::io::Error::last_os_error());
    let mut status = -1;
    // SAFETY: the status is there to be written.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child fell");
}

/// The name of the test that this closure is of: `crate::module::test::{{closure}}` without both ends.
fn test_of<F>() -> &'static str {
    without_ends(type_name::<F>())
}

fn without_ends(path: &str) -> &str {
    let path = path.split_once("::").map_or(path, |(_crate, rest)| rest);
    path.split_once("::{{closure}}").map_or(path, |(test, _)| test)
}

/// Runs a process to its end and returns what it said. One that hangs is killed, and where its threads
/// stood becomes the message.
fn watch(mut command: Command) -> (ExitStatus, String) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process for the test");
    let output = collect(child.stdout.take());
    let errors = collect(child.stderr.take());
    let status = wait(&mut child);
    (status, output.join().expect("its output") + &errors.join().expect("its errors"))
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was said before an error is all there is to show.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child) -> ExitStatus {
    let (start, patience) = (Instant::now(), patience());
    loop {
        if let Some(status) = child.try_wait().expect("the state of the process") {
            return status;
        }
        if start.elapsed() > patience {
            let stacks = stacks_of(child.id());
            child.kill().expect("a process that can be killed");
            child.wait().expect("the end of the process");
            panic!("hung for {patience:?}:\n{stacks}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Where the threads of a process stand, if there is a debugger here.
fn stacks_of(process: u32) -> String {
    let gdb = Command::new("gdb")
        .args(["-p", &process.to_string(), "-batch", "-ex", "thread apply all bt 16"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    match gdb {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(error) => format!("no stacks: gdb: {error}"),
    }
}
