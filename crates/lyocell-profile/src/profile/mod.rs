//! The probe: what a worker tells becomes work and spans.
//!
//! A worker has a clock of *work*, which stands still while the worker looks for work or waits, and is advanced by the work
//! of a stolen task when that is collected. So it shows what a serial run of the current task would have taken up to now.
//! What the clock advances from one reading to the next belongs to a strand, and goes to the spans in the
//! [ledger](crate::ledger).
//!
//! A stolen task is measured by its thief from zero on, in a [frame](frames) of its own, and its account is left in
//! the *mailbox* of its owner's probe, under the address of its slot, before the owner may see that the task is over.
//!
//! | file | what |
//! |---|---|
//! | `hot.rs` | what a worker touches at forks |
//! | `readings.rs` | the clock is read, and at forks |
//! | `frames.rs` | tasks and regions begin and end |

mod frames;
mod hot;
mod readings;

use crate::clock::{self, Clock, Mode, Sampled};
use crate::costs::{Costs, costs};
use crate::group::{Group, Start};
use crate::heartbeat;
use crate::ledger::{DUE, Fork, HELD};
use crate::output::Output;
use crate::processor::Processor;
use crate::site::Sites;
use crate::spans::Spans;
use crate::tally::{Account, add};
use frames::Slow;
pub(crate) use hot::Hot;
use lyocell::Probe;
use lyocell::probe::{AttachError, Counters, Event, Origin, Phase, Root, Times};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A probe that measures work, span and parallelism, and tells what keeps a program from being faster.
///
/// Build a pool with it, run the program, and print [`Profile::of`] the pool. `C` says how [time is read](Clock).
///
/// # Cost
/// With the default clock a fork costs one or two nanoseconds more than without a probe; what the probe costs is
/// measured in a process when the first pool is built, and subtracted: some fifty milliseconds, up to half a second on a machine
/// that does other things. It is measured again when the first report is made: a verdict is given where both lead to it.
///
/// # Examples
/// ```
/// use lyocell::Pool;
/// use lyocell_profile::Profile;
///
/// let pool = Pool::builder().probe::<Profile>().build()?;
/// pool.run(|w| lyocell_profile::region(w, "both", |w| w.join(|_| 1, |_| 2)));
/// eprintln!("{}", Profile::of(&pool));
/// # Ok::<(), lyocell::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Profile<C: Clock = Sampled> {
    hot: Arc<Hot>,
    times: Times,
    events: Counters,
    slow: Mutex<Slow>,
    processor: Mutex<Processor>,
    /// Accounts of stolen tasks of this worker, by the address of the slot.
    mailbox: Mutex<HashMap<usize, Account>>,
    /// Where the report goes if the environment asks for one.
    output: OnceLock<Arc<Output>>,
    clock: PhantomData<C>,
}

/// What the workers of a pool have measured, each for itself.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) calls: Account,
    pub(crate) detached: Account,
    pub(crate) counts: lyocell::probe::Counts,
    pub(crate) spent: lyocell::probe::Spent,
    pub(crate) peak_depth: u64,
    pub(crate) readings: u64,
    /// What was not subtracted, in ticks.
    pub(crate) left: u64,
    pub(crate) costs: Costs,
}

impl<C: Clock> Default for Profile<C> {
    fn default() -> Self {
        Profile {
            hot: Arc::new(Hot::new()),
            times: Times::default(),
            events: Counters::default(),
            slow: Mutex::default(),
            processor: Mutex::default(),
            mailbox: Mutex::default(),
            output: OnceLock::new(),
            clock: PhantomData,
        }
    }
}

fn is_work(phase: Phase) -> bool {
    matches!(phase, Phase::Application | Phase::LeapApplication)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<C: Clock> Profile<C> {
    /// What has been measured so far, of all tasks and regions that are over.
    pub(crate) fn measured(&self) -> Measured {
        let slow = lock(&self.slow);
        Measured {
            calls: slow.calls.clone(),
            detached: slow.detached.clone(),
            counts: self.events.counts(),
            spent: self.times.spent(),
            peak_depth: self.hot.peak_depth.get(),
            readings: self.hot.readings.get(),
            left: self.hot.left.get(),
            costs: self.costs(),
        }
    }

    pub(crate) fn readings(&self) -> u64 {
        self.hot.readings.get()
    }
}

// SAFETY: the methods read and write atomics, take locks that nobody holds while he runs anything of a pool, read clocks
// and allocate. What could fail is answered by a default, and what could overflow stays at the most there is.
unsafe impl<C: Clock> Probe for Profile<C> {
    type Fork = Fork;
    type Group = Group;
    type Start = Start;

    fn attach(&self, pool: usize, worker: usize, workers: usize) -> Result<(), AttachError> {
        clock::start();
        let _ = self.hot.costs.set(costs()?);
        if C::MODE == Mode::Sampled {
            let heart = heartbeat::watch(&self.hot);
            let heart = heart.map_err(|error| format!("its heartbeat cannot start: {error}"))?;
            let _ = self.hot.heart.set(heart);
        }
        if let Some(output) = Output::asked_for(pool, worker, workers) {
            let _ = self.output.set(output);
        }
        Ok(())
    }

    #[inline]
    fn count(&self, event: Event) {
        self.events.count(event);
    }

    fn enter(&self, phase: Phase) -> Phase {
        let before = self.times.enter(phase);
        match (is_work(before), is_work(phase)) {
            (true, false) => {
                self.read();
                self.settle();
                self.hot.is_working.set(0);
                lock(&self.processor).works(false);
            }
            (false, true) => {
                lock(&self.processor).works(true);
                self.settle();
                self.hot.is_working.set(1);
                self.resume();
            }
            _ => {}
        }
        if (before == Phase::Idle) != (phase == Phase::Idle) {
            lock(&self.processor).sleeps(phase == Phase::Idle);
        }
        before
    }

    #[inline(always)]
    fn fork(
        &self,
        tasks: usize,
        depth: impl FnOnce() -> usize,
        site: impl FnOnce() -> usize,
    ) -> Fork {
        let hot = &*self.hot;
        let site = Sites::number(site());
        let is_over = hot.sites.count(site, tasks);
        let top = hot.ledger.top.get();
        if C::MODE != Mode::Sampled || is_over || top & (HELD | DUE) != HELD {
            return self.fork_slowly(tasks, depth(), site, is_over);
        }
        Fork::of_held(top)
    }

    #[inline(always)]
    fn next_branch(&self, fork: Fork) -> Fork {
        let top = self.hot.ledger.top.get();
        if fork.is_unchanged(top) { fork } else { self.next_branch_slowly(fork) }
    }

    #[inline(always)]
    fn sync_branch(&self, fork: Fork) -> Fork {
        let top = self.hot.ledger.top.get();
        if fork.is_unchanged(top) { fork } else { self.sync_branch_slowly(fork) }
    }

    #[inline(always)]
    fn join(&self, fork: Fork) {
        if fork.0 != self.hot.ledger.top.get() {
            self.join_slowly(fork);
        }
    }

    #[inline(always)]
    fn leave(&self, fork: Fork) {
        if fork.0 != self.hot.ledger.top.get() {
            self.leave_slowly(fork);
        }
    }

    fn begin_task(&self, _origin: Origin) {
        if let Some(heart) = self.hot.heart.get() {
            heart.wake();
        }
        self.begin_foreign(None);
    }

    fn end_stolen<'a>(&self, owner: impl FnOnce() -> &'a Self, slot: usize) {
        let account = self.end_foreign();
        lock(&owner().mailbox).insert(slot, account);
    }

    fn collect(&self, slot: usize) {
        let Some(mut account) = lock(&self.mailbox).remove(&slot) else { return };
        add(&mut account.tally.steals, 1);
        self.hot.ledger.add(account.tally.spans);
        self.take_over(account);
        self.resume();
    }

    fn end_root(&self, root: Root) {
        let account = self.end_foreign();
        let slow = &mut *lock(&self.slow);
        let roots = match root {
            Root::Call => &mut slow.calls,
            // Of others, which there are none of yet, nobody waits either.
            _ => &mut slow.detached,
        };
        roots.tally.add_in_series(&account.tally);
        roots.regions.graft(account.regions);
    }

    fn begin_group(&self) -> Group {
        self.begin_group_here()
    }

    fn spawn_in<'a>(group: &Group, spawner: impl FnOnce() -> Option<&'a Self>) -> Start {
        Start(spawner().map_or_else(Spans::default, |probe| probe.place_in(group.id)))
    }

    fn begin_spawned(&self, group: &Group, start: Start) {
        self.begin_foreign(Some((group.id, start.0)));
    }

    fn end_spawned(&self, group: &Group) {
        let start = {
            let slow = lock(&self.slow);
            slow.frames
                .last()
                .and_then(|frame| frame.spawned_in)
                .map_or_else(Spans::default, |(_, start)| start)
        };
        group.add(start, self.end_foreign());
    }

    fn end_group(&self, group: &Group) {
        self.end_group_here(group);
    }
}

impl<C: Clock> Drop for Profile<C> {
    fn drop(&mut self) {
        if let Some(output) = self.output.get() {
            output.add(self.measured());
        }
    }
}
