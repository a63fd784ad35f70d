//! A report without a line in the program: `LYOCELL_PROFILE=out.html ./program`.
//!
//! Where the environment variable names a file, each pool with a profile writes its report there when it is dropped: as a page
//! if the name ends in `.html`, as JSON if it ends in `.json`, else as text. Further pools of the process write to
//! files with their number before the ending.

use crate::per_process::PerProcess;
use crate::profile::Measured;
use crate::report::Profiled;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::{env, fs, io};

/// The environment variable.
const VARIABLE: &str = "LYOCELL_PROFILE";

/// The report of a pool, written when the last of its workers has been added.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    workers: usize,
    measured: Mutex<Vec<Measured>>,
}

static OUTPUTS: PerProcess<Mutex<HashMap<usize, Weak<Output>>>> = PerProcess::new();
static POOLS: AtomicUsize = AtomicUsize::new(0);

impl Output {
    /// Where this worker's pool reports to, if anywhere.
    pub(crate) fn asked_for(pool: usize, worker: usize, workers: usize) -> Option<Arc<Output>> {
        let path = env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
        if crate::costs::is_measuring() {
            return None;
        }
        let outputs = OUTPUTS.get(|_| Mutex::default());
        let mut outputs = outputs.lock().unwrap_or_else(PoisonError::into_inner);
        outputs.retain(|_, output| output.strong_count() > 0);
        if worker > 0 {
            return outputs.get(&pool)?.upgrade();
        }
        let number = POOLS.fetch_add(1, Ordering::Relaxed);
        let output = Arc::new(Output {
            path: numbered(Path::new(&path), number),
            workers,
            measured: Mutex::default(),
        });
        outputs.insert(pool, Arc::downgrade(&output));
        Some(output)
    }

    /// A worker is gone; this is what it measured.
    pub(crate) fn add(&self, measured: Measured) {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner).push(measured);
    }

    fn write(&self) -> io::Result<()> {
        let measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let report = Profiled::from_workers(&measured, self.workers);
        report.write(&self.path)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Err(error) = self.write() {
            // There is nobody to return it to: the program does not know that it is profiled. If it cannot be told either, so be
            // it: to panic here would end the program.
            let path = self.path.display();
            let _ = writeln!(io::stderr(), "{VARIABLE}={path}: {error}");
        }
    }
}

/// `out.html`, `out.2.html`, `out.3.html` and so on.
fn numbered(path: &Path, pools_before: usize) -> PathBuf {
    if pools_before == 0 {
        return path.to_owned();
    }
    let mut ending = OsString::from((pools_before + 1).to_string());
    if let Some(extension) = path.extension() {
        ending.push(".");
        ending.push(extension);
    }
    path.with_extension(ending)
}

impl Profiled {
    /// Writes the report to a file: a page if its name ends in `.html`, JSON if it ends in `.json`, else text.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let text = match path.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => self.to_html(),
            Some("json") => self.to_json(),
            _ => self.to_string(),
        };
        fs::write(path, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_pools_have_their_number_in_the_name() {
        let names = [0, 1, 2].map(|before| numbered(Path::new("d/out.html"), before));
        assert_eq!(
            names.map(|name| name.display().to_string()),
            ["d/out.html", "d/out.2.html", "d/out.3.html"]
        );
        assert_eq!(numbered(Path::new("out"), 1), Path::new("out.2"));
    }
}
