//! What README quotes, and how it is measured.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::{fs, io, iter};

use lyocell_workloads::{Fib, Instance};

use super::file::{Kept, Row};
use crate::comparison::{self, Request};
use crate::experiment;
use crate::layouts;
use crate::measure::take_figures;
use crate::measure::{Progress, RunRecord};
use lyocell_engines::fork_cost::{CALLS, WAYS, fork_costs};
use lyocell_engines::latency::{Figure, Host, MEASURES, Unit};
use lyocell_engines::runtime::Setup;
use lyocell_engines::{RUNTIME, SERIAL};
use lyocell_workloads::Failure;
use lyocell_workloads::Refused;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// What README quotes.
    Full,
    /// Enough to see that it works.
    Quick,
}

/// Something that README quotes.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// One line on what it measures.
    pub(crate) summary: &'static str,
    measure: fn(Size, usize) -> Result<Vec<Row>, Stopped>,
    /// Whether it depends on where code lies in memory.
    by_layout: bool,
}

/// All, in the order they are measured.
pub(crate) static SUITES: [Suite; 4] = [
    Suite {
        name: JOIN,
        summary: "what a join costs over a call, by the way it is written",
        measure: join,
        by_layout: true,
    },
    Suite {
        name: HEADLINE,
        summary: "the programs of the Lace paper on every engine, with one worker and with all",
        measure: headline,
        by_layout: true,
    },
    Suite {
        name: LATENCY,
        summary: "the measures of `lyocell latency`",
        measure: latency,
        by_layout: false,
    },
    Suite {
        name: DEQUES,
        summary: "fib on the deques of the papers, with one worker",
        measure: deques,
        by_layout: true,
    },
];

pub(super) const JOIN: &str = "join";
pub(super) const HEADLINE: &str = "headline";
pub(super) const LATENCY: &str = "latency";
pub(super) const DEQUES: &str = "deques";

/// The statistics of a run.
pub(super) const TIME: &str = "time";
pub(super) const CLOCK: &str = "clock";

/// Why there are no results.
#[derive(Debug)]
pub(crate) enum Stopped {
    Refused(Refused),
    Failed(Failure),
    Machine(io::Error),
}

impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Stopped {
        Stopped::Refused(refused)
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Machine(error)
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Stopped {
        Stopped::Failed(failure)
    }
}

/// Programs that measure what depends on where code lies.
pub(crate) struct Layouts {
    pub(crate) programs: Vec<PathBuf>,
    /// A file that they may write.
    pub(crate) scratch: PathBuf,
}

/// The results of `suites`, with pools of at most `workers` workers; what depends on where code lies, from each of
/// `layouts` if there are any.
///
/// # Errors
/// An engine or a program cannot be started, or an answer is wrong.
pub(crate) fn measure(
    suites: &[&Suite],
    size: Size,
    workers: usize,
    layouts: Option<&Layouts>,
) -> Result<Kept, Stopped> {
    let mut rows = Vec::new();
    for suite in suites {
        rows.extend(match layouts.filter(|_| suite.by_layout) {
            None => (suite.measure)(size, workers)?,
            Some(layouts) => layouts.measure(suite, size)?,
        });
    }
    let programs = experiment::programs_of(rows.iter().map(|row| row.subject.as_str()));
    let note = (experiment::PROGRAMS.to_owned(), programs);
    Ok(Kept::with_notes(vec![note], rows))
}

impl Layouts {
    fn measure(&self, suite: &Suite, size: Size) -> Result<Vec<Row>, Stopped> {
        let progress = Progress::new(self.programs.len());
        let mut words = ["results", "--suite", suite.name, "--out"].map(OsStr::new).to_vec();
        words.push(self.scratch.as_os_str());
        words.extend((size == Size::Quick).then_some(OsStr::new("--quick")));
        let mut rows = Vec::new();
        for (layout, program) in self.programs.iter().enumerate() {
            progress.announce(format!("{} in layout {layout}", suite.name));
            layouts::output(program, &words)?;
            let text = fs::read_to_string(&self.scratch)?;
            fs::remove_file(&self.scratch)?;
            let kept = Kept::parse(&text, "results").map_err(io::Error::other)?;
            rows.extend(kept.rows.into_iter().map(|row| Row { layout: Some(layout), ..row }));
            progress.advance();
        }
        Ok(rows)
    }
}

/// A row of each turn: what a call takes, and what each way of a join takes more; then the clock of that moment.
fn join(size: Size, _workers: usize) -> Result<Vec<Row>, Stopped> {
    let turns = if size == Size::Full { 301 } else { 5 };
    let clock = experiment::gigahertz();
    let costs = fork_costs(turns).map_err(|error| Stopped::Machine(io::Error::other(error)))?;
    let row = |name: &str, rep: usize, seconds: f64| Row {
        rep: Some(rep + 1),
        ..Row::of(JOIN, name, RUNTIME, 1, seconds)
    };
    let turn = |(rep, [calls, ways @ ..]): (usize, &[f64; 1 + WAYS.len()])| {
        let ways =
            WAYS.iter().zip(ways).map(move |(name, seconds)| row(name, rep, seconds - calls));
        iter::once(row(CALLS, rep, *calls)).chain(ways).collect::<Vec<_>>()
    };
    let mut rows: Vec<Row> = costs.iter().enumerate().flat_map(turn).collect();
    let (statistic, unit) = (CLOCK.to_owned(), "gigahertz".to_owned());
    rows.push(Row { statistic, unit, ..Row::of(JOIN, CALLS, RUNTIME, 1, clock) });
    Ok(rows)
}

fn headline(size: Size, workers: usize) -> Result<Vec<Row>, Stopped> {
    let mut request = comparison::headline(crate::workers::sorted(vec![1, workers]));
    if size == Size::Quick {
        request.instances = vec![Fib::new(20).into()];
        request.reps = 1;
    }
    compare(HEADLINE, request)
}

fn deques(size: Size, _workers: usize) -> Result<Vec<Row>, Stopped> {
    let names = ["split", "direct", "receiver", "sender", "chase-lev", "abp"];
    let (instance, reps): (Instance, usize) = match size {
        Size::Full => (Fib::new(40).into(), 5),
        Size::Quick => (Fib::new(20).into(), 1),
    };
    let request = Request {
        instances: vec![instance],
        engines: [SERIAL, RUNTIME, "rayon"].map(str::to_owned).to_vec(),
        setups: names.map(Setup::on).to_vec(),
        workers: vec![1],
        reps,
    };
    compare(DEQUES, request)
}

fn compare(suite: &str, request: Request) -> Result<Vec<Row>, Stopped> {
    let groups = request.plan()?.measure()?;
    let row = |record: &RunRecord| Row {
        rep: Some(record.rep),
        tasks: record.tasks,
        ..Row::of(suite, record.job(), record.engine, record.workers, record.seconds)
    };
    Ok(groups.iter().flatten().map(row).collect())
}

fn latency(size: Size, workers: usize) -> Result<Vec<Row>, Stopped> {
    let measures = match size {
        Size::Full => &MEASURES[..],
        Size::Quick => &MEASURES[..1],
    };
    let figures = take_figures(&measures.iter().collect::<Vec<_>>(), workers)?;
    Ok(figures
        .iter()
        .flat_map(|figure| iter::once(value_of(figure)).chain(disturbed(figure)))
        .collect())
}

fn value_of(figure: &Figure) -> Row {
    Row {
        statistic: figure.statistic.clone(),
        unit: figure.unit.name().to_owned(),
        ..Row::of(LATENCY, figure.measure, figure.engine, figure.workers, figure.value)
    }
}

/// A row that says so, if the host disturbed it.
fn disturbed(figure: &Figure) -> Option<Row> {
    let statistic = format!("{}: disturbed", figure.statistic);
    let unit = Unit::Count.name().to_owned();
    let row = || Row { statistic, value: 1.0, unit, ..value_of(figure) };
    (figure.host == Host::Disturbed).then(row)
}
