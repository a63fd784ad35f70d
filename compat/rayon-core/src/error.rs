//! Why there is no pool.

use crate::ThreadPoolBuildError;
use lyocell::BuildError;
use std::error::Error;
use std::{fmt, io};

#[derive(Debug)]
pub(crate) enum ErrorKind {
    GlobalPoolAlreadyInitialized,
    CurrentThreadAlreadyInPool,
    IOError(io::Error),
}

impl ThreadPoolBuildError {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        ThreadPoolBuildError { kind }
    }

    // No `From`: one more that programs see, and `?` does not tell their compiler any longer which error is meant.
    pub(crate) fn of(error: BuildError) -> Self {
        ThreadPoolBuildError::new(match error {
            BuildError::CurrentThreadIsWorker => ErrorKind::CurrentThreadAlreadyInPool,
            BuildError::GlobalPoolExists => ErrorKind::GlobalPoolAlreadyInitialized,
            BuildError::Thread { source, .. } => ErrorKind::IOError(source),
            error @ BuildError::Memory { .. } => {
                ErrorKind::IOError(io::Error::new(io::ErrorKind::OutOfMemory, error))
            }
            error => ErrorKind::IOError(io::Error::other(error)),
        })
    }

    /// The error of a global pool, which the runtime keeps.
    pub(crate) fn of_kept(error: &'static BuildError) -> Self {
        ThreadPoolBuildError::new(match error {
            BuildError::CurrentThreadIsWorker => ErrorKind::CurrentThreadAlreadyInPool,
            BuildError::GlobalPoolExists => ErrorKind::GlobalPoolAlreadyInitialized,
            BuildError::Thread { source, .. } => {
                let copy = |code| io::Error::from_raw_os_error(code);
                let told = || io::Error::new(source.kind(), source.to_string());
                ErrorKind::IOError(source.raw_os_error().map_or_else(told, copy))
            }
            error => ErrorKind::IOError(io::Error::other(error)),
        })
    }
}

/// The words of rayon-core, which programs may compare.
const GLOBAL_POOL_ALREADY_INITIALIZED: &str =
    "The global thread pool has already been initialized.";
const CURRENT_THREAD_ALREADY_IN_POOL: &str =
    "The current thread is already part of another thread pool.";

impl fmt::Display for ThreadPoolBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::GlobalPoolAlreadyInitialized => f.pad(GLOBAL_POOL_ALREADY_INITIALIZED),
            ErrorKind::CurrentThreadAlreadyInPool => f.pad(CURRENT_THREAD_ALREADY_IN_POOL),
            ErrorKind::IOError(error) => error.fmt(f),
        }
    }
}

impl Error for ThreadPoolBuildError {
    #[allow(deprecated)]
    fn description(&self) -> &str {
        match &self.kind {
            ErrorKind::GlobalPoolAlreadyInitialized => GLOBAL_POOL_ALREADY_INITIALIZED,
            ErrorKind::CurrentThreadAlreadyInPool => CURRENT_THREAD_ALREADY_IN_POOL,
            ErrorKind::IOError(error) => error.description(),
        }
    }

    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            ErrorKind::GlobalPoolAlreadyInitialized | ErrorKind::CurrentThreadAlreadyInPool => None,
            ErrorKind::IOError(error) => Some(error),
        }
    }
}
