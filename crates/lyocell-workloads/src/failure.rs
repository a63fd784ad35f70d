//! What a measurement tells meanwhile, and why it stopped.

use std::fmt;

use crate::problem::WrongAnswer;

/// An engine, or another pool of threads, that could not be started.
#[derive(Debug)]
pub struct StartError {
    /// Its name.
    pub engine: &'static str,
    /// How many workers it was to have.
    pub workers: usize,
    /// What the system says.
    pub cause: String,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StartError { engine, workers, cause } = self;
        write!(f, "{engine} cannot be started with {workers} workers: {cause}; try fewer")
    }
}

/// Why a measurement stopped.
#[derive(Debug)]
pub enum Failure {
    /// Somebody could not be started.
    Start(StartError),
    /// An answer is wrong.
    Wrong {
        /// What was run.
        job: String,
        /// Who ran it.
        contender: String,
        /// The answer.
        wrong: WrongAnswer,
    },
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        Failure::Start(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Start(error) => error.fmt(f),
            Failure::Wrong { job, contender, wrong } => write!(f, "{job} on {contender}: {wrong}"),
        }
    }
}

/// Is told how far a measurement is.
pub trait Watcher {
    /// What comes next.
    fn announce(&self, what: String);
    /// A turn is over.
    fn advance(&self);
}

/// Does not look.
impl Watcher for () {
    fn announce(&self, _what: String) {}
    fn advance(&self) {}
}
