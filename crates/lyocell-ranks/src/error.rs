//! What ends a run of ranks before its time.

use std::error::Error;
use std::fmt;

/// Why a run of ranks has no total.
///
/// Ranks are fail-stop: what ends one ends the run, and each rank that can still speak learns of it.
#[derive(Debug)]
#[non_exhaustive]
pub enum RanksError {
    /// A rank has failed, this one or another.
    Failed {
        /// Which.
        rank: usize,
        /// In its own words.
        why: String,
    },
    /// The transport has failed on this rank.
    Transport(TransportError),
}

impl fmt::Display for RanksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RanksError::Failed { rank, why } => write!(f, "rank {rank} failed: {why}"),
            RanksError::Transport(error) => write!(f, "{error}"),
        }
    }
}

impl Error for RanksError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RanksError::Failed { .. } => None,
            RanksError::Transport(error) => error.source(),
        }
    }
}

impl From<TransportError> for RanksError {
    fn from(error: TransportError) -> RanksError {
        RanksError::Transport(error)
    }
}

/// A message could not be sent or received.
#[derive(Debug)]
pub struct TransportError {
    doing: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl TransportError {
    /// What failed, such as "send 40 bytes to rank 3", and why.
    pub fn new(doing: impl Into<String>, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        TransportError { doing: doing.into(), source: Some(source.into()) }
    }

    /// Another rank has aborted the run, for this reason.
    pub fn aborted(why: &str) -> Self {
        TransportError { doing: format!("the run was aborted: {why}"), source: None }
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "cannot {}: {source}", self.doing),
            None => f.write_str(&self.doing),
        }
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
