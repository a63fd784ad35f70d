//! A workbench to try a deque on: its owner's head, tasks that count their runs, thieves that run what they
//! win. No pool, no parking.

use crate::deque::{Deque, Fast, Loot, Pop, Push, Steal, Stealable, Team};
use crate::owner::Head;
use crate::probe::NoProbe;
use crate::task::{Finished, Slot, SlotPtr, Slots};
use lyocell_sync::{HeavyBarrier, Issued, yield_now};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most tasks a model has.
const TASKS: usize = 4;

/// How often each task ran. Not loom's atomics: this is the model's notebook, not part of it.
pub(super) struct Runs([AtomicUsize; TASKS]);

impl Runs {
    pub(super) fn new() -> Runs {
        Runs(Default::default())
    }

    pub(super) fn note(&self, task: usize) {
        self.0[task].fetch_add(1, Ordering::Relaxed);
    }

    /// How often this task ran.
    pub(super) fn of(&self, task: usize) -> usize {
        self.0[task].load(Ordering::Relaxed)
    }

    /// Begins anew with this task.
    pub(super) fn forget(&self, task: usize) {
        self.0[task].store(0, Ordering::Relaxed);
    }

    /// Fails unless each of the first `tasks` ran once, and no other.
    pub(super) fn assert_once_each(&self, tasks: usize) {
        for (task, runs) in self.0.iter().enumerate() {
            let expected = if task < tasks { 1 } else { 0 };
            assert_eq!(runs.load(Ordering::Relaxed), expected, "runs of task {task}");
        }
    }
}

/// One deque, that of worker 0, beside an empty one for each thief.
pub(super) struct Workbench<D: Deque> {
    team: Team<D>,
    head: Head<Slot>,
    first: *const Slot,
    /// Where there is one, thieves expose.
    barrier: Option<HeavyBarrier>,
    runs: Runs,
    // Boxed: the team points to them.
    _deques: Box<[D]>,
}

// SAFETY: `first` is only an address to compare with.
unsafe impl<D: Deque> Send for Workbench<D> {}
// SAFETY: as above.
unsafe impl<D: Deque> Sync for Workbench<D> {}

/// What a task starts from.
struct Task {
    number: usize,
    runs: *const Runs,
}

/// What a task with this number returns.
fn result_of(number: usize) -> usize {
    number * 10 + 1
}

/// The task of a slot.
///
/// # Safety
/// The caller is the thief, and the slot was stored with a `Task`.
unsafe extern "C" fn run_task(slot: &Slot, _worker: *const ()) -> Finished {
    // SAFETY: by the caller's word.
    let task = unsafe { slot.take::<Task>() };
    // SAFETY: the workbench outlives its threads.
    let runs = unsafe { &*task.runs };
    // SAFETY: the value has been taken.
    unsafe {
        slot.fill(|| {
            runs.note(task.number);
            result_of(task.number)
        })
    }
}

impl<D: Deque> Workbench<D> {
    pub(super) fn new(capacity: usize, thieves: usize) -> Arc<Workbench<D>> {
        Self::with_options(capacity, thieves, &D::Options::default())
    }

    pub(super) fn with_options(
        capacity: usize,
        thieves: usize,
        options: &D::Options,
    ) -> Arc<Workbench<D>> {
        Arc::new(Self::build(capacity, capacity, thieves, options))
    }

    /// One whose thieves expose.
    pub(super) fn exposing(capacity: usize, thieves: usize) -> Arc<Workbench<D>> {
        Self::exposing_with_options(capacity, thieves, &D::Options::default())
    }

    pub(super) fn exposing_with_options(
        capacity: usize,
        thieves: usize,
        options: &D::Options,
    ) -> Arc<Workbench<D>> {
        let workbench = Self::build(capacity, capacity, thieves, options);
        Arc::new(Workbench { barrier: HeavyBarrier::register(), ..workbench })
    }

    /// One whose thieves expose, and whose array begins with one slot.
    pub(super) fn exposing_and_growing(
        capacity: usize,
        thieves: usize,
        options: &D::Options,
    ) -> Arc<Workbench<D>> {
        let workbench = Self::build(capacity, 1, thieves, options);
        Arc::new(Workbench { barrier: HeavyBarrier::register(), ..workbench })
    }

    fn build(
        capacity: usize,
        at_hand: usize,
        thieves: usize,
        options: &D::Options,
    ) -> Workbench<D> {
        let slots = || Slots::several(1, capacity, at_hand).expect("a few slots").remove(0);
        let own = slots();
        let first = own.first();
        let others = (0..thieves).map(|_| D::new(slots(), options));
        let deques: Box<[D]> = std::iter::once(D::new(own, options)).chain(others).collect();
        // SAFETY: the deques are boxed, and live as long as the team.
        let team = unsafe { Team::new(deques.iter()) };
        Workbench {
            team,
            head: Head::at(first),
            first,
            barrier: None,
            runs: Runs::new(),
            _deques: deques,
        }
    }

    pub(super) fn deque(&self) -> &D {
        self.team.deque(0)
    }

    pub(super) fn runs(&self) -> &Runs {
        &self.runs
    }

    pub(super) fn owner(&self) -> Owner<'_, D> {
        Owner { workbench: self, head: &self.head, pushed: RefCell::default() }
    }

    /// One try to steal, as a worker does it: run what was won, ask or expose if there was nothing. Tells how many
    /// tasks were run.
    pub(super) fn try_steal(&self, thief: usize) -> usize {
        match D::steal(&self.team, 0, thief, &NoProbe) {
            Steal::Task(loot) => self.run(loot, thief),
            Steal::Empty => {
                match &self.barrier {
                    Some(_) => {
                        let _ = self.expose_by(|deque, barrier, head| deque.expose(barrier, head));
                    }
                    None => self.deque().request(),
                }
                0
            }
            Steal::Busy => 0,
        }
    }

    /// Calls `expose` with the barrier and a way to look at the owner's head, as a worker does.
    pub(super) fn expose_by<R>(
        &self,
        expose: impl FnOnce(&D, &HeavyBarrier, &dyn Fn() -> *const Slot) -> R,
    ) -> R {
        let barrier = self.barrier.as_ref().expect("a workbench with a barrier");
        expose(self.deque(), barrier, &|| self.head.look())
    }

    /// What a worker does before it parks: it asks, and tells whether the owner has something.
    pub(super) fn ask_and_look(&self) -> bool {
        self.deque().request();
        let barrier = self.barrier.as_ref().expect("a workbench with a barrier");
        assert_eq!(barrier.issue(), Issued::Yes);
        let head = self.head.get();
        self.deque().stealable() == Stealable::Some
            || head != self.first && self.deque().withholds(head)
    }

    /// Stops stealing, as a worker does it: runs what has come all the same.
    pub(super) fn withdraw(&self, thief: usize) {
        while let Some(loot) = D::withdraw(&self.team, thief, &NoProbe) {
            self.run(loot, thief);
        }
    }

    /// Runs what was won, newest first.
    pub(super) fn run(&self, loot: Loot<'_>, thief: usize) -> usize {
        for index in (0..loot.count).rev() {
            // SAFETY: the loot is `count` slots of one array.
            let slot = unsafe { SlotPtr::new(loot.first.pointer().add(index)) };
            slot.state.note_taken(thief);
            // SAFETY: the slot was won, and `run_task` looks at no worker.
            let finished = unsafe { slot.run(std::ptr::null()) };
            let _ = slot.state.finish(finished);
        }
        loot.count
    }
}

/// The owner's end, moved as `Worker` does.
pub(super) struct Owner<'a, D: Deque> {
    workbench: &'a Workbench<D>,
    head: &'a Head<Slot>,
    pushed: RefCell<Vec<usize>>,
}

/// Who ran a task that the owner wanted back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    Here,
    AtThief,
}

impl<D: Deque> Owner<'_, D> {
    fn deque(&self) -> &D {
        self.workbench.deque()
    }

    pub(super) fn head(&self) -> *const Slot {
        self.head.get()
    }

    /// Pushes the task with this number, and answers if asked.
    pub(super) fn push(&self, number: usize) -> Push {
        // SAFETY: the head stands within the array.
        let slot = unsafe { &*self.head.get() };
        let task = ManuallyDrop::new(Task { number, runs: &raw const self.workbench.runs });
        // SAFETY: the slot at the head is free and ours.
        unsafe { slot.store(run_task, &task) };
        let head = self.head.get().wrapping_add(1);
        self.head.raise(head);
        let push = match self.deque().push(head, &NoProbe) {
            Fast::Done => Push::Pushed,
            Fast::Slow => self.deque().push_slow(head, &NoProbe),
        };
        match push {
            Push::Pushed => self.pushed.borrow_mut().push(number),
            Push::Asked => {
                self.pushed.borrow_mut().push(number);
                let _ = self.share();
            }
            Push::Full => self.head.lower(head.wrapping_sub(1)),
        }
        push
    }

    pub(super) fn share(&self) -> Stealable {
        self.deque().share(self.head.get(), &self.workbench.team, 0, &NoProbe)
    }

    /// Forgets that anybody asked.
    pub(super) fn forget_request(&self) {
        self.deque().forget_request(&NoProbe);
    }

    /// Looks what thieves want, as a worker that waits does.
    pub(super) fn communicate(&self) {
        self.deque().communicate(self.head.get(), &self.workbench.team, 0, &NoProbe);
    }

    /// Runs its oldest task, as a worker does that polls.
    pub(super) fn poll(&self) {
        let (workbench, head) = (self.workbench, self.head.get());
        if let Some(loot) = D::take_oldest(&workbench.team, head, 0, &NoProbe) {
            workbench.run(loot, 0);
        }
    }

    /// Gives back what the array has had more than at the start.
    pub(super) fn give_back(&self) {
        assert!(self.pushed.borrow().is_empty());
        self.deque().give_back();
    }

    /// Wants the newest task back; if it was stolen, waits for its result and retires the slot.
    pub(super) fn pop(&self) -> Ran {
        let number = self.pushed.borrow_mut().pop().expect("a task was pushed");
        let top = self.head.get().wrapping_sub(1);
        self.head.lower(top);
        let pop = match self.deque().pop(top, &NoProbe) {
            Fast::Done => Pop::Popped,
            Fast::Slow => self.deque().pop_slow(top, &NoProbe),
        };
        match pop {
            Pop::Stolen => {
                self.head.raise(top.wrapping_add(1));
                self.sync(top, number);
                return Ran::AtThief;
            }
            Pop::Asked => {
                let _ = self.share();
            }
            Pop::Popped => {}
        }
        self.workbench.runs.note(number);
        Ran::Here
    }

    fn sync(&self, top: *const Slot, number: usize) {
        // SAFETY: `top` stands within the array.
        let slot = unsafe { &*top };
        let finished = loop {
            match slot.state.load().finished() {
                Some(finished) => break finished,
                None => {
                    self.communicate();
                    yield_now();
                }
            }
        };
        // SAFETY: the end was seen, this is once, and the result of `run_task` is a `usize`.
        let result = unsafe { slot.collect::<usize>(finished) };
        assert_eq!(result.ok(), Some(result_of(number)));
        self.head.lower(top);
        self.deque().retire(top, &NoProbe);
    }

    /// Wants all tasks back.
    pub(super) fn pop_all(&self) {
        while !self.pushed.borrow().is_empty() {
            self.pop();
        }
    }
}
