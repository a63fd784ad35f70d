//! Every engine that could be built, on every program, spoken to as `lyocell run` does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use lyocell_rivals::SMALL;
use lyocell_workloads::{
    Everything, Instance, OfRivals, On, OwnOfRivals, Reach, Roster, Serial, Visitor,
    small_instances,
};

const LIBFORK: &str = env!("CARGO_BIN_EXE_lyocell-rival-libfork");

const PROGRAMS: &[&str] = &[
    env!("CARGO_BIN_EXE_lyocell-rival-openmp"),
    env!("CARGO_BIN_EXE_lyocell-rival-openmp-clang"),
    env!("CARGO_BIN_EXE_lyocell-rival-tbb"),
    env!("CARGO_BIN_EXE_lyocell-rival-wool"),
    LIBFORK,
    #[cfg(feature = "forte")]
    env!("CARGO_BIN_EXE_lyocell-rival-forte"),
];

/// Whether `program` runs `instance`.
fn runs(program: &str, instance: &Instance) -> bool {
    if program == LIBFORK { OwnOfRivals::holds(instance) } else { OfRivals::holds(instance) }
}

fn ask(program: &str) -> Output {
    Command::new(program).stdin(Stdio::null()).output().unwrap()
}

/// What `program` says of `lines`, its first word left out.
fn answers(program: &str, workers: usize, lines: &[&str]) -> Vec<String> {
    let mut command = Command::new(program);
    command.arg(workers.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for line in lines {
        writeln!(stdin, "{line}").unwrap();
    }
    drop(stdin);
    let said = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<String> = said.collect();
    assert!(child.wait().unwrap().success(), "{program}: {said:?}");
    assert_eq!(said.first().map(String::as_str), Some("ready"), "{program}");
    let answer = |line: &String| {
        let done = line.strip_prefix("done ").and_then(|line| line.split_once(' '));
        let (nanoseconds, answer) = done.unwrap_or_else(|| panic!("{program}: {line}"));
        assert!(nanoseconds.parse::<u64>().unwrap() > 0, "{program}: {line}");
        answer.to_owned()
    };
    said[1..].iter().map(answer).collect()
}

/// Runs a problem serially: its answer.
struct Serially;

impl Visitor<Serial> for Serially {
    type Output = String;

    fn visit<P: On<Serial>>(self, problem: &mut P) -> String {
        problem.reset();
        let answer = problem.run(());
        problem.judge(&answer).unwrap()
    }
}

fn serial_answer(mut instance: Instance) -> String {
    Everything::visit(&mut instance, Serially).unwrap()
}

#[test]
fn every_engine_that_is_here_has_the_answers_of_the_serial_programs() {
    let more = ["fib:20", "queens:8", "matmul:130", "fib:20,5", "cilksort:random,20000,64"];
    let with_answer = |instance: Instance| (instance.clone(), serial_answer(instance));
    let small: Vec<_> = small_instances().into_iter().map(with_answer).collect();
    let expected: Vec<_> = more.iter().map(|word| with_answer(word.parse().unwrap())).collect();
    let mut here = 0;
    for &program in PROGRAMS {
        let about = ask(program);
        if !about.status.success() {
            println!("left out: {}", String::from_utf8_lossy(&about.stderr));
            continue;
        }
        here += 1;
        let held = |pairs: &[(Instance, String)]| -> (Vec<String>, Vec<String>) {
            let held = pairs.iter().filter(|(instance, _)| runs(program, instance));
            held.map(|(instance, answer)| (instance.to_string(), answer.clone())).unzip()
        };
        let ((_, small), (more, expected)) = (held(&small), held(&expected));
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        assert_eq!(expected[..2], ["6765", "92"]);
        // Not more than any machine has: some spin, and take minutes where they have to share a processor.
        for workers in 1..=2 {
            assert_eq!(answers(program, workers, &[SMALL]), small, "{program} x{workers}");
            assert_eq!(answers(program, workers, &more), expected, "{program} x{workers}");
        }
    }
    println!("{here} engines are here");
}

#[test]
fn a_program_says_what_it_is_or_why_it_is_not_here() {
    for &program in PROGRAMS {
        let about = ask(program);
        if about.status.success() {
            let about = String::from_utf8(about.stdout).unwrap();
            let flags = about.contains(" -O") && about.contains("-fPIE");
            assert!(flags || about.contains("forte"), "flags: {about}");
        } else {
            assert_eq!(about.status.code(), Some(2), "{program}");
            let reason = String::from_utf8(about.stderr).unwrap();
            assert!(reason.starts_with("it needs "), "{reason}");
        }
    }
}

/// Where the usual C++ compiler knows `-fopenmp`, so does the build.
#[test]
fn openmp_is_here_where_the_compiler_knows_it() {
    let mut compiler = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    compiler.args(["-fopenmp", "-std=c++20", "-include", "omp.h", "-x", "c++", "-fsyntax-only"]);
    let knows = compiler.arg("/dev/null").stderr(Stdio::null()).status();
    if knows.is_ok_and(|status| status.success()) {
        let about = ask(PROGRAMS[0]);
        assert!(about.status.success(), "{}", String::from_utf8_lossy(&about.stderr));
    }
}

/// That `line` ends `program` with `word` on the standard error.
fn refuses(program: &str, line: &str, word: &str) {
    let mut command = Command::new(program);
    command.arg("1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{line}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{line}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(word), "{line}: {said}");
}

#[test]
fn an_engine_without_a_join_refuses_what_needs_one() {
    if !ask(LIBFORK).status.success() {
        return;
    }
    refuses(LIBFORK, "cilksort:random,20000,64", "does not run cilksort");
    refuses(LIBFORK, "fib:20,5", "does not run fib:20,5");
}

#[test]
fn nonsense_ends_a_program_with_a_word_about_it() {
    let program = PROGRAMS[0];
    if !ask(program).status.success() {
        return;
    }
    for workers in ["0", "257", "two", ""] {
        let output = Command::new(program).arg(workers).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{workers:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("1 to 256"), "{workers:?}");
    }
    for (line, word) in [("fob:3", "`fob`"), ("dfs:local,1000", "does not run dfs")] {
        refuses(program, line, word);
    }
}
