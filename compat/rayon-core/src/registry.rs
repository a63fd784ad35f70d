//! By whom the threads of a pool are started.

use crate::primed::Primed;
use std::sync::Arc;
use std::{env, fmt, io, thread};

/// A thread of a pool that is yet to be started, for [`ThreadPoolBuilder::spawn_handler`].
///
/// [`ThreadPoolBuilder::spawn_handler`]: crate::ThreadPoolBuilder::spawn_handler
pub struct ThreadBuilder {
    pub(crate) name: Option<String>,
    pub(crate) stack_size: Option<usize>,
    pub(crate) thread: lyocell::ThreadBuilder,
    pub(crate) primed: Arc<Primed>,
}

impl ThreadBuilder {
    /// Returns the number of the thread in its pool, from 0.
    pub fn index(&self) -> usize {
        self.thread.index()
    }

    /// Returns the name that the builder of the pool was told, if it was.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the stack size that the builder of the pool was told, if it was.
    pub fn stack_size(&self) -> Option<usize> {
        self.stack_size
    }

    /// Serves the pool on the calling thread, until the pool is dropped and its tasks are over.
    pub fn run(self) {
        self.primed.count();
        self.thread.run();
    }
}

impl fmt::Debug for ThreadBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBuilder")
            .field("index", &self.index())
            .field("name", &self.name)
            .field("stack_size", &self.stack_size)
            .finish_non_exhaustive()
    }
}

/// What starts threads. Only this package implements it.
pub trait ThreadSpawn {
    private_decl! {}

    /// Starts a thread that calls [`ThreadBuilder::run`].
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()>;
}

/// Starts threads of the standard library.
#[derive(Debug, Default)]
pub struct DefaultSpawn;

impl ThreadSpawn for DefaultSpawn {
    private_impl! {}

    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        let mut builder = thread::Builder::new();
        if let Some(name) = thread.name() {
            builder = builder.name(name.to_owned());
        }
        if let Some(bytes) = thread.stack_size().or_else(|| usual_stack(&thread)) {
            builder = builder.stack_size(bytes);
        }
        builder.spawn(|| thread.run())?;
        Ok(())
    }
}

/// The stack of a thread where the program does not say: Lyocell's, unless the user has chosen one for all threads.
fn usual_stack(thread: &ThreadBuilder) -> Option<usize> {
    env::var_os("RUST_MIN_STACK").is_none().then(|| thread.thread.stack_size())
}

/// Has the program start threads.
#[derive(Debug)]
pub struct CustomSpawn<F>(pub(crate) F);

impl<F> ThreadSpawn for CustomSpawn<F>
where
    F: FnMut(ThreadBuilder) -> io::Result<()>,
{
    private_impl! {}

    #[inline]
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        (self.0)(thread)
    }
}
