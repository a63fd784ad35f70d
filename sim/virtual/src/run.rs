//! A run: a world, its first thread, and what comes of it.

use crate::fault::Faults;
use crate::life::{Backend, Step};
use crate::machine::{Machine, PS, Placement};
use crate::thread::start;
use crate::threads::Threads;
use crate::trace::Watched;
use crate::world::{Counts, Memory, Setting, World};
use corosensei::stack::DefaultStack;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

/// What a run is on, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The machine.
    pub machine: Machine,
    /// Of all that is random.
    pub seed: u64,
    /// What memory it has.
    pub memory: Memory,
    /// What goes wrong.
    pub faults: Faults,
    /// Which processors are taken first.
    pub placement: Placement,
    /// No run is longer, in virtual time.
    pub limit: Duration,
    /// The stack of the first thread.
    pub stack: usize,
    /// Whether phases and events are kept with their moments.
    pub keep_trace: bool,
    /// Whether the most is kept of what is told by `tell_most`. To look may take time.
    pub keep_most: bool,
    /// What virtual threads are made of.
    pub backend: Backend,
}

impl Options {
    /// The usual on this machine.
    pub fn new(machine: Machine) -> Options {
        Options {
            placement: machine.placement,
            machine,
            seed: 0,
            memory: Memory::Sequential,
            faults: Faults::default(),
            limit: Duration::from_secs(1000),
            stack: 64 << 20,
            keep_trace: false,
            keep_most: false,
            backend: Backend::Coroutines,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report<T> {
    /// What the program returned.
    pub value: T,
    /// When the last thread ended, in picoseconds.
    pub end_ps: u64,
    /// What was counted of all.
    pub counts: Counts,
    /// What was counted of each thread, in the order in which they were started.
    pub threads: Vec<Watched>,
}

/// Why a run came to no good end.
#[derive(Debug)]
pub enum Failure {
    /// Nobody can run, and these wait.
    Stuck(Vec<String>),
    /// It was not over when its time was.
    Endless(Vec<String>),
    /// The first thread panicked.
    Panicked(String),
    /// There is no memory for the first stack.
    Stack(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stuck(waiting) => {
                write!(f, "nobody can run, and something waits:\n  {}", waiting.join("\n  "))
            }
            Failure::Endless(waiting) => {
                write!(f, "it did not end in time:\n  {}", waiting.join("\n  "))
            }
            Failure::Panicked(message) => f.write_str(message),
            Failure::Stack(error) => write!(f, "no stack for the first thread: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

thread_local! {
    // Stacks of threads that are over, by their size: mapping one costs more than a short run.
    static STACKS: RefCell<BTreeMap<usize, Vec<DefaultStack>>> = const { RefCell::new(BTreeMap::new()) };
}

/// A stack is larger than was asked for: by a guard, and up to the end of a page. Pages have 64 KiB at the most.
const STACK_EXCESS: usize = 128 << 10;

pub(crate) fn take_stack(bytes: usize) -> io::Result<DefaultStack> {
    let kept = STACKS.with(|stacks| {
        let mut stacks = stacks.borrow_mut();
        stacks.range_mut(bytes..=bytes + STACK_EXCESS).find_map(|(_, stacks)| stacks.pop())
    });
    kept.map_or_else(|| DefaultStack::new(bytes), Ok)
}

/// Runs `program` as the first thread of a world of its own, until that one and all that it started are over.
///
/// # Errors
/// It panics, or gets stuck, or takes longer than it may.
pub fn run<T: 'static>(
    options: &Options,
    program: impl FnOnce() -> T + 'static,
) -> Result<Report<T>, Failure> {
    let world = World::new(setting(options));
    let outcome = Rc::new(RefCell::new(None));
    let tell = Rc::clone(&outcome);
    let life = Box::new(move || {
        let told = catch_unwind(AssertUnwindSafe(program));
        *tell.borrow_mut() = Some(told);
    });
    start(&world, "main".to_owned(), options.stack, 0, life).map_err(Failure::Stack)?;
    World::install(Some(&world));
    let ended = turns(&world);
    World::install(None);
    if let Err(failure) = ended {
        // Those that are left are never resumed (world-2), nor unwound: what their stacks hold is lost.
        let threads = &mut *world.threads.borrow_mut();
        (0..threads.count())
            .filter_map(|thread| threads.get_mut(thread).life.take())
            .for_each(std::mem::forget);
        return match outcome.borrow_mut().take() {
            Some(Err(panic)) => Err(Failure::Panicked(message(&*panic))),
            _ => Err(failure),
        };
    }
    let value = outcome.borrow_mut().take().expect("the first thread is over");
    let value = value.map_err(|panic| Failure::Panicked(message(&*panic)))?;
    let threads = world.threads.borrow();
    let threads = (0..threads.count()).map(|thread| threads.get(thread).watched.clone()).collect();
    let counts = world.counts.borrow().clone();
    Ok(Report { value, end_ps: world.now(), counts, threads })
}

fn setting(options: &Options) -> Setting {
    let machine = &options.machine;
    let order = match options.placement {
        Placement::Compact => (0..machine.processors).collect(),
        Placement::Spread => spread(machine),
    };
    Setting {
        costs: machine.costs(),
        threads: Threads::new(order),
        processors: machine.processors,
        node_size: machine.node_size(),
        faults: options.faults.clone(),
        memory: options.memory,
        seed: options.seed,
        limit: (options.limit.as_nanos() as f64 * PS) as u64,
        keep_trace: options.keep_trace,
        keep_most: options.keep_most,
        backend: options.backend,
    }
}

/// One processor of each of the largest parts in turn, and within these of each of the next largest.
fn spread(machine: &Machine) -> Vec<usize> {
    let parts: Vec<usize> = machine.distance.iter().map(|distance| distance.processors).collect();
    let key = |processor: &usize| {
        // Where it stands in each part, the largest first: digits, of which the last one counts most.
        let mut digits: Vec<usize> =
            parts.windows(2).map(|pair| processor % pair[1] / pair[0]).collect();
        digits.insert(0, processor % parts[0]);
        digits
    };
    let mut order: Vec<usize> = (0..machine.processors).collect();
    order.sort_by_key(key);
    order
}

/// The turns of all threads, until none is left.
fn turns(world: &World) -> Result<(), Failure> {
    loop {
        let next = world.threads.borrow_mut().next(&world.costs);
        let Some((at, thread)) = next else { break };
        if at > world.limit {
            return Err(Failure::Endless(world.threads.borrow().waiting()));
        }
        world.enter(thread, at);
        let life = world.threads.borrow_mut().get_mut(thread).life.take();
        let mut life = life.expect("a thread that goes on has begun");
        match life.resume() {
            Step::Pauses => world.threads.borrow_mut().get_mut(thread).life = Some(life),
            Step::IsOver => {
                let stack = life.into_stack();
                world.threads.borrow_mut().ends(thread, world.now(), &world.costs);
                // Nobody gets it in this run: which lines its stack had would hang on who ended before.
                world.spent_stacks.borrow_mut().push(stack);
            }
        }
    }
    let waiting = world.threads.borrow().waiting();
    if waiting.is_empty() { Ok(()) } else { Err(Failure::Stuck(waiting)) }
}

/// Keeps the stacks of a run that is over.
pub(crate) fn keep_stacks(stacks: Vec<DefaultStack>) {
    use corosensei::stack::Stack;
    let size = |stack: &DefaultStack| stack.base().get() - stack.limit().get();
    STACKS.with(|kept| {
        let mut kept = kept.borrow_mut();
        for stack in stacks {
            kept.entry(size(&stack)).or_default().push(stack);
        }
    });
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
        .to_owned()
}
