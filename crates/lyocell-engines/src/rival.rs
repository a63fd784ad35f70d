//! Runtimes with a program of their own (the crate `lyocell-rivals`, which tells how it is spoken to), most of them in C
//! and C++: they run only when named, and are absent unless they were built.
//!
//! Their best fair form: compiled as their own users do; the programs with short tasks in C++ throughout, long leaves in
//! the same Rust functions that every engine calls; the time is taken in their program, from before the first task is made
//! to after the last is over. Where there are several ways to write a join, the engine's file in that crate says which
//! was the fastest. A process is started for each turn and killed after it: no thread of theirs is there in another's turn.
//!
//! An answer is checked twice: in their program, as every answer is, and here, against that of the serial program.

use std::collections::HashMap;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use lyocell_workloads::{Instance, OfRivals, OwnOfRivals, Roster, StartError, WrongAnswer};

use super::serial;
use super::{Engine, Programs, STACK_BYTES, Sample, Session};
use crate::runtime::Observed;

/// The folder with the programs, if they are not beside this one.
const FOLDER_VARIABLE: &str = "LYOCELL_RIVALS";

/// How to have them.
pub const BUILD: &str = "cargo build --release -p lyocell-rivals";

/// Every rival, in the order they are listed.
pub static RIVALS: [&dyn Engine; 6] = [&OPENMP, &OPENMP_CLANG, &TBB, &WOOL, &LIBFORK, &FORTE];

static OPENMP: Rival = Rival::new("openmp");
static OPENMP_CLANG: Rival = Rival::new("openmp-clang");
static TBB: Rival = Rival::new("tbb");
static WOOL: Rival = Rival::new("wool");
static LIBFORK: Rival = Rival::of::<OwnOfRivals>("libfork", "");
static FORTE: Rival = Rival::of::<OfRivals>("forte", " --features forte");

struct Rival {
    name: &'static str,
    /// What else is said to build it.
    feature: &'static str,
    programs: Programs,
    /// What its program says that it is, or why it is not there.
    about: OnceLock<Result<&'static str, &'static str>>,
}

impl Rival {
    const fn new(name: &'static str) -> Rival {
        Rival::of::<OfRivals>(name, "")
    }

    /// One that runs the programs of a roster.
    const fn of<R: Roster>(name: &'static str, feature: &'static str) -> Rival {
        Rival { name, feature, programs: Programs::of::<R>(), about: OnceLock::new() }
    }

    fn program(&self) -> io::Result<PathBuf> {
        let program = format!("lyocell-rival-{}{}", self.name, env::consts::EXE_SUFFIX);
        match env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()) {
            Some(folder) => Ok(PathBuf::from(folder).join(program)),
            None => Ok(env::current_exe()?.with_file_name(program)),
        }
    }

    /// Asked once; the answer lives as long as this program, as engines do.
    fn about(&self) -> Result<&'static str, &'static str> {
        let leak = |text: String| -> &'static str { text.leak() };
        *self.about.get_or_init(|| self.ask().map(leak).map_err(leak))
    }

    /// Asks the program what it is.
    fn ask(&self) -> Result<String, String> {
        let program = self.program().map_err(|error| error.to_string())?;
        let output = match Command::new(&program).stdin(Stdio::null()).output() {
            Ok(output) => output,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(format!("it is not built; `{BUILD}{}` does it", self.feature));
            }
            Err(error) => return Err(format!("{} cannot be run: {error}", program.display())),
        };
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(said(&output.stdout)) } else { Err(said(&output.stderr)) }
    }

    fn spawn(&self, workers: usize) -> io::Result<RivalSession> {
        let mut child = Command::new(self.program()?)
            .arg(workers.to_string())
            .env("OMP_STACKSIZE", format!("{}M", STACK_BYTES >> 20))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (to, from) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        let mut session = RivalSession { child, to, from };
        match session.line()?.as_str() {
            "ready" => Ok(session),
            other => Err(io::Error::other(format!("its program said {other:?}"))),
        }
    }
}

impl Engine for Rival {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.about().unwrap_or_else(|reason| reason)
    }

    fn absence(&self) -> Option<&'static str> {
        self.about().err()
    }

    fn programs(&self) -> Programs {
        self.programs
    }

    fn start(&self, workers: usize) -> Result<Box<dyn Session>, StartError> {
        let failed =
            |error: io::Error| StartError { engine: self.name, workers, cause: error.to_string() };
        Ok(Box::new(self.spawn(workers).map_err(failed)?))
    }
}

/// A program that runs.
struct RivalSession {
    child: Child,
    to: Option<ChildStdin>,
    from: Option<BufReader<ChildStdout>>,
}

impl RivalSession {
    /// The next line that it says.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if let Some(from) = &mut self.from {
            from.read_line(&mut line)?;
        }
        if line.is_empty() {
            let status = self.child.wait()?;
            return Err(io::Error::other(format!("its program ended, {status}")));
        }
        Ok(line.trim_end().to_owned())
    }

    /// What it says when asked to run `instance`.
    fn ask(&mut self, instance: &Instance) -> io::Result<String> {
        if let Some(to) = &mut self.to {
            writeln!(to, "{instance}")?;
            to.flush()?;
        }
        self.line()
    }
}

impl Session for RivalSession {
    fn run(&mut self, instance: &mut Instance) -> Result<Sample, WrongAnswer> {
        let expected = serial_answer(instance)?;
        let wrong = |expected, got: String| Err(WrongAnswer { expected, got });
        let said = match self.ask(instance) {
            Ok(said) => said,
            Err(error) => return wrong(expected, format!("none ({error})")),
        };
        if let Some((expected, got)) =
            said.strip_prefix("wrong ").and_then(|said| said.split_once('\t'))
        {
            return wrong(expected.to_owned(), got.to_owned());
        }
        let done = said.strip_prefix("done ").and_then(|said| said.split_once(' '));
        let done = done.and_then(|(nanoseconds, answer)| Some((nanoseconds.parse().ok()?, answer)));
        match done {
            Some((nanoseconds, answer)) if answer == expected => Ok(Sample {
                time: Duration::from_nanos(nanoseconds),
                answer: expected,
                observed: Observed::default(),
            }),
            Some((_, answer)) => wrong(expected, answer.to_owned()),
            None => wrong(expected, format!("none (its program said {said:?})")),
        }
    }
}

impl Drop for RivalSession {
    fn drop(&mut self) {
        // Whoever has the next turn shall be alone. What fails here has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer of the serial program, which is run once for each instance.
fn serial_answer(instance: &mut Instance) -> Result<String, WrongAnswer> {
    static KNOWN: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let name = instance.to_string();
    if let Some(answer) = known.get(&name) {
        return Ok(answer.clone());
    }
    let answer = serial::sample_once(instance)?.answer;
    known.insert(name, answer.clone());
    Ok(answer)
}
