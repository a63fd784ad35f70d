//! By whom the threads of a pool are started.

use crate::primed::Primed;
use std::sync::{Arc, Mutex};
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
        let chosen = thread.stack_size();
        let stack = chosen.or_else(usual_stack);
        // Shared with the thread until it has it: what fails to start leaves it here.
        let thread = Arc::new(Mutex::new(Some(thread)));
        match start(&thread, stack) {
            // A smaller one, the standard library's, may yet be had.
            Err(_) if chosen.is_none() && stack.is_some() => start(&thread, None),
            outcome => outcome,
        }
    }
}

fn start(thread: &Arc<Mutex<Option<ThreadBuilder>>>, stack: Option<usize>) -> io::Result<()> {
    let take = |thread: &Mutex<Option<ThreadBuilder>>| thread.lock().ok()?.take();
    let mut builder = thread::Builder::new();
    if let Some(name) = thread.lock().ok().as_ref().and_then(|thread| thread.as_ref()?.name()) {
        builder = builder.name(name.to_owned());
    }
    if let Some(bytes) = stack {
        builder = builder.stack_size(bytes);
    }
    let thread = Arc::clone(thread);
    builder.spawn(move || take(&thread).map(ThreadBuilder::run))?;
    Ok(())
}

/// Twice the usual stack of a thread: work that is stolen while a thread waits lies on top of what it waits for. More, and the
/// system's library does not keep the stacks of eight threads that have ended for the next that start.
const STACK_BYTES: usize = 4 << 20;

/// The stack of a thread where the program does not say, unless the user has chosen one for all threads, or addresses are scarce.
fn usual_stack() -> Option<usize> {
    let usual = env::var_os("RUST_MIN_STACK").is_none() && lyocell::address_limit().is_none();
    usual.then_some(STACK_BYTES)
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
