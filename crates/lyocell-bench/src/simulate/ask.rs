//! The program is started, and its lines are read.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use lyocell_engines::parallelism;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::row::{About, Answer, CaseRow, Row};
use crate::measure::Progress;

/// How to have it, from the folder of the sources.
const BUILD: &str =
    "cargo build --release --manifest-path sim/Cargo.toml -p lyocell-simulate --target-dir target";

/// Where it is, if not beside this program.
const PROGRAM_VARIABLE: &str = "LYOCELL_SIMULATE";

/// In so many parts a check is dealt out. A prime that no fault goes by: else some parts have all that take long.
const CHECK_PARTS: u64 = 37;

/// What is to be simulated.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) programs: Vec<String>,
    pub(crate) machine: String,
    pub(crate) workers: Vec<u64>,
    pub(crate) deques: Vec<String>,
    pub(crate) waits: Vec<String>,
    pub(crate) search: Option<String>,
    /// What else, as the program has it: `--exposing off`, `--depths`, `--steal half`.
    pub(crate) further: Vec<String>,
    pub(crate) seeds: u64,
    pub(crate) tso: bool,
    pub(crate) spread: bool,
    pub(crate) trace: Option<PathBuf>,
}

/// A line that it tells.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Begin(About),
    Row(Box<Row>),
    /// A run of a case on a queue.
    Case(CaseRow),
    /// One more seed is checked; how many are.
    Checked(IgnoredAny),
    /// So many runs were checked, and nothing was found.
    Runs(u64),
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failed {
    /// It is not there, or what it was asked for is not.
    Refused(String),
    /// A run failed: what it says.
    Run(String),
    /// It cannot be started or read.
    Machine(io::Error),
}

/// The program, once asked.
pub(crate) struct Asked {
    child: Child,
    lines: io::Lines<BufReader<ChildStdout>>,
    /// What it says on its standard error, read beside: who waits for what may be more than a pipe holds.
    said: JoinHandle<io::Result<String>>,
}

impl Request {
    /// Asks for all rows.
    ///
    /// # Errors
    /// See [`Failed`].
    pub(crate) fn rows(
        &self,
        scale: Option<(&str, f64)>,
        progress: &Progress,
    ) -> Result<Answer, Failed> {
        let mut words: Vec<OsString> = self.programs.iter().map(OsString::from).collect();
        let mut option = |name: &str, value: OsString| words.extend([name.into(), value]);
        let numbers: Vec<String> = self.workers.iter().map(u64::to_string).collect();
        option("--workers", numbers.join(",").into());
        option("--deque", self.deques.join(",").into());
        option("--wait", self.waits.join(",").into());
        option("--seeds", self.seeds.to_string().into());
        if let Some(search) = &self.search {
            option("--search", search.into());
        }
        if let Some((name, factor)) = scale {
            option("--scale", format!("{name}={factor}").into());
        }
        if let Some(file) = &self.trace {
            option("--trace", file.clone().into());
        }
        if self.spread {
            words.push("--spread".into());
        }
        words.extend(self.further.iter().map(OsString::from));
        let mut asked = self.ask(words)?;
        let (mut machine, mut rows, mut cases) = (None, Vec::new(), Vec::new());
        while let Some(line) = asked.line()? {
            match line {
                Line::Begin(about) => machine = Some(about),
                Line::Row(row) => {
                    progress.announce(format!("{} on {}", row.program, row.deque));
                    progress.advance();
                    rows.push(*row);
                }
                Line::Case(row) => {
                    progress.advance();
                    cases.push(row);
                }
                Line::Checked(_) | Line::Runs(_) => {}
            }
        }
        asked.end()?;
        let machine = machine.ok_or_else(|| Failed::Run("it told of no machine".to_owned()))?;
        Ok(Answer { machine, rows, cases })
    }

    /// Has the runtime checked under faults, part by part, on every processor; how many runs there were.
    ///
    /// # Errors
    /// See [`Failed`]: what one of the programs found. The others are ended then.
    pub(crate) fn check(&self, progress: &Progress) -> Result<u64, Failed> {
        let parts = CHECK_PARTS.clamp(1, self.seeds.max(1));
        let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let check = || {
            let mut runs = 0;
            // Ordering: Relaxed, here and below; each part is had by one, and the other is a hint.
            while !is_over.load(Ordering::Relaxed) {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= parts {
                    break;
                }
                let checked = self.check_part(part, parts, progress, &is_over);
                is_over.fetch_or(checked.is_err(), Ordering::Relaxed);
                runs += checked?;
            }
            Ok(runs)
        };
        thread::scope(|threads| {
            let all: Vec<_> = (0..parallelism()).map(|_| threads.spawn(check)).collect();
            let joined = all.into_iter().map(|one| one.join());
            joined.map(|one| one.unwrap_or_else(|panic| resume_unwind(panic))).sum()
        })
    }

    fn check_part(
        &self,
        part: u64,
        parts: u64,
        progress: &Progress,
        is_over: &AtomicBool,
    ) -> Result<u64, Failed> {
        let (seeds, part) = (self.seeds.to_string(), format!("{part}/{parts}"));
        let words = ["--check", "--seeds", &seeds, "--part", &part].map(OsString::from);
        let mut asked =
            self.ask(words.into_iter().chain(self.programs.iter().map(OsString::from)).collect())?;
        let mut checked = 0;
        while let Some(line) = asked.line()? {
            match line {
                Line::Checked(_) => progress.advance(),
                Line::Runs(runs) => checked = runs,
                Line::Begin(_) | Line::Row(_) | Line::Case(_) => {}
            }
            if is_over.load(Ordering::Relaxed) {
                asked.kill();
                return Ok(checked);
            }
        }
        asked.end()?;
        Ok(checked)
    }

    fn ask(&self, words: Vec<OsString>) -> Result<Asked, Failed> {
        let program = match env::var_os(PROGRAM_VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => PathBuf::from(path),
            None => {
                let name = format!("lyocell-simulate{}", env::consts::EXE_SUFFIX);
                env::current_exe().map_err(Failed::Machine)?.with_file_name(name)
            }
        };
        let memory = if self.tso { "tso" } else { "sequential" };
        let mut command = Command::new(&program);
        command.args(["--machine", &self.machine, "--memory", memory]).args(words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        match command.spawn() {
            Ok(mut child) => {
                let told = child.stdout.take().expect("it was asked for");
                let errors = child.stderr.take().expect("it was asked for");
                let said = thread::spawn(move || io::read_to_string(errors));
                Ok(Asked { child, lines: BufReader::new(told).lines(), said })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Failed::Refused(format!("the simulator is not built; `{BUILD}` does it")))
            }
            Err(error) => {
                let program = program.display();
                Err(Failed::Machine(io::Error::other(format!("{program} cannot be run: {error}"))))
            }
        }
    }
}

impl Asked {
    fn line(&mut self) -> Result<Option<Line>, Failed> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        let line = line.map_err(Failed::Machine)?;
        let parsed = serde_json::from_str(&line);
        parsed.map(Some).map_err(|error| {
            // Of no use to anybody who does not read it to its end.
            self.kill();
            let message =
                format!("the simulator is of another version, build it anew (`{BUILD}`): {error}");
            Failed::Refused(message)
        })
    }

    fn kill(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }

    /// It is over: whether all went well.
    fn end(mut self) -> Result<(), Failed> {
        let status = self.child.wait().map_err(Failed::Machine)?;
        let said = self.said.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let said = said.map_err(Failed::Machine)?;
        let said = said.trim().trim_start_matches("error: ").to_owned();
        match status.code() {
            Some(0) => Ok(()),
            Some(2) => Err(Failed::Refused(said)),
            _ if said.is_empty() => Err(Failed::Run(format!("the simulator ended with {status}"))),
            _ => Err(Failed::Run(said)),
        }
    }
}
