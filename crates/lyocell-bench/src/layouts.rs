//! The program at several places in memory: what a short recursion costs depends on where in its cache lines the linker
//! has put it, so a ratio of one layout is partly luck.
//!
//! `.ci/layouts N` links the program N times, each time with all code 16 bytes further on, and puts the programs beside
//! this one. All engines move alike, those in C too. Each is run as a process of its own; what it measures is its CSV.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use lyocell_workloads::Refused;

/// How many can be asked for: functions begin at multiples of 16 bytes, so 16 layouts are every place in four cache lines.
pub(crate) const MOST: u32 = 16;

/// The programs of the first `count` layouts.
///
/// # Errors
/// They are not there, or were linked before this program.
pub(crate) fn programs(count: u32) -> Result<Vec<PathBuf>, Refused> {
    let this = env::current_exe();
    let this = this.map_err(|error| Refused(format!("this program is nowhere: {error}")))?;
    beside(&this, count)
}

fn beside(this: &Path, count: u32) -> Result<Vec<PathBuf>, Refused> {
    let linked = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let program = |layout: u32| {
        let path =
            this.with_file_name(format!("lyocell-layout-{layout}{}", env::consts::EXE_SUFFIX));
        let wrong = match (linked(&path), linked(this)) {
            (None, _) => "is not there",
            (Some(then), Some(now)) if then < now => "is older than this program",
            _ => return Ok(path),
        };
        let path = path.display();
        Err(Refused(format!(
            "{path} {wrong}: `.ci/layouts {count}` links the program for --layouts"
        )))
    };
    (0..count).map(program).collect()
}

/// What `program` writes to its standard output.
///
/// # Errors
/// It cannot be run, or fails; then what it says about that.
pub(crate) fn output<W: AsRef<OsStr>>(program: &Path, words: &[W]) -> io::Result<String> {
    let output = Command::new(program).args(words).output()?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(io::Error::other);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{}: {}", program.display(), why.trim())))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_layout_that_is_missing_or_older_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| fs::File::create(folder.path().join(name)).unwrap();
        let (this, suffix) = (create("lyocell"), env::consts::EXE_SUFFIX);
        let path = folder.path().join("lyocell");
        let layouts = [0, 1].map(|layout| create(&format!("lyocell-layout-{layout}{suffix}")));
        assert_eq!(beside(&path, 2).unwrap().len(), 2);
        let Refused(missing) = beside(&path, 3).unwrap_err();
        assert!(
            missing.contains("lyocell-layout-2") && missing.contains(".ci/layouts 3"),
            "{missing}"
        );
        this.set_modified(SystemTime::now()).unwrap();
        layouts[1].set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        let Refused(older) = beside(&path, 2).unwrap_err();
        assert!(older.contains("lyocell-layout-") && older.contains("older"), "{older}");
    }
}
