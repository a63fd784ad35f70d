//! Threads, as the standard library has them.

use crate::life::Life;
use crate::local;
use crate::run::take_stack;
use crate::threads::Waits;
use crate::world::{World, with_world};
use corosensei::Yielder;
use corosensei::stack::Stack;
use std::cell::RefCell;
use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub use crate::time::sleep;
pub use std::thread::Result;

/// The stack of a thread that asks for none.
const USUAL_STACK: usize = 2 << 20;
/// No stack is larger.
const LARGEST_STACK: usize = 1 << 30;

/// How a thread is to be started.
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    stack: Option<usize>,
}

/// A thread that was started.
#[derive(Debug)]
pub struct JoinHandle<T> {
    thread: usize,
    outcome: Arc<Outcome<T>>,
}

#[derive(Debug)]
struct Outcome<T>(RefCell<Option<Result<T>>>);

// SAFETY: virtual threads of one world are on one thread of the real machine (world-1).
unsafe impl<T> Send for Outcome<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Outcome<T> {}

impl Builder {
    /// The usual.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// What it is called.
    #[must_use]
    pub fn name(self, name: String) -> Builder {
        Builder { name: Some(name), ..self }
    }

    /// How large its stack is.
    #[must_use]
    pub fn stack_size(self, bytes: usize) -> Builder {
        Builder { stack: Some(bytes), ..self }
    }

    /// Starts it.
    ///
    /// # Errors
    /// The run says that this one cannot be had, or there is no memory for its stack, or there were too many.
    pub fn spawn<T, F>(self, life: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let outcome = Arc::new(Outcome(RefCell::new(None)));
        let tell = Arc::clone(&outcome);
        let life = Box::new(move || {
            let told = catch_unwind(AssertUnwindSafe(life));
            *tell.0.borrow_mut() = Some(told);
        });
        let name = self.name.unwrap_or_else(|| "unnamed".to_owned());
        let bytes = self.stack.unwrap_or(USUAL_STACK);
        let started = with_world(|world| {
            world.starts.set(world.starts.get() + 1);
            if world.faults.fail_thread == Some(world.starts.get()) {
                return Err(io::Error::from(io::ErrorKind::WouldBlock));
            }
            world.turn();
            let begins = world.now() + world.costs.start + world.costs.wake;
            let thread = start(world, name, bytes, begins, life)?;
            world.spend(world.costs.start);
            world.look_round();
            Ok(thread)
        });
        let thread = started
            .unwrap_or_else(|| Err(io::Error::other("there is no world to start a thread in")))?;
        Ok(JoinHandle { thread, outcome })
    }
}

/// Starts a thread in the world.
pub(crate) fn start(
    world: &World,
    name: String,
    bytes: usize,
    at: u64,
    life: Box<dyn FnOnce()>,
) -> io::Result<usize> {
    let stack = take_stack(bytes.min(LARGEST_STACK))?;
    let addresses = stack.limit().get()..stack.base().get();
    let thread = world.threads.borrow_mut().starts(name, addresses, at, &world.costs);
    let thread =
        thread.ok_or_else(|| io::Error::other("there were as many threads as a run can have"))?;
    let life = Life::new(world, stack, move |yielder: &Yielder<(), ()>| {
        let _ = with_world(|world| {
            world.threads.borrow_mut().get_mut(thread).yielder = yielder;
        });
        life();
        local::end();
        let _ = with_world(|world| {
            // Its processor is free when it ends, and no sooner.
            world.turn();
            world.drain(thread);
        });
    })?;
    let mut threads = world.threads.borrow_mut();
    let this = threads.get_mut(thread);
    (this.baton, this.life) = (life.baton(), Some(life));
    Ok(thread)
}

impl<T> JoinHandle<T> {
    /// Waits for its end, and tells its outcome.
    ///
    /// # Errors
    /// It panicked.
    pub fn join(self) -> Result<T> {
        let _ = with_world(|world| {
            world.turn();
            if !world.threads.borrow().is_over(self.thread) {
                world.spend(world.costs.park);
                world.block(Waits::Thread(self.thread), None);
            }
        });
        self.outcome.0.borrow_mut().take().expect("a thread that is over has an outcome")
    }

    /// Whether it is over.
    pub fn is_finished(&self) -> bool {
        with_world(|world| world.threads.borrow().is_over(self.thread)).unwrap_or(true)
    }
}

/// The processors of the machine.
///
/// # Errors
/// None here.
pub fn available_parallelism() -> io::Result<NonZero<usize>> {
    let processors = with_world(|world| world.threads.borrow().processors()).unwrap_or(1);
    Ok(NonZero::new(processors).unwrap_or(NonZero::<usize>::MIN))
}

/// The processors of the machine, by the node of its memory.
pub fn nodes() -> Vec<Vec<usize>> {
    let nodes = with_world(|world| {
        let processors = world.threads.borrow().processors();
        let first = (0..processors).step_by(world.node_size);
        first.map(|first| (first..processors.min(first + world.node_size)).collect()).collect()
    });
    nodes.unwrap_or_default()
}

/// The lowest address of the running thread's stack.
pub fn lowest_stack_address() -> Option<usize> {
    with_world(|world| world.threads.borrow().get(world.thread()).stack.start)
}

/// The number of the running thread, in the order in which threads were started.
pub fn number() -> usize {
    with_world(|world| world.thread()).unwrap_or(0)
}

/// How long all threads but the running one have been awake together up to now, in picoseconds.
pub fn others_awake_ps() -> u64 {
    with_world(|world| world.threads.borrow().awake_beside(world.thread(), world.now()))
        .unwrap_or(0)
}
