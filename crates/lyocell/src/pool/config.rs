//! What a builder collects, what is checked about it, and what is made from it: the parts of the registry, the
//! threads.

use super::error::BuildError;
use super::nodes::Nodes;
use crate::deque::{Deque, Interrupts, Room};
use crate::idle::Crowd;
use crate::interrupt::Signals;
use crate::jobs::SpawnOrder;
use crate::limits::MAX_WORKERS;
use crate::scheduler::confined::Callers;
use crate::scheduler::{Parts, Settings, Sharing, Threads, Ticker};
use crate::task::panic::PanicHook;
use crate::task::{Slot, Slots};
use crate::wait::Wait;
use lyocell_sync::{HeavyBarrier, Seed, address_limit, affinity, thread, variable};
use std::ffi::OsStr;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The environment variable with the default number of workers.
const WORKERS_VARIABLE: &str = "LYOCELL_WORKERS";

/// What it may say: up to [`MAX_WORKERS`].
const A_NUMBER_OF_WORKERS: &str = "a number from 1 to 1023";
const _: () = assert!(MAX_WORKERS == 1023);

/// The environment variable that turns exposing off, for tests of what happens without.
const EXPOSE_VARIABLE: &str = "LYOCELL_EXPOSE";

/// The environment variable that has pools look for what is held across waits.
const CHECK_LOCKS_VARIABLE: &str = "LYOCELL_CHECK_LOCKS";

/// Deep enough for recursions of tens of thousands of levels; only what is used becomes memory. Where addresses
/// are scarce, so that 64 workers find room.
const STACK_BYTES: usize = if usize::BITS < 64 { 8 << 20 } else { 64 << 20 };

/// How many joins can be open at once on one worker before further ones run in place. Only what is used becomes
/// memory; where addresses are scarce, or a tool tracks every byte, there are fewer.
const DEQUE_CAPACITY: usize = if cfg!(miri) || usize::BITS < 64 { 1 << 12 } else { 1 << 20 };

/// So many slots of a deque that grows are at hand from the start: 64 KiB, of which only what is touched becomes memory, unless
/// somebody has all of it made resident. Untuned.
const AT_HAND: usize = 1 << 10;

/// Where the system limits the addresses of a process, the deques of a pool take no more than one part in so many of them; the rest
/// is for stacks and for the program, whose allocator may take 64 MiB a thread. With 16, pools of four threads that followed each
/// other in 256 MiB did not find room.
const SHARE_OF_ADDRESSES: usize = 256;

/// As few slots a deque may have, where the program has not said how many it wants: joins beyond them run in place.
const LEAST_CAPACITY: usize = 1 << 10;

/// Longer than the pauses between the phases of most parallel programs, shorter than anybody notices on a
/// processor meter. Untuned.
const SEARCH_TIME: Duration = Duration::from_micros(100);

/// Where thieves must be awake to get what an interrupted owner gives: two periods hold a whole one, and as much
/// for a ticker or a signal that comes late. Untuned.
const SEARCH_PERIODS: u32 = 2;

pub(super) type IndexHook = Arc<dyn Fn(usize) + Send + Sync>;

/// Whether a thread that calls [`Pool::run`](crate::Pool::run) works itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Caller {
    /// The caller takes the seat of the first worker while the call lasts, so nothing is handed to another thread. Where it waits
    /// for a part of its call, it runs what descends from that, on its own stack, and nothing of other calls.
    #[default]
    Works,
    /// As [`Caller::Works`], but where it waits it runs whatever tasks there are, as the pool's own threads do: its call may so return
    /// late, and its stack has to be as deep as anybody's tasks need.
    WorksForAll,
    /// The caller hands its task to a worker and sleeps. Then every worker is a thread of the pool, and has the stack
    /// that the builder says.
    Sleeps,
}

/// Whether each worker stays on one processor, or near one part of the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pinning {
    /// The operating system places the workers.
    #[default]
    Off,
    /// The thread of worker `i` stays on the `i`-th processor of those the process may use, round and
    /// round. Callers are not pinned. Where the system has no such call, nothing happens.
    Compact,
    /// The thread of each worker stays on the processors of one node of the machine's memory (NUMA), of those the process may use.
    /// Workers are dealt to processors in the order of nodes, so few workers are on few nodes. What a worker's tasks touch first,
    /// and its own deque and stack, are then in the memory that is near it. Callers are not pinned, nor are spare workers. On
    /// systems other than Linux nothing happens.
    Node,
    /// As [`Pinning::Node`], and in each round of a search the first looks, a quarter of all, are at workers of the thief's own
    /// node; the others are at anybody, so that everybody's tasks are found. For programs whose data stays where it is. By itself
    /// it gains nothing: on simulated machines of two and four sockets, where only the runtime's own lines have a place, uneven trees
    /// took 1.00 to 1.10 of the time, and even ones 0.97 to 1.09.
    NearFirst,
}

/// Whether a sleeping worker that is woken is kept off the processor of the thread that wakes it, and a new one off that of
/// the thread that starts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WakeSteering {
    /// The waker takes its own processor out of the set that the sleeping thread may use, and the woken thread puts it
    /// back, unless the program or somebody outside has chosen other processors for it meanwhile. On virtual machines
    /// whose kernel knows of no shared caches, the woken thread would otherwise wait behind its waker for a whole time
    /// slice. Threads that the pool starts itself begin the same way. On systems other than Linux nothing happens.
    #[default]
    AwayFromWaker,
    /// The operating system places the woken thread. Choose this where something else manages the processors of this
    /// process's threads and must not find them changed for a moment; or where threads outside spawn single tasks and then sleep, so
    /// that their processor is free at once, and how soon one is begun is what counts. It saves four system calls a wake-up.
    Off,
}

/// Whether thieves may share the tasks that an owner keeps to itself, without the owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exposing {
    /// They do, where the system has an asymmetric barrier: `membarrier` on Linux and FreeBSD, `FlushProcessWriteBuffers` on
    /// Windows, the registers of each thread on macOS. Where it has none, or it is forbidden, it is as with [`Exposing::Off`]; also from the moment on when it is
    /// forbidden to a running pool, by a filter of system calls, but for the leaves that run at that moment.
    #[default]
    Allowed,
    /// They do not. Instead an owner shares its oldest task as soon as it has one, the next at its first push or pop after
    /// that was stolen, and all that it pushes while a worker has nothing to do: a join above which no other is open costs some
    /// twenty nanoseconds more, and every join a hundred while a worker is idle. What else it has pushed while all were busy waits
    /// for the end of a long leaf.
    Off,
    /// They do not, and an owner shares only what it is asked for, at a push or pop after that, as in Lace and Wool: whoever is
    /// idle asks, and what is pushed next may wait for the end of a long leaf. It is here for comparisons.
    WhenAsked,
}

/// What the builder collects.
#[derive(Clone)]
pub(crate) struct Config {
    pub(super) workers: Option<usize>,
    /// How many more there may be while tasks block.
    pub(super) spare_workers: usize,
    pub(super) stack_bytes: usize,
    /// `None` for the usual one, or less if there are no addresses for that.
    pub(super) deque_capacity: Option<usize>,
    pub(super) search_time: Duration,
    pub(super) wait: Wait,
    pub(super) interrupt: Option<Duration>,
    pub(super) signals: Signals,
    pub(super) caller: Caller,
    pub(super) spawn_order: SpawnOrder,
    pub(super) background_workers: Option<usize>,
    pub(super) use_current_thread: bool,
    pub(super) pinning: Pinning,
    /// How the nodes are found, where workers are to stay on them: what is not asked for is not linked.
    pub(super) find_nodes: Option<fn(usize) -> Nodes>,
    /// Since the pool is being built.
    pub(super) nodes: Option<Arc<Nodes>>,
    pub(super) wake_steering: Option<WakeSteering>,
    pub(super) exposing: Exposing,
    pub(super) check_locks: bool,
    pub(super) name: Arc<dyn Fn(usize) -> String + Send + Sync>,
    pub(super) on_start: Option<IndexHook>,
    pub(super) on_exit: Option<IndexHook>,
    pub(super) on_panic: Option<PanicHook>,
}

/// On more processors wake-ups are not steered. Not measured, for want of such a machine: where many share a cache with the waker's one of
/// them is free nearly always, and the kernel looks for that; and a burst that wakes hundreds pays for four system calls each.
const MOST_STEERED: usize = 16;

impl Default for Config {
    fn default() -> Config {
        Config {
            workers: None,
            spare_workers: 0,
            stack_bytes: STACK_BYTES,
            deque_capacity: None,
            search_time: SEARCH_TIME,
            wait: Wait::default(),
            interrupt: None,
            signals: Signals::default(),
            caller: Caller::default(),
            spawn_order: SpawnOrder::default(),
            background_workers: None,
            use_current_thread: false,
            pinning: Pinning::default(),
            find_nodes: None,
            nodes: None,
            wake_steering: None,
            exposing: Exposing::default(),
            check_locks: false,
            name: Arc::new(|worker| format!("lyocell-{worker}")),
            on_start: None,
            on_exit: None,
            on_panic: None,
        }
    }
}

impl Config {
    /// The number of workers without spare ones, if there is room for those.
    pub(super) fn checked_workers(&self) -> Result<usize, BuildError> {
        let workers = match self.workers {
            Some(asked) if (1..=MAX_WORKERS).contains(&asked) => asked,
            Some(asked) => return Err(BuildError::Workers { asked }),
            None => default_workers(variable(WORKERS_VARIABLE).as_deref())?,
        };
        match workers.saturating_add(self.spare_workers) {
            all if all <= MAX_WORKERS => Ok(workers),
            asked => Err(BuildError::Workers { asked }),
        }
    }

    /// The parts of the registry of a pool with this many workers, and its spare ones.
    pub(crate) fn parts<D: Deque>(&self, workers: usize) -> Result<Parts, BuildError> {
        self.parts_and_spares::<D>(workers, self.spare_workers)
    }

    #[inline(never)]
    fn parts_and_spares<D: Deque>(
        &self,
        workers: usize,
        spares: usize,
    ) -> Result<Parts, BuildError> {
        let all = workers + spares;
        Ok(Parts {
            seed: Seed::of_this_run(),
            slots: self.slots::<D>(all)?,
            spares,
            nodes: self.nodes_told(),
            settings: Settings {
                wait: self.wait,
                search_time: self.search_time::<D>(),
                crowd: crowd(workers),
                order: self.spawn_order,
                callers: match self.caller {
                    Caller::WorksForAll => Callers::Free,
                    Caller::Works | Caller::Sleeps => Callers::Confined,
                },
                threads: Threads::Some,
                sharing: self.sharing(),
                background: self.background_workers.unwrap_or(usize::MAX),
            },
            ticker: self.ticker::<D>(all)?,
            has_seat: self.has_seat(),
            first_calls: self.has_seat() || self.use_current_thread,
            barrier: self.barrier(all)?,
            locks: self.checks_locks()?.then(Box::default),
            on_panic: self.on_panic.clone(),
            stands_in_for: None,
        })
    }

    /// The workers of each node, where thieves prefer those of their own.
    fn nodes_told(&self) -> Vec<Range<usize>> {
        let nodes = self.nodes.as_ref().filter(|_| self.pinning == Pinning::NearFirst);
        nodes.map_or_else(Vec::new, |nodes| nodes.workers())
    }

    /// The parts of the registry of a pool without threads (alone-1): whoever calls it works.
    pub(super) fn parts_alone<D: Deque>(&self) -> Result<Parts, BuildError> {
        let mut parts = self.parts_and_spares::<D>(1, 0)?;
        parts.settings.threads = Threads::None;
        parts.has_seat = !self.use_current_thread;
        Ok(parts)
    }

    /// What the program has said of steering, or whether it is of use on so many processors.
    pub(super) fn wake_steering(&self) -> WakeSteering {
        let usual = || match affinity::processors() {
            ..=MOST_STEERED => WakeSteering::AwayFromWaker,
            _ => WakeSteering::Off,
        };
        self.wake_steering.unwrap_or_else(usual)
    }

    fn has_seat(&self) -> bool {
        self.caller != Caller::Sleeps && !self.use_current_thread
    }

    /// What interrupts the workers, if that is wanted and there can be a thief.
    fn ticker<D: Deque>(&self, workers: usize) -> Result<Option<Ticker>, BuildError> {
        let Some(period) = self.interrupt else { return Ok(None) };
        let ticker = Ticker::new::<D>(period, self.signals)?;
        Ok((workers > 1).then_some(ticker))
    }

    /// What thieves expose by, if that is wanted and there can be a thief. Models that need one bring their own.
    fn barrier(&self, workers: usize) -> Result<Option<HeavyBarrier>, BuildError> {
        let off = has_word(EXPOSE_VARIABLE, "off", "`off`")? || self.exposing != Exposing::Allowed;
        let off = off || workers == 1 || cfg!(loom);
        Ok(if off { None } else { HeavyBarrier::register() })
    }

    fn sharing(&self) -> Sharing {
        match self.exposing {
            Exposing::WhenAsked => Sharing::WhenAsked,
            Exposing::Allowed | Exposing::Off => Sharing::Ahead,
        }
    }

    fn checks_locks(&self) -> Result<bool, BuildError> {
        Ok(has_word(CHECK_LOCKS_VARIABLE, "1", "`1`")? || self.check_locks)
    }

    /// How long a worker searches before it parks.
    fn search_time<D: Deque>(&self) -> Duration {
        match (self.interrupt, D::INTERRUPTS) {
            (Some(period), Interrupts::AnsweredToSearchers) => {
                self.search_time.max(period.saturating_mul(SEARCH_PERIODS))
            }
            _ => self.search_time,
        }
    }

    /// The arrays of the workers. Where the program has not said how large, the system may have less.
    fn slots<D: Deque>(&self, workers: usize) -> Result<Vec<Slots>, BuildError> {
        // A signal handler takes the end of the array for known.
        let grows = D::ROOM == Room::Grows && self.interrupt.is_none();
        let reserve =
            |capacity| Slots::several(workers, capacity, if grows { AT_HAND } else { capacity });
        let refused = |deque_capacity| move |_| BuildError::Memory { workers, deque_capacity };
        if let Some(capacity) = self.deque_capacity {
            return reserve(capacity).map_err(refused(capacity));
        }
        let mut capacity = usual_capacity(workers, address_limit());
        loop {
            match reserve(capacity) {
                Err(_) if capacity / 2 >= LEAST_CAPACITY => capacity /= 2,
                outcome => return outcome.map_err(refused(capacity)),
            }
        }
    }
}

/// Whether so many workers are more than there are processors. To the models each thread is one.
fn crowd(workers: usize) -> Crowd {
    match !cfg!(loom) && workers > affinity::processors() {
        true => Crowd::Some,
        false => Crowd::None,
    }
}

/// How many slots each deque of a pool should have where a process may have so many bytes of addresses.
fn usual_capacity(workers: usize, addresses: Option<usize>) -> usize {
    let Some(addresses) = addresses else { return DEQUE_CAPACITY };
    let most = addresses / SHARE_OF_ADDRESSES / workers / size_of::<Slot>();
    most.clamp(LEAST_CAPACITY, DEQUE_CAPACITY)
}

fn default_workers(variable: Option<&OsStr>) -> Result<usize, BuildError> {
    // Shells and containers export empty variables for those that are not set.
    let Some(value) = variable.filter(|value| !value.is_empty()) else {
        let available = thread::available_parallelism().map_or(1, usize::from);
        return Ok(available.min(MAX_WORKERS));
    };
    let parsed = value.to_str().and_then(|text| text.trim_ascii().parse().ok());
    match parsed {
        Some(workers) if (1..=MAX_WORKERS).contains(&workers) => Ok(workers),
        _ => Err(environment(WORKERS_VARIABLE, value, A_NUMBER_OF_WORKERS)),
    }
}

/// Whether this variable is set, to the one word that it may have.
fn has_word(name: &'static str, word: &str, expected: &'static str) -> Result<bool, BuildError> {
    match variable(name).filter(|value| !value.is_empty()) {
        Some(value) if value != word => Err(environment(name, &value, expected)),
        value => Ok(value.is_some()),
    }
}

fn environment(variable: &'static str, value: &OsStr, expected: &'static str) -> BuildError {
    let value = value.to_string_lossy().into_owned();
    BuildError::Environment { variable, value, expected }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn where_addresses_are_limited_deques_take_a_part_of_them() {
        assert_eq!(usual_capacity(64, None), DEQUE_CAPACITY);
        assert_eq!(usual_capacity(4, Some(usize::MAX)), DEQUE_CAPACITY);
        assert_eq!(usual_capacity(1, Some(0)), LEAST_CAPACITY);
        if usize::BITS == 64 && !cfg!(miri) {
            assert_eq!(usual_capacity(4, Some(256 << 20)), (256 << 10) / size_of::<Slot>());
        }
    }

    #[test]
    fn the_environment_names_a_number_of_workers_or_an_error() {
        assert_eq!(default_workers(Some("7".as_ref())).unwrap(), 7);
        for nonsense in [" ", "0", "-1", "1024", "two", "1.5", "99999999999999999999"] {
            let error = default_workers(Some(nonsense.as_ref())).unwrap_err();
            assert!(error.to_string().contains(&format!("{nonsense:?}")), "{error}");
        }
        let unset = default_workers(None).unwrap();
        assert!(unset >= 1);
        assert_eq!(default_workers(Some("".as_ref())).unwrap(), unset);
    }
}
