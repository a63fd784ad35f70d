//! Pinning and steering, by the calls of Linux.

use super::thread::{Builder, JoinHandle};
// What ships, in the models too: nothing but the processors of a thread hangs on it.
use super::{Arc, AtomicBool, Mutex, OnceLock, Ordering};
use std::fmt;
use std::fs;
use std::io;
use std::mem::{MaybeUninit, size_of};
use std::path::Path;

type Set = libc::cpu_set_t;

/// Processors from here on are in no set.
const SIZE: usize = libc::CPU_SETSIZE as usize;

/// How many processors this thread may use.
pub fn processors() -> usize {
    let count = allowed(0).map(|allowed| count(&allowed));
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
}

/// Keeps this thread on the `index`-th of the processors it may use, counted round and round.
pub fn pin(index: usize) {
    let processors: Vec<usize> = allowed(0).iter().flat_map(members).collect();
    if let Some(&processor) = processors.get(index % processors.len().max(1)) {
        keep_on(&[processor]);
    }
}

/// Keeps this thread on these processors.
pub fn keep_on(processors: &[usize]) {
    let mut set = empty();
    for &processor in processors.iter().filter(|processor| **processor < SIZE) {
        // SAFETY: the processor is below the size of the set.
        unsafe { libc::CPU_SET(processor, &mut set) };
    }
    allow(0, &set);
}

/// The processors that this thread may use, those near one node of the machine's memory beside each other, in the order of nodes. None
/// if the system does not tell.
pub fn nodes() -> Vec<Vec<usize>> {
    nodes_in(Path::new("/sys/devices/system/node"))
}

/// Of this folder, which has one for each node.
fn nodes_in(folder: &Path) -> Vec<Vec<usize>> {
    let (Some(allowed), Ok(entries)) = (allowed(0), fs::read_dir(folder)) else {
        return Vec::new();
    };
    let number = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        name.to_str()?.strip_prefix("node")?.parse::<usize>().ok()
    };
    let mut nodes: Vec<(usize, Vec<usize>)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let list = fs::read_to_string(entry.path().join("cpulist")).ok()?;
            let near = processors_of(&list).filter(|processor| contains(&allowed, *processor));
            Some((number(&entry)?, near.collect()))
        })
        .collect();
    nodes.sort();
    nodes.into_iter().map(|(_, near)| near).filter(|near| !near.is_empty()).collect()
}

/// The processors of a list as the kernel writes it, `0-3,8`.
fn processors_of(list: &str) -> impl Iterator<Item = usize> + '_ {
    list.trim().split(',').flat_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let bounds = (first.parse::<usize>(), last.parse::<usize>());
        let (Ok(first), Ok(last)) = bounds else { return 0..0 };
        first..last.saturating_add(1).min(SIZE)
    })
}

/// How wakers steer one thread.
pub struct Steering {
    thread: OnceLock<libc::pid_t>,
    /// Whether there may be something to undo.
    steered: AtomicBool,
    change: Mutex<Option<Change>>,
}

/// What somebody else did to a thread's processors.
struct Change {
    from: Set,
    to: Set,
}

impl Change {
    /// From these to all but the one that the calling thread runs on, if any are left.
    #[inline(never)]
    fn away_from_here(from: Set) -> Option<Change> {
        // SAFETY: no preconditions.
        let here = usize::try_from(unsafe { libc::sched_getcpu() }).ok()?;
        if !contains(&from, here) || count(&from) == 1 {
            return None;
        }
        let mut to = from;
        // SAFETY: the processor is in the set.
        unsafe { libc::CPU_CLR(here, &mut to) };
        Some(Change { from, to })
    }

    /// The thread itself: undoes it, unless somebody else has chosen its processors since.
    fn undo(self) {
        // SAFETY: the sets are initialised.
        if allowed(0).is_some_and(|now| unsafe { libc::CPU_EQUAL(&now, &self.to) }) {
            allow(0, &self.from);
        }
    }
}

/// Starts a thread on another processor than this one, if there is one. There it may use all that this one may.
pub fn spawn_away(builder: Builder, life: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    let change = Arc::new(Mutex::new(None::<Change>));
    let undone = Arc::clone(&change);
    // The thread waits for this, so whatever is done to it is undone before it does anything.
    let mut steered = change.lock();
    // Boxed, as in `thread::start`.
    let steered_life: Box<dyn FnOnce() + Send> = Box::new(move || {
        let change = undone.lock().take();
        change.into_iter().for_each(Change::undo);
        life();
    });
    let thread = builder.spawn(steered_life)?;
    *steered = allowed(0).and_then(Change::away_from_here);
    if let Some(change) = &*steered {
        allow_started(&thread, &change.to);
    }
    drop(steered);
    Ok(thread)
}

impl fmt::Debug for Steering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steering").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl Default for Steering {
    fn default() -> Steering {
        Steering::new()
    }
}

impl Steering {
    /// For a thread that is not known yet, and so is not steered.
    pub fn new() -> Steering {
        Steering {
            thread: OnceLock::new(),
            steered: AtomicBool::new(false),
            change: Mutex::new(None),
        }
    }

    /// The calling thread, one of the pool, is the one to steer from now on.
    pub fn bind_thread(&self) {
        // SAFETY: no preconditions.
        self.thread.get_or_init(|| unsafe { libc::gettid() });
    }

    /// Waker: the sleeper shall wake up on another processor than this one, if it may use one.
    pub fn steer_away(&self) {
        let Some(thread) = self.thread.get() else { return };
        let Some(new) = allowed(*thread).and_then(Change::away_from_here) else { return };
        // Held by the thread itself, which is awake then.
        let Some(mut change) = self.change.try_lock() else { return };
        // There is one where the thread woke up by itself after the last time, and has yet to undo that.
        if change.is_none() {
            allow(*thread, &new.to);
            *change = Some(new);
            // Ordering: Relaxed; the unpark that follows carries it. If the sleeper woke up by itself
            // meanwhile, it undoes this before it sleeps again.
            self.steered.store(true, Ordering::Relaxed);
        }
    }

    /// The thread itself: undoes what a waker did.
    pub fn undo(&self) {
        // Ordering: Relaxed; as above.
        if !self.steered.load(Ordering::Relaxed) {
            return;
        }
        // Held by a waker that steers at this moment, or did so when this process was forked off: undone later, then.
        let Some(mut change) = self.change.try_lock() else { return };
        self.steered.store(false, Ordering::Relaxed);
        change.take().into_iter().for_each(Change::undo);
    }
}

fn empty() -> Set {
    // SAFETY: a set is an array of integers.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// What a thread may use, 0 for the calling one.
#[inline(never)]
fn allowed(thread: libc::pid_t) -> Option<Set> {
    let mut set = empty();
    // SAFETY: the set is as large as said.
    let answer = unsafe { libc::sched_getaffinity(thread, size_of::<Set>(), &mut set) };
    (answer == 0).then_some(set)
}

/// Sets what a thread may use, 0 for the calling one. If that is refused, nothing is lost.
fn allow(thread: libc::pid_t, set: &Set) {
    // SAFETY: the set is as large as said.
    unsafe { libc::sched_setaffinity(thread, size_of::<Set>(), set) };
}

/// The same of a thread that was just started.
#[cfg(target_os = "linux")]
fn allow_started(thread: &JoinHandle<()>, set: &Set) {
    use std::os::unix::thread::JoinHandleExt;
    // SAFETY: the handle keeps the thread's identity alive, and the set is as large as said.
    unsafe { libc::pthread_setaffinity_np(thread.as_pthread_t(), size_of::<Set>(), set) };
}

/// Android has no such call.
#[cfg(not(target_os = "linux"))]
fn allow_started(_thread: &JoinHandle<()>, _set: &Set) {}

// Inlined, it is unrolled: 600 bytes.
#[inline(never)]
fn count(set: &Set) -> libc::c_int {
    // SAFETY: the set is initialised.
    unsafe { libc::CPU_COUNT(set) }
}

fn members(set: &Set) -> impl Iterator<Item = usize> + '_ {
    (0..SIZE).filter(|processor| contains(set, *processor))
}

fn contains(set: &Set, processor: usize) -> bool {
    // SAFETY: asked only for processors below the size of the set.
    processor < SIZE && unsafe { libc::CPU_ISSET(processor, set) }
}

#[cfg(all(test, target_os = "linux", not(loom)))]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn processors(set: &Set) -> Vec<usize> {
        members(set).collect()
    }

    #[test]
    fn lists_of_processors_are_read_as_the_kernel_writes_them() {
        let read = |list| processors_of(list).collect::<Vec<_>>();
        assert_eq!(read("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(read("\n"), []);
        assert_eq!(read("5-2,x,1-,-1,7"), [7]);
        assert_eq!(read("1020-99999999999"), [1020, 1021, 1022, 1023]);
    }

    #[test]
    fn nodes_are_those_of_the_folder_that_have_processors_this_thread_may_use() {
        let folder = std::env::temp_dir().join(format!("lyocell-nodes-{}", std::process::id()));
        let may_use = processors(&allowed(0).unwrap());
        let node = |name: &str, list: &str| {
            fs::create_dir_all(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("cpulist"), list).unwrap();
        };
        // The tenth comes after the second, and the others are no nodes, or have nothing for us.
        node("node10", &may_use[..1].iter().map(usize::to_string).collect::<String>());
        let others: Vec<String> = may_use[1..].iter().map(usize::to_string).collect();
        node("node2", &others.join(","));
        node("node3", "1023");
        node("power", "0-1023");
        let nodes = nodes_in(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let expected = [may_use[1..].to_vec(), may_use[..1].to_vec()];
        let expected: Vec<_> = expected.into_iter().filter(|near| !near.is_empty()).collect();
        assert_eq!(nodes, expected);
        assert_eq!(nodes_in(&folder), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn each_processor_is_near_one_node() {
        let mut all: Vec<usize> = nodes().concat();
        all.sort_unstable();
        assert!(all.is_empty() || all == processors(&allowed(0).unwrap()), "{all:?}");
    }

    #[test]
    fn a_started_thread_may_use_what_its_starter_may() {
        let (send, receive) = channel();
        let life = move || send.send(processors(&allowed(0).unwrap())).unwrap();
        let thread = spawn_away(Builder::new(), Box::new(life)).unwrap();
        assert_eq!(receive.recv().unwrap(), processors(&allowed(0).unwrap()));
        thread.join().unwrap();
    }

    #[test]
    fn a_change_takes_one_processor_away_and_is_undone_unless_somebody_chose_others() {
        let Some(change) = Change::away_from_here(allowed(0).unwrap()) else { return };
        let (all, fewer) = (processors(&change.from), processors(&change.to));
        assert_eq!(fewer.len(), all.len() - 1);
        let ((go, wait), (send, receive)) = (channel(), channel());
        let thread = Builder::new()
            .spawn(move || {
                let there = || processors(&allowed(0).unwrap());
                let Change { from, to } = wait.recv().unwrap();
                let before = there();
                Change { from: to, to: from }.undo();
                let kept = there();
                Change { from, to }.undo();
                send.send([before, kept, there()]).unwrap();
            })
            .unwrap();
        allow_started(&thread, &change.to);
        go.send(change).unwrap();
        assert_eq!(receive.recv().unwrap(), [fewer.clone(), fewer, all]);
        thread.join().unwrap();
    }
}
