//! The two builds of `compat/beside`.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::layouts::output;
use lyocell_workloads::enumerate;

/// Has both builds begin every loop at a line of the cache, where each finds it in the same place: a sum over a slice, the
/// same instructions in both, took 1.6 times as long in whichever build had it across two lines.
const ALIGNED: &str = " -C llvm-args=-align-loops=64";

/// Which programs: each are two packages, `plain` and `patched`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// Small ones, which are built in seconds.
    Small,
    /// Around published libraries, whose build takes minutes.
    Published,
}

impl Programs {
    /// What their packages begin with.
    fn name(self) -> &'static str {
        match self {
            Programs::Small => "beside",
            Programs::Published => "published",
        }
    }

    /// The folder with their packages, in that of all.
    pub(crate) fn folder(self, all: &Path) -> PathBuf {
        match self {
            Programs::Small => all.to_owned(),
            Programs::Published => all.join(self.name()),
        }
    }

    /// The names of the programs, which are listed beside their packages: nothing need be built to know them.
    ///
    /// # Errors
    /// The list cannot be read.
    pub(crate) fn listed(self, all: &Path) -> io::Result<Vec<String>> {
        let list = self.list(all);
        let unread = |error| io::Error::other(format!("cannot read {}: {error}", list.display()));
        Ok(names(&fs::read_to_string(&list).map_err(unread)?))
    }

    /// The file with a name a line.
    fn list(self, all: &Path) -> PathBuf {
        self.folder(all).join("programs.txt")
    }
}

fn names(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}

/// The same programs on rayon, and on Lyocell under rayon's interface.
pub(crate) struct Builds {
    pub(super) plain: Build,
    pub(super) patched: Build,
}

/// What a run of a program takes.
pub(super) struct Cost {
    pub(super) ns: u64,
    pub(super) processor_ns: u64,
    /// Resident at its end.
    pub(super) kb: u64,
}

/// A program that has all programs in it.
pub(crate) struct Build(PathBuf);

impl Builds {
    /// Builds both, from the folder of all packages, beside this program.
    ///
    /// # Errors
    /// There is no cargo, or it fails; what it says about that is on the standard error. The programs are not those
    /// that are listed.
    pub(crate) fn build(programs: Programs, all: &Path) -> io::Result<Builds> {
        let this = env::current_exe()?;
        let target = this.with_file_name(programs.name());
        let folder = programs.folder(all);
        let build = |kind| Build::make(&folder, &target, programs, kind);
        let builds = Builds { plain: build("plain")?, patched: build("patched")? };
        for build in [&builds.plain, &builds.patched] {
            build.check_list(programs, all)?;
        }
        Ok(builds)
    }
}

impl Build {
    fn make(folder: &Path, target: &Path, programs: Programs, kind: &str) -> io::Result<Build> {
        let manifest = folder.join(kind).join("Cargo.toml");
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let target = target.join(kind);
        let mut flags = env::var_os("RUSTFLAGS").unwrap_or_default();
        flags.push(ALIGNED);
        let status = Command::new(cargo)
            .args(["build", "--release", "--locked", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(&target)
            .env("RUSTFLAGS", flags)
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            let manifest = manifest.display();
            return Err(io::Error::other(format!("cargo cannot build {manifest}: {status}")));
        }
        let program = format!("{}-{kind}{}", programs.name(), env::consts::EXE_SUFFIX);
        Ok(Build(target.join("release").join(program)))
    }

    /// Fails unless it has the programs that are listed.
    fn check_list(&self, programs: Programs, all: &Path) -> io::Result<()> {
        let (has, listed) = (self.programs()?, programs.listed(all)?);
        if has == listed {
            return Ok(());
        }
        let (has, listed) = (enumerate(&has), enumerate(&listed));
        let list = programs.list(all);
        Err(io::Error::other(format!("{} lists {listed}, but there are {has}", list.display())))
    }

    /// The names of the programs that it has.
    fn programs(&self) -> io::Result<Vec<String>> {
        let none: [&str; 0] = [];
        Ok(names(&output(&self.0, &none)?))
    }

    /// What a run of a program takes.
    ///
    /// # Errors
    /// It cannot be run, its answer is wrong, or it does not print three numbers.
    pub(super) fn run(&self, program: &str, workers: usize) -> io::Result<Cost> {
        let said = output(&self.0, &[program, &workers.to_string()])?;
        let numbers = said.split_whitespace().map(|word| word.parse().ok());
        match numbers.collect::<Option<Vec<u64>>>().as_deref() {
            Some(&[ns, processor_ns, kb]) => Ok(Cost { ns, processor_ns, kb }),
            _ => Err(io::Error::other(format!("{program} printed {said:?}, which is no cost"))),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::compare;
    use super::*;

    #[test]
    fn what_was_measured_before_a_program_fails_has_been_passed_on() {
        // It prints the words that it is given, the name of the program and the number of threads.
        let echo = || Build("echo".into());
        let builds = Builds { plain: echo(), patched: echo() };
        let programs = ["7 5", "no number", "9 9"].map(str::to_owned);
        let mut taken = Vec::new();
        let take = |pairs| {
            taken.extend(pairs);
            io::Result::Ok(())
        };
        let failed = compare(&builds, &programs, &[3], 2, take).unwrap_err();
        assert!(failed.to_string().contains("no number printed"), "{failed}");
        let costs: Vec<_> = taken.iter().map(|pair| (pair.rayon_ns, pair.lyocell_kb)).collect();
        assert_eq!(costs, [(7, 3); 2]);
    }
}
