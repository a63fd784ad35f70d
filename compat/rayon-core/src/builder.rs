//! Setting a pool up.

use crate::error::ErrorKind;
use crate::primed::Primed;
use crate::registry::{CustomSpawn, DefaultSpawn, ThreadBuilder, ThreadSpawn};
use crate::{
    global, isolated, max_num_threads, panics, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder,
};
use lyocell::{BuildError, Caller, Pool, SpawnOrder};
use std::any::Any;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{env, fmt, io, thread};

/// How long a thread without work searches, after a few rounds, before it sleeps: all in all about as long as rayon's 32 rounds. Longer
/// searches cost programs that pause between bursts more than they save.
const SEARCH_TIME: Duration = Duration::from_micros(10);

/// The same of a pool with a thread for each processor, where who searches keeps a caller off one: bursts on two threads took 1.15 of
/// rayon's processor time with 10 us (and with 25 up to 1.3), and take 1.02 to 1.05. With fewer threads nobody is kept off (a serial program
/// between short calls took 1.2 of rayon's time with 3 us, where it is 1.0), and with more a round takes as long as another of the pool
/// has the processor (bursts on 8 threads 1.17, where it is 1.03).
const SEARCH_TIME_OF_FULL: Duration = Duration::from_micros(3);

/// How many processors there were when it was first asked: to ask takes as long as to build half a pool.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

impl Default for ThreadPoolBuilder {
    fn default() -> Self {
        ThreadPoolBuilder {
            num_threads: 0,
            use_current_thread: false,
            panic_handler: None,
            get_thread_name: None,
            stack_size: None,
            start_handler: None,
            exit_handler: None,
            spawn_handler: DefaultSpawn,
            breadth_first: false,
        }
    }
}

impl ThreadPoolBuilder {
    /// A builder with the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a pool whose threads may borrow: each begins in `wrapper`, which calls [`ThreadBuilder::run`]. The threads are
    /// over when this returns.
    ///
    /// # Errors
    /// As [`ThreadPoolBuilder::build`].
    pub fn build_scoped<W, F, R>(self, wrapper: W, with_pool: F) -> Result<R, ThreadPoolBuildError>
    where
        W: Fn(ThreadBuilder) + Sync,
        F: FnOnce(&ThreadPool) -> R,
    {
        thread::scope(|threads| {
            let wrapper = &wrapper;
            let pool = self
                .spawn_handler(|thread| {
                    let mut builder = thread::Builder::new();
                    if let Some(name) = thread.name() {
                        builder = builder.name(name.to_owned());
                    }
                    if let Some(bytes) = thread.stack_size() {
                        builder = builder.stack_size(bytes);
                    }
                    builder.spawn_scoped(threads, move || wrapper(thread))?;
                    Ok(())
                })
                .build()?;
            Ok(with_pool(&pool))
        })
    }
}

impl<S> ThreadPoolBuilder<S>
where
    S: ThreadSpawn,
{
    /// Builds the pool.
    ///
    /// # Errors
    /// Fails if a thread cannot be started; those before it end.
    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        let isolates = isolated::is_asked_for()
            .map_err(|error| ThreadPoolBuildError::new(ErrorKind::IOError(error)))?;
        let (pool, _) = self.build_pool().map_err(ThreadPoolBuildError::of)?;
        Ok(ThreadPool::new_on(pool, isolates))
    }

    /// Builds the global pool, and waits until its threads run.
    ///
    /// # Errors
    /// Fails if there is a global pool, or as [`ThreadPoolBuilder::build`].
    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        global::build_global(self)
    }

    /// The pool of the runtime.
    pub(crate) fn build_pool(mut self) -> Result<(Pool, Arc<Primed>), BuildError> {
        let threads = self.threads().min(max_num_threads());
        let own = usize::from(self.use_current_thread);
        let primed = Arc::new(Primed::new(threads - own));
        let panic_handler = self.panic_handler.take();
        let search_time = if threads == processors() { SEARCH_TIME_OF_FULL } else { SEARCH_TIME };
        let mut builder = Pool::builder()
            .workers(threads)
            .caller(Caller::Sleeps)
            .search_time(search_time)
            .spawn_order(match self.breadth_first {
                true => SpawnOrder::OldestFirst,
                false => SpawnOrder::NewestFirst,
            })
            .on_panic(move |panic| panics::handle(panic_handler.as_deref(), panic));
        if let Some(handler) = self.start_handler.take() {
            builder = builder.on_start(handler);
        }
        if let Some(handler) = self.exit_handler.take() {
            builder = builder.on_exit(handler);
        }
        if let Some(bytes) = self.stack_size {
            builder = builder.stack_size(bytes);
        }
        if self.use_current_thread {
            builder = builder.use_current_thread();
            // Rayon asks for its name too.
            self.get_thread_name.as_mut().map(|name| name(0));
        }
        let mut started = false;
        let pool = builder.build_with(|thread| {
            let name = self.get_thread_name.as_mut().map(|name| name(thread.index()));
            let (stack_size, primed) = (self.stack_size, Arc::clone(&primed));
            self.spawn_handler.spawn(ThreadBuilder { name, stack_size, thread, primed })?;
            started = true;
            Ok(())
        })?;
        // Where the system supports no threads, the pool has none to wait for.
        let primed = if started { primed } else { Arc::new(Primed::new(0)) };
        Ok((pool, primed))
    }
}

impl<S> ThreadPoolBuilder<S> {
    /// Has `spawn` start the threads: for each it is to make a thread that calls [`ThreadBuilder::run`].
    pub fn spawn_handler<F>(self, spawn: F) -> ThreadPoolBuilder<CustomSpawn<F>>
    where
        F: FnMut(ThreadBuilder) -> io::Result<()>,
    {
        ThreadPoolBuilder {
            spawn_handler: CustomSpawn(spawn),
            num_threads: self.num_threads,
            use_current_thread: self.use_current_thread,
            panic_handler: self.panic_handler,
            get_thread_name: self.get_thread_name,
            stack_size: self.stack_size,
            start_handler: self.start_handler,
            exit_handler: self.exit_handler,
            breadth_first: self.breadth_first,
        }
    }

    /// Sets the names of the threads.
    pub fn thread_name<F>(mut self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.get_thread_name = Some(Box::new(closure));
        self
    }

    /// Sets the number of threads. With 0, and by default, it is what the environment variable `RAYON_NUM_THREADS` says, else
    /// the number of processors that this process may use.
    pub fn num_threads(mut self, num_threads: usize) -> Self {
        self.num_threads = num_threads;
        self
    }

    /// Makes the thread that builds the pool its thread 0, for as long as it lives. The pool's memory is never freed.
    pub fn use_current_thread(mut self) -> Self {
        self.use_current_thread = true;
        self
    }

    /// Sets what is called with the panics of spawned tasks and of the handlers of threads. Without one, they abort the
    /// process; so does a panic of this handler.
    pub fn panic_handler<H>(mut self, panic_handler: H) -> Self
    where
        H: Fn(Box<dyn Any + Send>) + Send + Sync + 'static,
    {
        self.panic_handler = Some(Box::new(panic_handler));
        self
    }

    /// Sets the stack size of the threads, in bytes. By default it is 4 MiB, or what `RUST_MIN_STACK` says.
    pub fn stack_size(mut self, stack_size: usize) -> Self {
        self.stack_size = Some(stack_size);
        self
    }

    /// Has threads take up what was spawned on them oldest first.
    #[deprecated(note = "use `scope_fifo` and `spawn_fifo` for similar effect")]
    pub fn breadth_first(mut self) -> Self {
        self.breadth_first = true;
        self
    }

    /// Sets what each thread calls when it begins, with its number.
    pub fn start_handler<H>(mut self, start_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.start_handler = Some(Box::new(start_handler));
        self
    }

    /// Sets what each thread calls when it ends, with its number.
    pub fn exit_handler<H>(mut self, exit_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.exit_handler = Some(Box::new(exit_handler));
        self
    }

    fn threads(&self) -> usize {
        if self.num_threads > 0 {
            return self.num_threads;
        }
        let variable = |name| env::var(name).ok()?.parse::<usize>().ok();
        // The second is the old name of the first. 0 in the first stands for the number of processors.
        let chosen = variable("RAYON_NUM_THREADS").or_else(|| variable("RAYON_RS_NUM_CPUS"));
        chosen
            .filter(|threads| *threads > 0)
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }
}

impl<S> fmt::Debug for ThreadPoolBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Stands for a closure.
        struct Closure;
        impl fmt::Debug for Closure {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("<closure>")
            }
        }
        let closure = |is_set: bool| is_set.then_some(Closure);
        f.debug_struct("ThreadPoolBuilder")
            .field("num_threads", &self.num_threads)
            .field("use_current_thread", &self.use_current_thread)
            .field("get_thread_name", &closure(self.get_thread_name.is_some()))
            .field("panic_handler", &closure(self.panic_handler.is_some()))
            .field("stack_size", &self.stack_size)
            .field("start_handler", &closure(self.start_handler.is_some()))
            .field("exit_handler", &closure(self.exit_handler.is_some()))
            .field("breadth_first", &self.breadth_first)
            .finish()
    }
}
