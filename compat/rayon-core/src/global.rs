//! The global pool. It is Lyocell's own, so that a program that uses both has one set of threads.

use crate::error::ErrorKind;
use crate::registry::ThreadSpawn;
use crate::{ThreadPoolBuildError, ThreadPoolBuilder};
use lyocell::{BuildError, Pool, Worker};

/// The global pool, built now if need be.
pub(crate) fn global() -> &'static Pool {
    let mut is_first = false;
    let pool = lyocell::global_or_init(|| {
        is_first = true;
        default_pool()
    });
    pool.unwrap_or_else(|error| no_global_pool(error, is_first))
}

/// Rayon's words: the call that has tried to build it tells why there is none, those after it that one had tried.
#[cold]
fn no_global_pool(error: &'static BuildError, is_first: bool) -> ! {
    let error = match is_first {
        true => ThreadPoolBuildError::of_kept(error),
        false => ThreadPoolBuildError::new(ErrorKind::GlobalPoolAlreadyInitialized),
    };
    panic!("The global thread pool has not been initialized.: {error:?}")
}

/// Outside of pools: sees to it that the global pool, which Lyocell's functions will use, is one of rayon's kind.
pub(crate) fn global_from_outside() {
    if lyocell::current_thread_index().is_none() {
        global();
    }
}

/// With the default settings.
fn default_pool() -> Result<Pool, BuildError> {
    ThreadPoolBuilder::new().build_pool().map(|(pool, _)| pool)
}

/// Builds the global pool as the builder says, and waits until its threads run.
pub(crate) fn build_global<S: ThreadSpawn>(
    builder: ThreadPoolBuilder<S>,
) -> Result<(), ThreadPoolBuildError> {
    let mut started = None;
    let pool = lyocell::global_or_init(|| {
        let (pool, primed) = builder.build_pool().inspect_err(|_| started = Some(None))?;
        started = Some(Some(primed));
        Ok(pool)
    });
    match (started, pool) {
        (None, _) => Err(ThreadPoolBuildError::new(ErrorKind::GlobalPoolAlreadyInitialized)),
        (Some(_), Err(error)) => Err(ThreadPoolBuildError::of_kept(error)),
        (Some(primed), Ok(_)) => {
            primed.inspect(|primed| primed.wait());
            Ok(())
        }
    }
}

/// Calls `op` with the current worker, else on a thread of the global pool.
pub(crate) fn in_worker<OP, R>(op: OP) -> R
where
    OP: FnOnce(&Worker) -> R + Send,
    R: Send,
{
    lyocell::with_current(|worker| match worker {
        Some(worker) => op(worker),
        None => global().run(op),
    })
}
