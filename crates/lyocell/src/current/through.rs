//! A closure on its way through a call that does not know its type, and its result on the way back.
//!
//! What a closure goes through so is compiled once, and not for each closure.

use crate::task::panic::DroppedQuietly;
use lyocell_sync::unmodelled::Mutex;
use std::mem::replace;

/// A closure, and then its result. If the call that it goes through unwinds, what is in here is dropped quietly.
pub(crate) struct Through<F, R>(DroppedQuietly<Passed<F, R>>);

enum Passed<F, R> {
    Closure(F),
    Begun,
    Result(R),
}

impl<F, R> Through<F, R> {
    pub(crate) fn new(closure: F) -> Self {
        Through(DroppedQuietly::new(Passed::Closure(closure)))
    }

    /// Calls the closure, once.
    pub(crate) fn call(&mut self, call: impl FnOnce(F) -> R) {
        if let Passed::Closure(closure) = replace(self.0.get_mut(), Passed::Begun) {
            *self.0.get_mut() = Passed::Result(call(closure));
        }
    }

    /// What the closure returned.
    pub(crate) fn result(self) -> R {
        match self.0.into_inner() {
            Passed::Result(result) => result,
            _ => unreachable!("the closure has been called: the call returned"),
        }
    }
}

/// Passes the closures of a join through one that knows neither.
pub(crate) fn join_through<A, B, RA, RB>(
    a: A,
    b: B,
    join: impl FnOnce(&mut dyn FnMut(), &mut (dyn FnMut() + Send)),
) -> (RA, RB)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB + Send,
    RB: Send,
{
    let (mut a, mut b) = (Through::new(a), Through::new(b));
    join(&mut || a.call(|a| a()), &mut || b.call(|b| b()));
    (a.result(), b.result())
}

/// The results of calls on several workers. If the panic of one goes through the frame that has this, the others' results are
/// dropped quietly, one by one.
pub(crate) struct Gathered<R>(Mutex<Vec<(usize, DroppedQuietly<R>)>>);

impl<R> Gathered<R> {
    pub(crate) fn new() -> Self {
        Gathered(Mutex::new(Vec::new()))
    }

    /// Keeps what the call on this worker returned.
    pub(crate) fn keep(&self, worker: usize, result: R) {
        let result = DroppedQuietly::new(result);
        self.0.lock().push((worker, result));
    }

    /// In the order of the workers' numbers.
    pub(crate) fn into_results(self) -> Vec<R> {
        let mut results = self.0.into_inner();
        results.sort_unstable_by_key(|(worker, _)| *worker);
        results.into_iter().map(|(_, result)| result.into_inner()).collect()
    }
}
