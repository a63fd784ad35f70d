//! SPAWN and SYNC of a task that calls a closure: the program in `lace.c`.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use super::{Fork, Solve};
use crate::engine::On;
use crate::lace::{Lace, Running};

/// `lace_worker`, of which we know nothing.
#[repr(C)]
struct LaceWorker {
    _opaque: [u8; 0],
}

/// What C calls with its worker and what it was given for the call. A panic in it ends the process.
type Call = unsafe extern "C" fn(*mut LaceWorker, *mut c_void);

unsafe extern "C" {
    /// Calls both, in parallel if another worker is free. Only from a task, with its worker.
    fn lyocell_lace_join(
        worker: *mut LaceWorker,
        a: Call,
        a_data: *mut c_void,
        b: Call,
        b_data: *mut c_void,
    );

    /// Calls it on some worker. Lace must be running.
    fn lyocell_lace_run(call: Call, data: *mut c_void);
}

/// A worker of Lace's, in one of its tasks.
#[derive(Debug)]
pub(crate) struct OnLace<'w>(*mut LaceWorker, PhantomData<&'w ()>);

/// A closure, and then its result.
struct Task<F, R> {
    closure: Option<F>,
    result: Option<R>,
}

impl<R, F: FnOnce(&mut OnLace<'_>) -> R> Task<F, R> {
    fn new(closure: F) -> Task<F, R> {
        Task { closure: Some(closure), result: None }
    }

    fn data(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }

    /// # Safety
    /// `data` is the [data](Task::data) of a task of this type, which nobody else uses meanwhile.
    unsafe extern "C" fn call(worker: *mut LaceWorker, data: *mut c_void) {
        // SAFETY: the caller's promise.
        let task = unsafe { &mut *data.cast::<Task<F, R>>() };
        let closure = task.closure.take();
        task.result = closure.map(|closure| closure(&mut OnLace(worker, PhantomData)));
    }

    fn result(self) -> R {
        self.result.expect("the call is over")
    }
}

impl Fork for OnLace<'_> {
    type Again<'s> = OnLace<'s>;

    #[inline]
    fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&mut OnLace<'_>) -> RA + Send,
        B: FnOnce(&mut OnLace<'_>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let (mut a, mut b) = (Task::new(a), Task::new(b));
        // SAFETY: whoever has an `OnLace` is in a task, and this is its worker; fork-1; both tasks live until the
        // call returns (lace-3).
        unsafe {
            lyocell_lace_join(self.0, call_of(&a), a.data(), call_of(&b), b.data());
        }
        (a.result(), b.result())
    }

    #[inline]
    fn call<A, RA>(&mut self, a: A) -> RA
    where
        A: FnOnce(&mut OnLace<'_>) -> RA,
    {
        a(self)
    }
}

/// The function that takes the data of `task`.
#[inline]
fn call_of<R, F: FnOnce(&mut OnLace<'_>) -> R>(_task: &Task<F, R>) -> Call {
    Task::<F, R>::call
}

impl<P: Solve> On<Lace> for P {
    fn run(&mut self, _running: &Running) -> P::Answer {
        let mut task = Task::new(|worker: &mut OnLace<'_>| self.solve(worker));
        // SAFETY: lace-1; fork-1; lace-3: the task lives until the call returns.
        unsafe { lyocell_lace_run(call_of(&task), task.data()) };
        task.result()
    }
}
