//! Programs in C, compiled with each compiler that is here against the headers, linked with the library, and run.

use std::env;
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

/// Where cargo has put the library: beside this program.
fn library() -> PathBuf {
    let program = env::current_exe().unwrap();
    let folder = program.parent().unwrap().to_owned();
    assert!(folder.join("liblyocell_c.so").exists(), "no liblyocell_c.so in {}", folder.display());
    folder
}

fn build(compiler: &str, language: Language, source: &str, more: &[&str], to: &Path) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = library();
    let output = Command::new(compiler)
        .args(language.flags())
        .args(["-O2", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"])
        .arg("-I")
        .arg(package.join("include"))
        .args(more)
        .arg(package.join(source))
        .arg("-L")
        .arg(&library)
        .args(["-llyocell_c", "-o"])
        .arg(to)
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{compiler} {source}: {}", text(&output));
}

fn text(output: &Output) -> String {
    let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}{}", output.status, of(&output.stdout), of(&output.stderr))
}

/// Builds a program with each compiler, and tells how it ends.
fn run(language: Language, source: &str, more: &[&str], check: impl Fn(&Output)) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for compiler in language.compilers() {
        let name = format!("{}-{language:?}-{compiler}", source.replace(['.', '/'], "-"));
        let program = folder.join(name);
        build(compiler, language, source, more, &program);
        check(&Command::new(&program).output().unwrap());
    }
}

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
fn examples() {
    run(Language::C, "examples/fib.c", &[], succeeds);
    run(Language::C, "examples/fib_lace.c", &[], succeeds);
}
