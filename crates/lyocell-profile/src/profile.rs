//! The probe: what a worker tells becomes work and spans.
//!
//! A worker has a clock of *work*, which stands still while the worker looks for work or waits, and is advanced by the work
//! of a stolen task when that is collected. So it shows what a serial run of the current task would have taken up to now.
//! What the clock advances from one reading to the next belongs to a strand, and goes to the spans in the
//! [ledger](crate::ledger).
//!
//! A stolen task is measured by its thief from zero on, in a [frame](Frame) of its own, and its account is left in
//! the *mailbox* of its owner's probe, under the address of its slot, before the owner may see that the task is over.

use crate::clock::{self, Clock, Mode, Sampled};
use crate::costs::{Costs, costs};
use crate::group::{Group, Start};
use crate::heartbeat;
use crate::ledger::{DUE, Fork, HELD, Ledger, Saved};
use crate::output::Output;
use crate::processor::Processor;
use crate::site::Sites;
use crate::spans::{Spans, WOOL_BURDEN};
use crate::tally::{Account, Name, Region, Tally, graft};
use crate::words::Word;
use lyocell::Probe;
use lyocell::probe::{Counters, Event, Origin, Phase, Root, Times};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A probe that measures work, span and parallelism, and tells what keeps a program from being faster.
///
/// Build a pool with it, run the program, and print [`Profile::of`] the pool. `C` says how [time is read](Clock).
///
/// # Cost
/// With the default clock a fork costs one or two nanoseconds more than without a probe; what the probe costs is
/// measured once in a process (about ten milliseconds, when the first pool is built) and subtracted.
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

/// What the worker touches at forks.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Hot {
    pub(crate) ledger: Ledger,
    /// The time of the last reading.
    last: Word,
    /// The work so far.
    work: Word,
    /// What the probe itself has cost since the last readings, to be subtracted.
    overhead: Word,
    /// Whether the worker is in a task: 1, or looks for one or waits: 0.
    is_working: Word,
    /// The longest strand in a fork of the current task or region.
    longest: Word,
    /// The plain span of all outermost forks of the current task or region.
    forked: Word,
    /// How long the worker had no processor in the current task or region, because it could not run.
    blocked: Word,
    /// The same, because somebody else had it. This is no work.
    crowded: Word,
    readings: Word,
    /// The time that the program says it is.
    declared: Word,
    peak_depth: Word,
    sites: Sites,
    /// Set once, when the worker becomes part of a pool.
    costs: OnceLock<Costs>,
}

impl Hot {
    /// Whether the worker is in a task.
    pub(crate) fn is_working(&self) -> bool {
        self.is_working.get() != 0
    }
}

/// What the worker touches when tasks and regions begin and end.
#[derive(Debug, Default)]
struct Slow {
    frames: Vec<Frame>,
    calls: Account,
    detached: Account,
    groups: u64,
}

/// A task, root or region that has begun on the worker and is not over.
#[derive(Debug)]
struct Frame {
    saved: Saved,
    work: u64,
    tasks: u64,
    /// Tasks that the worker has spawned since, in tasks of somebody else's.
    foreign_tasks: u64,
    wall: u64,
    longest: u64,
    forked: u64,
    blocked: u64,
    crowded: u64,
    name: Option<Name>,
    /// The scope whose task this is, and where in it the task was spawned.
    spawned_in: Option<(u64, Spans)>,
    /// The scopes that this frame has opened, and where.
    opened: Vec<(u64, Spans)>,
    account: Account,
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
    pub(crate) costs: Costs,
}

impl<C: Clock> Default for Profile<C> {
    fn default() -> Self {
        Profile {
            hot: Arc::new(Hot {
                ledger: Ledger::new(),
                last: Word::default(),
                work: Word::default(),
                overhead: Word::default(),
                is_working: Word::default(),
                longest: Word::default(),
                forked: Word::default(),
                blocked: Word::default(),
                crowded: Word::default(),
                readings: Word::default(),
                declared: Word::default(),
                peak_depth: Word::default(),
                sites: Sites::new(),
                costs: OnceLock::new(),
            }),
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

/// More than this is not subtracted from what comes later, in ticks.
const MOST_OVERHEAD: u64 = 1 << 16;

/// In ticks. To see whether somebody else had the processor meanwhile costs about a hundredth of this.
const LONG_STRAND: u64 = 500_000;

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
            costs: self.costs(),
        }
    }

    pub(crate) fn readings(&self) -> u64 {
        self.hot.readings.get()
    }

    fn costs(&self) -> Costs {
        self.hot.costs.get().copied().unwrap_or_default()
    }

    fn burdens(&self) -> Spans {
        Spans([0, WOOL_BURDEN, self.costs().steal.unwrap_or(WOOL_BURDEN)])
    }

    fn now(&self) -> u64 {
        match C::MODE {
            Mode::Declared => self.hot.declared.get(),
            Mode::Sampled | Mode::Exact => clock::ticks(),
        }
    }

    /// The program says that it has worked for so long.
    pub(crate) fn advance(&self, ticks: u64) {
        self.hot.declared.add(ticks);
    }

    fn read(&self) {
        self.read_at(self.now());
    }

    /// What has passed since the last reading was the current strand.
    fn read_at(&self, now: u64) {
        let hot = &*self.hot;
        hot.ledger.clear_due();
        let passed = now.wrapping_sub(hot.last.get());
        hot.last.set(now);
        if C::MODE != Mode::Declared && hot.is_working.get() == 0 {
            return;
        }
        let overhead = hot.overhead.get();
        let subtracted = overhead.min(passed);
        let strand = passed - subtracted;
        // A strand so long may have been interrupted by others, whose time is not the program's.
        let crowded = if strand > LONG_STRAND { self.settle() } else { 0 };
        let strand = strand - crowded.min(strand);
        if C::MODE != Mode::Declared {
            let later = overhead - subtracted + self.costs().reading;
            hot.overhead.set(later.min(MOST_OVERHEAD));
            hot.readings.add(1);
        }
        if strand == 0 {
            return;
        }
        hot.work.add(strand);
        if strand > hot.longest.get() && !hot.ledger.is_outside_of_forks() {
            hot.longest.set(strand);
        }
        hot.ledger.add(Spans::strand(strand));
    }

    #[cold]
    #[inline(never)]
    fn fork_slowly(&self, tasks: usize, depth: usize, site: usize, is_over: bool) -> Fork {
        let hot = &*self.hot;
        hot.peak_depth.set(hot.peak_depth.get().max(depth as u64));
        let is_precise = match C::MODE {
            Mode::Sampled if is_over => self.end_period(site, tasks),
            Mode::Sampled => {
                if hot.ledger.is_due() {
                    self.read();
                }
                false
            }
            Mode::Exact | Mode::Declared => {
                hot.sites.site(site).weight.set(1);
                self.read();
                true
            }
        };
        let fork = hot.ledger.fork();
        if is_precise { fork.precise(site) } else { fork }
    }

    /// Whether all events of the fork are to be timed.
    fn end_period(&self, site: usize, tasks: usize) -> bool {
        let now = self.now();
        let reading = self.hot.sites.read(site, now, tasks);
        self.hot.overhead.add((reading.tasks * self.costs().task_256ths) >> 8);
        self.read_at(now);
        reading.is_precise
    }

    #[cold]
    #[inline(never)]
    fn next_branch_slowly(&self, fork: Fork) -> Fork {
        let hot = &*self.hot;
        if fork.is_precise() || hot.ledger.is_due() {
            self.read();
        }
        hot.ledger.next_branch(fork, hot.work.get())
    }

    #[cold]
    #[inline(never)]
    fn sync_branch_slowly(&self, fork: Fork) -> Fork {
        let hot = &*self.hot;
        if fork.is_precise() || hot.ledger.is_due() {
            self.read();
        }
        if fork.is_open() {
            let size = hot.work.get().wrapping_sub(hot.ledger.branch_began(fork));
            let weight = hot.sites.site(fork.site()).weight.get();
            if let Some(frame) = lock(&self.slow).frames.last_mut() {
                frame.account.tally.sizes.record(size, weight);
            }
        }
        hot.ledger.sync_branch(fork, self.burdens())
    }

    #[cold]
    #[inline(never)]
    fn join_slowly(&self, fork: Fork) {
        let fork = self.sync_branch_slowly(fork);
        self.leave_slowly(fork);
    }

    #[cold]
    #[inline(never)]
    fn leave_slowly(&self, fork: Fork) {
        if let Some(spans) = self.hot.ledger.leave(fork) {
            self.hot.forked.add(spans.0[0]);
        }
    }

    /// A task, root or region begins.
    fn begin_frame(&self, slow: &mut Slow, name: Option<Name>, spawned_in: Option<(u64, Spans)>) {
        let hot = &*self.hot;
        self.settle();
        slow.frames.push(Frame {
            saved: hot.ledger.begin(),
            work: hot.work.get(),
            tasks: hot.sites.tasks(),
            foreign_tasks: 0,
            wall: self.now(),
            longest: hot.longest.get(),
            forked: hot.forked.get(),
            blocked: hot.blocked.get(),
            crowded: hot.crowded.get(),
            name,
            spawned_in,
            opened: Vec::new(),
            account: Account::default(),
        });
        for word in [&hot.longest, &hot.forked, &hot.blocked, &hot.crowded] {
            word.set(0);
        }
    }

    /// The tasks that the worker has spawned in this frame itself.
    fn own_tasks(&self, frame: &Frame) -> u64 {
        self.hot.sites.tasks().wrapping_sub(frame.tasks).wrapping_sub(frame.foreign_tasks)
    }

    /// The newest frame is over.
    fn end_frame(&self, slow: &mut Slow) -> Option<(Frame, Account)> {
        let hot = &*self.hot;
        self.read();
        self.settle();
        let mut frame = slow.frames.pop()?;
        let mut account = std::mem::take(&mut frame.account);
        let tally = &mut account.tally;
        tally.times = 1;
        tally.work = hot.work.get().wrapping_sub(frame.work);
        tally.spans = hot.ledger.end(frame.saved);
        tally.forked_span = hot.forked.get();
        tally.tasks += self.own_tasks(&frame);
        tally.longest = tally.longest.max(hot.longest.get());
        if C::MODE != Mode::Declared {
            tally.wall = self.now().wrapping_sub(frame.wall);
        }
        tally.blocked += hot.blocked.get();
        tally.crowded += hot.crowded.get();
        hot.longest.set(frame.longest);
        hot.forked.set(frame.forked);
        hot.blocked.set(frame.blocked);
        hot.crowded.set(frame.crowded);
        Some((frame, account))
    }

    /// The newest frame is over, which is a task of somebody else's, and so no part of what is below.
    fn end_foreign(&self) -> Account {
        let slow = &mut *lock(&self.slow);
        let Some((frame, account)) = self.end_frame(slow) else { return Account::default() };
        let hot = &*self.hot;
        if let Some(below) = slow.frames.last_mut() {
            below.foreign_tasks += hot.sites.tasks().wrapping_sub(frame.tasks);
        }
        hot.work.set(frame.work);
        hot.last.set(self.now());
        account
    }

    /// A task of somebody else's begins. What has passed since the last reading belongs to the task that is interrupted, if
    /// that asked for it by yielding; else it is next to nothing.
    fn begin_foreign(&self, spawned_in: Option<(u64, Spans)>) {
        let hot = &*self.hot;
        self.read();
        let slow = &mut *lock(&self.slow);
        self.begin_frame(slow, None, spawned_in);
        hot.last.set(self.now());
    }

    /// Part of the current frame was done by others.
    fn take_over(&self, account: Account) {
        let slow = &mut *lock(&self.slow);
        self.hot.work.add(account.tally.work);
        if let Some(frame) = slow.frames.last_mut() {
            frame.account.tally.add_part(&account.tally);
            graft(&mut frame.account.regions, account.regions);
        }
    }

    /// Books time without a processor on the current task or region, if there may be much. Returns how much of it others
    /// had the processor.
    fn settle(&self) -> u64 {
        if C::MODE == Mode::Declared {
            return 0;
        }
        let lost = lock(&self.processor).settle(clock::ticks()).unwrap_or_default();
        self.hot.blocked.add(lost.blocked);
        self.hot.crowded.add(lost.crowded);
        lost.crowded
    }

    pub(crate) fn begin_region(&self, name: Name) {
        let slow = &mut *lock(&self.slow);
        self.read();
        self.begin_frame(slow, Some(name), None);
        self.resume();
    }

    pub(crate) fn end_region(&self) {
        let slow = &mut *lock(&self.slow);
        let Some((frame, Account { tally, regions })) = self.end_frame(slow) else { return };
        let hot = &*self.hot;
        hot.longest.set(hot.longest.get().max(tally.longest));
        if hot.ledger.is_outside_of_forks() {
            hot.forked.add(tally.forked_span);
        }
        hot.ledger.add(tally.spans);
        if let Some(below) = slow.frames.last_mut() {
            // Its own tasks are counted by the frame below as well, those of its stolen tasks are not.
            let own = self.own_tasks(&frame);
            let stolen = Tally { tasks: tally.tasks - own, ..tally.clone() };
            below.foreign_tasks += frame.foreign_tasks;
            below.account.tally.add_part(&stolen);
            let name = frame.name.unwrap_or_default();
            graft(&mut below.account.regions, vec![Region { name, tally, inner: regions }]);
        }
        self.resume();
    }

    /// What has passed since the last reading was the profile's.
    fn resume(&self) {
        if C::MODE != Mode::Declared {
            self.hot.last.set(self.now());
        }
    }

    pub(crate) fn begin_group_here(&self) -> Group {
        self.read();
        let slow = &mut *lock(&self.slow);
        slow.groups += 1;
        // Unique as long as the address of the probe is.
        let id = (Arc::as_ptr(&self.hot).addr() as u64).wrapping_add(slow.groups);
        if let Some(frame) = slow.frames.last_mut() {
            frame.opened.push((id, self.hot.ledger.spans()));
        }
        Group::new(id)
    }

    /// How far from the beginning of this group the current strand is, as far as this worker knows.
    pub(crate) fn place_in(&self, group: u64) -> Spans {
        self.read();
        let slow = lock(&self.slow);
        let here = self.hot.ledger.spans();
        let Some(frame) = slow.frames.last() else { return Spans::default() };
        match (frame.spawned_in, frame.opened.iter().rev().find(|(id, _)| *id == group)) {
            (_, Some((_, begin))) => here - *begin,
            (Some((id, start)), None) if id == group => start + here,
            _ => here,
        }
    }

    fn end_group_here(&self, group: &Group) {
        self.read();
        let begin = {
            let slow = &mut *lock(&self.slow);
            let opened = slow.frames.last_mut().map(|frame| &mut frame.opened);
            let place =
                opened.as_ref().and_then(|all| all.iter().rposition(|(id, _)| *id == group.id));
            match (opened, place) {
                (Some(opened), Some(place)) => opened.remove(place).1,
                _ => self.hot.ledger.spans(),
            }
        };
        let body = self.hot.ledger.spans() - begin;
        let (end, account) = group.end(body, self.burdens());
        if self.hot.ledger.is_outside_of_forks() {
            self.hot.forked.add((end - body).0[0]);
        }
        self.hot.ledger.add(end - body);
        self.take_over(account);
        self.resume();
    }
}

// SAFETY: the methods read and write atomics, take locks that nobody holds while he runs anything of a pool, read clocks
// and allocate. They do not unwind: what could fail is answered by a default.
unsafe impl<C: Clock> Probe for Profile<C> {
    type Fork = Fork;
    type Group = Group;
    type Start = Start;

    fn attach(&self, pool: usize, worker: usize, workers: usize) {
        clock::start();
        let _ = self.hot.costs.set(costs());
        if C::MODE == Mode::Sampled {
            heartbeat::watch(&self.hot);
        }
        if let Some(output) = Output::asked_for(pool, worker, workers) {
            let _ = self.output.set(output);
        }
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
                self.hot.is_working.set(0);
            }
            (false, true) => {
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
        heartbeat::wake();
        self.begin_foreign(None);
    }

    fn end_stolen<'a>(&self, owner: impl FnOnce() -> &'a Self, slot: usize) {
        let account = self.end_foreign();
        lock(&owner().mailbox).insert(slot, account);
    }

    fn collect(&self, slot: usize) {
        let Some(mut account) = lock(&self.mailbox).remove(&slot) else { return };
        account.tally.steals += 1;
        self.hot.ledger.add(account.tally.spans);
        self.take_over(account);
        self.resume();
    }

    fn end_root(&self, root: Root) {
        let account = self.end_foreign();
        let slow = &mut *lock(&self.slow);
        let roots = match root {
            Root::Call => &mut slow.calls,
            Root::Detached => &mut slow.detached,
        };
        roots.tally.add_in_series(&account.tally);
        graft(&mut roots.regions, account.regions);
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
