//! Programs in C and C++, compiled with each compiler that is here against the headers, linked with the library, and run.
//!
//! With `LYOCELL_C_SANITIZER` (thread or address) they are compiled by clang with that sanitizer; the library has to be compiled with it too,
//! as in `.ci/run`.

use std::env;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A compiler, and the language of its programs.
#[derive(Clone, Copy, Debug)]
enum Language {
    C,
    Cpp,
}

impl Language {
    fn compilers(self) -> Vec<&'static str> {
        let known = match self {
            Language::C => ["cc", "gcc", "clang"],
            Language::Cpp => ["c++", "g++", "clang++"],
        };
        if !sanitizer().is_empty() {
            return vec![known[2]];
        }
        let is_here = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let here: Vec<_> = known.into_iter().filter(is_here).collect();
        assert!(!here.is_empty(), "no compiler for {self:?}: install gcc or clang");
        // `cc` is one of the others, mostly.
        if here.len() > 1 { here[1..].to_vec() } else { here }
    }

    fn flags(self) -> [&'static str; 2] {
        match self {
            Language::C => ["-std=c11", "-D_GNU_SOURCE"],
            Language::Cpp => ["-std=c++20", "-D_GNU_SOURCE"],
        }
    }
}

/// The flags by which the programs are watched. The sanitizer's runtime is that of Rust's compiler, which is newer than clang's.
fn sanitizer() -> Vec<String> {
    let Ok(name) = env::var("LYOCELL_C_SANITIZER") else { return Vec::new() };
    let rustc = Command::new("rustc").args(["--print", "target-libdir"]).output().unwrap();
    let folder = String::from_utf8(rustc.stdout).unwrap();
    let runtime = format!("{}/librustc-nightly_rt.{}san.a", folder.trim(), &name[..1]);
    let watch = [format!("-fsanitize={name}"), "-fno-sanitize-link-runtime".to_owned()];
    let link = ["-rdynamic", "-Wl,--whole-archive", &runtime, "-Wl,--no-whole-archive"];
    let system = ["-lpthread", "-ldl", "-lrt", "-lm", "-lresolv"];
    watch
        .into_iter()
        .chain([link.as_slice(), &system].concat().into_iter().map(str::to_owned))
        .collect()
}

/// What a program is linked with, and where cargo has put it.
#[derive(Clone, Copy, Debug)]
enum Library {
    Lyocell,
    /// The same, and the functions of `panic.rs`.
    Panic,
}

impl Library {
    fn name(self) -> &'static str {
        match self {
            Library::Lyocell => "lyocell_c",
            Library::Panic => "panic",
        }
    }

    fn folder(self) -> PathBuf {
        let program = env::current_exe().unwrap();
        let beside = program.parent().unwrap();
        let folder = match self {
            Library::Lyocell => beside.to_owned(),
            Library::Panic => beside.with_file_name("examples"),
        };
        let file = folder.join(format!("lib{}.so", self.name()));
        assert!(file.exists(), "no {}: run `cargo test -p lyocell-c`", file.display());
        folder
    }
}

fn build(
    compiler: &str,
    language: Language,
    library: Library,
    source: &str,
    more: &[&str],
    to: &Path,
) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = library.folder();
    let output = Command::new(compiler)
        .args(language.flags())
        .args(["-O2", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"])
        .arg("-I")
        .arg(package.join("include"))
        .args(sanitizer())
        .args(more)
        .arg(package.join(source))
        .arg("-L")
        .arg(&folder)
        .arg(format!("-l{}", library.name()))
        .arg("-o")
        .arg(to)
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{compiler} {source}: {}", text(&output));
}

fn text(output: &Output) -> String {
    let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}{}", output.status, of(&output.stdout), of(&output.stderr))
}

/// Builds a program with each compiler.
fn built(language: Language, library: Library, source: &str, more: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let of = |compiler| {
        let name = format!("{}-{language:?}-{compiler}", source.replace(['.', '/'], "-"));
        let program = folder.join(name);
        build(compiler, language, library, source, more, &program);
        program
    };
    language.compilers().into_iter().map(of).collect()
}

/// Builds a program with each compiler, and tells how it ends.
fn run(language: Language, source: &str, more: &[&str], check: impl Fn(&Output)) {
    for program in built(language, Library::Lyocell, source, more) {
        check(&Command::new(&program).output().unwrap());
    }
}

const SIGABRT: i32 = 6;

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", text(output));
}

#[test]
fn spawns_and_syncs() {
    run(Language::C, "tests/c/fork.c", &[], succeeds);
}

#[test]
fn pools_errors_and_callers() {
    run(Language::C, "tests/c/pools.c", &[], succeeds);
}

#[test]
fn loops_scopes_detached_tasks_and_frames() {
    run(Language::C, "tests/c/beyond.c", &[], succeeds);
}

#[test]
fn a_task_ends_the_program() {
    run(Language::C, "tests/c/exit.c", &[], |output| {
        assert_eq!(output.status.code(), Some(42), "{}", text(output));
    });
}

#[test]
fn faults() {
    let of = |program: &Path, name| Command::new(program).arg(name).output().unwrap();
    for program in built(Language::C, Library::Lyocell, "tests/c/faults.c", &[]) {
        succeeds(&of(&program, "all others"));
        let ended = of(&program, "exit");
        assert_eq!(ended.status.code(), Some(42), "{}", text(&ended));
        for (name, message) in [
            ("started-twice", "the workers are there already"),
            ("not-started", "call lace_start first"),
        ] {
            let ended = of(&program, name);
            assert_eq!(ended.status.signal(), Some(SIGABRT), "{}", text(&ended));
            assert!(text(&ended).contains(message), "{}", text(&ended));
        }
    }
}

#[test]
fn programs_for_lace_by_its_second_interface() {
    run(Language::C, "tests/c/lace2.c", &[], succeeds);
    run(Language::Cpp, "tests/c/lace2.c", &["-xc++"], succeeds);
}

#[test]
fn programs_for_lace_by_its_first_interface() {
    run(Language::C, "tests/c/lace1.c", &[], succeeds);
    run(Language::Cpp, "tests/c/lace1.c", &["-xc++"], succeeds);
}

#[test]
fn joins_loops_and_exceptions_of_cpp() {
    run(Language::Cpp, "tests/c/cpp.cpp", &[], succeeds);
}

#[test]
fn the_scheduler_for_parlay() {
    let instead = format!("-I{}/tests/c", env!("CARGO_MANIFEST_DIR"));
    run(Language::Cpp, "tests/c/parlay.cpp", &[&instead], succeeds);
}

#[test]
fn panics_of_rust_go_back_through_cpp_unless_a_thief_would_have_to_keep_them() {
    for program in built(Language::Cpp, Library::Panic, "tests/c/panic.cpp", &[]) {
        succeeds(&Command::new(&program).output().unwrap());
        let ended = Command::new(&program).arg("taken").output().unwrap();
        assert_eq!(ended.status.signal(), Some(SIGABRT), "{}", text(&ended));
        assert!(text(&ended).contains("no exception of C++"), "{}", text(&ended));
    }
}

/// The programs for Lace that are measured, on this header; see `.ci/lace-beside`.
#[test]
fn programs_for_lace_of_the_benchmark() {
    let workloads = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lyocell-workloads/src");
    let files = |name: &str| {
        let folders = workloads.read_dir().unwrap().map(|folder| folder.unwrap().path().join(name));
        folders.filter(|file| file.exists()).collect::<Vec<_>>()
    };
    let (lace, serial) = (files("lace.c"), files("serial.c"));
    assert_eq!((lace.len(), serial.len()), (10, 7), "name the new one in workloads.c");
    let files = lace.iter().chain(&serial).map(|file| file.to_str().unwrap());
    let more: Vec<_> = files.chain(["-ffp-contract=off", "-lm"]).collect();
    for program in built(Language::C, Library::Lyocell, "tests/c/workloads.c", &more) {
        succeeds(&Command::new(&program).arg("check").output().unwrap());
    }
}

#[test]
fn examples() {
    run(Language::C, "examples/fib.c", &[], succeeds);
    run(Language::C, "examples/fib_lace.c", &[], succeeds);
    run(Language::Cpp, "examples/quicksort.cpp", &[], succeeds);
}
