//! The join of an engine in C or C++, which calls closures.

use std::ffi::c_void;
use std::ptr;

use super::{Fork, Solve};
use crate::engine::On;
use crate::rival::{Call, Join, Rival, Started};

/// A worker of the engine, in one of its tasks.
pub(crate) struct OnRival<'w> {
    worker: *mut c_void,
    join: &'w Join,
}

/// A closure, and then its result. A panic in it ends the process.
struct Task<'k, F, R> {
    join: &'k Join,
    closure: Option<F>,
    result: Option<R>,
}

impl<'k, R, F: FnOnce(&mut OnRival<'_>) -> R> Task<'k, F, R> {
    fn new(join: &'k Join, closure: F) -> Task<'k, F, R> {
        Task { join, closure: Some(closure), result: None }
    }

    fn data(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }

    /// The function that takes the data of this task: fork-1.
    #[inline]
    fn function(&self) -> Call {
        Self::call
    }

    /// # Safety
    /// `data` is the [data](Task::data) of a task of this type, which nobody else uses meanwhile.
    unsafe extern "C" fn call(worker: *mut c_void, data: *mut c_void) {
        // SAFETY: the caller's promise.
        let task = unsafe { &mut *data.cast::<Task<'_, F, R>>() };
        let join = task.join;
        let closure = task.closure.take();
        task.result = closure.map(|closure| closure(&mut OnRival { worker, join }));
    }

    fn result(self) -> R {
        self.result.expect("the call is over")
    }
}

impl Fork for OnRival<'_> {
    type Again<'s> = OnRival<'s>;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut OnRival<'_>) -> RA + Send,
        B: FnOnce(&mut OnRival<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let (mut a, mut b) = (Task::new(self.join, a), Task::new(self.join, b));
        let join = *self.join;
        // SAFETY: whoever has an `OnRival` is in a task, and this is its worker; rival-1; fork-1; both tasks live until
        // the call returns (rival-3).
        unsafe { join(self.worker, a.function(), a.data(), b.function(), b.data()) };
        (a.result(), b.result())
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut OnRival<'_>) -> RA,
    {
        a(self)
    }
}

/// Calls `closure` in a task of the engine.
///
/// # Panics
/// If the engine has no join.
pub(crate) fn on_rival<R, F>(started: &Started, closure: F) -> R
where
    F: FnOnce(&mut OnRival<'_>) -> R + Send,
    R: Send,
{
    let kernels = &started.kernels;
    let (Some(run), Some(join)) = (kernels.run, &kernels.join) else {
        panic!("the engine has no join");
    };
    let mut task = Task::new(join, closure);
    // SAFETY: rival-1; rival-2; fork-1; rival-3: the task lives until the call returns.
    unsafe { run(task.function(), task.data()) };
    task.result()
}

impl<P: Solve> On<Rival> for P {
    fn run(&mut self, started: &Started) -> P::Answer {
        on_rival(started, |fork| self.solve(fork))
    }
}
