//! Why there is no pool.

use lyocell::BuildError;
use std::error::Error;
use std::{fmt, io};

/// Why a pool could not be built.
#[derive(Debug)]
pub struct ThreadPoolBuildError {
    kind: ErrorKind,
}

#[derive(Debug)]
pub(crate) enum ErrorKind {
    GlobalPoolAlreadyInitialized,
    CurrentThreadAlreadyInPool,
    Io(io::Error),
}

impl ThreadPoolBuildError {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        ThreadPoolBuildError { kind }
    }
}

impl From<BuildError> for ThreadPoolBuildError {
    fn from(error: BuildError) -> Self {
        ThreadPoolBuildError::new(match error {
            BuildError::CurrentThreadIsWorker => ErrorKind::CurrentThreadAlreadyInPool,
            BuildError::GlobalPoolExists => ErrorKind::GlobalPoolAlreadyInitialized,
            BuildError::Thread { source, .. } => ErrorKind::Io(source),
            error @ BuildError::Memory { .. } => {
                ErrorKind::Io(io::Error::new(io::ErrorKind::OutOfMemory, error))
            }
            error => ErrorKind::Io(io::Error::other(error)),
        })
    }
}

/// The error of a global pool, which the runtime keeps.
impl From<&'static BuildError> for ThreadPoolBuildError {
    fn from(error: &'static BuildError) -> Self {
        ThreadPoolBuildError::new(match error {
            BuildError::CurrentThreadIsWorker => ErrorKind::CurrentThreadAlreadyInPool,
            BuildError::GlobalPoolExists => ErrorKind::GlobalPoolAlreadyInitialized,
            BuildError::Thread { source, .. } => {
                let copy = |code| io::Error::from_raw_os_error(code);
                let told = || io::Error::new(source.kind(), source.to_string());
                ErrorKind::Io(source.raw_os_error().map_or_else(told, copy))
            }
            error => ErrorKind::Io(io::Error::other(error)),
        })
    }
}

impl fmt::Display for ThreadPoolBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            // The words of rayon-core, which programs may compare.
            ErrorKind::GlobalPoolAlreadyInitialized => {
                f.write_str("The global thread pool has already been initialized.")
            }
            ErrorKind::CurrentThreadAlreadyInPool => {
                f.write_str("The current thread is already part of another thread pool.")
            }
            ErrorKind::Io(error) => error.fmt(f),
        }
    }
}

impl Error for ThreadPoolBuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            ErrorKind::GlobalPoolAlreadyInitialized | ErrorKind::CurrentThreadAlreadyInPool => None,
            ErrorKind::Io(error) => Some(error),
        }
    }
}
